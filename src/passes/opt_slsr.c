/* SPDX-License-Identifier: MIT */
/* opt_slsr.c - straight-line strength reduction (SLSR): what differs from an earlier number by what is the same for
 * all lanes is that number and the difference, which a scalar unit computes.
 *
 *    %1 = imul %y, %w                         %1 = imul %y, %w
 *    %2 = iadd %1, %x                         %2 = iadd %1, %x
 *    ... %2                                   ... %2
 *    %3 = iadd %y, %8                         %3 = ishl %w, %three       (%w is uniform)
 *    %4 = imul %3, %w                 =>      %6 = iadd %2, %3
 *    %5 = iadd %4, %x                         ... %6
 *    ... %5
 *
 * Rows of a tile are addressed like that. Numbers of 32 bits are taken apart into terms, factor * value * value, of
 * which the second value is uniform; sums wrap, so it is exact. Replaced is what at least two other instructions
 * become unused by, in the cycle where it stands: what stands before a loop is computed once anyway.
 *
 * Requires:  valid IR, the order of the blocks, dominance, cycles; asks for divergence.
 * Preserves: all that depends on the graph alone.
 * Leaves:    what was computed before, to opt_dce; equal differences to opt_cse.
 * Tests:     tests/passes/opt_slsr.hd, tests/passes/test_run.c
 */
#include "heddle/build.h"
#include "heddle/build_ops.h"
#include "heddle/op_enum.h"
#include "ir/fold.h"
#include "passes/pass.h"

#define MAX_TERMS 8u
#define MAX_DEPTH 8u

/* Most terms of a difference. */
#define MAX_DIFFERENCE 2u

/* Fewest instructions that are saved, in those that one of a vector unit does; a product takes four. */
#define MIN_COST 3u
#define PRODUCT  4u

/* So many numbers before are looked at. */
#define WINDOW 32u

/* factor * def * by; without def: the factor. */
struct term {
   hd_def *def, *by;
   uint32_t factor;
};

struct sum {
   hd_def *root;
   unsigned num;
   bool uniform[MAX_TERMS];
   struct term term[MAX_TERMS];
};

struct state {
   hd_function *f;
   struct sum *recent;
   uint32_t num;
   struct {
      hd_def *old, *by;
   } * replaced;
   uint32_t num_replaced;
};

/* Taking apart */

static bool
add_term(struct sum *s, struct term t)
{
   const hd_block *b = hd_def_instr(s->root)->block;
   unsigned n = 0;

   while (n < s->num && (s->term[n].def != t.def || s->term[n].by != t.by))
      n++;
   if (n == s->num) {
      if (n == MAX_TERMS)
         return false;
      s->uniform[n] = !t.def || hd_def_is_uniform_at(t.def, b);
      s->term[s->num++] = t;
      return true;
   }
   s->term[n].factor += t.factor;
   if (!s->term[n].factor) {
      s->term[n] = s->term[--s->num];
      s->uniform[n] = s->uniform[s->num];
   }
   return true;
}

static const hd_alu *
as_sum(const hd_def *def)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));

   if (!alu || def->bit_size != 32 || def->num_components != 1)
      return NULL;
   switch ((hd_op)alu->instr.op) {
   case HD_OP_IADD:
   case HD_OP_ISUB:
   case HD_OP_IMUL:
      return alu;
   case HD_OP_ISHL:
      return hd_src_as_const(&alu->src[1]) ? alu : NULL;
   default:
      return NULL;
   }
}

/* Add t.factor * t.def * t.by. */
static bool
take_apart(struct sum *s, struct term t, unsigned depth)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(t.def));
   const hd_alu *alu = depth ? as_sum(t.def) : NULL;

   if (c)
      return t.factor * c->value[0].u32 == 0 ||
             add_term(s, (struct term){ t.by, NULL, t.factor * c->value[0].u32 });
   if (!alu)
      return add_term(s, t);
   hd_def *x = alu->src[0].def, *y = alu->src[1].def;
   if (alu->instr.op == HD_OP_IADD || alu->instr.op == HD_OP_ISUB) {
      const uint32_t factor = alu->instr.op == HD_OP_ISUB ? 0 - t.factor : t.factor;
      return take_apart(s, (struct term){ x, t.by, t.factor }, depth - 1) &&
             take_apart(s, (struct term){ y, t.by, factor }, depth - 1);
   }
   const hd_const *by = hd_src_as_const(&alu->src[1]);
   if (by) {
      const uint32_t k = by->value[0].u32,
                     factor = alu->instr.op == HD_OP_ISHL ? 1u << (k & 31) : k;
      return take_apart(s, (struct term){ x, t.by, t.factor * factor }, depth - 1);
   }
   const hd_block *b = hd_def_instr(s->root)->block;
   if (!t.by && hd_def_is_uniform_at(y, b))
      return take_apart(s, (struct term){ x, y, t.factor }, depth - 1);
   if (!t.by && hd_def_is_uniform_at(x, b))
      return take_apart(s, (struct term){ y, x, t.factor }, depth - 1);
   return add_term(s, t);
}

