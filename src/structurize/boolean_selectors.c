/* SPDX-License-Identifier: MIT */
/* boolean_selectors.c - keep uniform branches uniform after divergent selectors.
 *
 * A selector that distinguishes three targets is divergent if one of the decisions behind it is. But
 * whether lanes wait for one of the targets may still be decided by a uniform branch. So facts are
 * kept beside such a selector: uniform conditions, each with the targets for whose lanes it is known
 * to be true, and those for which it is known to be false. For others it may be anything, also undef.
 * Each target has a flag, a fact that is true for its own lanes and false for as many others as
 * possible; the other facts are flags of before, of use where lanes meet that a test separated.
 *
 * A test whose targets have flags that are false for all others reads those, and so is uniform. Where
 * uniform values merge after a divergent test, or at the target of jumps, a fact that is true for the
 * lanes of one side and false for those of the other selects between the values (hd_tree_flags_apart).
 *
 * Why that is enough. Call two targets separate at a point if lanes never wait for both there at once,
 * whichever way branches go. Then each of the two has a flag that is false for the other:
 *
 *    - After a uniform branch or test, two targets of different sides are separate, and a flag is a
 *      phi with `false` for the side that does not wait for its target. Those of one side, or of
 *      both, are separate if they were so in each side that waits for both.
 *    - After a divergent branch of a block, only targets of one side can be separate: its lanes were
 *      converged. The flag of the side serves, undef for the other's lanes.
 *    - After a divergent test that separates the picked lanes P from others, two targets of different
 *      sides are separate if the targets that the lanes came from were. Say others wait for T, as
 *      before the test: its old flag was false for lanes of P if these are separate from T, and is so
 *      for whatever these go on to wait for. If lanes of P reached T: the flag of P and what they
 *      decided.
 *
 * What is given up: more than MAX_TARGETS targets at one place; a test of several targets takes them
 * as one; what lanes bring out of a loop that they leave in different iterations.
 *
 * Where lanes jump, the other side of a uniform if may hold those that they meet. So its condition is
 * a fact too; but mostly a phi of what the jumps bring is uniform as it is. These facts are kept only
 * if something would be lost otherwise, which divergence analysis of the result tells.
 *
 * Facts are kept in functions that have both kinds of branches; unused ones are removed at the end.
 */
#include "heddle/op_enum.h"
#include "structurize/tree.h"

#define MAX_FACTS 96u

/* For lanes of which targets a condition is true, and for which false. */
typedef struct known {
   uint64_t yes, no;
} known;

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

static hd_def *
make_alu(tree_builder *t, hd_block *at, unsigned op, hd_def *a, hd_def *b, hd_def *c)
{
   return made(t, hd_tree_alu(t, at, op, 1, a, b, c));
}

void
hd_tree_flags_begin(tree_builder *t)
{
   bool uniform = false, divergent = false;

   for (uint32_t i = 0; i < t->p->num_blocks; i++) {
      if (t->old[i]->num_succs < 2)
         continue;
      divergent |= t->p->divergent[i];
      uniform |= !t->p->divergent[i];
   }
   t->keeps_flags = uniform && divergent;
}

/* What is known */

static known
invert(known a)
{
   return (known){ a.no, a.yes };
}

static known
both(known a, known b)
{
   return (known){ a.yes & b.yes, a.no | b.no };
}

static known
either(known a, known b)
{
   return invert(both(invert(a), invert(b)));
}

static uint32_t
num_waited(const state *s)
{
   return s->kind == STATE_ONE ? 1 : s->num_targets;
}

static uint32_t
waited(const state *s, uint32_t n)
{
   return s->kind == STATE_ONE ? s->target : s->targets[n];
}

static uint64_t
bit(uint32_t n)
{
   return UINT64_C(1) << n;
}

static uint64_t
all_of(uint32_t num)
{
   return num >= 64 ? UINT64_MAX : bit(num) - 1;
}

