/* SPDX-License-Identifier: MIT */
/* worklist.h - blocks to visit again, the first in the order of the code first: what is inside a
 * loop comes to rest before what is behind it is looked at.
 */
#ifndef HEDDLE_BACKEND_GCN_WORKLIST_H
#define HEDDLE_BACKEND_GCN_WORKLIST_H

#include "backend/gcn/code.h"

typedef struct hd_gcn_worklist {
   hd_gcn_program *p;
   hd_gcn_block **blocks; /* by order */
   uint32_t num, lowest;  /* none before `lowest` is in the list */
   uint64_t *bits;
} hd_gcn_worklist;

/* Numbers the blocks; the list is empty. */
void hd_gcn_worklist_init(hd_gcn_worklist *w, hd_gcn_program *p);

static inline void
hd_gcn_worklist_add(hd_gcn_worklist *w, const hd_gcn_block *block)
{
   w->bits[block->order / 64] |= UINT64_C(1) << block->order % 64;
   if (block->order < w->lowest)
      w->lowest = block->order;
}

/* Take the first one; NULL: there is none. Each counts as a step of the budget. */
hd_gcn_block *hd_gcn_worklist_take(hd_gcn_worklist *w);

#endif
