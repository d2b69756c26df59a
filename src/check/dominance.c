/* SPDX-License-Identifier: MIT */
/* dominance.c - reachability and the dominator tree of the validator, as preorder intervals (Lengauer
 * and Tarjan).
 *
 * Independent of src/analysis: it writes nothing into the function, and each can be tested
 * against the other. Blocks are numbered in text order.
 */
#include "check.h"

#define NONE UINT32_MAX

static uint32_t *
new_array(check *c, uint32_t fill)
{
   size_t size = (c->num_blocks + 1) * sizeof(uint32_t);
   uint32_t *array = hd_stack_alloc(c->stack, size);

   memset(array, (int)(fill & 0xff), size);
   return array;
}

/* Number the tree so that a subtree is an interval. `order` lists the reachable blocks, each after
 * its dominator, the start block first; idom is by block.
 */
static void
number_tree(check *c, const uint32_t *order, uint32_t n, const uint32_t *idom)
{
   dom_interval *dom = hd_stack_alloc_zero(c->stack, (c->num_blocks + 1) * sizeof(*dom));
   uint32_t *size = new_array(c, 0), *next = new_array(c, 0);

   for (uint32_t k = n; k-- > 1;) {
      size[order[k]]++;
      size[idom[order[k]]] += size[order[k]];
   }
   size[order[0]]++;
   for (uint32_t k = 0; k < n; k++) {
      uint32_t b = order[k], begin = 1;
      if (k) {
         begin = next[idom[b]];
         next[idom[b]] += size[b];
      }
      next[b] = begin + 1;
      dom[b] = (dom_interval){ begin, begin + size[b] };
      c->blocks[b].reachable = true;
   }
   c->dom = dom;
}

/* A tree's text order is a topological one but for the edges from latches to headers, which come
 * from what the header dominates. So one pass finds dominators: the nearest common one of the
 * predecessors that come before. To find that in logarithmic time a block has, beside its
 * dominator, a jump to one farther up; blocks of equal depth have jumps of equal length.
 */
typedef struct climber {
   uint32_t idom, jump, depth;
} climber;

static uint32_t
common_dominator(const climber *t, uint32_t a, uint32_t b)
{
   if (t[a].depth < t[b].depth) {
      uint32_t swapped = a;
      a = b;
      b = swapped;
   }
   while (t[a].depth > t[b].depth)
      a = t[t[a].jump].depth >= t[b].depth ? t[a].jump : t[a].idom;
   while (a != b) {
      bool same_jump = t[a].jump == t[b].jump;
      a = same_jump ? t[a].idom : t[a].jump;
      b = same_jump ? t[b].idom : t[b].jump;
   }
   return a;
}

static void
dominate_tree(check *c)
{
   climber *t = hd_stack_alloc(c->stack, c->num_blocks * sizeof(*t));
   uint32_t *order = new_array(c, 0), *idoms = new_array(c, 0), n = 1;

   t[0] = (climber){ 0, 0, 0 };
   order[0] = 0;
   c->blocks[0].reachable = true;
   for (uint32_t b = 1; b < c->num_blocks; b++) {
      const hd_block *block = c->blocks[b].block;
      uint32_t idom = NONE;

      fetch_ahead(c, b);
      for (uint32_t k = 0; k < block->num_preds; k++) {
         uint32_t from = known_place(c, block->preds[k].from);
         if (from < b && c->blocks[from].reachable)
            idom = idom == NONE ? from : common_dominator(t, idom, from);
      }
      if (idom == NONE)
         continue;
      uint32_t jump = t[idom].jump, farther = t[jump].jump;
      bool equal = t[idom].depth - t[jump].depth == t[jump].depth - t[farther].depth;
      t[b] = (climber){ idom, equal ? farther : idom, t[idom].depth + 1 };
      idoms[b] = idom;
      c->blocks[b].reachable = true;
      order[n++] = b;
   }
   number_tree(c, order, n, idoms);
}

/* Any graph: the algorithm of Lengauer and Tarjan with path compression. Its arrays are by the
 * number that a depth-first search gives to a block.
 */
