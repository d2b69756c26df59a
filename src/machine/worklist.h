/* SPDX-License-Identifier: MIT */
/* worklist.h - worklist of blocks, for data-flow analyses, in code order (or backwards): an inner loop
 * reaches its fixpoint before the code after it is visited.
 */
#ifndef HEDDLE_MACHINE_WORKLIST_H
#define HEDDLE_MACHINE_WORKLIST_H

#include "machine/program.h"

typedef struct hd_mach_worklist {
   hd_mach_program *p;
   hd_mach_block **blocks; /* by rank: the order of the code, or the reverse */
   uint32_t num, lowest;   /* none of a rank below `lowest` is in the list */
   bool backwards;
   uint64_t *bits; /* by rank */
} hd_mach_worklist;

/* Numbers the blocks; the list is empty. */
void hd_mach_worklist_init(hd_mach_worklist *w, hd_mach_program *p, bool backwards);

static inline void
hd_mach_worklist_add(hd_mach_worklist *w, const hd_mach_block *block)
{
   const uint32_t rank = w->backwards ? w->num - 1 - block->order : block->order;

   w->bits[rank / 64] |= UINT64_C(1) << rank % 64;
   if (rank < w->lowest)
      w->lowest = rank;
}

/* Take the first one; NULL: there is none. Each counts as a step of the budget. */
hd_mach_block *hd_mach_worklist_take(hd_mach_worklist *w);

#endif
