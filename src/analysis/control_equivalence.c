/* SPDX-License-Identifier: MIT */
/* control_equivalence.c - control equivalence under divergence: which blocks run with the same lanes in the same
 * iterations.
 *
 * Each level of the loop nest is an acyclic graph: its nodes are the blocks that are in that loop but
 * in none inside it, and the loops directly inside it. Edges to the header, and edges that leave the
 * loop, go to the exit of the level. One sweep is one walk of the lanes through that graph. So a and b
 * run with the same lanes if, in it, a dominates b and b post-dominates a.
 *
 *        a            node      a and e: yes
 *       / \                     a and L: no, because of c
 *      L   c          L is a loop; b, d inside it belong to a level below
 *       \ /
 *        e
 *
 * Where that holds for two nodes it holds for all nodes between them in the dominator tree. So it is
 * enough to ask it of a node and its immediate dominator; and there, the node must be the immediate
 * post-dominator. (If m were between them, a would dominate m and m would dominate b, since a path
 * around m would be one around a or b.)
 *
 * The immediate dominator in the level contains the one of the whole graph. The post-dominator is
 * computed here, from the last node of the sweep to the first: it is the nearest common ancestor of
 * the successors in the tree built so far (as Cooper, Harvey and Kennedy do).
 *
 * Below a uniform branch the lanes are still those of the branch, if they come there at all. So the
 * classes are nodes of a forest: the parent of one is the class of the uniform branch that alone
 * leads to its first node, at the same level. Down that forest the lanes stay the same.
 */
#include "analysis/control_equivalence.h"

struct levels {
   hd_function *f;
   hd_forest nest; /* of the cycles, by index */
   uint32_t num_blocks, num_nodes;
   /* By node: a block's slot, or num_blocks + the index of a cycle. */
   uint32_t *post; /* the immediate post-dominator in its level; NONE is the exit */
   uint32_t *depth, *jump;
   bool *met; /* `post` holds what some of the successors have in common */
   uint32_t *number;
   uint32_t *leaves; /* by cycle: the outermost level that edges out of it go to, see level_of */
};

static uint32_t
cycle_depth(const hd_cycle *c)
{
   return c ? c->depth : 0;
}

/* 0 is where lanes end, 1 the function without its cycles. */
static uint32_t
level_of(const hd_cycle *c)
{
   return cycle_depth(c) + 1;
}

/* The node of a level that contains a block which is in that cycle (NULL: the function). */
static uint32_t
node_in(const struct levels *l, const hd_cycle *level, const hd_block *b)
{
   const hd_cycle *c = hd_block_cycle(b);

   if (c == level)
      return block_slot(l->f, b);
   return l->num_blocks + hd_forest_lift(&l->nest, c->index, cycle_depth(level) + 1);
}

/* The nearest common ancestor in the tree of post-dominators; NONE is its root. */
static uint32_t
common(const struct levels *l, uint32_t a, uint32_t b)
{
   while (a != b) {
      if (a == NONE || b == NONE)
         return NONE;
      if (l->depth[a] < l->depth[b]) {
         uint32_t swap = a;
         a = b;
         b = swap;
      }
      if (l->depth[a] > l->depth[b]) {
         uint32_t j = l->jump[a];
         a = j != NONE && l->depth[j] >= l->depth[b] ? j : l->post[a];
      } else if (l->jump[a] != l->jump[b]) {
         a = l->jump[a];
         b = l->jump[b];
      } else {
         a = l->post[a];
         b = l->post[b];
      }
   }
   return a;
}

static void
meet(struct levels *l, uint32_t node, uint32_t next)
{
   l->post[node] = l->met[node] ? common(l, l->post[node], next) : next;
   l->met[node] = true;
}

/* All its successors are known: put it in the tree. */
static void
settle(struct levels *l, uint32_t node)
{
   uint32_t p = l->met[node] ? l->post[node] : NONE;

   l->post[node] = p;
   l->depth[node] = p == NONE ? 1 : l->depth[p] + 1;
   l->jump[node] = NONE;
   if (p == NONE)
      return;
   /* Jumps whose lengths are those of a skew binary number: each ancestor is few of them away. */
   uint32_t j = l->jump[p];
   uint32_t up = l->depth[p] - (j == NONE ? 0 : l->depth[j]);
   uint32_t upper = j == NONE ? NONE : l->jump[j];
   uint32_t next = j == NONE ? NONE : l->depth[j] - (upper == NONE ? 0 : l->depth[upper]);
   l->jump[node] = j != NONE && up == next ? upper : p;
}

static void
follow_edges(struct levels *l, const hd_block *b)
{
   hd_cycle *inner = hd_block_cycle(b);
   uint32_t left = level_of(inner);

   for (uint32_t n = 0; n < b->num_succs; n++) {
      hd_block *to = b->succs[n].to;
      hd_cycle *level = inner;

      if (hd_block_is_end(to)) {
         meet(l, block_slot(l->f, b), NONE);
         left = 0;
         continue;
      }
      if (level && !hd_cycle_contains(level, to)) {
         const hd_cycle *target = hd_block_cycle(to);
         uint32_t at = target ? hd_forest_common(&l->nest, level->index, target->index) : NONE;
         level = at == NONE ? NULL : hd_function_cycle(l->f, at);
         meet(l, block_slot(l->f, b), NONE);
         left = level_of(level) < left ? level_of(level) : left;
      }
      meet(l, node_in(l, level, b), level && to == level->header ? NONE : node_in(l, level, to));
   }
   if (inner && left < l->leaves[inner->index])
      l->leaves[inner->index] = left;
}

