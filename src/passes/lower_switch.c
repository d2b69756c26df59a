/* SPDX-License-Identifier: MIT */
/* lower_switch.c - lower switches of flat functions to two-way branches.
 *
 * All case values of a target are tested together: runs of values as ranges, and ranges that lie
 * close together, if that takes fewer tests, with a bit test (as LLVM's switch lowering does).
 *
 *    divergent: one branch a target          uniform, or many: a search in the sorted ranges
 *
 *    x in T1?                                         x < 40?
 *     |  \__ T1                                  x < 10?       x < 90?
 *    x in T2?                                   ...   ...     ...   ...
 *     |  \__ T2
 *    default
 *
 * If the selector is divergent, the wave executes all paths, and each branch costs an exec mask: so
 * there are as few branches as possible. But where values are dense and arms are many and apart, the
 * branches of the search are no more than those of the chain, and a wave skips the parts that none
 * of its lanes wants. If the selector is uniform, the number of tests on the path counts:
 * about log2 of the ranges, by binary search. A part of the search whose values fit in a word and
 * lead to one or two targets becomes a bit test.
 *
 * Lanes reach each target in the same sweep as before: new blocks are in the loop of the switch,
 * and all forward edges stay forward. A target that the search reaches from several places gets a
 * block in front of it, so that its phis get only one more source.
 *
 * Requires:  valid IR; computes cycles if there is a switch, and divergence unless the selector is
 *            known to be divergent.
 * Preserves: nothing when it fires; all when it does not.
 * Leaves:    no switch.
 * Tests:     tests/passes/lower_switch.hd, tests/passes/test_run.c, tests/passes/test_switch.c
 */
#include <stdlib.h>

#include "analysis/private.h"
#include "heddle/op_enum.h"
#include "passes/pass.h"

/* Values from `low` to `high`, that go to the target of this number. */
struct range {
   uint64_t low, high;
   uint32_t target;
};

/* A successor of the switch. Target 0 is the default's. */
struct target {
   hd_block *block;
   hd_def **phis;       /* what the phis of the block got from the switch, in their order */
   hd_block *forward;   /* what is gone through, once there is a second edge; or NULL */
   uint32_t edges;      /* to it so far */
   uint32_t first, num; /* its ranges, in `by_target` */
};

struct lowering {
   hd_function *f;
   hd_def *selector;
   hd_block *inside; /* what new blocks are declared to be inside of, or NULL */
   uint32_t loc;
   struct range *ranges; /* sorted by value, those of the default left out */
   uint32_t num_ranges;
   struct range *by_target; /* sorted by target, then value */
   struct target *targets;
   uint32_t num_targets;
};

/* How many ranges of a target are compared one by one: three comparisons are no longer than bits.
 */
#define MOST_COMPARED 2u
#define WORD          32u
/* From so many targets on, lanes that differ are parted by a search. In a wave of 64 lanes whose
 * values are few, that runs a third of the instructions of a chain of 64, and no more at 16 if all
 * values are there; below that it runs more.
 */
#define FEWEST_PARTED 16u

static int
compare_values(const void *a, const void *b)
{
   const struct range *x = a, *y = b;

   return x->low < y->low ? -1 : x->low > y->low;
}

static int
compare_targets(const void *a, const void *b)
{
   const struct range *x = a, *y = b;

   if (x->target != y->target)
      return x->target < y->target ? -1 : 1;
   return compare_values(a, b);
}

/* Cases mostly come in order. */
static void
sort_ranges(struct range *ranges, uint32_t num, int (*compare)(const void *, const void *))
{
   for (uint32_t n = 1; n < num; n++) {
      if (compare(&ranges[n - 1], &ranges[n]) <= 0)
         continue;
      qsort(ranges, num, sizeof(*ranges), compare);
      return;
   }
}

static uint64_t
greatest(const struct lowering *l)
{
   return l->selector->bit_size == 64 ? UINT64_MAX : (UINT64_C(1) << l->selector->bit_size) - 1;
}

