/* SPDX-License-Identifier: MIT */
/* graph.c - the CFG as arrays: blocks numbered in depth-first preorder, and forests over the
 * numbers.
 */
#include "analysis/private.h"

/* A block that the walk comes to: its number, and room for its edges. */
static inline void
enter(hd_graph *g, hd_stack *stack, hd_block *b, uint32_t from, uint32_t *capacity)
{
   const uint32_t n = g->num_reachable++, end = g->succ_begin[n] + b->num_succs;

   g->block[n] = b;
   g->node[block_slot(g->f, b)] = n;
   g->parent[n] = from;
   g->succ_begin[n + 1] = end;
   if (end <= *capacity)
      return;
   uint32_t *succ = scratch(stack, 2 * (size_t)end);
   memcpy(succ, g->succ, g->succ_begin[n] * sizeof(*succ));
   g->succ = succ;
   *capacity = 2 * end;
}

/* Number the blocks that a depth-first walk from the start block meets. The walk is a path of nodes
 * down the tree of the walk, so `parent` is its stack, and `next` says which successor is due: NONE
 * where the walk is done.
 */
static void
walk(hd_graph *g, hd_stack *stack)
{
   hd_function *f = g->f;
   uint32_t capacity = 2 * (f->num_blocks + 1), num_post = 0, at = 0;
   uint32_t *next = scratch(stack, (size_t)f->num_blocks + 1);

   g->succ = scratch(stack, capacity);
   g->succ_begin = scratch(stack, (size_t)f->num_blocks + 2);
   g->succ_begin[0] = next[0] = g->num_reachable = 0;
   g->goes_back = false;
   enter(g, stack, hd_function_start(f), NONE, &capacity);
   while (at != NONE) {
      const hd_block *b = g->block[at];

      if (next[at] == g->succ_begin[at + 1]) {
         g->post[num_post++] = at;
         next[at] = NONE;
         at = g->parent[at];
         continue;
      }
      const uint32_t edge = next[at]++;
      hd_block *to = b->succs[edge - g->succ_begin[at]].to;
      uint32_t n = g->node[block_slot(f, to)];

      if (n == NONE) {
         n = g->num_reachable;
         next[n] = g->succ_begin[n];
         enter(g, stack, to, at, &capacity);
         at = n;
      } else {
         g->goes_back |= next[n] != NONE;
      }
      g->succ[edge] = n;
   }
}

/* The edges sorted by target, too. */
static void
collect_preds(hd_graph *g, hd_stack *stack)
{
   const uint32_t num_edges = g->succ_begin[g->num_reachable];

   for (uint32_t n = g->num_reachable; n < g->num; n++)
      g->succ_begin[n + 1] = num_edges;
   g->pred = scratch(stack, num_edges);
   g->pred_begin = scratch_fill(stack, (size_t)g->num + 2, 0);
   for (uint32_t e = 0; e < num_edges; e++)
      g->pred_begin[g->succ[e] + 2]++;
   /* Shifted by one, the counts become the places to write to, and those end as the beginnings. */
   for (uint32_t n = 0; n < g->num; n++)
      g->pred_begin[n + 2] += g->pred_begin[n + 1];
   for (uint32_t n = 0; n < g->num_reachable; n++) {
      for (uint32_t e = g->succ_begin[n]; e < g->succ_begin[n + 1]; e++)
         g->pred[g->pred_begin[g->succ[e] + 1]++] = n;
   }
}

void
hd_graph_build(hd_graph *g, hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   uint32_t num_slots = f->num_blocks + 1;

   g->f = f;
   g->block = hd_stack_alloc(stack, num_slots * sizeof(*g->block));
   g->node = scratch_fill(stack, num_slots, 0xff);
   g->parent = scratch(stack, num_slots);
   g->post = scratch(stack, num_slots);
   walk(g, stack);
   g->num = g->num_reachable;
   hd_foreach_block(b, f) {
      uint32_t slot = block_slot(f, b);
      if (g->node[slot] == NONE) {
         g->node[slot] = g->num;
         g->block[g->num++] = b;
      }
   }
   if (g->node[f->num_blocks] == NONE) {
      g->node[f->num_blocks] = g->num;
      g->block[g->num++] = &f->end;
   }
   g->end = g->node[f->num_blocks];
   collect_preds(g, stack);
   hd_heap_step(hd_shader_heap(f->shader), (uint64_t)g->num + g->succ_begin[g->num]);
}

