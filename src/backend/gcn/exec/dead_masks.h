/* SPDX-License-Identifier: MIT */
/* dead_masks.h - removal of dead writes of exec and dead masks, after copies are lowered. */
#ifndef HEDDLE_BACKEND_GCN_EXEC_DEAD_MASKS_H
#define HEDDLE_BACKEND_GCN_EXEC_DEAD_MASKS_H

#include "machine/program.h"

/* The hooks of straightening: clean_begin, clean_block, clean_finish of hd_mach_hooks. */

/* What exec and scalar registers are read after, once it is found. */
typedef struct hd_gcn_dead_masks hd_gcn_dead_masks;

void *hd_gcn_dead_masks_find(hd_mach_program *p);
/* Remove dead instructions of the block that write exec or masks. True if some did; and whether
 * less is live before it than was known.
 */
bool hd_gcn_dead_masks_remove(void *state, hd_mach_block *block, bool *fewer_live);
/* Branches on exec read scc, where it says the same. */
void hd_gcn_branches_on_scc(hd_mach_program *p);

#endif
