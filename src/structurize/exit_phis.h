/* SPDX-License-Identifier: MIT */
/* exit_phis.h - phis at the targets of loop exits, where loops have many exits and values. */
#ifndef HEDDLE_STRUCTURIZE_EXIT_PHIS_H
#define HEDDLE_STRUCTURIZE_EXIT_PHIS_H

#include "heddle/analysis.h"

/* Which values of f, by index, are worth a phi at the targets of exits: those that are read after a
 * loop and are not uniform there, or whose loop is left by all lanes together. The phis of different
 * targets can share a slot: a lane waits for one of them. NULL if no loop of f has so many exits and
 * such values that it pays. Needs a flat function with HD_META_CYCLES; hd_require is called for
 * order, dominance and divergence. The array is on the shader's stack.
 */
uint8_t *hd_exit_phis_find(hd_function *f);

/* Give each of the values in `chosen`, which has `num` entries, a phi at each target of an exit of
 * its loop that dominates uses of it: its sources are the value itself. f may be a copy of the function
 * that they were found for. It stays valid SSA, and HD_META_GRAPH stays valid. To be called inside an
 * unwinding point.
 */
void hd_exit_phis_add(hd_function *f, const uint8_t *chosen, uint32_t num);

#endif