static known
find_plain(const tree_builder *t, const fact *facts, uint32_t num, uint64_t all, const hd_def *def,
           const guard *guard)
{
   known k = { 0, 0 };

   if (!def)
      return k;
   if (def == t->yes || def == t->no)
      return def == t->yes ? (known){ all, 0 } : (known){ 0, all };
   for (uint32_t i = 0; i < num; i++) {
      if (facts[i].def == def && facts[i].guard == guard) {
         k.yes |= facts[i].yes;
         k.no |= facts[i].no;
      }
   }
   return k;
}

/* What a condition is, itself or by its guards. */
static known
find(const tree_builder *t, const fact *facts, uint32_t num, uint64_t all, const hd_def *def,
     const guard *guard)
{
   known k = find_plain(t, facts, num, all, def, guard);

   if (!guard)
      return k;
   known parts = find_plain(t, facts, num, all, def, NULL);
   for (; guard; guard = guard->next) {
      known g = find_plain(t, facts, num, all, guard->cond, NULL);
      parts = both(guard->inverted ? invert(g) : g, parts);
   }
   return (known){ k.yes | parts.yes, k.no | parts.no };
}

/* The flag of the nth target. */
static hd_def *
flag_of(tree_builder *t, const state *s, uint32_t n)
{
   return s->kind == STATE_ONE ? hd_tree_truth(t, true) : s->facts[n].def;
}

/* Facts are kept of it: of one target there can be none. */
static bool
knows(const state *s)
{
   return s->kind == STATE_ONE || (s->kind == STATE_MANY && s->targets && s->facts);
}

/* Facts being put together: the flags first. */
typedef struct fact_list {
   fact fact[MAX_FACTS];
   uint32_t num;
} fact_list;

static void
add_fact(const tree_builder *t, fact_list *list, hd_def *def, const guard *guard, uint64_t yes,
         uint64_t no)
{
   if (!(yes | no) || def == t->yes || def == t->no || list->num == MAX_FACTS)
      return;
   for (uint32_t i = 0; i < list->num; i++) {
      if (list->fact[i].def == def && list->fact[i].guard == guard) {
         list->fact[i].yes |= yes;
         list->fact[i].no |= no;
         return;
      }
   }
   list->fact[list->num++] = (fact){ def, yes, no, guard };
}

static void
set_facts(tree_builder *t, state *s, const fact_list *list)
{
   fact *facts = hd_stack_alloc(t->stack, (list->num + 1) * sizeof(*facts));

   memcpy(facts, list->fact, list->num * sizeof(*facts));
   s->facts = facts;
   s->num_facts = list->num;
}

static void
forget(state *s)
{
   s->facts = NULL;
   s->num_facts = 0;
}

static bool
is_kept(const tree_builder *t, const state *s)
{
   return t->keeps_flags && (s->kind == STATE_ONE || (s->kind == STATE_MANY && s->targets));
}

/* Meeting */

/* An arm with its facts by the targets of all that meet. */
struct side {
   hd_block *block;
   const state *state;
   uint64_t waits;
   uint32_t place[MAX_TARGETS]; /* of its targets among all */
   fact *facts;
};

struct meeting {
   struct side *side; /* those that live */
   uint32_t num_sides;
};

static uint64_t
moved(uint64_t mask, const uint32_t *place)
{
   uint64_t to = 0;

   for (; mask; mask &= mask - 1)
      to |= bit(place[__builtin_ctzll(mask)]);
   return to;
}

static bool
gather(tree_builder *t, const arm *arms, uint32_t num, const state *s, struct meeting *m)
{
   m->side = hd_stack_alloc(t->stack, (num + 1) * sizeof(*m->side));
   m->num_sides = 0;
   for (uint32_t i = 0; i < num; i++) {
      const state *from = &arms[i].state;
      struct side *side = &m->side[m->num_sides];
      if (from->kind == STATE_DEAD)
         continue;
      if (!knows(from))
         return false;
      *side = (struct side){ .block = arms[i].block, .state = from };
      for (uint32_t n = 0, k = 0; n < num_waited(s) && k < num_waited(from); n++) {
         if (waited(from, k) != waited(s, n))
            continue;
         side->place[k++] = n;
         side->waits |= bit(n);
      }
      side->facts = hd_stack_alloc(t->stack, (from->num_facts + 1) * sizeof(*side->facts));
      for (uint32_t k = 0; k < from->num_facts; k++) {
         const fact *f = &from->facts[k];
         side->facts[k] =
             (fact){ f->def, moved(f->yes, side->place), moved(f->no, side->place), f->guard };
      }
      m->num_sides++;
   }
   return m->num_sides != 0;
}

