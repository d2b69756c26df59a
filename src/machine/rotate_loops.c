/* SPDX-License-Identifier: MIT */
/* rotate_loops.c - loop rotation: a loop that exits at its top exits at its bottom, which saves a
 * branch in each iteration.
 *
 *         head: test                          branch to head
 *               branch out if done      body: ...
 *         body: ...                     head: test
 *               branch to head                branch to body if not done
 *         out:                          out:
 *
 * Only the block order changes; layout then emits the branches. The head is moved only if its exit
 * is the block after the loop, so that the number of branches stays the same.
 *
 * Requires: linear edges, blocks in their order, none without code (straighten.c).
 */
#include "machine/program.h"

/* The one block that goes back to the head, if it goes nowhere else and stands after it. */
static hd_mach_block *
latch_of(const hd_mach_block *head)
{
   const hd_mach_edges *edges = &head->edges[HD_MACH_LINEAR];
   hd_mach_block *latch = NULL;

   for (uint32_t n = 0; n < edges->num_preds; n++) {
      hd_mach_block *pred = edges->preds[n];
      if (pred->order < head->order)
         continue;
      if (latch)
         return NULL;
      latch = pred;
   }
   return latch && latch != head && latch->edges[HD_MACH_LINEAR].num_succs == 1 ? latch : NULL;
}

bool
hd_mach_rotate_loops(hd_mach_program *p)
{
   hd_mach_program_number(p);
   for (hd_mach_block *head = p->first, *next; head; head = next) {
      const hd_mach_edges *edges = &head->edges[HD_MACH_LINEAR];
      next = head->next;
      if (!head->prev || !next || edges->num_preds < 2 || edges->num_succs != 2)
         continue;
      hd_mach_block *latch = latch_of(head), *out = latch ? latch->next : NULL;
      if (!out || (edges->succs[0] != out && edges->succs[1] != out))
         continue;
      hd_mach_block_unlink(p, head);
      hd_mach_block_insert_after(p, head, latch);
   }
   hd_mach_program_number(p);
   return true;
}
