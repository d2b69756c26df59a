/* SPDX-License-Identifier: MIT */
/* parallel_copy.c - sequentialise parallel copies, with the fewest moves or swaps (Rideau, Serpette
 * and Leroy, Tilting at Windmills with Coq, 2008; Boissinot and others, 2009).
 *
 * Draw an edge from the source of each copy to its destination. A location has at most one edge in,
 * so each component is a tree, or a cycle with trees growing out of it.
 *
 * With moves, a location may be written as soon as its value is elsewhere as well: it has no
 * readers, or one of them was written and the others read that one instead. That sequentialises all
 * trees, from their leaves, and the cycles that they grow out of. A bare cycle needs a move to the
 * temporary. This is minimal: each destination must be written, and in a bare cycle the first write
 * destroys the only copy of a value unless a move that writes no destination saved it before.
 *
 * With swaps, a location may be written when all its readers are done. That does the trees, and
 * leaves cycles; each swap gives one location its final value, the last one two. No step
 * can do better: it completes one location, or two if these are the rest of a cycle.
 */
#include "ir/parallel_copy.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

bool
hd_copier_init(hd_copier *c, hd_stack *stack, uint32_t num_places)
{
   const size_t size = ((size_t)num_places + 1) * sizeof(uint32_t);

   *c = (hd_copier){ .num_places = num_places };
   c->from = hd_stack_alloc(stack, size);
   c->at = hd_stack_alloc(stack, size);
   c->reads = hd_stack_alloc_zero(stack, size);
   c->work = hd_stack_alloc(stack, size);
   if (!c->from || !c->at || !c->reads || !c->work)
      return false;
   memset(c->from, 0xff, size);
   return true;
}

static uint32_t
move(hd_copy_step *steps, uint32_t num, uint32_t to, uint32_t from)
{
   steps[num] = (hd_copy_step){ false, to, from };
   return num + 1;
}

/* The copies but for cycles alone; with `keep_cycles`, but for all cycles. */
static uint32_t
copy_trees(hd_copier *c, const hd_copy *copies, uint32_t num, bool keep_cycles, hd_copy_step *steps)
{
   uint32_t num_work = 0, done = 0;

   for (uint32_t n = num; n--;) {
      if (c->from[copies[n].to] != NONE && !c->reads[copies[n].to])
         c->work[num_work++] = copies[n].to;
   }
   while (num_work) {
      const uint32_t to = c->work[--num_work], from = c->from[to];
      const bool first = c->at[from] == from;
      done = move(steps, done, to, c->at[from]);
      c->from[to] = NONE;
      c->reads[from]--;
      if (!keep_cycles)
         c->at[from] = to;
      if (c->from[from] != NONE && (keep_cycles ? !c->reads[from] : first))
         c->work[num_work++] = from;
   }
   return done;
}

/* A cycle alone, from any of its places. */
static uint32_t
copy_cycle(hd_copier *c, uint32_t start, bool swaps, hd_copy_step *steps)
{
   uint32_t done = 0, to = start;

   if (!swaps)
      done = move(steps, done, HD_COPY_TEMPORARY, start);
   for (uint32_t from = c->from[to]; from != start; from = c->from[to]) {
      steps[done++] = (hd_copy_step){ swaps, to, from };
      c->from[to] = NONE;
      to = from;
   }
   c->from[to] = NONE;
   return swaps ? done : move(steps, done, to, HD_COPY_TEMPORARY);
}

uint32_t
hd_copy_sequence(hd_copier *c, const hd_copy *copies, uint32_t num, bool swaps, hd_copy_step *steps)
{
   for (uint32_t n = 0; n < num; n++) {
      const uint32_t to = copies[n].to, from = copies[n].from;
      assert(to < c->num_places && from < c->num_places && c->from[to] == NONE);
      if (to == from)
         continue;
      c->from[to] = from;
      c->at[from] = from;
      c->reads[from]++;
   }
   uint32_t done = copy_trees(c, copies, num, swaps, steps);
   for (uint32_t n = 0; n < num; n++) {
      if (c->from[copies[n].to] != NONE)
         done += copy_cycle(c, copies[n].to, swaps, steps + done);
      c->reads[copies[n].from] = 0;
   }
   return done;
}

hd_result
hd_sequence_copies(const hd_config *config, const hd_copy *copies, uint32_t num,
                   uint32_t num_places, bool swaps, hd_copy_step *steps, uint32_t *num_steps)
{
   hd_heap heap;
   hd_stack stack;
   hd_copier copier;
   hd_result result = HD_OK;

   hd_heap_init(&heap, config);
   hd_stack_init(&stack, &heap);
   if (hd_heap_step(&heap, (uint64_t)num + num_places) &&
       hd_copier_init(&copier, &stack, num_places)) {
      for (uint32_t n = 0; n < num && result == HD_OK; n++) {
         const hd_copy *c = &copies[n];
         if (c->to >= num_places || c->from >= num_places || copier.reads[c->to]++)
            result = HD_INVALID;
      }
      memset(copier.reads, 0, num_places * sizeof(*copier.reads));
      if (result == HD_OK)
         *num_steps = hd_copy_sequence(&copier, copies, num, swaps, steps);
   }
   hd_stack_finish(&stack);
   return heap.status != HD_OK ? heap.status : result;
}