static known
know(const tree_builder *t, const struct side *side, const hd_def *def)
{
   return find(t, side->facts, side->state->num_facts, side->waits, def, NULL);
}

/* A side's flag of the nth of all targets, or NULL if it does not wait for that. */
static hd_def *
side_flag(tree_builder *t, const struct side *side, uint32_t n)
{
   if (!(side->waits >> n & 1))
      return NULL;
   return flag_of(t, side->state, (uint32_t)__builtin_popcountll(side->waits & (bit(n) - 1)));
}

/* What a condition is made of, where two sides meet: their own, and what distinguishes them. */
typedef enum form {
   FIRST,          /* the first side's */
   SECOND,         /* the second side's */
   PICKED_FIRST,   /* the side is the first, and its own */
   OTHERS_SECOND,  /* the side is the second, and its own */
   SECOND_OR_CAME, /* the second side's, or PICKED_FIRST */
   BY_SIDE,        /* that of the side */
   NUM_FORMS,
} form;

struct parts {
   hd_def *first, *second, *picked;
};

static bool
is_possible(const struct parts *p, form form)
{
   return (form == SECOND || form == OTHERS_SECOND || p->first) &&
          (form == FIRST || form == PICKED_FIRST || p->second) &&
          (form == FIRST || form == SECOND || p->picked);
}

static known
evaluate(const tree_builder *t, const struct side *side, const struct parts *p, form form)
{
   known first = know(t, side, p->first), second = know(t, side, p->second);
   known picked = know(t, side, p->picked);

   switch (form) {
   case FIRST:
      return first;
   case SECOND:
      return second;
   case PICKED_FIRST:
      return both(picked, first);
   case OTHERS_SECOND:
      return both(invert(picked), second);
   case SECOND_OR_CAME:
      return either(second, both(picked, first));
   case BY_SIDE:
      return (known){ (picked.yes & first.yes) | (picked.no & second.yes) |
                          (first.yes & second.yes),
                      (picked.yes & first.no) | (picked.no & second.no) | (first.no & second.no) };
   case NUM_FORMS:
      break;
   }
   return (known){ 0, 0 };
}

static hd_def *
make_form(tree_builder *t, hd_block *at, const struct parts *p, form form)
{
   hd_def *came = p->picked;

   if (form == FIRST || form == SECOND)
      return form == FIRST ? p->first : p->second;
   if (form == BY_SIDE)
      return make_alu(t, at, HD_OP_SELECT, p->picked, p->first, p->second);
   if (form == OTHERS_SECOND) {
      hd_def *others = make_alu(t, at, HD_OP_INOT, p->picked, NULL, NULL);
      return p->second == t->yes ? others : make_alu(t, at, HD_OP_IAND, others, p->second, NULL);
   }
   if (p->first != t->yes)
      came = make_alu(t, at, HD_OP_IAND, came, p->first, NULL);
   return form == PICKED_FIRST ? came : make_alu(t, at, HD_OP_IOR, p->second, came, NULL);
}

/* What is known is known by each side that waits for a target. */
static known
known_by_all(const tree_builder *t, const struct meeting *m, const struct parts *p, form form)
{
   known all = { UINT64_MAX, UINT64_MAX };
   uint64_t waits = 0;

   for (uint32_t i = 0; i < m->num_sides; i++) {
      known k = evaluate(t, &m->side[i], p, form);
      all.yes &= k.yes | ~m->side[i].waits;
      all.no &= k.no | ~m->side[i].waits;
      waits |= m->side[i].waits;
   }
   return (known){ all.yes & waits, all.no & waits };
}