static void
collect_ranges(struct lowering *l, const hd_jump *jump, hd_stack *stack)
{
   const size_t room = (jump->num_cases + 1) * sizeof(struct range);
   uint32_t num = 0;

   l->ranges = hd_stack_alloc(stack, room);
   l->by_target = hd_stack_alloc(stack, room);
   for (uint32_t n = 0; n < jump->num_cases; n++) {
      const hd_switch_case *c = &jump->cases[n];
      if (c->succ)
         l->ranges[num++] = (struct range){ c->value, c->value, c->succ };
   }
   sort_ranges(l->ranges, num, compare_values);
   l->num_ranges = 0;
   for (uint32_t n = 0; n < num; n++) {
      struct range *last = l->num_ranges ? &l->ranges[l->num_ranges - 1] : NULL;
      if (last && last->target == l->ranges[n].target && last->high + 1 == l->ranges[n].low)
         last->high = l->ranges[n].high;
      else
         l->ranges[l->num_ranges++] = l->ranges[n];
   }
   memcpy(l->by_target, l->ranges, l->num_ranges * sizeof(struct range));
   sort_ranges(l->by_target, l->num_ranges, compare_targets);
   for (uint32_t n = 0; n < l->num_ranges; n++) {
      struct target *t = &l->targets[l->by_target[n].target];
      if (!t->num++)
         t->first = n;
   }
}

static void
collect_targets(struct lowering *l, const hd_block *b, hd_stack *stack)
{
   l->num_targets = b->num_succs;
   l->targets = hd_stack_alloc_zero(stack, b->num_succs * sizeof(struct target));
   for (uint32_t n = 0; n < b->num_succs; n++) {
      struct target *t = &l->targets[n];
      uint32_t num = 0;
      t->block = b->succs[n].to;
      hd_foreach_phi(phi, t->block)
         num++;
      t->phis = hd_stack_alloc(stack, (num + 1) * sizeof(hd_def *));
      num = 0;
      hd_foreach_phi(phi, t->block)
         t->phis[num++] = phi->srcs[b->succs[n].pred].src.def;
   }
}

static void
set_phis(const struct target *t, const hd_block *from)
{
   uint32_t n = 0;

   hd_foreach_phi(phi, t->block)
      hd_phi_set_src(phi, from, t->phis[n++]);
}

static hd_block *
new_block(const struct lowering *l)
{
   hd_block *b = hd_flat_block_create(l->f);

   b->loop_header = l->inside;
   return b;
}

/* Where a branch goes: a block, and the number of the target if it is that target's own. */
struct way {
   hd_block *to;
   int target; /* -1: a new block */
};

static struct way
to_new(const struct lowering *l)
{
   return (struct way){ new_block(l), -1 };
}

static struct way
to_own(const struct lowering *l, uint32_t target)
{
   return (struct way){ l->targets[target].block, (int)target };
}

static void
arrive(const struct lowering *l, struct way way, const hd_block *from)
{
   if (way.target >= 0)
      set_phis(&l->targets[way.target], from);
}

/* To a target that is reached in several places: through a block of its own. */
static struct way
to_target(struct lowering *l, uint32_t target, const bool *shared)
{
   struct target *t = &l->targets[target];

   if (!shared[target])
      return to_own(l, target);
   if (!t->forward) {
      t->forward = new_block(l);
      hd_flat_goto(t->forward, t->block)->instr.loc = l->loc & 0xffffff;
      set_phis(t, t->forward);
   }
   return (struct way){ t->forward, -1 };
}

static void
branch(const struct lowering *l, hd_block *from, hd_def *cond, struct way yes, struct way no)
{
   hd_flat_goto_if(from, cond, yes.to, no.to)->instr.loc = l->loc & 0xffffff;
   arrive(l, yes, from);
   arrive(l, no, from);
}

/* Conditions */

