/* SPDX-License-Identifier: MIT */
/* plan_region.c - plan a region: a branch, its arms, what follows. */
#include <stdlib.h>

#include "structurize/plan_region.h"

static uint32_t
add_op(struct planner *r, struct chain *c, plan_op_kind kind, uint32_t a, uint32_t b)
{
   plan *p = r->p;

   r->num_ifs += kind == PLAN_IF || kind == PLAN_CASE || kind == PLAN_TEST;
   if (p->num_ops == p->ops_capacity) {
      uint32_t capacity = p->ops_capacity ? p->ops_capacity * 2 : p->num_blocks * 3 + 16;
      plan_op *ops = hd_stack_alloc(p->stack, capacity * sizeof(*ops));
      if (p->num_ops)
         memcpy(ops, p->ops, p->num_ops * sizeof(*ops));
      p->ops = ops;
      p->ops_capacity = capacity;
   }
   p->ops[p->num_ops] = (plan_op){ .kind = kind, .a = a, .b = b, .at = NONE, .next = NONE };
   if (c->last == NONE)
      c->first = p->num_ops;
   else
      p->ops[c->last].next = p->num_ops;
   return c->last = p->num_ops++;
}

static void
add_chain(struct planner *r, struct chain *c, const struct chain *inner)
{
   if (inner->first == NONE)
      return;
   if (c->last == NONE)
      c->first = inner->first;
   else
      r->p->ops[c->last].next = inner->first;
   c->last = inner->last;
}

/* What is pending */

static void
pend_item(const struct planner *r, struct pending *to, uint32_t item)
{
   const plan_node *n = r->l.node;

   for (unsigned i = 0; i < to->num_out; i++) {
      if (to->out[i] == item)
         return;
   }
   if (to->num_out < 2)
      to->out[to->num_out++] = item;
   else if (n[item].depth < n[to->out[1]].depth)
      to->out[1] = item;
   if (to->num_out == 2 && n[to->out[1]].depth < n[to->out[0]].depth) {
      uint32_t t = to->out[0];
      to->out[0] = to->out[1];
      to->out[1] = t;
   }
}

static void
pend_break(struct pending *to, uint32_t target)
{
   if (to->num_breaks == 0) {
      to->num_breaks = 1;
      to->break_target = target;
   } else if (to->break_target != target) {
      to->num_breaks = 2;
   }
}

void
hd_plan_pend_out(const struct planner *r, struct pending *to, const plan_out *o)
{
   switch ((plan_out_kind)o->kind) {
   case OUT_ITEM:
      pend_item(r, to, o->node);
      break;
   case OUT_BREAK:
      pend_break(to, o->target);
      break;
   case OUT_CONTINUE:
      to->continues = true;
      break;
   case OUT_AGAIN:
      to->again = true;
      break;
   case OUT_END:
      break;
   }
}

void
hd_plan_pend_all(const struct planner *r, struct pending *to, const struct pending *from)
{
   for (unsigned i = 0; i < from->num_out; i++)
      pend_item(r, to, from->out[i]);
   if (from->num_breaks)
      pend_break(to, from->break_target);
   if (from->num_breaks > to->num_breaks)
      to->num_breaks = from->num_breaks;
   to->continues |= from->continues;
   to->again |= from->again;
}

void
hd_plan_drop_own(const struct planner *r, struct pending *of, uint32_t node)
{
   while (of->num_out && r->l.node[of->out[of->num_out - 1]].depth > r->l.node[node].depth)
      of->num_out--;
}

/* Jumps */

static uint32_t
pass_end(const struct planner *r, bool again)
{
   return again ? PLAN_AGAIN(r->p, r->l.level - 1) : PLAN_CONTINUE(r->p, r->l.level - 1);
}

static void
narrow(struct planner *r, struct chain *c, uint32_t target)
{
   if (target != NONE)
      add_op(r, c, PLAN_NARROW, target, 0);
}

static uint32_t
break_target(const struct pending *pending)
{
   return pending->num_breaks == 1 ? pending->break_target : NONE;
}