/* A flag where lanes of both sides can be together. */
static fact
meet_together(tree_builder *t, const struct meeting *m, hd_block *at, uint32_t n, uint32_t num,
              hd_def *picked)
{
   struct parts p = { NULL, NULL, m->num_sides == 2 ? picked : NULL };
   fact best = { hd_tree_truth(t, true), all_of(num), 0, NULL };
   form best_form = NUM_FORMS;

   for (uint32_t i = 0; i < m->num_sides; i++) {
      hd_def *def = side_flag(t, &m->side[i], n);
      if (!def)
         continue;
      if (m->num_sides == 2 && i == 1)
         p.second = def;
      else if (!p.first || p.first == def)
         p.first = def;
      else
         return best;
   }
   for (form form = FIRST; form < NUM_FORMS; form++) {
      if (!is_possible(&p, form))
         continue;
      known k = known_by_all(t, m, &p, form);
      if (!(k.yes >> n & 1) || __builtin_popcountll(k.no) <= __builtin_popcountll(best.no))
         continue;
      best = (fact){ NULL, k.yes, k.no, NULL };
      best_form = form;
   }
   if (best_form != NUM_FORMS)
      best.def = make_form(t, at, &p, best_form);
   return best;
}

/* A flag where lanes that come from different sides are never together. */
static fact
meet_apart(tree_builder *t, const struct meeting *m, hd_block *at, uint32_t n, uint32_t num,
           hd_def **srcs)
{
   fact f = { NULL, all_of(num), all_of(num), NULL };
   hd_def *first = NULL;
   bool same = true;

   memset(srcs, 0, at->num_preds * sizeof(*srcs));
   for (uint32_t i = 0; i < m->num_sides; i++) {
      const struct side *side = &m->side[i];
      hd_def *own = side_flag(t, side, n), *def = own ? own : hd_tree_truth(t, false);
      known k = know(t, side, def);
      same &= !first || def == first;
      first = srcs[hd_tree_pred_index(side->block, at)] = def;
      f.yes &= k.yes | ~side->waits;
      f.no &= k.no | ~side->waits;
   }
   for (uint32_t k = 0; k < at->num_preds; k++)
      srcs[k] = srcs[k] ? srcs[k] : first;
   f.def = same ? first : made(t, &hd_phi_insert(at, 1, 1, srcs)->instr.def);
   return f;
}

/* What is known by each side stays known. What only one side of a uniform if knows is false on the
 * other, once the condition guards it.
 */
static void
keep_facts(tree_builder *t, const struct meeting *m, hd_def *cond, bool inverted, fact_list *list)
{
   for (uint32_t i = 0; i < m->num_sides; i++) {
      const struct side *side = &m->side[i];
      const guard *around = NULL;
      for (uint32_t k = 0; k < side->state->num_facts; k++) {
         const fact *f = &side->facts[k];
         known all = { f->yes | ~side->waits, f->no | ~side->waits };
         uint64_t waits = side->waits, known_there = 0;
         for (uint32_t u = 0; u < m->num_sides; u++) {
            const struct side *other = &m->side[u];
            if (u == i)
               continue;
            known is =
                find(t, other->facts, other->state->num_facts, other->waits, f->def, f->guard);
            all.yes &= is.yes | ~other->waits;
            all.no &= is.no | ~other->waits;
            waits |= other->waits;
            known_there |= is.yes | is.no;
         }
         if (known_there && i == 0)
            add_fact(t, list, f->def, f->guard, all.yes & waits, all.no & waits);
         if (known_there || !cond || f->def == t->yes || f->def == t->no)
            continue;
         if (!around) {
            guard *new = hd_stack_alloc(t->stack, sizeof(*new));
            *new = (guard){ cond, inverted != (i == 1), NULL };
            around = new;
         }
         const uint64_t others = waits & ~side->waits, shared = m->side[!i].waits & side->waits;
         const guard *guards = around;
         if (f->guard) {
            guard *new = hd_stack_alloc(t->stack, sizeof(*new));
            *new = (guard){ cond, around->inverted, f->guard };
            guards = new;
         }
         add_fact(t, list, f->def, guards, f->yes & ~shared, f->no | others);
      }
   }
}