/* Sizes are known here, so instructions go without a builder to the end of the block. */
static hd_def *
put(const struct lowering *l, hd_block *b, hd_instr *i)
{
   pass_step(l->f, 1);
   i->loc = l->loc & 0xffffff;
   hd_instr_append(b, i);
   return &i->def;
}

static hd_def *
constant(const struct lowering *l, hd_block *b, unsigned bit_size, uint64_t value)
{
   const hd_const_value v = { .u64 = value };

   return put(l, b, &hd_const_create(l->f->shader, 1, bit_size, &v)->instr);
}

static hd_def *
imm(const struct lowering *l, hd_block *b, uint64_t value)
{
   return constant(l, b, l->selector->bit_size, value);
}

static hd_def *
op(const struct lowering *l, hd_block *b, hd_op what, unsigned bit_size, hd_def *x, hd_def *y)
{
   hd_alu *alu = hd_alu_create(l->f->shader, what, y ? 2 : 1, 1, bit_size);

   hd_instr_set_src(&alu->instr, 0, x);
   if (y)
      hd_instr_set_src(&alu->instr, 1, y);
   return put(l, b, &alu->instr);
}

/* Whether the selector is in a range, where it is known to be between `low` and `high`. */
static hd_def *
test_range(const struct lowering *l, hd_block *b, const struct range *r, uint64_t low,
           uint64_t high)
{
   hd_def *x = l->selector;

   if (r->low == r->high)
      return op(l, b, HD_OP_IEQ, 1, x, imm(l, b, r->low));
   if (r->low <= low && r->high >= high)
      return constant(l, b, 1, true);
   if (r->low <= low)
      return op(l, b, HD_OP_ULE, 1, x, imm(l, b, r->high));
   if (r->high >= high)
      return op(l, b, HD_OP_ULE, 1, imm(l, b, r->low), x);
   hd_def *size = imm(l, b, r->high - r->low);
   hd_def *place = op(l, b, HD_OP_ISUB, x->bit_size, x, imm(l, b, r->low));
   return op(l, b, HD_OP_ULE, 1, place, size);
}

/* The same for several ranges, of which all values fit in a word. */
static hd_def *
test_bits(const struct lowering *l, hd_block *b, const struct range *ranges, uint32_t num)
{
   uint64_t low = ranges[0].low;
   const uint64_t high = ranges[num - 1].high;
   hd_def *x = l->selector;
   uint32_t word = 0;

   /* Counting from 0 costs a subtraction less. */
   if (high < WORD)
      low = 0;
   for (uint32_t n = 0; n < num; n++) {
      for (uint64_t v = ranges[n].low; v <= ranges[n].high; v++)
         word |= UINT32_C(1) << (v - low);
   }
   if (low)
      x = op(l, b, HD_OP_ISUB, x->bit_size, x, imm(l, b, low));
   hd_def *close = op(l, b, HD_OP_ULE, 1, x, imm(l, b, high - low));
   hd_def *count = x->bit_size == 32 ? x : op(l, b, HD_OP_U2U, 32, x, NULL);
   hd_def *one = constant(l, b, 32, 1);
   hd_def *shifted = op(l, b, HD_OP_USHR, 32, constant(l, b, 32, word), count);
   hd_def *bit = op(l, b, HD_OP_IAND, 32, shifted, one);
   hd_def *is_set = op(l, b, HD_OP_INE, 1, bit, constant(l, b, 32, 0));
   return op(l, b, HD_OP_IAND, 1, close, is_set);
}

static hd_def *
test_ranges(const struct lowering *l, hd_block *b, const struct range *ranges, uint32_t num)
{
   hd_def *any = NULL;

   for (uint32_t n = 0; n < num;) {
      uint32_t end = n + 1;
      while (end < num && ranges[end].high - ranges[n].low < WORD)
         end++;
      hd_def *one;
      if (end - n > MOST_COMPARED) {
         one = test_bits(l, b, &ranges[n], end - n);
         n = end;
      } else {
         one = test_range(l, b, &ranges[n++], 0, greatest(l));
      }
      any = any ? op(l, b, HD_OP_IOR, 1, any, one) : one;
   }
   return any;
}