static void
open_test(struct planner *r, struct chain *c, uint32_t at, const plan_group *group)
{
   plan *p = r->p;

   if (p->num_groups == p->groups_capacity) {
      uint32_t capacity = p->groups_capacity * 2 + 16;
      plan_group *groups = hd_stack_alloc(p->stack, capacity * sizeof(*groups));
      if (p->num_groups)
         memcpy(groups, p->groups, p->num_groups * sizeof(*groups));
      p->groups = groups;
      p->groups_capacity = capacity;
   }
   p->groups[p->num_groups] = *group;
   uint32_t op = add_op(r, c, PLAN_TEST, p->num_groups++, 0);
   const plan_node *n = &r->l.node[at];
   p->ops[op].at = n->block != NONE   ? n->block
                   : n->cycle != NONE ? p->cycle[n->cycle].header
                   : r->l.level       ? p->cycle[r->l.level - 1].header
                                      : NONE;
   narrow(r, c, group->target);
}

static void
open_break_test(struct planner *r, struct chain *c, uint32_t at, const struct pending *pending)
{
   plan_group group = {
      .target = break_target(pending),
      .first = hd_plan_rank(r->p, pass_end(r, false)) + 1,
      .end = UINT64_MAX,
   };

   open_test(r, c, at, &group);
   add_op(r, c, PLAN_BREAK, 0, 0);
   add_op(r, c, PLAN_ELSE, 0, 0);
}

/* Where nothing but jumps is left to wait for, jump. False if there is something else. */
static bool
jump_if_only(struct planner *r, struct chain *c, uint32_t at, struct pending *pending)
{
   bool breaks = pending->num_breaks != 0;

   if (pending->num_out || pending->again || (!breaks && !pending->continues))
      return false;
   if (breaks && pending->continues) {
      open_break_test(r, c, at, pending);
      narrow(r, c, pass_end(r, false));
      add_op(r, c, PLAN_CONTINUE_NOW, 0, 0);
      add_op(r, c, PLAN_END, 0, 0);
   } else if (breaks) {
      narrow(r, c, break_target(pending));
      add_op(r, c, PLAN_BREAK, 0, 0);
   } else {
      narrow(r, c, pass_end(r, false));
      add_op(r, c, PLAN_CONTINUE_NOW, 0, 0);
   }
   pending->num_breaks = 0;
   pending->continues = false;
   return true;
}

/* Branches */

static bool
is_arm(const struct planner *r, uint32_t node, const plan_out *o)
{
   return o->kind == OUT_ITEM && r->l.node[o->node].in_arm && r->l.node[o->node].idom == node;
}

/* A region in the one at hand. */
static void
add_region(struct planner *r, struct chain *c, uint32_t node, struct pending *pending)
{
   add_chain(r, c, &r->chain[node]);
   hd_plan_pend_all(r, pending, &r->pending[node]);
}

static void
add_arm(struct planner *r, struct chain *c, uint32_t node, uint32_t succ, struct pending *pending)
{
   const plan_node *n = &r->l.node[node];
   const plan_out *o = &r->l.out[n->out + succ];

   add_op(r, c, PLAN_EDGE, n->block, succ);
   if (is_arm(r, node, o)) {
      add_region(r, c, o->node, pending);
   } else if (plan_is_jump(o)) {
      add_op(r, c, o->kind == OUT_BREAK ? PLAN_BREAK : PLAN_CONTINUE_NOW, 0, 0);
   } else {
      hd_plan_pend_out(r, pending, o);
   }
}

/* Where neither side of a branch is placed in an arm or jumps by itself, there is nothing to
 * branch over: who waits for what goes into the selector.
 */
static void
add_two_way(struct planner *r, struct chain *c, uint32_t node, struct pending *pending)
{
   const plan_node *n = &r->l.node[node];
   const plan_out *o = &r->l.out[n->out];

   bool arms = is_arm(r, node, o) || is_arm(r, node, o + 1);
   bool jumps = o[0].kind != o[1].kind && (plan_is_jump(o) || plan_is_jump(o + 1));

   r->num_can_wait += jumps && !arms;
   if (arms || (jumps && !r->late_jumps)) {
      add_op(r, c, PLAN_IF, n->block, 0);
      add_arm(r, c, node, 0, pending);
      add_op(r, c, PLAN_ELSE, 0, 0);
      add_arm(r, c, node, 1, pending);
      add_op(r, c, PLAN_END, 0, 0);
      return;
   }
   add_op(r, c, PLAN_EDGE, n->block, 1);
   add_op(r, c, PLAN_ALSO, n->block, 0);
   hd_plan_pend_out(r, pending, o);
   hd_plan_pend_out(r, pending, o + 1);
}

/* Cases that have an arm are compared in their order, each in the else-list of the one before. The
 * others, and the default with them, are chosen in the last else-list.
 */
