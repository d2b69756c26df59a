/* SPDX-License-Identifier: MIT */
/* lift.c - fewer tests by hoisting: place regions at an outer level of the dominator tree.
 *
 * A child that is placed where lanes bypass it (they wait for something else) costs a test; where all
 * lanes wait for children that are ready, one of these needs none. Take `if (a || b) X else Y`:
 *
 *    a -> X, b                 a                      a
 *    b -> X, Y                 if {} else {           if {} else {
 *                                 b                      b
 *                                 if {} else { Y }    }
 *                              }                      if X { X } else { Y }
 *                              if X { X }
 *
 * b dominates Y, but lanes for X bypass it there. One level further out, where X is placed, none do.
 *
 * The regions are visited once, innermost first, and nothing is built: where lanes bypass that wait
 * for something further out, the remaining children of the region are left to the enclosing region.
 * That is never worse: in its own region such a child costs a test (or the branch before it, which is
 * not needed if all of its targets wait), and further out it costs at most one. It is hoisted if it is
 * then among those of which one needs no test, and stays otherwise.
 *
 * No other choice has fewer tests. A place where all lanes wait for children that are ready saves one.
 * Before it, only what a waiting lane needs first is placed, as it must be anyway; and such a place
 * stays one when more has been placed in front of it. So all possible ones are found.
 *
 * Each node is placed once, and each edge is visited twice.
 */
#include "structurize/plan_region.h"

/* What is left of a region's children, for the region around once it is placed itself. */
struct left {
   struct chain ready, wanted; /* lanes wait, and nothing has to come first */
   uint32_t num_blocked;       /* lanes wait, and something has */
};

enum {
   PENDING = 1, /* lanes wait for it */
   WANTED = 2,  /* something that lanes wait for comes after it */
};

struct lifter {
   const struct planner *r;
   const plan_level *l;
   struct pending *pending;            /* by region */
   struct left *left;                  /* by region */
   bool *in_arm;                       /* placed with the branch before it, whatever happens */
   uint32_t *region;                   /* a forest: in which region a node is placed so far */
   uint32_t *first_child, *next_child; /* what else a node dominates, by its dominator */
   uint32_t *num_needs;                /* edges from what is not placed in the same region yet */
   uint32_t *first_user, *next_user;   /* by node that is to be placed; by edge: who needs it */
   uint32_t *user;                     /* by edge */
   uint32_t *next_ready, *next_wanted; /* of struct left */
   uint32_t *walk;
   uint8_t *flags;
   uint32_t *lift; /* the result: in whose region a node is placed, or NONE */
   bool any;
};

static uint32_t
region_of(struct lifter *m, uint32_t node)
{
   while (m->region[node] != node)
      node = m->region[node] = m->region[m->region[node]];
   return node;
}

static void
add_to(struct chain *c, uint32_t *next, uint32_t v)
{
   next[v] = NONE;
   if (c->last == NONE)
      c->first = v;
   else
      next[c->last] = v;
   c->last = v;
}

static void
join(struct chain *to, uint32_t *next, const struct chain *from)
{
   if (from->first == NONE)
      return;
   if (to->last == NONE)
      to->first = from->first;
   else
      next[to->last] = from->first;
   to->last = from->last;
}

/* Whose child a node is now: its dominator may have been placed in a region further out. */
static uint32_t
parent_of(struct lifter *m, uint32_t v)
{
   return region_of(m, m->l->node[v].idom);
}

static void
push_ready(struct lifter *m, uint32_t v)
{
   struct left *left = &m->left[parent_of(m, v)];

   if (m->flags[v] & WANTED)
      add_to(&left->wanted, m->next_wanted, v);
   else
      add_to(&left->ready, m->next_ready, v);
}

static uint32_t
want(struct lifter *m, uint32_t v, uint32_t num)
{
   if (m->flags[v] & WANTED)
      return num;
   m->flags[v] |= WANTED;
   /* It stays in the list of what is ready as well. */
   if (m->flags[v] & PENDING && m->num_needs[v] == 0)
      push_ready(m, v);
   m->walk[num] = v;
   return num + 1;
}

/* A child of `at` needs all that leads to it in the region; what is a child further in needs that
 * this is placed first.
 */
