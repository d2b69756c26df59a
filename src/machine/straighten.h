/* SPDX-License-Identifier: MIT */
/* straighten.h - what is done once copies are where they will be. */
#ifndef HEDDLE_MACHINE_STRAIGHTEN_H
#define HEDDLE_MACHINE_STRAIGHTEN_H

#include "machine/program.h"

/* What exec and scalar registers are read behind, once it is found. */
typedef struct hd_gcn_late hd_gcn_late;

hd_gcn_late *hd_gcn_late_find(hd_gcn_program *p);
/* Instructions of the block that make exec or masks for nobody go. True if some did; and whether
 * less is live before it than was known.
 */
bool hd_gcn_late_clean(hd_gcn_late *l, hd_gcn_block *block, bool *fewer_live);
/* Branches on exec read scc, where it says the same. */
void hd_gcn_branches_on_scc(hd_gcn_program *p);

#endif
