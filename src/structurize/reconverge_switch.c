/* SPDX-License-Identifier: MIT */
/* reconverge_switch.c - lower divergent switches to compares.
 *
 *    switch %1, b0, 3: b1, 5: b2, 7: b1     =>     goto_if (%1 == 3 | %1 == 7), b1, t
 *                                                  t: goto_if %1 == 5, b2, b0
 *
 * There is one compare for each case, and one branch for each target but the default's.
 *
 * Each of these branches then has two arms and takes a flow block. But where nothing else leads
 * into the arms, and all that leaves them goes to one block, the arms can stand in line, each
 * after a branch over it, with all compares made before the first: one branch for each arm and no
 * flow block.
 *
 *    b: switch %1, b3, 3: b1, 5: b2         b: goto_if %1 == 3, b1, s
 *    b1: goto b4   b2: goto b4        =>    b1: goto s       s: goto_if %1 == 5, b2, t
 *    b3: goto b4                            b2: goto t       t: goto_if (%1 == 3 | %1 == 5), b4, b3
 *
 * Inner switches come first. All walks over arms together take no more than a few steps for each
 * edge; switches that are still left then get flow blocks.
 */
#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "structurize/reconverge.h"

struct lower {
   hd_function *f;
   hd_shader *shader;
   hd_structurize_stats *stats;
   hd_stack *stack;
   const hd_block **origin; /* by block index: where it was copied from */
   hd_block **copy;         /* and the copy */
   uint32_t num_origins;    /* others were made here */
   uint32_t *arm_of;        /* by block index: the number of the arm that a walk found it in */
   uint32_t num_arms;
   hd_block **walk;
   uint64_t steps_left;
};

