/* SPDX-License-Identifier: MIT */
/* flags.c - what is uniform stays so where a selector is not.
 *
 * A selector that tells three targets apart is divergent if one of the decisions behind it is. But
 * whether the lanes wait for one of the targets may be decided by a uniform branch all the same. So
 * beside such a selector there is a flag for each target, a condition; a test whose targets, or all
 * others, have uniform flags reads those.
 *
 * Lanes that meet after a divergent branch can wait for different targets together, but those that
 * came by one of its sides may still agree among themselves. So a flag says for lanes of which
 * targets it holds; for others it is undef. Tests that send the others away make it of use again.
 *
 * Flags are made in functions that have both kinds of branches, where up to MAX_TARGETS targets
 * meet, and what no test reads is removed in the end.
 */
#include "structurize/tree.h"

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
   return t->keeps_flags && s->kind == STATE_MANY && t->web_size[tree_web_root(t, s->web)] > 2;
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
      *one = (flag){ s->target, tree_truth(t, true), 1 };
      *num = 1;
      return one;
   }
   *num = s->num_flags;
   return s->flags;
}

/* Lanes from several arms meet. */
struct meeting {
   const arm *arms; /* those that live */
   uint32_t num_arms;
   uint32_t num;                 /* targets */
   uint32_t target[MAX_TARGETS]; /* in ascending order */
   const flag **flag;            /* by arm, by target: the arm's, or NULL */
   uint64_t *waiting;            /* by arm: its targets */
   uint64_t several;             /* targets of several arms */
};

static bool
add_target(struct meeting *m, uint32_t target)
{
   uint32_t i = m->num;

   while (i && m->target[i - 1] > target)
      i--;
   if (i && m->target[i - 1] == target)
      return true;
   if (m->num == MAX_TARGETS)
      return false;
   memmove(m->target + i + 1, m->target + i, (m->num - i) * sizeof(*m->target));
   m->target[i] = target;
   m->num++;
   return true;
}

static uint32_t
place_of(const struct meeting *m, uint32_t target)
{
   uint32_t i = 0;

   while (m->target[i] != target)
      i++;
   return i;
}

/* False where an arm keeps no flags, or it is too much. */
static bool
gather(tree_builder *t, const arm *arms, uint32_t num, struct meeting *m)
{
   uint32_t size, live = 0;
   flag one;

   m->num = 0;
   arm *living = hd_stack_alloc(t->stack, (num + 1) * sizeof(*living));
   for (uint32_t i = 0; i < num; i++) {
      if (arms[i].state.kind == STATE_DEAD)
         continue;
      const flag *flags = flags_of(t, &arms[i].state, &one, &size);
      if (!flags)
         return false;
      for (uint32_t k = 0; k < size; k++) {
         if (!add_target(m, flags[k].target))
            return false;
      }
      living[live++] = arms[i];
   }
   m->arms = living;
   m->num_arms = live;
   m->flag = hd_stack_alloc_zero(t->stack, (size_t)live * MAX_TARGETS * sizeof(*m->flag));
   m->waiting = hd_stack_alloc_zero(t->stack, (live + 1) * sizeof(*m->waiting));
   uint64_t seen = 0, several = 0;
   for (uint32_t i = 0; i < live; i++) {
      const flag *flags = flags_of(t, &living[i].state, &one, &size);
      flag *own = hd_stack_alloc(t->stack, (size + 1) * sizeof(*own));
      uint32_t place[MAX_TARGETS];
      for (uint32_t k = 0; k < size; k++) {
         place[k] = place_of(m, flags[k].target);
         m->waiting[i] |= UINT64_C(1) << place[k];
      }
      for (uint32_t k = 0; k < size; k++) {
         own[k] = (flag){ flags[k].target, flags[k].def, 0 };
         for (uint32_t u = 0; u < size; u++)
            own[k].holds |= (flags[k].holds >> u & 1) << place[u];
         m->flag[i * MAX_TARGETS + place[k]] = &own[k];
      }
      several |= seen & m->waiting[i];
      seen |= m->waiting[i];
   }
   m->several = several;
   return true;
}

