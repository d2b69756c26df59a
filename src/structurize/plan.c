/* SPDX-License-Identifier: MIT */
/* plan.c - plan the tree: a chain of ops for each level of the loop nest, inner regions first. */
#include "structurize/plan_region.h"

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
         bool arm =
             o->kind == OUT_ITEM && r->l.node[o->node].num_in == 1 && r->l.node[o->node].idom == u;
         if (i == 0 && chosen && plan_is_switch(r->p, n->block))
            arm = false;
         if (arm)
            r->l.node[o->node].in_arm = true;
         chosen |= !arm && !plan_is_jump(o);
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

/* Can this item be the continue block: it is passed on every path back to the header, and entered
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

/* The item that is on every path back, the last one. */
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
plan_one_way(struct planner *r, plan *p, uint32_t level, bool late_jumps)
{
   *r = (struct planner){ .p = p, .late_jumps = late_jumps };
   hd_plan_level(p, level, &r->l);
   const uint32_t *lift = hd_plan_lift(r);
   if (lift)
      hd_plan_parents(&r->l, lift);
   uint32_t num = r->l.num;
   r->chain = hd_stack_alloc(p->stack, num * sizeof(*r->chain));
   r->pending = hd_stack_alloc(p->stack, num * sizeof(*r->pending));
   find_arms(r);
   find_children(r);
   /* What the continue list's entry leads to has smaller numbers. */
   for (uint32_t n = r->l.root_again; n--;)
      hd_plan_region(r, n);
   hd_plan_region(r, r->l.root_again);
   hd_heap_step(hd_shader_heap(p->f->shader), num);
}

/* A branch to a jump and to what is waited for can jump at once, or leave both to the selector: an
 * if each, or a test where all that wait to jump meet. That costs phis, but few where a selector is
 * there anyway, as in a cycle that is entered at several places.
 */
static bool
late_is_better(const struct planner *now, const struct planner *late)
{
   const plan *p = now->p;
   uint32_t level = now->l.level;
   bool enters = level && p->entry_begin[level] > p->entry_begin[level - 1];

   if (late->num_ifs >= now->num_ifs)
      return false;
   return enters || 2 * (now->num_ifs - late->num_ifs) >= now->num_can_wait;
}

static void
plan_one_level(struct planner *r, plan *p, uint32_t level)
{
   plan_one_way(r, p, level, false);
   if (r->num_can_wait) {
      struct planner late;
      plan_one_way(&late, p, level, true);
      if (late_is_better(r, &late))
         *r = late;
   }
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
