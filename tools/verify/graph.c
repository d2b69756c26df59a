/* SPDX-License-Identifier: MIT */
/* graph.c - graphs as arrays: building, cutting, distances, dominators. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static void
out_of_memory(void)
{
   fputs("heddle: out of memory\n", stderr);
   exit(2);
}

void *
must_grow(void *ptr, size_t size)
{
   ptr = realloc(ptr, size ? size : 1);
   if (!ptr)
      out_of_memory();
   return ptr;
}

void *
must_alloc(size_t size)
{
   void *ptr = calloc(size ? size : 1, 1);

   if (!ptr)
      out_of_memory();
   return ptr;
}

uint32_t
graph_random_below(uint64_t *state, uint32_t limit)
{
   uint64_t z = *state += 0x9e3779b97f4a7c15u;

   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
   z = (z ^ z >> 27) * 0x94d049bb133111ebu;
   return (uint32_t)((z ^ z >> 31) % limit);
}

uint64_t
random_state(uint64_t seed, uint64_t number)
{
   uint64_t state = seed * 0xd1342543de82ef95u + number * 0x2545f4914f6cdd1du;

   graph_random_below(&state, 1);
   return state ^ state >> 32;
}

void
graph_clear(graph *g)
{
   g->num_blocks = g->num_edges = 0;
}

void
graph_free(graph *g)
{
   free(g->blocks);
   free(g->succs);
   *g = (graph){ 0 };
}

static void
reserve(graph *g, uint32_t blocks, uint32_t edges)
{
   if (blocks > g->block_capacity) {
      g->block_capacity = blocks * 2;
      g->blocks = must_grow(g->blocks, g->block_capacity * sizeof(*g->blocks));
   }
   if (edges > g->edge_capacity) {
      g->edge_capacity = edges * 2;
      g->succs = must_grow(g->succs, g->edge_capacity * sizeof(*g->succs));
   }
}

void
graph_copy(graph *to, const graph *from)
{
   reserve(to, from->num_blocks, from->num_edges);
   to->num_blocks = from->num_blocks;
   to->num_edges = from->num_edges;
   if (from->num_blocks)
      memcpy(to->blocks, from->blocks, from->num_blocks * sizeof(*to->blocks));
   if (from->num_edges)
      memcpy(to->succs, from->succs, from->num_edges * sizeof(*to->succs));
}

graph_block *
graph_add(graph *g, uint32_t num_succs, const uint32_t *succs)
{
   reserve(g, g->num_blocks + 1, g->num_edges + num_succs);
   graph_block *b = &g->blocks[g->num_blocks++];
   *b = (graph_block){ .first_succ = g->num_edges, .inside = NO_BLOCK, .continues = NO_BLOCK };
   for (uint32_t n = 0; n < num_succs; n++) {
      uint32_t k = 0;
      while (k < b->num_succs && g->succs[b->first_succ + k] != succs[n])
         k++;
      if (k < b->num_succs)
         continue;
      g->succs[g->num_edges++] = succs[n];
      b->num_succs++;
   }
   return b;
}

/* Where an edge to `block` leads when those that are not kept are passed through by their first
 * successors; NO_BLOCK when that ends, or never ends, or comes back to the entry.
 */
static uint32_t
pass_through(const graph *g, const bool *kept, uint32_t block)
{
   for (uint32_t n = 0; n <= g->num_blocks; n++) {
      if (!kept || kept[block])
         return block ? block : NO_BLOCK;
      if (!g->blocks[block].num_succs)
         return NO_BLOCK;
      block = graph_succs(g, block)[0];
   }
   return NO_BLOCK;
}

void
graph_reduce(graph *to, const graph *from, const bool *kept)
{
   const uint32_t num = from->num_blocks;
   uint32_t *number = must_alloc((num + 1) * sizeof(*number));
   uint32_t *stack = must_alloc((num + 1) * sizeof(*stack));
   uint32_t *succs = must_alloc((from->num_edges + 1) * sizeof(*succs));
   uint32_t height = 0, count = 0;

   stack[height++] = 0;
   number[0] = 1; /* found; the numbers follow the old order afterwards */
   while (height) {
      const uint32_t b = stack[--height];
      for (uint32_t n = 0; n < from->blocks[b].num_succs; n++) {
         const uint32_t s = pass_through(from, kept, graph_succs(from, b)[n]);
         if (s == NO_BLOCK || number[s])
            continue;
         number[s] = 1;
         stack[height++] = s;
      }
   }
   for (uint32_t b = 0; b < num; b++)
      number[b] = number[b] ? count++ : NO_BLOCK;
   graph_clear(to);
   for (uint32_t b = 0; b < num; b++) {
      const graph_block *old = &from->blocks[b];
      uint32_t num_succs = 0;
      if (number[b] == NO_BLOCK)
         continue;
      for (uint32_t n = 0; n < old->num_succs; n++) {
         const uint32_t s = pass_through(from, kept, graph_succs(from, b)[n]);
         if (s != NO_BLOCK)
            succs[num_succs++] = number[s];
      }
      graph_block *block = graph_add(to, num_succs, succs);
      block->inside = old->inside == NO_BLOCK ? NO_BLOCK : number[old->inside];
      block->continues = old->continues == NO_BLOCK ? NO_BLOCK : number[old->continues];
      block->header = old->header;
      block->halts = old->halts;
      block->branch = old->branch;
   }
   free(number);
   free(stack);
   free(succs);
}

