/* SPDX-License-Identifier: MIT */
/* dead_masks.h - removal of dead writes of exec and dead masks, after copies are lowered: for straightening,
 * which makes blocks empty by it, and others by those.
 */
#ifndef HEDDLE_MACHINE_DEAD_MASKS_H
#define HEDDLE_MACHINE_DEAD_MASKS_H

#include "machine/program.h"

/* What exec and scalar registers are read after. */
typedef struct hd_mach_dead_masks hd_mach_dead_masks;

hd_mach_dead_masks *hd_mach_dead_masks_find(hd_mach_program *p);
/* Remove dead instructions of the block that write exec or masks. True if some did; and whether
 * less is live before it than was known.
 */
bool hd_mach_dead_masks_remove(hd_mach_dead_masks *l, hd_mach_block *block, bool *fewer_live);
/* Last: branches on exec read the flag, where it says the same. */
void hd_mach_branches_on_flag(hd_mach_program *p);

#endif
