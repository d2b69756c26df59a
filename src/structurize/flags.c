/* SPDX-License-Identifier: MIT */
/* flags.c - what is uniform stays so where a selector is not.
 *
 * A selector that tells three targets apart is divergent if one of the decisions behind it is. But
 * whether the lanes wait for one of the targets may be decided by a uniform branch all the same. So
 * beside such a selector there is a flag for each target, a condition; a test whose targets, or all
 * others, have uniform flags reads those. Flags are made in functions that have both kinds of
 * branches, where up to MAX_FLAGS targets meet, and what no test reads is removed in the end.
 */
#include <stdlib.h>

#include "structurize/tree.h"

#define MAX_FLAGS 128u

static hd_def *
truth(tree_builder *t, bool value)
{
   hd_def **def = value ? &t->yes : &t->no;

   if (!*def)
      *def = tree_const(t, 1, value);
   return *def;
}

static hd_def *
made(tree_builder *t, hd_def *def)
{
   if (t->num_flags_made == t->flags_capacity) {
      uint32_t capacity = t->flags_capacity * 2 + 64;
      hd_instr **list = hd_stack_alloc(t->stack, capacity * sizeof(*list));
      if (t->num_flags_made)
         memcpy(list, t->flag_made, t->num_flags_made * sizeof(*list));
      t->flag_made = list;
      t->flags_capacity = capacity;
   }
   t->flag_made[t->num_flags_made++] = hd_def_instr(def);
   return def;
}

static bool
counts(tree_builder *t, const state *s)
{
   return t->keeps_flags && s->kind == STATE_MANY && tree_web_bits(t, s->web) > 1;
}

void
tree_flags_begin(tree_builder *t)
{
   bool uniform = false, divergent = false;

   for (uint32_t i = 0; i < t->p->num_blocks; i++) {
      const hd_block *b = t->p->block[i];
      if (b->num_succs < 2)
         continue;
      divergent |= hd_block_is_divergent_branch(b);
      uniform |= !hd_block_is_divergent_branch(b);
   }
   t->keeps_flags = uniform && divergent;
}

/* Flags of a state, one for a state with one target. NULL: not kept. */
static const flag *
flags_of(tree_builder *t, const state *s, flag *one, uint32_t *num)
{
   if (s->kind == STATE_ONE) {
      *one = (flag){ s->target, truth(t, true) };
      *num = 1;
      return one;
   }
   *num = s->num_flags;
   return s->flags;
}

/* A flag and where it comes from: a number of an arm. */
struct incoming {
   uint32_t target, from;
   hd_def *def;
};

static int
compare_incoming(const void *a, const void *b)
{
   const struct incoming *x = a, *y = b;

   if (x->target != y->target)
      return x->target < y->target ? -1 : 1;
   return x->from < y->from ? -1 : x->from > y->from;
}

/* All that comes in by the arms, by target; NULL where an arm keeps none, or it is too much. */
static struct incoming *
gather(tree_builder *t, const arm *arms, uint32_t num, uint32_t *total, uint32_t *num_live)
{
   struct incoming *in = NULL;
   flag one;
   uint32_t n = 0, size;

   *num_live = 0;
   for (int fill = 0; fill < 2; fill++) {
      n = 0;
      for (uint32_t i = 0; i < num; i++) {
         if (arms[i].state.kind == STATE_DEAD)
            continue;
         const flag *flags = flags_of(t, &arms[i].state, &one, &size);
         *num_live += fill;
         if (!flags)
            return NULL;
         for (uint32_t k = 0; k < size && fill; k++)
            in[n + k] = (struct incoming){ flags[k].target, i, flags[k].def };
         n += size;
      }
      if (n > MAX_FLAGS * 4)
         return NULL;
      if (!fill)
         in = hd_stack_alloc(t->stack, (n + 1) * sizeof(*in));
   }
   qsort(in, n, sizeof(*in), compare_incoming);
   *total = n;
   return in;
}

static uint32_t
pred_of(const arm *a, const hd_block *at)
{
   for (uint32_t s = 0; s < a->block->num_succs; s++) {
      if (a->block->succs[s].to == at)
         return a->block->succs[s].pred;
   }
   assert(!"not a predecessor");
   return 0;
}

/* The flag of one target where arms meet; NULL: divergent. */
static hd_def *
meet_flag(tree_builder *t, hd_block *at, const arm *arms, uint32_t num, const struct incoming *in,
          uint32_t num_in, uint32_t num_live, bool uniform, hd_def **srcs)
{
   bool same = num_in == num_live;

   for (uint32_t k = 0; k < num_in; k++) {
      if (!in[k].def)
         return NULL;
      same &= in[k].def == in[0].def;
   }
   if (same)
      return in[0].def;
   if (!uniform)
      return NULL;
   for (uint32_t n = 0; n < at->num_preds; n++)
      srcs[n] = in[0].def;
   for (uint32_t i = 0, k = 0; i < num; i++) {
      if (arms[i].state.kind == STATE_DEAD)
         continue;
      bool comes = k < num_in && in[k].from == i;
      srcs[pred_of(&arms[i], at)] = comes ? in[k].def : truth(t, false);
      k += comes;
   }
   return made(t, &hd_phi_insert(at, 1, 1, srcs)->instr.def);
}