/* Divergent: a branch for each target, in the order of the cases. */
static void
build_chain(struct lowering *l, hd_block *block)
{
   uint32_t left = 0;

   for (uint32_t n = 1; n < l->num_targets; n++)
      left += l->targets[n].num != 0;
   for (uint32_t n = 1; n < l->num_targets; n++) {
      const struct target *t = &l->targets[n];
      if (!t->num)
         continue;
      hd_def *cond = test_ranges(l, block, &l->by_target[t->first], t->num);
      const struct way next = --left ? to_new(l) : to_own(l, 0);
      branch(l, block, cond, to_own(l, n), next);
      block = next.to;
   }
}

/* A part of the search: ranges from `first` on, where values are between `low` and `high`. */
struct part {
   hd_block *block;
   uint32_t first, num;
   uint64_t low, high;
};

/* Is the selector of a part sure to be in its ranges? */
static bool
is_covered(const struct lowering *l, const struct part *p)
{
   uint64_t next = p->low;

   for (uint32_t n = 0; n < p->num; n++) {
      const struct range *r = &l->ranges[p->first + n];
      if (r->low > next)
         return false;
      if (r->high >= p->high)
         return true;
      next = r->high + 1;
   }
   return false;
}

/* The one target of a part, or 0. */
static uint32_t
only_target(const struct lowering *l, const struct part *p)
{
   const uint32_t target = l->ranges[p->first].target;

   for (uint32_t n = 1; n < p->num; n++) {
      if (l->ranges[p->first + n].target != target)
         return 0;
   }
   return target;
}

static bool
fits_word(const struct lowering *l, const struct part *p)
{
   const struct range *r = &l->ranges[p->first];

   return r[p->num - 1].high - r[0].low < WORD;
}

/* The end of the search, where one test decides. */
static void
build_leaf(struct lowering *l, const struct part *p, uint32_t target, const bool *shared)
{
   const struct range *r = &l->ranges[p->first];
   const struct way yes = to_target(l, target, shared);

   if (p->num == 1 && is_covered(l, p)) {
      hd_flat_goto(p->block, yes.to)->instr.loc = l->loc & 0xffffff;
      arrive(l, yes, p->block);
      return;
   }
   hd_def *cond = p->num == 1 ? test_range(l, p->block, r, p->low, p->high)
                              : test_bits(l, p->block, r, p->num);
   branch(l, p->block, cond, yes, to_target(l, 0, shared));
}

static bool
is_leaf(const struct lowering *l, const struct part *p)
{
   if (p->num == 1)
      return true;
   return p->num > MOST_COMPARED && only_target(l, p) && fits_word(l, p);
}

/* How often the search ends at each target decides whether it is gone through a block of its own.
 * The first walk counts, the second builds; both divide in the same way.
 */
static void
search(struct lowering *l, hd_block *block, struct part *work, uint32_t *ends, const bool *shared)
{
   uint32_t num = 0;

   work[num++] = (struct part){ block, 0, l->num_ranges, 0, greatest(l) };
   while (num) {
      const struct part p = work[--num];
      pass_step(l->f, 1);
      if (is_leaf(l, &p)) {
         const uint32_t target = l->ranges[p.first].target;
         if (shared) {
            build_leaf(l, &p, target, shared);
         } else {
            ends[target]++;
            ends[0] += !(p.num == 1 && is_covered(l, &p));
         }
         continue;
      }
      const uint32_t half = p.num / 2;
      const uint64_t pivot = l->ranges[p.first + half].low;
      struct part below = { NULL, p.first, half, p.low, pivot - 1 };
      struct part above = { NULL, p.first + half, p.num - half, pivot, p.high };
      if (shared) {
         const struct way left = to_new(l), right = to_new(l);
         branch(l, p.block, op(l, p.block, HD_OP_ULT, 1, l->selector, imm(l, p.block, pivot)), left,
                right);
         below.block = left.to;
         above.block = right.to;
      }
      work[num++] = above;
      work[num++] = below;
   }
}

