/* SPDX-License-Identifier: MIT */
/* plan.c - the chains of ops of each level, inner regions first. */
#include <stdlib.h>

#include "structurize/plan.h"

/* What the lanes that leave a region wait for, as far as it matters to those outside: how many
 * different targets of each kind, and which where it is one.
 */
struct pending {
   uint32_t out[2]; /* items; of several those with the lowest depth */
   uint8_t num_out; /* 2: two or more */
   uint8_t num_breaks;
   bool continues, again;
   uint32_t break_target;
};

struct chain {
   uint32_t first, last; /* ops, or NONE */
};

/* A level being planned; arrays by node. */
struct planner {
   plan *p;
   plan_level l;
   struct chain *chain;
   struct pending *pending;
   uint32_t num_ifs;

   /* What is placed after its dominator and the arms of that, in sweep order: children. Another
    * child it comes after, because that one, or what it dominates, has an edge to it, is called a
    * need of it.
    */
   uint32_t *first_child, *next_child;
   uint32_t *need;                   /* by edge into a node, see plan_level.in; NONE for none */
   uint32_t *first_user, *next_user; /* by need, by edge into a node */
   uint32_t *user;                   /* by edge into a node: the node */
   uint32_t *num_needs;              /* edges whose needs are not placed yet */
   uint8_t *flags;                   /* child_flags */
   uint32_t *wanted, *others;        /* children that are ready: lists of the node being planned */
   uint32_t *walk;
   uint32_t num_wanted, num_others;
   uint32_t num_pending, pending_sum; /* children that lanes wait for, and their xor */
   uint32_t num_blocked;              /* of these, with needs */
};

enum child_flags {
   CHILD_DIRECT = 1,  /* lanes wait for it once the arms are placed */
   CHILD_PENDING = 2, /* lanes wait for it */
   CHILD_WANTED = 4,  /* a child that lanes wait for needs it */
   CHILD_PLACED = 8,
};