void
hd_tree_flags_join(tree_builder *t, hd_block *at, const arm *arms, uint32_t num, bool uniform,
                   hd_def *cond, bool inverted, hd_def *picked, hd_def **srcs, state *s)
{
   struct meeting m;
   fact_list list;
   uint32_t size = s->kind == STATE_MANY ? s->num_targets : 0;

   forget(s);
   if (!is_kept(t, s) || !gather(t, arms, num, s, &m))
      return;
   for (uint32_t n = list.num = 0; n < size; n++) {
      list.fact[list.num++] = uniform ? meet_apart(t, &m, at, n, size, srcs)
                                      : meet_together(t, &m, at, n, size, picked);
   }
   keep_facts(t, &m, t->thorough && uniform && m.num_sides == 2 ? cond : NULL, inverted, &list);
   set_facts(t, s, &list);
}

/* Choosing, and entering a cycle */

/* What is known of all lanes stays so. */
static void
keep_general(const tree_builder *t, const state *before, uint32_t num, fact_list *list)
{
   const uint64_t all = all_of(num_waited(before));

   for (uint32_t i = 0; i < before->num_facts; i++) {
      const fact *f = &before->facts[i];
      if (f->yes == all || f->no == all)
         add_fact(t, list, f->def, f->guard, f->yes == all ? all_of(num) : 0,
                  f->yes == all ? 0 : all_of(num));
   }
}

/* The flag of a target that lanes wait for by another successor. */
static fact
unchosen_flag(tree_builder *t, const struct meeting *m, hd_def *cond, bool uniform, uint32_t n)
{
   hd_def *own = side_flag(t, &m->side[1], n);
   known k = know(t, &m->side[1], own);
   const uint64_t chosen = m->side[0].waits;

   if (!uniform)
      return (fact){ own, bit(n), k.no & ~chosen, NULL };
   return (fact){ make_alu(t, t->block, HD_OP_SELECT, cond, hd_tree_truth(t, false), own), bit(n),
                  k.no | chosen, NULL };
}

void
hd_tree_flags_choose(tree_builder *t, hd_def *cond, bool uniform, const state *chosen,
                     const state *other, state *s)
{
   const arm arms[2] = { { .state = *chosen }, { .state = *other } };
   struct meeting m;
   fact_list list = { .num = 0 };

   forget(s);
   if (!is_kept(t, s) || !gather(t, arms, 2, s, &m))
      return;
   for (uint32_t n = 0; n < s->num_targets; n++) {
      bool is_chosen = m.side[0].waits >> n & 1, is_other = m.side[1].waits >> n & 1;
      const uint64_t all = all_of(s->num_targets);
      fact f = { hd_tree_truth(t, true), all, 0, NULL };
      if (!is_chosen)
         f = unchosen_flag(t, &m, cond, uniform, n);
      else if (uniform && !is_other)
         f = (fact){ cond, bit(n), all & ~bit(n), NULL };
      list.fact[list.num++] = f;
   }
   /* All of them come from one block. */
   keep_general(t, other, s->num_targets, &list);
   set_facts(t, s, &list);
}

void
hd_tree_flags_edge(tree_builder *t, const state *before, state *s)
{
   if (!t->keeps_flags || before->kind != STATE_ONE)
      return;
   s->facts = before->facts;
   s->num_facts = before->num_facts;
}

