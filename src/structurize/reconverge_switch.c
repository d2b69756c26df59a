/* SPDX-License-Identifier: MIT */
/* reconverge_switch.c - divergent switches become compares, in the order of their cases.
 *
 *    switch %1, b0, 3: b1, 5: b2, 7: b1     =>     goto_if (%1 == 3 | %1 == 7), b1, t
 *                                                  t: goto_if %1 == 5, b2, b0
 *
 * There is one compare for each case, and one branch for each target but the default's.
 */
#include "heddle/ops.h"
#include "structurize/reconverge.h"

struct lower {
   hd_function *f;
   hd_shader *shader;
   hd_structurize_stats *stats;
   hd_stack *stack;
};

static hd_def *
insert_alu(struct lower *l, hd_block *at, hd_op op, hd_def *a, hd_def *b)
{
   hd_alu *alu = hd_alu_create(l->shader, op, 2, 1, 1);

   hd_src_set(&alu->instr, 0, a);
   hd_src_set(&alu->instr, 1, b);
   hd_instr_insert(hd_after_block(at), &alu->instr);
   l->stats->instructions++;
   return &alu->instr.def;
}

/* Whether the selector is one of the cases in this list. */
static hd_def *
compare_cases(struct lower *l, hd_block *at, hd_def *selector, const hd_switch_case *cases,
              const uint32_t *next, uint32_t first)
{
   hd_def *any = NULL;

   for (uint32_t n = first; n != NONE; n = next[n]) {
      hd_const_value value = { .u64 = cases[n].value };
      hd_const *c = hd_const_create(l->shader, 1, selector->bit_size, &value);
      hd_instr_insert(hd_after_block(at), &c->instr);
      l->stats->constants++;
      hd_def *equal = insert_alu(l, at, HD_OP_IEQ, selector, &c->instr.def);
      any = any ? insert_alu(l, at, HD_OP_IOR, any, equal) : equal;
   }
   return any;
}

/* What phis of the targets get from the switch, by the old edges: succ_begin[n] and on are those
 * for successor n.
 */
static hd_def **
save_values(struct lower *l, const hd_block *b, uint32_t *begin)
{
   uint32_t num = 0;

   for (uint32_t n = 0; n < b->num_succs; n++) {
      begin[n] = num;
      hd_foreach_phi(phi, b->succs[n].to)
         num++;
   }
   hd_def **values = hd_stack_alloc(l->stack, (num + 1) * sizeof(*values));
   num = 0;
   for (uint32_t n = 0; n < b->num_succs; n++) {
      hd_foreach_phi(phi, b->succs[n].to)
         values[num++] = phi->srcs[b->succs[n].pred].src.def;
   }
   return values;
}

static void
add_edge(hd_block *from, hd_block *to, hd_def *const *values)
{
   hd_edge_add(from, to);
   hd_foreach_phi(phi, to) {
      hd_phi_reserve(phi, phi->num_srcs + 1);
      hd_phi_add_src(phi, *values++);
   }
}

static void
lower_switch(struct lower *l, hd_block *b)
{
   hd_stack_mark mark = hd_stack_get_mark(l->stack);
   hd_jump *jump = hd_block_jump(b);
   hd_def *selector = jump->src[0].def;
   uint32_t num = b->num_succs, loc = jump->instr.loc;
   hd_block **targets = hd_stack_alloc(l->stack, num * sizeof(*targets));
   hd_switch_case *cases = hd_stack_alloc(l->stack, (jump->num_cases + 1) * sizeof(*cases));
   uint32_t *first = hd_stack_alloc(l->stack, num * sizeof(*first));
   uint32_t *last = hd_stack_alloc(l->stack, num * sizeof(*last));
   uint32_t *next = hd_stack_alloc(l->stack, (jump->num_cases + 1) * sizeof(*next));
   uint32_t *begin = hd_stack_alloc(l->stack, num * sizeof(*begin));
   hd_def **values = save_values(l, b, begin);

   for (uint32_t n = 0; n < num; n++) {
      targets[n] = b->succs[n].to;
      first[n] = NONE;
   }
   for (uint32_t n = 0; n < jump->num_cases; n++) {
      uint32_t s = jump->cases[n].succ;
      cases[n] = jump->cases[n];
      next[n] = NONE;
      if (first[s] == NONE)
         first[s] = n;
      else
         next[last[s]] = n;
      last[s] = n;
   }
   hd_flat_clear_jump(b);
   for (uint32_t n = 1; n < num; n++) {
      hd_def *test = compare_cases(l, b, selector, cases, next, first[n]);
      hd_jump *branch = hd_jump_create(l->shader, HD_JUMP_GOTO_IF, 1, 0);
      branch->src[0].def = test;
      branch->instr.loc = loc;
      hd_instr_append(b, &branch->instr);
      add_edge(b, targets[n], values + begin[n]);
      if (n == num - 1) {
         add_edge(b, targets[0], values + begin[0]);
         break;
      }
      hd_block *rest = hd_flat_block_create(l->f);
      rest->inside = b->node.header ? b : b->inside;
      hd_edge_add(b, rest);
      l->stats->blocks++;
      b = rest;
   }
   if (num == 1) {
      hd_jump *branch = hd_jump_create(l->shader, HD_JUMP_GOTO, 0, 0);
      branch->instr.loc = loc;
      hd_instr_append(b, &branch->instr);
      add_edge(b, targets[0], values + begin[0]);
   }
   hd_stack_release(l->stack, mark);
}

void
rc_lower_switches(hd_function *f, const bool *divergent, hd_structurize_stats *stats)
{
   struct lower l = { f, f->shader, stats, hd_shader_stack(f->shader) };
   uint32_t num = f->num_blocks;

   hd_foreach_block(b, f) {
      if (b->node.index < num && divergent[b->node.index] &&
          hd_block_jump(b)->instr.op == HD_JUMP_SWITCH)
         lower_switch(&l, b);
   }
}