static uint32_t
add_op(struct planner *r, struct chain *c, plan_op_kind kind, uint32_t a, uint32_t b)
{
   plan *p = r->p;

   if (p->num_ops == p->ops_capacity) {
      uint32_t capacity = p->ops_capacity * 2 + 64;
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
   r->num_ifs += kind == PLAN_IF || kind == PLAN_CASE || kind == PLAN_TEST;
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

static void
pend_out(const struct planner *r, struct pending *to, const plan_out *o)
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

static void
pend_all(const struct planner *r, struct pending *to, const struct pending *from)
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

/* Leave out what its dominator `node` places itself. */
static void
drop_own(const struct planner *r, struct pending *of, uint32_t node)
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
is_jump(const plan_out *o)
{
   return o->kind == OUT_BREAK || o->kind == OUT_CONTINUE;
}

static bool
is_arm(const struct planner *r, uint32_t node, const plan_out *o)
{
   return o->kind == OUT_ITEM && r->l.node[o->node].in_arm && r->l.node[o->node].idom == node;
}

static void
add_arm(struct planner *r, struct chain *c, uint32_t node, uint32_t succ, struct pending *pending)
{
   const plan_node *n = &r->l.node[node];
   const plan_out *o = &r->l.out[n->out + succ];

   add_op(r, c, PLAN_EDGE, n->block, succ);
   if (is_arm(r, node, o)) {
      add_chain(r, c, &r->chain[o->node]);
      pend_all(r, pending, &r->pending[o->node]);
   } else if (is_jump(o)) {
      add_op(r, c, o->kind == OUT_BREAK ? PLAN_BREAK : PLAN_CONTINUE_NOW, 0, 0);
   } else {
      pend_out(r, pending, o);
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

   if (is_arm(r, node, o) || is_arm(r, node, o + 1) ||
       (o[0].kind != o[1].kind && (is_jump(o) || is_jump(o + 1)))) {
      add_op(r, c, PLAN_IF, n->block, 0);
      add_arm(r, c, node, 0, pending);
      add_op(r, c, PLAN_ELSE, 0, 0);
      add_arm(r, c, node, 1, pending);
      add_op(r, c, PLAN_END, 0, 0);
      return;
   }
   add_op(r, c, PLAN_EDGE, n->block, 1);
   add_op(r, c, PLAN_ALSO, n->block, 0);
   pend_out(r, pending, o);
   pend_out(r, pending, o + 1);
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
      if (!is_arm(r, node, o + i) && !is_jump(o + i)) {
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
      pend_out(r, pending, o);
   } else {
      add_arm(r, c, node, 0, pending);
   }
   for (uint32_t i = n->num_out; i-- > 1;) {
      if (is_arm(r, node, o + i) || is_jump(o + i))
         continue;
      add_op(r, c, PLAN_ALSO, n->block, i);
      pend_out(r, pending, o + i);
   }
   while (num_arms--)
      add_op(r, c, PLAN_END, 0, 0);
}

static bool
is_switch(const plan *p, uint32_t block)
{
   const hd_jump *jump = hd_block_jump(p->block[block]);

   return jump && jump->instr.op == HD_JUMP_SWITCH;
}

static void
add_item(struct planner *r, struct chain *c, uint32_t node, struct pending *pending)
{
   const plan_node *n = &r->l.node[node];

   if (n->block == NONE) {
      if (n->cycle != NONE)
         add_op(r, c, PLAN_LOOP, n->cycle, 0);
      for (uint32_t i = 0; i < n->num_out; i++)
         pend_out(r, pending, &r->l.out[n->out + i]);
      return;
   }
   add_op(r, c, PLAN_BLOCK, n->block, 0);
   if (n->num_out > 1 && is_switch(r->p, n->block)) {
      add_switch(r, c, node, pending);
   } else if (n->num_out > 1) {
      add_two_way(r, c, node, pending);
   } else if (n->num_out == 1 && r->l.out[n->out].kind != OUT_END) {
      add_op(r, c, PLAN_EDGE, n->block, 0);
      pend_out(r, pending, &r->l.out[n->out]);
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
      add_chain(r, c, &r->chain[list[i]]);
      if (!last)
         add_op(r, c, PLAN_ELSE, 0, 0);
   }
   if (rest && (waiting.num || !jump_if_only(r, c, node, pending)))
      narrow(r, c, only_rest(r, &waiting, pending));
   while (num_tests--)
      add_op(r, c, PLAN_END, 0, 0);
   for (uint32_t i = 0; i < num; i++) {
      pend_all(r, pending, &r->pending[list[i]]);
      drop_own(r, pending, node);
   }
}

static void
plan_node_region(struct planner *r, uint32_t node)
{
   struct chain c = { NONE, NONE };
   struct pending pending = { .num_out = 0 };

   add_item(r, &c, node, &pending);
   drop_own(r, &pending, node);
   r->num_wanted = r->num_others = r->num_pending = r->pending_sum = r->num_blocked = 0;
   for (uint32_t v = r->first_child[node]; v != NONE; v = r->next_child[v]) {
      if (r->flags[v] & CHILD_DIRECT)
         pend_child(r, v);
   }
   while (r->num_pending) {
      uint32_t num, *list = take_ready(r, &num);
      add_children(r, &c, node, list, num, &pending);
      for (uint32_t i = 0; i < num; i++)
         release_users(r, list[i]);
   }
   if (node == 0 || node == r->l.root_again) {
      /* The end of the level: what is left are jumps, or the next pass. */
      if (pending.again && pending.num_breaks) {
         open_break_test(r, &c, node, &pending);
         narrow(r, &c, pass_end(r, true));
         add_op(r, &c, PLAN_END, 0, 0);
      } else if (!pending.again) {
         jump_if_only(r, &c, node, &pending);
      }
   } else {
      jump_if_only(r, &c, node, &pending);
   }
   r->chain[node] = c;
   r->pending[node] = pending;
}

/* Arms and layers */

static void
find_arms(struct planner *r)
{
   for (uint32_t u = 1; u < r->l.root_again; u++) {
      plan_node *n = &r->l.node[u];
      if (n->block == NONE || n->num_out < 2)
         continue;
      bool chosen = false; /* is a case without an arm? then the default is not placed in one */
      for (uint32_t i = n->num_out; i--;) {
         const plan_out *o = &r->l.out[n->out + i];
         bool arm = o->kind == OUT_ITEM && r->l.node[o->node].num_in == 1;
         if (i == 0 && chosen && is_switch(r->p, n->block))
            arm = false;
         if (arm)
            r->l.node[o->node].in_arm = true;
         chosen |= !arm && !is_jump(o);
      }
   }
}

/* The children of each node, and what each needs. */
static void
find_children(struct planner *r)
{
   const plan_level *l = &r->l;
   hd_stack *stack = r->p->stack;

   r->first_child = scratch_fill(stack, l->num, 0xff);
   r->next_child = scratch(stack, l->num);
   r->need = scratch_fill(stack, l->num_in, 0xff);
   r->user = scratch(stack, l->num_in);
   r->first_user = scratch_fill(stack, l->num, 0xff);
   r->next_user = scratch(stack, l->num_in);
   r->num_needs = scratch_fill(stack, l->num, 0);
   r->flags = hd_stack_alloc_zero(stack, l->num);
   r->wanted = scratch(stack, l->num);
   r->others = scratch(stack, l->num);
   r->walk = scratch(stack, l->num);
   for (uint32_t v = l->root_again; v-- > 1;) {
      const plan_node *n = &l->node[v];
      if (n->in_arm)
         continue;
      r->next_child[v] = r->first_child[n->idom];
      r->first_child[n->idom] = v;
      for (uint32_t k = 0; k < n->num_in; k++) {
         uint32_t e = n->in + k, from = l->in[e];
         if (from != n->idom)
            from = hd_plan_under(l, from, n->idom);
         if (from == n->idom || l->node[from].in_arm) {
            r->flags[v] |= CHILD_DIRECT;
            continue;
         }
         r->need[e] = from;
         r->user[e] = v;
         r->next_user[e] = r->first_user[from];
         r->first_user[from] = e;
         r->num_needs[v]++;
      }
   }
}

/* Continue blocks */

/* Can this item be the continue block: it is passed on every way back to the header, and entered
 * from nowhere else is what it reaches?
 */
static bool
may_continue(const struct planner *r, uint32_t node)
{
   const plan_node *n = &r->l.node[node];

   if (r->pending[node].num_out)
      return false;
   return n->cycle == NONE || n->entry == r->p->cycle[n->cycle].header;
}

/* The item that is on every way back, the last one. */
static uint32_t
last_on_every_way(const struct planner *r)
{
   uint32_t common = NONE;

   for (uint32_t n = 1; n < r->l.root_again; n++) {
      for (uint32_t k = 0; k < r->l.node[n].num_out; k++) {
         if (r->l.out[r->l.node[n].out + k].kind == OUT_CONTINUE)
            common = common == NONE ? n : hd_plan_common(&r->l, common, n);
      }
   }
   return common;
}

static void
plan_one_level(struct planner *r, plan *p, uint32_t level)
{
   *r = (struct planner){ .p = p };
   hd_plan_level(p, level, &r->l);
   uint32_t num = r->l.num;
   r->chain = hd_stack_alloc(p->stack, num * sizeof(*r->chain));
   r->pending = hd_stack_alloc(p->stack, num * sizeof(*r->pending));
   find_arms(r);
   find_children(r);
   /* What the continue list's entry leads to has smaller numbers. */
   for (uint32_t n = r->l.root_again; n--;)
      plan_node_region(r, n);
   plan_node_region(r, r->l.root_again);
   hd_heap_step(hd_shader_heap(p->f->shader), num);
   if (level) {
      p->cycle[level - 1].body = r->chain[0].first;
      p->cycle[level - 1].again = r->chain[r->l.root_again].first;
   } else {
      p->body = r->chain[0].first;
   }
}

/* How many blocks are tried: each try plans the level again. */
#define MAX_TRIES 8u

/* A cycle that declares no continue block gets one if that saves a test. */
static void
choose_continue(plan *p, uint32_t level, const struct planner *plain)
{
   plan_cycle *c = &p->cycle[level - 1];
   uint32_t body = c->body, node = last_on_every_way(plain);

   for (unsigned tries = 0; node != NONE && node > 1 && tries < MAX_TRIES;
        node = plain->l.node[node].idom) {
      struct planner with;

      if (!may_continue(plain, node) || plain->l.node[node].in_arm)
         continue;
      c->continue_block =
          plain->l.node[node].block != NONE ? plain->l.node[node].block : plain->l.node[node].entry;
      plan_one_level(&with, p, level);
      if (with.num_ifs < plain->num_ifs)
         return;
      tries++;
   }
   c->continue_block = NONE;
   c->body = body;
   c->again = NONE;
}

/* Mark the ops of a chain that nothing follows: there a `continue` is where control goes anyway. */
static void
mark_tail(plan *p, uint32_t first)
{
   hd_stack_mark mark = hd_stack_get_mark(p->stack);
   uint32_t num = 0, depth = 0;

   for (uint32_t o = first; o != NONE; o = p->ops[o].next)
      num++;
   uint32_t *op = scratch(p->stack, num);
   uint8_t *outer = hd_stack_alloc(p->stack, num + 1);
   num = 0;
   for (uint32_t o = first; o != NONE; o = p->ops[o].next)
      op[num++] = o;
   bool tail = true;
   while (num--) {
      plan_op *o = &p->ops[op[num]];
      switch ((plan_op_kind)o->kind) {
      case PLAN_END:
         outer[depth++] = tail;
         break;
      case PLAN_ELSE:
         tail = outer[depth - 1];
         break;
      case PLAN_IF:
      case PLAN_CASE:
      case PLAN_TEST:
         depth--;
         tail = false;
         break;
      case PLAN_LOOP:
      case PLAN_BLOCK:
         o->in_tail = tail;
         tail = false;
         break;
      default:
         o->in_tail = tail;
         break;
      }
   }
   hd_stack_release(p->stack, mark);
}

void
hd_plan_make(plan *p)
{
   for (uint32_t level = 0; level <= p->num_cycles; level++) {
      struct planner r;

      plan_one_level(&r, p, level);
      if (level && !p->cycle[level - 1].declared && r.num_ifs)
         choose_continue(p, level, &r);
      mark_tail(p, level ? p->cycle[level - 1].body : p->body);
   }
}