/* All blocks of the cycle are done: so are the edges that leave it. */
static void
settle_cycle(struct levels *l, const hd_cycle *c)
{
   /* From where no exit is reachable, lanes do not come back. */
   if (l->leaves[c->index] < level_of(c->parent) || l->leaves[c->index] == level_of(c))
      meet(l, l->num_blocks + c->index, NONE);
   if (c->parent && l->leaves[c->index] < l->leaves[c->parent->index])
      l->leaves[c->parent->index] = l->leaves[c->index];
   settle(l, l->num_blocks + c->index);
}

static void
post_dominators(struct levels *l, hd_block *const *sweep, uint32_t num)
{
   for (uint32_t n = num; n--;) {
      const hd_cycle *headed = hd_block_headed_cycle(sweep[n]);

      follow_edges(l, sweep[n]);
      settle(l, block_slot(l->f, sweep[n]));
      if (headed)
         settle_cycle(l, headed);
   }
}

/* The number of what dominates the node, if the node is run by the same lanes; else its own. */
static void
give_number(struct levels *l, uint32_t node, const hd_cycle *level, const hd_block *first)
{
   const hd_block *idom = hd_block_idom(first);

   l->number[node] = node;
   if (!idom || (level && (level->has_other_entries || !hd_cycle_contains(level, idom))))
      return;
   uint32_t above = node_in(l, level, idom);
   if (above != node && l->post[above] == node)
      l->number[node] = l->number[above];
}

static struct levels
find_levels(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   uint32_t num_cycles = hd_function_num_cycles(f), num = CYCLE_META(f)->num_reachable;
   hd_block *const *sweep = CYCLE_META(f)->sweep;
   struct levels l = { .f = f, .num_blocks = f->num_blocks + 1u };
   uint32_t *parent = scratch(stack, num_cycles);

   for (uint32_t n = 0; n < num_cycles; n++) {
      const hd_cycle *p = hd_function_cycle(f, n)->parent;
      parent[n] = p ? p->index : NONE;
   }
   hd_forest_build(&l.nest, stack, num_cycles, parent, NULL, NULL);
   l.num_nodes = l.num_blocks + num_cycles;
   l.number = scratch(stack, l.num_nodes);
   l.post = scratch_fill(stack, l.num_nodes, 0xff);
   l.depth = scratch(stack, l.num_nodes);
   l.jump = scratch(stack, l.num_nodes);
   l.leaves = scratch_fill(stack, num_cycles, 0xff);
   l.met = hd_stack_alloc_zero(stack, l.num_nodes);
   for (uint32_t n = 0; n < l.num_nodes; n++)
      l.number[n] = n;
   hd_heap_step(hd_shader_heap(f->shader), num);
   post_dominators(&l, sweep, num);
   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *headed = hd_block_headed_cycle(sweep[n]);

      if (headed)
         give_number(&l, l.num_blocks + headed->index, headed->parent, sweep[n]);
      if (!headed)
         give_number(&l, block_slot(f, sweep[n]), hd_block_cycle(sweep[n]), sweep[n]);
   }
   return l;
}

uint32_t *
hd_control_equivalent_blocks(hd_function *f)
{
   return find_levels(f).number;
}

/* The only block from which a node at that level is entered, or NULL. */
static const hd_block *
only_entry(const hd_block *first, const hd_cycle *node)
{
   const hd_block *from = NULL;

   for (uint32_t n = 0; n < first->num_preds; n++) {
      if (node && hd_cycle_contains(node, first->preds[n].from))
         continue;
      if (from)
         return NULL;
      from = first->preds[n].from;
   }
   return from;
}

/* A node that is run by lanes of its own stands below a uniform branch if it is entered from there
 * alone. (A cycle is entered with all lanes at once only by its header.)
 */
static uint32_t
branch_above(const struct levels *l, uint32_t node, const hd_block *first, const hd_cycle *cycle)
{
   const hd_cycle *level = cycle ? cycle->parent : hd_block_cycle(first);
   const hd_block *from = only_entry(first, cycle);

   if (l->number[node] != node || !from || (cycle && cycle->has_other_entries) ||
       (level && level->has_other_entries) || hd_block_cycle(from) != level ||
       hd_block_is_divergent_branch(from))
      return NONE;
   return l->number[block_slot(l->f, from)];
}

hd_lane_set *
hd_find_lane_sets(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   const struct levels l = find_levels(f);
   const uint32_t num = CYCLE_META(f)->num_reachable;
   hd_block *const *sweep = CYCLE_META(f)->sweep;
   uint32_t *above = scratch_fill(stack, l.num_nodes, 0xff);
   hd_lane_set *lanes = hd_stack_alloc(stack, l.num_blocks * sizeof(*lanes));
   hd_forest below;

   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *headed = hd_block_headed_cycle(sweep[n]);
      const uint32_t node = headed ? l.num_blocks + headed->index : block_slot(f, sweep[n]);
      above[node] = branch_above(&l, node, sweep[n], headed);
   }
   hd_forest_build(&below, stack, l.num_nodes, above, NULL, NULL);
   for (uint32_t slot = 0; slot < l.num_blocks; slot++) {
      const uint32_t node = l.number[slot];
      lanes[slot] = (hd_lane_set){ below.in[node], below.size[node] };
   }
   return lanes;
}
