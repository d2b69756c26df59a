/* SPDX-License-Identifier: MIT */
/* linear_dominance.c - dominance along linear edges. */
#include "machine/linear_dominance.h"

#include <string.h>

#include "analysis/private.h"

/* Nodes are numbers of a depth-first walk; returns how many. */
static uint32_t
walk_graph(hd_mach_program *p, uint32_t *node, hd_mach_block **blocks, uint32_t *parent)
{
   uint32_t *next = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(*next));
   uint32_t num = 1, at = 0;

   memset(node, 0xff, p->num_blocks * sizeof(*node));
   node[p->first->index] = 0;
   blocks[0] = p->first;
   parent[0] = NONE;
   while (at != NONE) {
      const hd_mach_edges *edges = &blocks[at]->edges[HD_MACH_LINEAR];
      if (next[at] == edges->num_succs) {
         at = parent[at];
         continue;
      }
      hd_mach_block *to = edges->succs[next[at]++];
      if (node[to->index] != NONE)
         continue;
      node[to->index] = num;
      blocks[num] = to;
      parent[num] = at;
      at = num++;
   }
   return num;
}

/* Sizes from the leaves up; an idom has a smaller number. Then each takes its part of its parent's
 * range of numbers.
 */
static void
number_tree(hd_mach_linear_dominance *d, hd_mach_block *const *blocks, uint32_t num,
            const uint32_t *idom, uint32_t *count)
{
   for (uint32_t n = num; n-- > 0;) {
      d->size[blocks[n]->order] = ++count[n];
      if (n)
         count[idom[n]] += count[n];
   }
   memset(count, 0, num * sizeof(*count));
   for (uint32_t n = 1; n < num; n++) {
      const uint32_t up = blocks[idom[n]]->order, at = blocks[n]->order;
      d->in[at] = d->in[up] + 1 + count[idom[n]];
      d->up[at] = up;
      count[idom[n]] += d->size[at];
   }
}

static void
find_idoms(hd_mach_program *p, hd_mach_linear_dominance *d)
{
   const size_t size = p->num_blocks * sizeof(uint32_t);
   uint32_t *node = hd_stack_alloc(p->stack, size), *parent = hd_stack_alloc(p->stack, size);
   hd_mach_block **blocks = hd_stack_alloc(p->stack, p->num_blocks * sizeof(*blocks));
   const uint32_t num = walk_graph(p, node, blocks, parent);
   uint32_t *begin = hd_stack_alloc(p->stack, (num + 1) * sizeof(*begin));
   uint32_t *idom = hd_stack_alloc(p->stack, num * sizeof(*idom));
   uint32_t *count = hd_stack_alloc_zero(p->stack, num * sizeof(*count)), num_edges = 0;

   for (uint32_t n = 0; n < num; n++)
      num_edges += blocks[n]->edges[HD_MACH_LINEAR].num_preds;
   uint32_t *pred = hd_stack_alloc(p->stack, ((size_t)num_edges + 1) * sizeof(*pred));
   num_edges = 0;
   for (uint32_t n = 0; n < num; n++) {
      const hd_mach_edges *edges = &blocks[n]->edges[HD_MACH_LINEAR];
      begin[n] = num_edges;
      for (uint32_t k = 0; k < edges->num_preds; k++) {
         if (node[edges->preds[k]->index] != NONE)
            pred[num_edges++] = node[edges->preds[k]->index];
      }
   }
   begin[num] = num_edges;
   hd_dominators(p->stack, num, parent, begin, pred, idom);
   number_tree(d, blocks, num, idom, count);
}

/* From the last header to the first: where its edges back come from, + 1, and those to headers
 * between. `waiting` are cycles after the block that do not overlap, the first on top.
 */
static void
find_cycle_ends(hd_mach_program *p, uint32_t *most)
{
   uint32_t *waiting = hd_stack_alloc(p->stack, (p->num_blocks + 1) * sizeof(*waiting)), num = 0;

   for (const hd_mach_block *block = p->last; block; block = block->prev) {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      uint32_t end = 0;
      for (uint32_t k = 0; k < edges->num_preds; k++) {
         const uint32_t from = edges->preds[k]->order;
         if (from >= block->order && from + 1 > end)
            end = from + 1;
      }
      if (!end)
         continue;
      while (num && waiting[num - 1] < end) {
         num--;
         end = most[waiting[num]] > end ? most[waiting[num]] : end;
      }
      waiting[num++] = block->order;
      most[block->order] = end;
   }
}

/* The most of those from `first` to before `end`, in a tree of maxima with `num` leaves. */
static uint32_t
most_between(const uint32_t *most, uint32_t num, uint32_t first, uint32_t end)
{
   uint32_t best = 0;

   for (first += num, end += num; first < end; first /= 2, end /= 2) {
      if (first & 1) {
         best = most[first] > best ? most[first] : best;
         first++;
      }
      if (end & 1) {
         end--;
         best = most[end] > best ? most[end] : best;
      }
   }
   return best;
}