/* What of the divergent terms of one is not in the other is left in neither, or it is no difference. */
static bool
subtract(const struct sum *a, const struct sum *b, struct sum *difference)
{
   *difference = *a;
   for (unsigned n = 0; n < b->num; n++) {
      struct term t = b->term[n];
      t.factor = 0 - t.factor;
      if (!add_term(difference, t))
         return false;
   }
   for (unsigned n = 0; n < difference->num; n++) {
      if (!difference->uniform[n])
         return false;
   }
   return difference->num && difference->num <= MAX_DIFFERENCE;
}

/* What is saved */

static bool
is_read_as_it_is(const hd_def *def)
{
   hd_foreach_use(use, def) {
      const hd_instr *i = hd_src_instr(use);
      if (!i || i->kind != HD_INSTR_ALU || !as_sum(&i->def))
         return true;
   }
   return false;
}

/* Of the value and what only it reads. */
static unsigned
cost_of(const hd_def *def, const hd_block *b, unsigned depth)
{
   const hd_alu *alu = depth ? as_sum(def) : NULL;

   if (!alu || hd_block_cycle(alu->instr.block) != hd_block_cycle(b) ||
       hd_def_is_uniform_at(def, b))
      return 0;
   unsigned cost = alu->instr.op == HD_OP_IMUL ? PRODUCT : 1;
   for (unsigned n = 0; n < 2; n++) {
      const hd_def *x = alu->src[n].def;
      if (!hd_src_next_use(x->uses))
         cost += cost_of(x, b, depth - 1);
   }
   return cost;
}

/* Building */

static hd_def *
build_difference(hd_builder *b, const struct sum *difference)
{
   hd_def *sum = NULL;

   for (unsigned n = 0; n < difference->num; n++) {
      const struct term *t = &difference->term[n];
      hd_def *x = t->def;
      uint32_t factor = t->factor;
      if (x && t->by)
         x = hd_imul(b, x, t->by);
      if (!x)
         x = hd_imm_u32(b, factor);
      else if (!(factor & (factor - 1)))
         x = factor == 1 ? x : hd_ishl(b, x, hd_imm_u32(b, (uint32_t)find_lsb(factor)));
      else
         x = hd_imul(b, x, hd_imm_u32(b, factor));
      sum = sum ? hd_iadd(b, sum, x) : x;
   }
   return sum;
}

static void
visit(struct state *s, hd_instr *i)
{
   struct sum *sum = &s->recent[s->num % WINDOW], difference;

   if (i->kind != HD_INSTR_ALU || !as_sum(&i->def) || !is_read_as_it_is(&i->def) ||
       hd_def_is_uniform(&i->def))
      return;
   sum->root = &i->def;
   sum->num = 0;
   if (!take_apart(sum, (struct term){ &i->def, NULL, 1 }, MAX_DEPTH))
      return;
   s->num++;
   if (cost_of(&i->def, i->block, MAX_DEPTH) < MIN_COST)
      return;
   for (uint32_t n = 2; n <= s->num && n <= WINDOW; n++) {
      const struct sum *other = &s->recent[(s->num - n) % WINDOW];
      pass_step(s->f, other->num);
      if (!hd_block_dominates(hd_def_instr(other->root)->block, i->block) ||
          !subtract(sum, other, &difference))
         continue;
      hd_builder b = hd_builder_at(hd_before_instr(i));
      b.loc = i->loc;
      hd_def *by = hd_iadd(&b, other->root, build_difference(&b, &difference));
      s->replaced[s->num_replaced].old = &i->def;
      s->replaced[s->num_replaced++].by = by;
      return;
   }
}

/* Uses are replaced at the end: what is known of divergence is known of the old values. */
bool
hd_opt_slsr(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct state s = { .f = f };
   uint32_t num;
   hd_block *const *rpo = hd_function_rpo(f, &num);

   hd_require(f, HD_META_DIVERGENCE);
   s.recent = hd_stack_alloc(stack, WINDOW * sizeof(*s.recent));
   s.replaced = hd_stack_alloc(stack, f->num_defs * sizeof(*s.replaced));
   for (uint32_t n = 0; n < num; n++) {
      hd_foreach_instr(i, rpo[n]) {
         pass_step(f, 1);
         visit(&s, i);
      }
   }
   for (uint32_t n = 0; n < s.num_replaced; n++)
      hd_def_replace_uses(s.replaced[n].old, s.replaced[n].by);
   return hd_progress(f, s.num_replaced > 0, OPT_SLSR_KEEPS);
}