/* For which lanes a target's flag holds: where the arms are never together, for those of a target
 * for which it holds in each arm that brings that; the flag is false where an arm does not bring
 * its own. Where they can be together, only for those that come by its own arm alone.
 */
static uint64_t
meet_holds(const struct meeting *m, uint32_t n, bool apart)
{
   uint64_t holds = m->num == 64 ? UINT64_MAX : (UINT64_C(1) << m->num) - 1;

   for (uint32_t i = 0; i < m->num_arms; i++) {
      const flag *own = m->flag[i * MAX_TARGETS + n];
      if (own)
         holds &= own->holds | ~m->waiting[i];
      if (!apart && !own)
         holds &= ~m->waiting[i];
   }
   if (!apart && m->several >> n & 1)
      return 0;
   return apart ? holds : holds & ~m->several;
}

static hd_def *
meet_def(tree_builder *t, const struct meeting *m, uint32_t n, hd_block *at, hd_def **srcs)
{
   hd_def *first = NULL;
   bool same = true;

   for (uint32_t k = 0; k < at->num_preds; k++)
      srcs[k] = NULL;
   for (uint32_t i = 0; i < m->num_arms; i++) {
      const flag *own = m->flag[i * MAX_TARGETS + n];
      hd_def *def = own ? own->def : tree_truth(t, false);
      same &= !first || def == first;
      first = srcs[tree_pred_index(m->arms[i].block, at)] = def;
   }
   if (same)
      return first;
   for (uint32_t k = 0; k < at->num_preds; k++)
      srcs[k] = srcs[k] ? srcs[k] : first;
   return made(t, &hd_phi_insert(at, 1, 1, srcs)->instr.def);
}

/* The only arm's flag of a target. */
static hd_def *
own_def(const struct meeting *m, uint32_t n)
{
   for (uint32_t i = 0; i < m->num_arms; i++) {
      if (m->flag[i * MAX_TARGETS + n])
         return m->flag[i * MAX_TARGETS + n]->def;
   }
   return NULL;
}

/* What always holds. */
static flag
trivial(tree_builder *t, const struct meeting *m, uint32_t n)
{
   return (flag){ m->target[n], tree_truth(t, true), UINT64_C(1) << n };
}

void
tree_flags_join(tree_builder *t, hd_block *at, const arm *arms, uint32_t num, bool uniform,
                hd_def **srcs, state *s)
{
   struct meeting m;

   if (!counts(t, s) || !gather(t, arms, num, &m))
      return;
   s->flags = hd_stack_alloc(t->stack, (m.num + 1) * sizeof(*s->flags));
   s->num_flags = m.num;
   for (uint32_t n = 0; n < m.num; n++) {
      uint64_t holds = meet_holds(&m, n, uniform);
      s->flags[n] = trivial(t, &m, n);
      if ((holds & ~s->flags[n].holds) == 0)
         continue;
      s->flags[n].def = uniform ? meet_def(t, &m, n, at, srcs) : own_def(&m, n);
      s->flags[n].holds = holds;
   }
}

void
tree_flags_choose(tree_builder *t, hd_def *cond, bool uniform, const state *chosen,
                  const state *other, state *s)
{
   const arm arms[2] = { { .state = *chosen }, { .state = *other } };
   struct meeting m;

   if (!counts(t, s) || !gather(t, arms, 2, &m))
      return;
   s->flags = hd_stack_alloc(t->stack, (m.num + 1) * sizeof(*s->flags));
   s->num_flags = m.num;
   for (uint32_t n = 0; n < m.num; n++) {
      uint64_t holds = meet_holds(&m, n, uniform);
      s->flags[n] = trivial(t, &m, n);
      if ((holds & ~s->flags[n].holds) == 0)
         continue;
      const flag *is_chosen = m.flag[n], *is_other = m.flag[MAX_TARGETS + n];
      hd_def *def = is_chosen ? cond : is_other->def;
      if (uniform && !is_chosen)
         def = made(t, tree_alu(t, t->block, HD_OP_SELECT, 1, cond, tree_truth(t, false), def));
      s->flags[n].def = def;
      s->flags[n].holds = holds;
   }
}