/* Do lanes that the search separates never meet again? Then it ends once at each target, at the default's below and
 * above all cases at most, and nothing else leads to a case; else lanes would have to be brought
 * together again, which takes more than the chain.
 */
static bool
parts_for_good(const struct lowering *l, const uint32_t *ends)
{
   for (uint32_t n = 0; n < l->num_targets; n++) {
      if (ends[n] > (n ? 1u : 2u) || (n && l->targets[n].block->num_preds))
         return false;
   }
   return true;
}

/* A search, or a chain where lanes differ and that is better for them. */
static void
build_tests(struct lowering *l, hd_block *block, bool uniform, hd_stack *stack)
{
   struct part *work = hd_stack_alloc(stack, (l->num_ranges + 2) * sizeof(*work));
   uint32_t *ends = hd_stack_alloc_zero(stack, l->num_targets * sizeof(*ends));
   bool *shared = hd_stack_alloc(stack, l->num_targets * sizeof(*shared));

   if (!uniform && l->num_targets < FEWEST_PARTED) {
      build_chain(l, block);
      return;
   }
   search(l, NULL, work, ends, NULL);
   if (!uniform && !parts_for_good(l, ends)) {
      build_chain(l, block);
      return;
   }
   for (uint32_t n = 0; n < l->num_targets; n++)
      shared[n] = ends[n] > 1;
   search(l, block, work, ends, shared);
}

/* A block that ends in a switch, and what analyses say of it: they hold until the first is changed.
 */
struct switched {
   hd_block *block;
   hd_block *inside;
   bool uniform;
};

static void
lower(hd_function *f, const struct switched *s)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   const hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_block *block = s->block;
   hd_jump *jump = hd_block_jump(block);
   struct lowering l = {
      .f = f,
      .selector = jump->src[0].def,
      .inside = s->inside,
      .loc = jump->instr.loc,
   };

   pass_step(f, jump->num_cases + block->num_succs);
   collect_targets(&l, block, stack);
   collect_ranges(&l, jump, stack);
   hd_flat_clear_jump(block);
   if (!l.num_ranges) {
      hd_flat_goto(block, l.targets[0].block)->instr.loc = l.loc & 0xffffff;
      set_phis(&l.targets[0], block);
   } else {
      build_tests(&l, block, s->uniform, stack);
   }
   hd_stack_release(stack, mark);
}

static bool
is_uniform(hd_function *f, const hd_src *selector)
{
   if (hd_is_surely_divergent(selector->def))
      return false;
   hd_require(f, HD_META_DIVERGENCE);
   return hd_src_is_uniform(selector);
}

bool
hd_lower_switch(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   uint32_t num = 0;

   hd_foreach_block(b, f) {
      const hd_jump *jump = hd_block_jump(b);
      num += jump && jump->instr.op == HD_JUMP_SWITCH;
   }
   if (!num)
      return false;
   hd_result result = hd_require(f, HD_META_CYCLES);
   if (result == HD_OK)
      result = hd_declare_loops(f);
   if (result != HD_OK)
      hd_heap_fail(hd_shader_heap(f->shader), result);
   struct switched *switches = hd_stack_alloc(stack, num * sizeof(*switches));
   num = 0;
   hd_foreach_block(b, f) {
      const hd_jump *jump = hd_block_jump(b);
      const hd_cycle *cycle = hd_block_cycle(b);
      if (jump && jump->instr.op == HD_JUMP_SWITCH)
         switches[num++] =
             (struct switched){ b, cycle ? cycle->header : NULL, is_uniform(f, &jump->src[0]) };
   }
   for (uint32_t n = 0; n < num; n++)
      lower(f, &switches[n]);
   return hd_progress(f, true, LOWER_SWITCH_KEEPS);
}