static void
add_switch(struct planner *r, struct chain *c, uint32_t node, struct pending *pending)
{
   const plan_node *n = &r->l.node[node];
   const plan_out *o = &r->l.out[n->out];
   uint32_t num_arms = 0, num_chosen = 0;

   for (uint32_t i = 1; i < n->num_out; i++) {
      if (!is_arm(r, node, o + i) && !plan_is_jump(o + i)) {
         num_chosen++;
         continue;
      }
      num_arms++;
      add_op(r, c, PLAN_CASE, n->block, i);
      add_arm(r, c, node, i, pending);
      add_op(r, c, PLAN_ELSE, 0, 0);
   }
   if (num_chosen) {
      add_op(r, c, PLAN_EDGE, n->block, 0);
      hd_plan_pend_out(r, pending, o);
   } else {
      add_arm(r, c, node, 0, pending);
   }
   for (uint32_t i = n->num_out; i-- > 1;) {
      if (is_arm(r, node, o + i) || plan_is_jump(o + i))
         continue;
      add_op(r, c, PLAN_ALSO, n->block, i);
      hd_plan_pend_out(r, pending, o + i);
   }
   while (num_arms--)
      add_op(r, c, PLAN_END, 0, 0);
}

static void
add_item(struct planner *r, struct chain *c, uint32_t node, struct pending *pending)
{
   const plan_node *n = &r->l.node[node];

   if (n->block == NONE) {
      if (n->cycle != NONE)
         add_op(r, c, PLAN_LOOP, n->cycle, 0);
      for (uint32_t i = 0; i < n->num_out; i++)
         hd_plan_pend_out(r, pending, &r->l.out[n->out + i]);
      return;
   }
   add_op(r, c, PLAN_BLOCK, n->block, 0);
   if (n->num_out > 1 && plan_is_switch(r->p, n->block)) {
      add_switch(r, c, node, pending);
   } else if (n->num_out > 1) {
      add_two_way(r, c, node, pending);
   } else if (n->num_out == 1 && r->l.out[n->out].kind != OUT_END) {
      add_op(r, c, PLAN_EDGE, n->block, 0);
      hd_plan_pend_out(r, pending, &r->l.out[n->out]);
   }
}

/* What comes after an item and its arms */

struct waiting {
   uint32_t num, sum; /* how many items, and their numbers together by xor */
};

/* The only thing that lanes wait for besides what is ready, or NONE. */
static uint32_t
only_rest(const struct planner *r, const struct waiting *waiting, const struct pending *pending)
{
   uint32_t num =
       waiting->num + pending->num_out + pending->num_breaks + pending->continues + pending->again;

   if (num != 1)
      return NONE;
   if (waiting->num)
      return r->l.node[waiting->sum].entry;
   if (pending->num_out)
      return r->l.node[pending->out[0]].entry;
   return pending->num_breaks ? pending->break_target : pass_end(r, pending->again);
}

static void
open_item_test(struct planner *r, struct chain *c, uint32_t at, uint32_t item)
{
   const plan_node *n = &r->l.node[item];
   plan_group group = { .target = n->entry };

   if (group.target == NONE) {
      const plan_cycle *cycle = &r->p->cycle[n->cycle];
      group.first = hd_plan_rank(r->p, cycle->first);
      group.end = hd_plan_rank(r->p, PLAN_CONTINUE(r->p, n->cycle));
   }
   open_test(r, c, at, &group);
}

/* Which children next?
 *
 * Each child that is placed costs a test, but for one of those where nothing else is left that
 * lanes wait for. So what is ready can wait until all that is pending is ready. If something is
 * not, only what that needs is placed.
 */
static void
push_ready(struct planner *r, uint32_t v)
{
   if (r->flags[v] & CHILD_WANTED)
      r->wanted[r->num_wanted++] = v;
   else
      r->others[r->num_others++] = v;
}

static void
want_needs(struct planner *r, uint32_t v)
{
   uint32_t num = 1;

   r->walk[0] = v;
   while (num) {
      const plan_node *n = &r->l.node[r->walk[--num]];
      for (uint32_t k = 0; k < n->num_in; k++) {
         uint32_t need = r->need[n->in + k];
         if (need == NONE || r->flags[need] & (CHILD_PLACED | CHILD_WANTED))
            continue;
         r->flags[need] |= CHILD_WANTED;
         if (r->flags[need] & CHILD_PENDING && r->num_needs[need] == 0)
            push_ready(r, need);
         r->walk[num++] = need;
      }
   }
}