void
graph_distances(const graph *g, uint32_t *distance)
{
   bool changed = true;

   for (uint32_t b = 0; b < g->num_blocks; b++)
      distance[b] = g->blocks[b].num_succs ? NO_BLOCK : 0;
   /* Backwards first: most edges lead to a greater number. */
   while (changed) {
      changed = false;
      for (uint32_t b = g->num_blocks; b-- > 0;) {
         for (uint32_t n = 0; n < g->blocks[b].num_succs; n++) {
            const uint32_t d = distance[graph_succs(g, b)[n]];
            if (d == NO_BLOCK || d + 1 >= distance[b])
               continue;
            distance[b] = d + 1;
            changed = true;
         }
      }
   }
}

bool
graph_ends(const graph *g)
{
   uint32_t *distance = must_alloc((g->num_blocks + 1) * sizeof(*distance));
   bool ends = true;

   graph_distances(g, distance);
   for (uint32_t b = 0; b < g->num_blocks; b++)
      ends &= distance[b] != NO_BLOCK;
   free(distance);
   return ends;
}

/* Blocks in postorder of a depth-first walk. */
static void
postorder(const graph *g, uint32_t *order, uint32_t *place)
{
   uint32_t *stack = must_alloc((g->num_blocks + 1) * sizeof(*stack));
   uint32_t *next = must_alloc((g->num_blocks + 1) * sizeof(*next));
   bool *seen = must_alloc(g->num_blocks + 1);
   uint32_t height = 0, count = 0;

   stack[height++] = 0;
   seen[0] = true;
   while (height) {
      const uint32_t b = stack[height - 1];
      if (next[b] == g->blocks[b].num_succs) {
         place[b] = count;
         order[count++] = b;
         height--;
         continue;
      }
      const uint32_t s = graph_succs(g, b)[next[b]++];
      if (!seen[s]) {
         seen[s] = true;
         stack[height++] = s;
      }
   }
   free(stack);
   free(next);
   free(seen);
}

void
graph_dominators(const graph *g, uint32_t *idom)
{
   const uint32_t num = g->num_blocks;
   uint32_t *order = must_alloc((num + 1) * sizeof(*order));
   uint32_t *place = must_alloc((num + 1) * sizeof(*place));
   bool changed = true;

   postorder(g, order, place);
   for (uint32_t b = 0; b < num; b++)
      idom[b] = NO_BLOCK;
   idom[0] = 0;
   /* Push what is known of a block to its successors until nothing moves. A dominator has a higher
    * position in postorder than what it dominates, so two chains meet by climbing from the lower one.
    */
   while (changed) {
      changed = false;
      for (uint32_t n = num; n-- > 0;) {
         const uint32_t b = order[n];
         for (uint32_t k = 0; k < g->blocks[b].num_succs; k++) {
            const uint32_t s = graph_succs(g, b)[k];
            uint32_t x = b, y = idom[s] == NO_BLOCK ? b : idom[s];
            while (x != y) {
               if (place[x] < place[y])
                  x = idom[x];
               else
                  y = idom[y];
            }
            changed |= idom[s] != x;
            idom[s] = x;
         }
      }
   }
   idom[0] = NO_BLOCK;
   free(order);
   free(place);
}

uint32_t
graph_num_decisions(const graph *g)
{
   uint32_t count = 0;

   for (uint32_t b = 0; b < g->num_blocks; b++)
      count += g->blocks[b].num_succs ? g->blocks[b].num_succs - 1 : 0;
   return count;
}

bool
graph_declares(const graph *g)
{
   bool any = false;

   for (uint32_t b = 0; b < g->num_blocks; b++)
      any |= g->blocks[b].header || g->blocks[b].inside != NO_BLOCK ||
             g->blocks[b].continues != NO_BLOCK;
   return any;
}