void
tree_flags_enter(tree_builder *t, hd_block *header, uint32_t target, const state *entering,
                 state *s)
{
   const state again = { .kind = STATE_ONE, .target = target };
   const arm arms[2] = { { header->preds[0].from, *entering, NULL },
                         { header->preds[1].from, again, NULL } };
   struct meeting m;

   s->flags = NULL;
   s->num_flags = 0;
   /* Those that enter and those of the next pass are never together. */
   if (!counts(t, s) || !gather(t, arms, 2, &m))
      return;
   flag *flags = hd_stack_alloc(t->stack, (m.num + 1) * sizeof(*flags));
   for (uint32_t n = 0; n < m.num; n++) {
      uint64_t holds = meet_holds(&m, n, true);
      flags[n] = trivial(t, &m, n);
      if ((holds & ~flags[n].holds) == 0)
         continue;
      hd_phi *phi = hd_phi_insert(header, 1, 1, NULL);
      hd_phi_set_src(phi, arms[0].block, m.flag[n] ? m.flag[n]->def : tree_truth(t, false));
      hd_phi_set_src(phi, arms[1].block, tree_truth(t, m.target[n] == target));
      flags[n] = (flag){ m.target[n], made(t, &phi->instr.def), holds };
   }
   s->flags = flags;
   s->num_flags = m.num;
}

void
tree_flags_filter(tree_builder *t, state *s, const plan_group *g, bool inside)
{
   uint32_t num = 0, place[MAX_TARGETS];

   if (t->dry || s->kind != STATE_MANY || !s->flags)
      return;
   flag *flags = hd_stack_alloc(t->stack, (s->num_flags + 1) * sizeof(*flags));
   for (uint32_t i = 0; i < s->num_flags; i++) {
      if (tree_is_in(t, g, s->flags[i].target) == inside)
         place[num++] = i;
   }
   for (uint32_t k = 0; k < num; k++) {
      flags[k] = s->flags[place[k]];
      flags[k].holds = 0;
      for (uint32_t u = 0; u < num; u++)
         flags[k].holds |= (s->flags[place[k]].holds >> place[u] & 1) << u;
   }
   s->flags = flags;
   s->num_flags = num;
}

static bool
holds_for_all(const state *s, uint32_t n)
{
   return (s->num_flags == 64 ? UINT64_MAX : (UINT64_C(1) << s->num_flags) - 1) ==
          s->flags[n].holds;
}

hd_def *
tree_flags_of_block(tree_builder *t, const state *s, uint32_t place, const plan_group *g)
{
   uint64_t picked = 0;

   for (uint32_t i = 0; s->flags && i < s->num_flags; i++)
      picked |= (uint64_t)tree_is_in(t, g, s->flags[i].target) << i;
   for (uint32_t i = 0; s->flags && i < s->num_flags; i++) {
      const hd_block *b = hd_plan_target_block(t->p, s->flags[i].target);
      if (t->p->place[b->node.index] == place && !(picked & ~s->flags[i].holds))
         return s->flags[i].def;
   }
   return NULL;
}

hd_def *
tree_flags_test(tree_builder *t, const state *s, const plan_group *g, bool *inverted)
{
   if (!s->flags)
      return NULL;
   for (int inside = 1; inside >= 0; inside--) {
      bool known = true;
      hd_def *any = NULL;
      for (uint32_t i = 0; i < s->num_flags; i++)
         known &= tree_is_in(t, g, s->flags[i].target) != inside || holds_for_all(s, i);
      for (uint32_t i = 0; i < s->num_flags && known; i++) {
         hd_def *def = s->flags[i].def;
         if (tree_is_in(t, g, s->flags[i].target) == inside)
            any = any ? tree_alu(t, t->block, HD_OP_IOR, 1, any, def, NULL) : def;
      }
      *inverted = !inside;
      if (any)
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