static hd_def *
insert_alu(struct lower *l, hd_block *at, hd_op op, hd_def *a, hd_def *b)
{
   hd_alu *alu = hd_alu_create(l->shader, op, 2, 1, 1);

   hd_instr_set_src(&alu->instr, 0, a);
   hd_instr_set_src(&alu->instr, 1, b);
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

/* The cases of a switch, in a list for each successor. */
struct cases {
   hd_switch_case *cases;
   uint32_t *first, *next;
};

static struct cases
read_cases(struct lower *l, const hd_jump *jump, uint32_t num)
{
   struct cases c = {
      .cases = hd_stack_alloc(l->stack, (jump->num_cases + 1) * sizeof(*c.cases)),
      .first = hd_stack_alloc(l->stack, num * sizeof(*c.first)),
      .next = hd_stack_alloc(l->stack, (jump->num_cases + 1) * sizeof(*c.next)),
   };

   for (uint32_t n = 0; n < num; n++)
      c.first[n] = NONE;
   for (uint32_t n = jump->num_cases; n--;) {
      uint32_t s = jump->cases[n].succ;
      c.cases[n] = jump->cases[n];
      c.next[n] = c.first[s];
      c.first[s] = n;
   }
   return c;
}

static void
lower_switch(struct lower *l, hd_block *b)
{
   hd_stack_mark mark = hd_stack_get_mark(l->stack);
   hd_jump *jump = hd_block_jump(b);
   hd_def *selector = jump->src[0].def;
   uint32_t num = b->num_succs, loc = jump->instr.loc;
   hd_block **targets = hd_stack_alloc(l->stack, num * sizeof(*targets));
   const struct cases cases = read_cases(l, jump, num);
   uint32_t *begin = hd_stack_alloc(l->stack, num * sizeof(*begin));
   hd_def **values = save_values(l, b, begin);

   for (uint32_t n = 0; n < num; n++)
      targets[n] = b->succs[n].to;
   hd_flat_clear_jump(b);
   for (uint32_t n = 1; n < num; n++) {
      hd_def *test = compare_cases(l, b, selector, cases.cases, cases.next, cases.first[n]);
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
      rest->loop_header = b->node.header ? b : b->loop_header;
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

/* An edge from an arm to where all arms meet, and what it brings to each phi there. */
struct way_out {
   hd_block *from;
   uint32_t succ;
   hd_def **values;
};

/* A switch whose arms are put in line. */
struct line {
   hd_block *join;
   const hd_cycle *around, *inner; /* see find_level */
   hd_block *inside;               /* the header that is declared of what is put between arms */
   uint32_t num_phis;
   struct way_out *out; /* by arm: from out_begin[n] */
   uint32_t *out_begin;
   uint32_t *arm; /* by successor: its number */
   uint32_t num_out, capacity;
};

static const hd_block *
origin_of(const struct lower *l, const hd_block *b)
{
   return b->node.index < l->num_origins ? l->origin[b->node.index] : NULL;
}

/* Arms and what is put between them stand at one level: in all cycles that `around` is in, and in
 * no other that the switch is in. Else lanes would leave a cycle on their way from one arm to the
 * next, and come back. For the same reason each cycle that an arm has a block of is in the arm as a
 * whole, and none of the arms goes back to a header.
 */
static bool
find_level(struct lower *l, struct line *line, const hd_block *b, const hd_block *first)
{
   const hd_block *from = l->origin[b->node.index], *to = origin_of(l, first);

   line->around = hd_block_cycle(from);
   while (to && line->around && !hd_cycle_contains(line->around, to)) {
      if (!l->steps_left)
         return false;
      l->steps_left--;
      line->inner = line->around;
      line->around = line->around->parent;
   }
   if (line->around && (b->node.header || b->loop_header))
      line->inside = l->copy[line->around->header->node.index];
   return true;
}

/* The innermost cycle of a block that it is not the header of. */
static const hd_cycle *
cycle_around(const hd_block *b)
{
   const hd_cycle *headed = hd_block_headed_cycle(b);

   return headed ? headed->parent : hd_block_cycle(b);
}

static bool
is_at_level(const struct lower *l, const struct line *line, const hd_block *at, uint32_t arm)
{
   const hd_block *b = origin_of(l, at);

   /* What was made for an inner switch is where that is. */
   if (!b)
      return true;
   if (line->around && (line->around->header == b || !hd_cycle_contains(line->around, b)))
      return false;
   if (line->inner && hd_cycle_contains(line->inner, b))
      return false;
   const hd_cycle *cycle = cycle_around(b);
   return cycle == line->around || l->arm_of[cycle->header->node.index] == arm;
}

/* Lanes reach the join from all arms: it is at their level, or further out. */
static bool
is_join(const struct lower *l, const struct line *line, const hd_block *b)
{
   const hd_block *join = origin_of(l, line->join), *from = l->origin[b->node.index];
   const hd_cycle *cycle = cycle_around(join);

   return (!line->inner || !hd_cycle_contains(line->inner, join)) &&
          (!cycle || hd_cycle_contains(cycle, from));
}

static void
add_way_out(struct lower *l, struct line *line, hd_block *from, uint32_t succ)
{
   if (line->num_out == line->capacity) {
      line->capacity = line->capacity * 2 + 16;
      struct way_out *out = hd_stack_alloc(l->stack, line->capacity * sizeof(*out));
      if (line->num_out)
         memcpy(out, line->out, line->num_out * sizeof(*out));
      line->out = out;
   }
   line->out[line->num_out++] = (struct way_out){ from, succ, NULL };
}

/* Is what is reached from an arm's first block entered there alone, and left to the join alone? */
static bool
walk_arm(struct lower *l, struct line *line, const hd_block *b, hd_block *first)
{
   uint32_t num = 0, arm = ++l->num_arms, num_before = line->num_out;

   l->walk[num++] = first;
   l->arm_of[first->node.index] = arm;
   for (uint32_t i = 0; i < num; i++) {
      hd_block *at = l->walk[i];
      if (at == b || l->steps_left <= at->num_succs + at->num_preds)
         return false;
      l->steps_left -= at->num_succs + at->num_preds;
      for (uint32_t n = 0; n < at->num_succs; n++) {
         hd_block *to = at->succs[n].to;
         if (hd_block_is_end(to))
            return false;
         if (to == line->join) {
            add_way_out(l, line, at, n);
         } else if (l->arm_of[to->node.index] != arm) {
            l->arm_of[to->node.index] = arm;
            l->walk[num++] = to;
         }
      }
   }
   for (uint32_t i = 0; i < num; i++) {
      const hd_block *at = l->walk[i];
      if (!is_at_level(l, line, at, arm))
         return false;
      for (uint32_t n = 0; n < at->num_preds; n++) {
         const hd_block *from = at->preds[n].from;
         if (l->arm_of[from->node.index] != arm && !(at == first && from == b))
            return false;
      }
   }
   return line->num_out > num_before;
}

static bool
can_stand_in_line(struct lower *l, hd_block *b, hd_block *join, struct line *line)
{
   *line = (struct line){ .join = join };
   if (!join || join == b)
      return false;
   if (!find_level(l, line, b, b->succs[b->succs[0].to == join].to) || !is_join(l, line, b))
      return false;
   line->arm = hd_stack_alloc(l->stack, b->num_succs * sizeof(*line->arm));
   line->out_begin = hd_stack_alloc(l->stack, (b->num_succs + 1) * sizeof(*line->out_begin));
   for (uint32_t n = 0; n < b->num_succs; n++) {
      hd_block *to = b->succs[n].to;
      line->out_begin[n] = line->num_out;
      if (hd_block_is_end(to) || (to != join && !walk_arm(l, line, b, to)))
         return false;
      line->arm[n] = l->num_arms;
   }
   line->out_begin[b->num_succs] = line->num_out;
   hd_foreach_phi(phi, join)
      line->num_phis++;
   for (uint32_t i = 0; i < line->num_out; i++) {
      struct way_out *o = &line->out[i];
      uint32_t k = 0;
      o->values = hd_stack_alloc(l->stack, (line->num_phis + 1) * sizeof(*o->values));
      hd_foreach_phi(phi, join)
         o->values[k++] = phi->srcs[o->from->succs[o->succ].pred].src.def;
   }
   return true;
}

static hd_def *
insert_undef(struct lower *l, const hd_def *like)
{
   hd_instr *undef = hd_undef_create(l->shader, like->num_components, like->bit_size);

   hd_instr_insert(hd_before_block(hd_function_start(l->f)), undef);
   l->stats->constants++;
   return &undef->def;
}

/* What lanes bring along for a phi of the join when those of an arm and those that went past it
 * meet; `past`: what the latter do, or NULL.
 */
static hd_def *
meet(struct lower *l, const struct line *line, uint32_t n, uint32_t k, hd_block *at, hd_block *from,
     hd_def *past)
{
   const struct way_out *out = line->out + line->out_begin[n];
   const uint32_t num = line->out_begin[n + 1] - line->out_begin[n];
   hd_def *own = out[0].values[k];
   bool same = !past || past == own;

   for (uint32_t i = 1; i < num; i++)
      same &= out[i].values[k] == own;
   if (same && l->arm_of[hd_def_instr(own)->block->node.index] != line->arm[n])
      return own;
   hd_phi *phi = hd_phi_insert(at, own->num_components, own->bit_size, NULL);
   hd_phi_set_src(phi, from, past ? past : insert_undef(l, own));
   for (uint32_t i = 0; i < num; i++)
      hd_phi_set_src(phi, out[i].from, out[i].values[k]);
   l->stats->edge_phis++;
   return &phi->instr.def;
}

/* A branch over the nth arm, to where it meets those that went past it: that is returned. */
static hd_block *
add_arm(struct lower *l, const struct line *line, hd_block *b, uint32_t n, hd_block *target,
        hd_def *test, bool inverted, hd_def *const *values, hd_def **past, bool last, uint32_t loc)
{
   hd_block *rest = last ? line->join : hd_flat_block_create(l->f);
   hd_jump *branch = hd_jump_create(l->shader, HD_JUMP_GOTO_IF, 1, 0);

   branch->src[0].def = test;
   branch->instr.loc = loc;
   hd_instr_append(b, &branch->instr);
   for (uint32_t k = 0; last && k < line->num_phis; k++) {
      if (!past[k])
         past[k] = insert_undef(l, line->out[line->out_begin[n]].values[k]);
   }
   if (inverted)
      add_edge(b, rest, past);
   add_edge(b, target, values);
   if (!inverted)
      add_edge(b, rest, past);
   if (last)
      return rest;
   rest->loop_header = line->inside;
   l->stats->blocks++;
   for (uint32_t i = line->out_begin[n]; i < line->out_begin[n + 1]; i++)
      hd_flat_redirect(line->out[i].from, line->out[i].succ, rest);
   for (uint32_t k = 0; k < line->num_phis; k++)
      past[k] = meet(l, line, n, k, rest, b, past[k]);
   return rest;
}

static void
lower_in_line(struct lower *l, hd_block *b, const struct line *line)
{
   hd_jump *jump = hd_block_jump(b);
   hd_def *selector = jump->src[0].def;
   const uint32_t num = b->num_succs, loc = jump->instr.loc;
   hd_block **targets = hd_stack_alloc(l->stack, num * sizeof(*targets));
   hd_def **tests = hd_stack_alloc_zero(l->stack, num * sizeof(*tests));
   uint32_t *begin = hd_stack_alloc(l->stack, num * sizeof(*begin));
   hd_def **values = save_values(l, b, begin);
   hd_def **past = hd_stack_alloc_zero(l->stack, (line->num_phis + 1) * sizeof(*past));
   const struct cases cases = read_cases(l, jump, num);
   uint32_t num_left = 0;

   for (uint32_t n = 0; n < num; n++) {
      targets[n] = b->succs[n].to;
      num_left += targets[n] != line->join;
      for (uint32_t k = 0; targets[n] == line->join && k < line->num_phis; k++)
         past[k] = values[begin[n] + k];
   }
   const bool default_arm = targets[0] != line->join;
   hd_flat_clear_jump(b);
   for (uint32_t n = 1; n < num; n++) {
      if (!default_arm && targets[n] == line->join)
         continue;
      tests[n] = compare_cases(l, b, selector, cases.cases, cases.next, cases.first[n]);
      if (default_arm)
         tests[0] = tests[0] ? insert_alu(l, b, HD_OP_IOR, tests[0], tests[n]) : tests[n];
   }
   for (uint32_t i = 1; i <= num; i++) {
      const uint32_t n = i % num;
      if (targets[n] != line->join)
         b = add_arm(l, line, b, n, targets[n], tests[n], n == 0, values + begin[n], past,
                     --num_left == 0, loc);
   }
}

void
hd_rc_lower_switches(hd_function *f, hd_function *old, const bool *divergent,
                     const hd_block *const *joins, hd_structurize_stats *stats)
{
   struct lower l = { .f = f, .shader = f->shader, .stats = stats };
   uint32_t num, num_switches = 0, most = f->num_blocks;
   hd_block *const *sweep = hd_function_sweep(f, &num);

   l.stack = hd_shader_stack(f->shader);
   hd_block **switches = hd_stack_alloc(l.stack, (num + 1) * sizeof(*switches));
   l.steps_left = 1024;
   for (uint32_t n = 0; n < num; n++) {
      hd_block *b = sweep[n];
      l.steps_left += 16 * (uint64_t)b->num_succs;
      if (!divergent[b->node.index] || hd_block_jump(b)->instr.op != HD_JUMP_SWITCH)
         continue;
      switches[num_switches++] = b;
      most += b->num_succs;
   }
   if (num_switches) {
      l.arm_of = hd_stack_alloc_zero(l.stack, (most + 1) * sizeof(*l.arm_of));
      l.walk = hd_stack_alloc(l.stack, (most + 1) * sizeof(hd_block *));
      l.num_origins = old->num_blocks;
      l.origin = hd_stack_alloc_zero(l.stack, (old->num_blocks + 1) * sizeof(*l.origin));
      l.copy = hd_stack_alloc_zero(l.stack, (old->num_blocks + 1) * sizeof(*l.copy));
      hd_foreach_block(b, old)
         l.origin[b->node.index] = b;
      hd_foreach_block(b, f)
         l.copy[b->node.index] = b;
   }
   while (num_switches--) {
      hd_block *b = switches[num_switches];
      const hd_block *old_join = joins[b->node.index];
      hd_block *join = old_join ? l.copy[old_join->node.index] : NULL;
      struct line line;
      hd_stack_mark mark = hd_stack_get_mark(l.stack);
      if (b->num_succs > 2 && can_stand_in_line(&l, b, join, &line))
         lower_in_line(&l, b, &line);
      else
         lower_switch(&l, b);
      hd_stack_release(l.stack, mark);
   }
}