typedef struct finder {
   uint32_t *vertex;   /* the block with this number */
   uint32_t *number;   /* by block; NONE: not reached */
   uint32_t *parent;   /* in the search tree */
   uint32_t *semi;     /* semidominator */
   uint32_t *ancestor; /* in the forest of processed numbers; NONE at its roots */
   uint32_t *label;    /* the least semidominator's owner on the way to the root */
   uint32_t *idom;
   uint32_t *path; /* scratch */
   uint32_t n;
} finder;

static void
search(check *c, finder *s)
{
   uint32_t *stack = s->path, *edge = new_array(c, 0), depth = 1;

   stack[0] = 0;
   s->number[0] = 0;
   s->vertex[s->n++] = 0;
   while (depth) {
      uint32_t b = stack[depth - 1];
      const hd_block *block = c->blocks[b].block;
      if (edge[b] == block->num_succs) {
         depth--;
         continue;
      }
      uint32_t to = edge_place(c, block->succs[edge[b]++].to);
      if (to == c->num_blocks || s->number[to] != NONE)
         continue;
      s->parent[s->n] = s->number[b];
      s->number[to] = s->n;
      s->vertex[s->n++] = to;
      stack[depth++] = to;
   }
}

/* The number with the least semidominator on the path from v to its root, the root excluded; makes
 * everything on the way point to the root.
 */
static uint32_t
evaluate(finder *s, uint32_t v)
{
   uint32_t n = 0, root = v;

   if (s->ancestor[v] == NONE)
      return v;
   while (s->ancestor[root] != NONE) {
      s->path[n++] = root;
      root = s->ancestor[root];
   }
   /* The topmost one already points to the root. */
   for (n--; n-- > 0;) {
      uint32_t below = s->path[n], above = s->path[n + 1];
      if (s->semi[s->label[above]] < s->semi[s->label[below]])
         s->label[below] = s->label[above];
      s->ancestor[below] = root;
   }
   return s->label[v];
}

static void
dominate_graph(check *c)
{
   finder s = { new_array(c, 0), new_array(c, 0xff), new_array(c, 0),
                new_array(c, 0), new_array(c, 0xff), new_array(c, 0),
                new_array(c, 0), new_array(c, 0),    0 };
   uint32_t *bucket = new_array(c, 0xff), *next = new_array(c, 0xff);

   search(c, &s);
   for (uint32_t w = 0; w < s.n; w++)
      s.semi[w] = s.label[w] = w;
   for (uint32_t w = s.n; w-- > 1;) {
      const hd_block *block = c->blocks[s.vertex[w]].block;
      for (uint32_t k = 0; k < block->num_preds; k++) {
         uint32_t v = s.number[known_place(c, block->preds[k].from)];
         if (v == NONE)
            continue;
         uint32_t u = evaluate(&s, v);
         if (s.semi[u] < s.semi[w])
            s.semi[w] = s.semi[u];
      }
      next[w] = bucket[s.semi[w]];
      bucket[s.semi[w]] = w;
      uint32_t p = s.parent[w];
      s.ancestor[w] = p;
      for (uint32_t v = bucket[p]; v != NONE; v = next[v]) {
         uint32_t u = evaluate(&s, v);
         s.idom[v] = s.semi[u] < s.semi[v] ? u : p;
      }
      bucket[p] = NONE;
   }
   for (uint32_t w = 1; w < s.n; w++) {
      if (s.idom[w] != s.semi[w])
         s.idom[w] = s.idom[s.idom[w]];
   }
   /* From numbers to blocks. */
   uint32_t *idom = new_array(c, 0);
   for (uint32_t w = 1; w < s.n; w++)
      idom[s.vertex[w]] = s.vertex[s.idom[w]];
   number_tree(c, s.vertex, s.n, idom);
}

/* Only for a function whose edges are sound. */
void
hd_check_dominance(check *c)
{
   uint64_t edges = 0;

   for (uint32_t b = 0; b < c->num_blocks; b++)
      edges += c->blocks[b].block->num_preds;
   steps(c, edges + c->num_blocks);
   if (c->f->structured)
      dominate_tree(c);
   else
      dominate_graph(c);
}