void
hd_tree_flags_enter(tree_builder *t, hd_block *header, uint32_t target, const state *entering,
                    state *s)
{
   const state again = { .kind = STATE_ONE, .target = target };
   const arm arms[2] = { { .block = header->preds[0].from, .state = *entering },
                         { .block = header->preds[1].from, .state = again } };
   struct meeting m;
   fact_list list = { .num = 0 };

   forget(s);
   if (!is_kept(t, s) || !gather(t, arms, 2, s, &m))
      return;
   /* Those that enter and those of the next pass are never together. */
   for (uint32_t n = 0; n < s->num_targets && s->kind == STATE_MANY; n++) {
      const struct side *in = &m.side[0], *back = &m.side[1];
      hd_def *own = side_flag(t, in, n), *def = own ? own : hd_tree_truth(t, false);
      known k = know(t, in, def);
      hd_phi *phi = hd_phi_insert(header, 1, 1, NULL);
      hd_phi_set_src(phi, in->block, def);
      hd_phi_set_src(phi, back->block, hd_tree_truth(t, waited(s, n) == target));
      if (waited(s, n) != target)
         k.no |= back->waits & ~in->waits;
      else
         k.no &= ~back->waits;
      list.fact[list.num++] = (fact){ made(t, &phi->instr.def), bit(n), k.no & ~bit(n), NULL };
   }
   /* Those of the next pass entered once, for any of the targets. */
   keep_general(t, entering, num_waited(s), &list);
   set_facts(t, s, &list);
}

/* Testing */

static uint64_t
picked_by(tree_builder *t, const state *s, const plan_group *g)
{
   uint64_t in = 0;

   for (uint32_t n = 0; n < s->num_targets; n++)
      in |= (uint64_t)hd_tree_is_in(t, g, s->targets[n]) << n;
   return in;
}

void
hd_tree_flags_side(tree_builder *t, state *s, hd_def *cond, bool is)
{
   fact_list list = { .num = 0 };

   if (!t->thorough || !is_kept(t, s) || !knows(s))
      return;
   if (s->num_facts)
      memcpy(list.fact, s->facts, s->num_facts * sizeof(*s->facts));
   list.num = s->num_facts;
   const uint64_t all = all_of(num_waited(s));
   add_fact(t, &list, cond, NULL, is ? all : 0, is ? 0 : all);
   set_facts(t, s, &list);
}

hd_def *
hd_tree_flags_picked(tree_builder *t, state *s, const plan_group *g)
{
   fact_list list = { .num = 0 };
   hd_def *any = NULL;
   known k = { 0, UINT64_MAX };

   if (!is_kept(t, s) || s->kind != STATE_MANY || !knows(s))
      return NULL;
   for (uint64_t in = picked_by(t, s, g); in; in &= in - 1) {
      const fact *f = &s->facts[__builtin_ctzll(in)];
      if (f->def == t->yes)
         return NULL;
      any = any ? make_alu(t, t->block, HD_OP_IOR, any, f->def, NULL) : f->def;
      k = either(k, (known){ f->yes, f->no });
   }
   memcpy(list.fact, s->facts, s->num_facts * sizeof(*s->facts));
   list.num = s->num_facts;
   if (any)
      add_fact(t, &list, any, NULL, k.yes, k.no);
   set_facts(t, s, &list);
   return any;
}

/* The targets of a state that are a block. */
static uint64_t
waits_for(const tree_builder *t, const state *s, uint32_t place)
{
   uint64_t mask = 0;

   for (uint32_t n = 0; n < num_waited(s); n++) {
      const hd_block *b = hd_plan_target_block(t->p, waited(s, n));
      mask |= (uint64_t)(t->p->place[b->node.index] == place) << n;
   }
   return mask;
}

/* The same block is another target for lanes that reach it from outside of a cycle than for those
 * that end a pass there. Lanes that are assumed to wait for one target may wait for any of its block.
 */