void
tree_flags_join(tree_builder *t, hd_block *at, const arm *arms, uint32_t num, bool uniform,
                hd_def **srcs, state *s)
{
   uint32_t total, live;

   if (!counts(t, s))
      return;
   const struct incoming *in = gather(t, arms, num, &total, &live);
   if (!in)
      return;
   s->flags = hd_stack_alloc(t->stack, (total + 1) * sizeof(*s->flags));
   for (uint32_t i = 0, end; i < total; i = end) {
      for (end = i; end < total && in[end].target == in[i].target; end++)
         ;
      s->flags[s->num_flags++] =
          (flag){ in[i].target, meet_flag(t, at, arms, num, in + i, end - i, live, uniform, srcs) };
   }
   if (s->num_flags > MAX_FLAGS)
      s->flags = NULL;
}

void
tree_flags_choose(tree_builder *t, hd_def *cond, bool uniform, const state *chosen,
                  const state *other, state *s)
{
   arm arms[2] = { { .state = *chosen }, { .state = *other } };
   uint32_t total, live;

   if (!counts(t, s))
      return;
   const struct incoming *in = gather(t, arms, 2, &total, &live);
   if (!in)
      return;
   s->flags = hd_stack_alloc(t->stack, (total + 1) * sizeof(*s->flags));
   for (uint32_t i = 0; i < total; i++) {
      hd_def *def = NULL;
      if (uniform && in[i].def)
         def = in[i].from == 0 ? cond
                               : made(t, tree_alu(t, t->block, HD_OP_SELECT, 1, cond,
                                                  truth(t, false), in[i].def));
      s->flags[s->num_flags++] = (flag){ in[i].target, def };
   }
}

void
tree_flags_enter(tree_builder *t, hd_block *header, uint32_t target, const state *entering,
                 state *s)
{
   hd_block *before = header->preds[0].from;
   uint32_t num;
   flag one;

   s->flags = NULL;
   s->num_flags = 0;
   if (!counts(t, s))
      return;
   const flag *flags = flags_of(t, entering, &one, &num);
   if (!flags)
      return;
   flag *all = hd_stack_alloc(t->stack, (num + 1) * sizeof(*all));
   bool done = false;
   for (uint32_t i = 0; i <= num; i++) {
      if (!done && (i == num || flags[i].target >= target)) {
         done = true;
         bool there = i < num && flags[i].target == target;
         all[s->num_flags++] = (flag){ target, there ? flags[i].def : truth(t, false) };
         if (there)
            continue;
      }
      if (i < num)
         all[s->num_flags++] = flags[i];
   }
   for (uint32_t i = 0; i < s->num_flags; i++) {
      if (!all[i].def)
         continue;
      hd_phi *phi = hd_phi_insert(header, 1, 1, NULL);
      hd_phi_set_src(phi, before, all[i].def);
      hd_phi_set_src(phi, header->preds[1].from, truth(t, all[i].target == target));
      all[i].def = made(t, &phi->instr.def);
   }
   s->flags = all;
}

static bool
is_in(tree_builder *t, const plan_group *g, uint32_t target)
{
   if (g->target != NONE)
      return g->target == target;
   uint64_t rank = hd_plan_rank(t->p, target);
   return rank >= g->first && rank < g->end;
}

void
tree_flags_filter(tree_builder *t, state *s, const plan_group *g, bool inside)
{
   uint32_t num = 0;

   if (t->dry || s->kind != STATE_MANY || !s->flags)
      return;
   flag *flags = hd_stack_alloc(t->stack, (s->num_flags + 1) * sizeof(*flags));
   for (uint32_t i = 0; i < s->num_flags; i++) {
      if (is_in(t, g, s->flags[i].target) == inside)
         flags[num++] = s->flags[i];
   }
   s->flags = flags;
   s->num_flags = num;
}

hd_def *
tree_flags_test(tree_builder *t, const state *s, const plan_group *g, bool *inverted)
{
   if (s->uniform || !s->flags)
      return NULL;
   for (int inside = 1; inside >= 0; inside--) {
      bool known = true;
      hd_def *any = NULL;
      for (uint32_t i = 0; i < s->num_flags; i++)
         known &= is_in(t, g, s->flags[i].target) != inside || s->flags[i].def;
      if (!known)
         continue;
      for (uint32_t i = 0; i < s->num_flags; i++) {
         hd_def *def = s->flags[i].def;
         if (is_in(t, g, s->flags[i].target) != inside)
            continue;
         any = any ? tree_alu(t, t->block, HD_OP_IOR, 1, any, def, NULL) : def;
      }
      *inverted = !inside;
      return any;
   }
   return NULL;
}

void
tree_flags_finish(tree_builder *t)
{
   for (uint32_t i = t->num_flags_made; i--;) {
      hd_instr *instr = t->flag_made[i];
      bool phi = instr->kind == HD_INSTR_PHI;
      if (instr->def.uses) {
         t->stats.selector_phis += phi;
         continue;
      }
      t->stats.instructions -= !phi;
      hd_instr_remove(instr);
   }
   for (int value = 0; value < 2; value++) {
      hd_def *def = value ? t->yes : t->no;
      if (def && !def->uses) {
         hd_instr_remove(hd_def_instr(def));
         t->stats.constants--;
      }
   }
}