static void
want_needs(struct lifter *m, uint32_t at, uint32_t v)
{
   uint32_t num = 1;

   m->walk[0] = v;
   while (num) {
      uint32_t of = m->walk[--num], parent = parent_of(m, of);
      const plan_node *n = &m->l->node[of];
      if (parent != at)
         num = want(m, parent, num);
      for (uint32_t k = 0; k < n->num_in; k++) {
         uint32_t need = region_of(m, m->l->in[n->in + k]);
         if (need != at)
            num = want(m, need, num);
      }
   }
}

static void
pend(struct lifter *m, uint32_t at, uint32_t v)
{
   bool was_blocked = m->flags[v] & PENDING;

   m->flags[v] |= PENDING;
   if (m->num_needs[v] == 0) {
      m->left[at].num_blocked -= was_blocked;
      push_ready(m, v);
   } else if (!was_blocked) {
      m->left[at].num_blocked++;
      want_needs(m, at, v);
   }
}

/* A region is placed in that of `at`. */
static void
absorb(struct lifter *m, uint32_t at, uint32_t v)
{
   struct left *to = &m->left[at], *from = &m->left[v];

   m->region[v] = at;
   join(&to->ready, m->next_ready, &from->ready);
   join(&to->wanted, m->next_wanted, &from->wanted);
   to->num_blocked += from->num_blocked;
   hd_plan_pend_all(m->r, &m->pending[at], &m->pending[v]);
}

static void
release_users(struct lifter *m, uint32_t at, uint32_t v)
{
   for (uint32_t e = m->first_user[v]; e != NONE; e = m->next_user[e]) {
      m->num_needs[m->user[e]]--;
      pend(m, at, m->user[e]);
   }
}

/* The branch of a node and what is placed with it. */

static bool
is_in_arm(const struct lifter *m, const plan_out *o)
{
   return o->kind == OUT_ITEM && m->in_arm[o->node];
}

/* Lanes that go further out than to what the branch dominates pass by its arms. */
static bool
leads_out(const struct lifter *m, uint32_t v, const plan_out *o)
{
   return o->kind == OUT_AGAIN || (o->kind == OUT_ITEM && m->l->node[o->node].idom != v);
}

static void
find_arms(struct lifter *m)
{
   for (uint32_t v = 1; v < m->l->root_again; v++) {
      const plan_node *n = &m->l->node[v];
      const plan_out *o = &m->l->out[n->out];
      bool out = n->block == NONE || n->num_out < 2, chosen = false;

      for (uint32_t i = 0; i < n->num_out && !out; i++)
         out = leads_out(m, v, o + i);
      for (uint32_t i = n->num_out; i-- && !out;) {
         bool arm = o[i].kind == OUT_ITEM && m->l->node[o[i].node].num_in == 1 &&
                    !(i == 0 && chosen && plan_is_switch(m->r->p, n->block));
         if (arm)
            m->in_arm[o[i].node] = true;
         chosen |= !arm && !plan_is_jump(o + i);
      }
   }
}

/* Does the branch of a node jump where it stands when it takes this way? */
static bool
jumps(const struct lifter *m, const plan_node *n, uint32_t i)
{
   const plan_out *o = &m->l->out[n->out];

   if (n->block == NONE || n->num_out < 2 || !plan_is_jump(o + i))
      return false;
   if (!plan_is_switch(m->r->p, n->block))
      return m->r->late_jumps ? is_in_arm(m, o + 1 - i) : o[0].kind != o[1].kind;
   for (uint32_t k = 1; k < n->num_out && i == 0; k++) {
      if (!is_in_arm(m, o + k) && !plan_is_jump(o + k))
         return false;
   }
   return true;
}

static void
place_node(struct lifter *m, uint32_t v)
{
   const plan_node *n = &m->l->node[v];

   for (uint32_t i = 0; i < n->num_out; i++) {
      const plan_out *o = &m->l->out[n->out + i];
      if (is_in_arm(m, o))
         absorb(m, v, o->node);
      else if (!jumps(m, n, i))
         hd_plan_pend_out(m->r, &m->pending[v], o);
   }
   hd_plan_drop_own(m->r, &m->pending[v], v);
}