static void
pend_child(struct planner *r, uint32_t v)
{
   if (r->flags[v] & CHILD_PENDING)
      return;
   r->flags[v] |= CHILD_PENDING;
   r->num_pending++;
   r->pending_sum ^= v;
   if (r->num_needs[v] == 0) {
      push_ready(r, v);
   } else {
      r->num_blocked++;
      want_needs(r, v);
   }
}

static int
compare_nodes(const void *a, const void *b)
{
   const uint32_t *x = a, *y = b;

   return *x < *y ? -1 : *x > *y;
}

/* The next children, in sweep order. They are no longer pending. */
static uint32_t *
take_ready(struct planner *r, uint32_t *num)
{
   uint32_t *list = scratch(r->p->stack, r->num_wanted + (r->num_blocked ? 0 : r->num_others));
   uint32_t n = 0;

   while (r->num_wanted)
      list[n++] = r->wanted[--r->num_wanted];
   while (!r->num_blocked && r->num_others) {
      uint32_t v = r->others[--r->num_others];
      /* It may have become wanted, and be in both lists. */
      if (!(r->flags[v] & CHILD_WANTED))
         list[n++] = v;
   }
   qsort(list, n, sizeof(*list), compare_nodes);
   for (uint32_t i = 0; i < n; i++) {
      r->flags[list[i]] |= CHILD_PLACED;
      r->num_pending--;
      r->pending_sum ^= list[i];
   }
   *num = n;
   return list;
}

static void
release_users(struct planner *r, uint32_t v)
{
   for (uint32_t e = r->first_user[v]; e != NONE; e = r->next_user[e]) {
      uint32_t user = r->user[e];
      if (--r->num_needs[user] == 0 && r->flags[user] & CHILD_PENDING) {
         r->num_blocked--;
         push_ready(r, user);
      }
      pend_child(r, user);
   }
}

/* Place some children of a node. */
static void
add_children(struct planner *r, struct chain *c, uint32_t node, const uint32_t *list, uint32_t num,
             struct pending *pending)
{
   struct pending left = { .num_out = 0 };
   struct waiting waiting = { r->num_pending, r->pending_sum };
   bool rest = waiting.num || pending->num_out || pending->num_breaks || pending->continues ||
               pending->again;
   uint32_t num_tests = 0;

   for (uint32_t i = 0; i < num; i++) {
      bool last = !rest && i + 1 == num;
      if (!last) {
         open_item_test(r, c, node, list[i]);
         num_tests++;
      } else if (num_tests) {
         narrow(r, c, r->l.node[list[i]].entry);
      }
      add_region(r, c, list[i], &left);
      hd_plan_drop_own(r, &left, node);
      if (!last)
         add_op(r, c, PLAN_ELSE, 0, 0);
   }
   if (rest && (waiting.num || !jump_if_only(r, c, node, pending)))
      narrow(r, c, only_rest(r, &waiting, pending));
   while (num_tests--)
      add_op(r, c, PLAN_END, 0, 0);
   hd_plan_pend_all(r, pending, &left);
}

static bool
is_root(const struct planner *r, uint32_t node)
{
   return node == 0 || node == r->l.root_again;
}

static void
make_region(struct planner *r, uint32_t node, struct chain *c, struct pending *pending)
{
   add_item(r, c, node, pending);
   hd_plan_drop_own(r, pending, node);
   r->num_wanted = r->num_others = r->num_pending = r->pending_sum = r->num_blocked = 0;
   for (uint32_t v = r->first_child[node]; v != NONE; v = r->next_child[v]) {
      if (r->flags[v] & CHILD_DIRECT)
         pend_child(r, v);
   }
   while (r->num_pending) {
      uint32_t num, *list = take_ready(r, &num);
      add_children(r, c, node, list, num, pending);
      for (uint32_t i = 0; i < num; i++)
         release_users(r, list[i]);
   }
   if (is_root(r, node) && pending->again) {
      /* The end of the level: what is left are jumps, or the next pass. */
      if (pending->num_breaks) {
         open_break_test(r, c, node, pending);
         narrow(r, c, pass_end(r, true));
         add_op(r, c, PLAN_END, 0, 0);
      }
   } else if (is_root(r, node) || !plan_jumps_later(r, pending)) {
      jump_if_only(r, c, node, pending);
   }
}

void
hd_plan_region(struct planner *r, uint32_t node)
{
   struct chain c = { NONE, NONE };
   struct pending pending = { .num_out = 0 };

   make_region(r, node, &c, &pending);
   r->chain[node] = c;
   r->pending[node] = pending;
}