void
hd_tree_flags_filter(tree_builder *t, const state *before, state *s)
{
   fact_list list = { .num = 0 };
   uint32_t place[MAX_TARGETS], num = 0;
   uint64_t from[MAX_TARGETS];

   if (!is_kept(t, before) || !knows(before) || s->kind == STATE_DEAD)
      return;
   for (uint32_t n = 0; n < num_waited(before) && num < num_waited(s); n++) {
      if (waited(before, n) == waited(s, num))
         place[num++] = n;
   }
   forget(s);
   if (num < num_waited(s))
      return;
   for (uint32_t k = 0; k < num; k++)
      from[k] = bit(place[k]);
   if (s->kind == STATE_ONE) {
      const hd_block *b = hd_plan_target_block(t->p, s->target);
      from[0] = waits_for(t, before, t->p->place[b->node.index]);
   }
   for (int own = s->kind == STATE_MANY; own >= 0; own--) {
      for (uint32_t i = 0; i < (own ? num : before->num_facts); i++) {
         const fact *f = &before->facts[own ? place[i] : i];
         fact is = { f->def, 0, 0, f->guard };
         for (uint32_t k = 0; k < num; k++) {
            is.yes |= (uint64_t) !(from[k] & ~f->yes) << k;
            is.no |= (uint64_t) !(from[k] & ~f->no) << k;
         }
         if (own)
            list.fact[list.num++] = is;
         else
            add_fact(t, &list, is.def, is.guard, is.yes, is.no);
      }
   }
   set_facts(t, s, &list);
}

hd_def *
hd_tree_flags_test(tree_builder *t, const state *s, const plan_group *g, bool *inverted)
{
   if (!is_kept(t, s) || s->kind != STATE_MANY || !knows(s))
      return NULL;
   const uint64_t all = all_of(s->num_targets), picked = picked_by(t, s, g);
   for (int inside = 1; inside >= 0; inside--) {
      const uint64_t in = inside ? picked : all & ~picked;
      bool good = in != 0;
      hd_def *any = NULL;
      for (uint64_t left = in; left && good; left &= left - 1) {
         const fact *f = &s->facts[__builtin_ctzll(left)];
         good = (in | f->no) == all && (f->yes | f->no) == all && f->def != t->yes;
      }
      for (uint64_t left = in; left && good; left &= left - 1) {
         hd_def *def = s->facts[__builtin_ctzll(left)].def;
         any = any ? hd_tree_alu(t, t->block, HD_OP_IOR, 1, any, def, NULL) : def;
      }
      *inverted = !inside;
      if (any)
         return any;
   }
   return NULL;
}

const fact *
hd_tree_flags_apart(tree_builder *t, const state *const *states, uint32_t num, uint32_t place,
                    uint64_t *side, bool *inverted)
{
   uint64_t mask[64];
   const fact *best = NULL;
   int fewest = (int)num;

   if (!t->keeps_flags || num > 64)
      return NULL;
   for (uint32_t i = 0; i < num; i++) {
      if (!is_kept(t, states[i]) || !knows(states[i]))
         return NULL;
      mask[i] = waits_for(t, states[i], place);
   }
   for (uint32_t i = 0; i < num; i++) {
      for (uint32_t k = 0; k < states[i]->num_facts; k++) {
         const fact *f = &states[i]->facts[k];
         bool no = !(mask[i] & ~f->no), all = no || !(mask[i] & ~f->yes);
         uint64_t with = 0;
         for (uint32_t u = 0; u < num && all; u++) {
            const state *s = states[u];
            known is = find(t, s->facts, s->num_facts, all_of(num_waited(s)), f->def, f->guard);
            bool other_no = !(mask[u] & ~is.no);
            all = other_no || !(mask[u] & ~is.yes);
            with |= (uint64_t)(other_no == no) << u;
         }
         if (!all || __builtin_popcountll(with) >= fewest)
            continue;
         fewest = __builtin_popcountll(with);
         best = f;
         *side = with;
         *inverted = no;
      }
   }
   return best;
}

hd_def *
hd_tree_flags_value(tree_builder *t, hd_block *at, const fact *f)
{
   hd_def *all = f->def;

   for (const guard *g = f->guard; g; g = g->next) {
      hd_def *cond = g->inverted ? hd_tree_alu(t, at, HD_OP_INOT, 1, g->cond, NULL, NULL) : g->cond;
      all = hd_tree_alu(t, at, HD_OP_IAND, 1, cond, all, NULL);
   }
   return all;
}

void
hd_tree_flags_finish(tree_builder *t)
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
