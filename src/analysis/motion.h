/* SPDX-License-Identifier: MIT */
/* motion.h - what motion.c asks of motion_lanes.c. */
#ifndef HEDDLE_ANALYSIS_MOTION_H
#define HEDDLE_ANALYSIS_MOTION_H

#include "analysis/private.h"

/* Are the lanes that run block `to` among those that run `from`, where the operand is read, as far
 * as what makes it differ can tell? See 2 of hd_may_move. Scratch is left on the stack.
 */
bool hd_lanes_are_among(hd_function *f, hd_block *from, hd_block *to, const hd_src *operand);

#endif