/* The dominator to which a walk up the tree can jump (a skew-binary jump pointer), so that any is
 * few steps away: as far as the one before jumps twice, or one step.
 */
static uint32_t
skip_from(const uint32_t *jump, const uint32_t *depth, uint32_t up)
{
   const uint32_t next = jump[up];

   return depth[up] - depth[next] == depth[next] - depth[jump[next]] ? jump[next] : up;
}

/* Is each block after its dominator? else positions show nothing. */
static bool
is_ordered(const hd_mach_linear_dominance *d)
{
   for (uint32_t n = 0; n < d->num; n++) {
      if (d->up[n] != HD_MACH_NO_DOM && d->up[n] > n)
         return false;
   }
   return true;
}

static void
find_ends(hd_mach_program *p, hd_mach_linear_dominance *d)
{
   const uint32_t num = d->num;
   uint32_t *most = hd_stack_alloc_zero(p->stack, 2 * ((size_t)num + 1) * sizeof(*most));

   find_cycle_ends(p, most + num);
   for (uint32_t n = num; n-- > 1;)
      most[n] = most[2 * n] > most[2 * n + 1] ? most[2 * n] : most[2 * n + 1];
   for (uint32_t n = 0; n < num; n++) {
      const uint32_t first = d->up[n] == HD_MACH_NO_DOM ? n : d->up[n] + 1;
      const uint32_t end = most_between(most, num, first, n + 1);
      d->end[n] = end > n ? end : 0;
   }
}

static uint32_t
reaching(const hd_mach_linear_dominance *d, uint32_t block, uint32_t position)
{
   while (d->end[block] <= position)
      block = d->end[d->wider_jump[block]] <= position ? d->wider_jump[block] : d->wider[block];
   return block;
}

/* After the last block stands one that reaches everything, above all. */
static void
find_dominator_jumps(hd_mach_program *p, hd_mach_linear_dominance *d)
{
   uint32_t *depth = hd_stack_alloc_zero(p->stack, ((size_t)d->num + 1) * sizeof(*depth));
   uint32_t *wider_depth = hd_stack_alloc_zero(p->stack, ((size_t)d->num + 1) * sizeof(*depth));

   d->end[d->num] = UINT32_MAX;
   d->wider[d->num] = d->wider_jump[d->num] = d->num;
   for (uint32_t n = 0; n < d->num; n++) {
      const uint32_t up = d->up[n];
      d->jump[n] = up == HD_MACH_NO_DOM ? n : skip_from(d->jump, depth, up);
      depth[n] = up == HD_MACH_NO_DOM ? 0 : depth[up] + 1;
      d->wider[n] = up == HD_MACH_NO_DOM ? d->num : reaching(d, up, d->end[n]);
      d->wider_jump[n] = skip_from(d->wider_jump, wider_depth, d->wider[n]);
      wider_depth[n] = wider_depth[d->wider[n]] + 1;
   }
}

void
hd_mach_linear_dominance_find(hd_mach_program *p, hd_mach_linear_dominance *d)
{
   const size_t size = ((size_t)p->num_blocks + 1) * sizeof(uint32_t);
   uint32_t **const tables[] = { &d->in,  &d->size,  &d->up,        &d->jump,
                                 &d->end, &d->wider, &d->wider_jump };

   for (size_t n = 0; n < sizeof(tables) / sizeof(tables[0]); n++)
      *tables[n] = hd_stack_alloc_zero(p->stack, size);
   d->num = p->last->order + 1;
   for (uint32_t n = 0; n < d->num; n++)
      d->up[n] = HD_MACH_NO_DOM;
   find_idoms(p, d);
   if (!is_ordered(d)) {
      /* Values may meet everywhere. */
      memset(d->end, 0xff, size);
      return;
   }
   find_ends(p, d);
   find_dominator_jumps(p, d);
}

uint32_t
hd_mach_linear_meeting(const hd_mach_linear_dominance *d, uint32_t block, uint32_t before,
                       uint32_t after, bool *only_one)
{
   const uint32_t wide = reaching(d, block, after);
   uint32_t near = block;

   *only_one = false;
   if (wide == block)
      return block;
   while (d->up[near] != HD_MACH_NO_DOM && d->up[near] >= before)
      near = d->jump[near] >= before && d->jump[near] != near ? d->jump[near] : d->up[near];
   if (wide != d->num && wide >= near)
      return wide;
   *only_one = d->up[near] != HD_MACH_NO_DOM && d->up[near] + 1 == before;
   return near;
}