/* Put every node after its parent. From each node the path of parents is followed until it meets
 * what is done; a node met twice on one path closes a cycle, which is broken there.
 */
static uint32_t
order_forest(hd_forest *t, hd_stack *stack, void (*broken)(void *user, uint32_t node), void *user)
{
   enum { NEW, ON_PATH, DONE };
   uint32_t *path = scratch(stack, t->num);
   uint8_t *state = memset(hd_stack_alloc(stack, t->num + 1u), NEW, t->num + 1u);
   uint32_t num = 0, num_broken = 0;

   for (uint32_t start = 0; start < t->num; start++) {
      uint32_t length = 0;

      for (uint32_t n = start; n != NONE && state[n] != DONE; n = t->parent[n]) {
         if (state[n] == ON_PATH) {
            t->parent[path[length - 1]] = NONE;
            num_broken++;
            if (broken)
               broken(user, path[length - 1]);
            break;
         }
         state[n] = ON_PATH;
         path[length++] = n;
      }
      while (length) {
         uint32_t n = path[--length];
         state[n] = DONE;
         t->order[num++] = n;
      }
   }
   return num_broken;
}

uint32_t
hd_forest_build(hd_forest *t, hd_stack *stack, uint32_t num, uint32_t *parent,
                void (*broken)(void *user, uint32_t node), void *user)
{
   t->num = num;
   t->parent = parent;
   t->order = scratch(stack, num);
   t->in = scratch(stack, num);
   t->size = scratch(stack, num);
   t->depth = scratch(stack, num);
   t->jump = scratch(stack, num);
   uint32_t num_broken = order_forest(t, stack, broken, user);
   uint32_t *next = scratch(stack, num);
   uint32_t next_root = 0;

   for (uint32_t i = 0; i < num; i++)
      t->size[i] = 1;
   for (uint32_t i = num; i--;) {
      uint32_t p = parent[t->order[i]];
      if (p != NONE)
         t->size[p] += t->size[t->order[i]];
   }
   for (uint32_t i = 0; i < num; i++) {
      uint32_t n = t->order[i], p = parent[n];
      uint32_t *place = p == NONE ? &next_root : &next[p];

      t->in[n] = *place;
      *place += t->size[n];
      next[n] = t->in[n] + 1;
      if (p == NONE) {
         t->depth[n] = 1;
         t->jump[n] = n;
         continue;
      }
      /* Two jumps of one length are followed by one over both: the way to any ancestor takes a
       * logarithmic number of jumps and steps.
       */
      uint32_t j = t->jump[p];
      t->depth[n] = t->depth[p] + 1;
      t->jump[n] = t->depth[p] - t->depth[j] == t->depth[j] - t->depth[t->jump[j]] ? t->jump[j] : p;
   }
   return num_broken;
}

uint32_t
hd_forest_lift(const hd_forest *t, uint32_t node, uint32_t depth)
{
   while (t->depth[node] > depth)
      node = t->depth[t->jump[node]] >= depth ? t->jump[node] : t->parent[node];
   return node;
}

uint32_t
hd_forest_common(const hd_forest *t, uint32_t a, uint32_t b)
{
   if (a == NONE || b == NONE)
      return NONE;
   while (!forest_contains(t, a, b)) {
      /* A jump that stays below every common ancestor is safe; where it doesn't, a step is. */
      uint32_t j = t->jump[a];
      a = j != a && !forest_contains(t, j, b) ? j : t->parent[a];
      if (a == NONE)
         break;
   }
   return a;
}