static void
add_child(struct lifter *m, uint32_t at, uint32_t v)
{
   const plan_node *n = &m->l->node[v];

   for (uint32_t k = 0; k < n->num_in; k++) {
      uint32_t e = n->in + k, need = region_of(m, m->l->in[e]);
      if (need == at)
         continue;
      m->num_needs[v]++;
      m->user[e] = v;
      m->next_user[e] = m->first_user[need];
      m->first_user[need] = e;
   }
   if (m->num_needs[v] < n->num_in)
      pend(m, at, v);
}

/* Place what is ready, as add_children does (plan_region.c). */
static void
place_children(struct lifter *m, uint32_t at)
{
   struct left *left = &m->left[at];
   struct pending *pending = &m->pending[at];
   bool whole = left->num_blocked == 0;
   uint32_t num = 0, *list = m->walk + m->l->num;

   for (uint32_t v = left->wanted.first; v != NONE; v = m->next_wanted[v])
      list[num++] = v;
   for (uint32_t v = left->ready.first; v != NONE && whole; v = m->next_ready[v]) {
      if (!(m->flags[v] & WANTED))
         list[num++] = v;
   }
   left->wanted = (struct chain){ NONE, NONE };
   if (whole) {
      left->ready = (struct chain){ NONE, NONE };
      /* Lanes that wait for a jump take it in the last else-list. */
      if (!pending->again)
         pending->num_breaks = pending->continues = 0;
   }
   for (uint32_t i = 0; i < num; i++) {
      uint32_t v = list[i];
      /* What nothing comes after gains nothing. */
      if (whole && !pending->again && m->l->node[v].idom != at &&
          (num == 1 || m->pending[v].num_out)) {
         m->lift[v] = at;
         m->any = true;
      }
   }
   for (uint32_t i = 0; i < num; i++)
      absorb(m, at, list[i]);
   hd_plan_drop_own(m->r, pending, at);
   for (uint32_t i = 0; i < num; i++)
      release_users(m, at, list[i]);
}

static void
go_through(struct lifter *m, uint32_t v)
{
   struct pending *pending = &m->pending[v];

   place_node(m, v);
   for (uint32_t c = m->first_child[v]; c != NONE; c = m->next_child[c])
      add_child(m, v, c);
   while (!pending->num_out && (m->left[v].wanted.first != NONE ||
                                (m->left[v].ready.first != NONE && !m->left[v].num_blocked)))
      place_children(m, v);
   if (!pending->num_out && !pending->again && !plan_jumps_later(m->r, pending))
      pending->num_breaks = pending->continues = 0;
}

uint32_t *
hd_plan_lift(const struct planner *r)
{
   const plan_level *l = &r->l;
   hd_stack *stack = r->p->stack;
   struct lifter m = {
      .r = r,
      .l = l,
      .pending = hd_stack_alloc_zero(stack, l->num * sizeof(*m.pending)),
      .left = hd_stack_alloc(stack, l->num * sizeof(*m.left)),
      .in_arm = hd_stack_alloc_zero(stack, l->num * sizeof(*m.in_arm)),
      .region = scratch(stack, l->num),
      .first_child = scratch_fill(stack, l->num, 0xff),
      .next_child = scratch(stack, l->num),
      .num_needs = scratch_fill(stack, l->num, 0),
      .first_user = scratch_fill(stack, l->num, 0xff),
      .next_user = scratch(stack, l->num_in),
      .user = scratch(stack, l->num_in),
      .next_ready = scratch(stack, l->num),
      .next_wanted = scratch(stack, l->num),
      .walk = scratch(stack, 2 * (size_t)l->num),
      .flags = hd_stack_alloc_zero(stack, l->num),
      .lift = scratch_fill(stack, l->num, 0xff),
   };

   for (uint32_t v = 0; v < l->num; v++) {
      m.region[v] = v;
      m.left[v] = (struct left){ { NONE, NONE }, { NONE, NONE }, 0 };
   }
   find_arms(&m);
   for (uint32_t v = l->root_again; v-- > 1;) {
      if (m.in_arm[v])
         continue;
      m.next_child[v] = m.first_child[l->node[v].idom];
      m.first_child[l->node[v].idom] = v;
   }
   /* What the continue list's entry leads to has smaller numbers. */
   for (uint32_t v = l->root_again; v--;)
      go_through(&m, v);
   go_through(&m, l->root_again);
   return m.any ? m.lift : NULL;
}
