/* SPDX-License-Identifier: MIT */
/* control_equivalence.h - control equivalence under divergence: blocks run by the same lanes in the same
 * iterations.
 */
#ifndef HEDDLE_ANALYSIS_CONTROL_EQUIVALENCE_H
#define HEDDLE_ANALYSIS_CONTROL_EQUIVALENCE_H

#include "analysis/private.h"

/* A number for each block, by its index. Blocks with the same number are in the same cycles, each
 * sweep of which runs all of them with the same lanes or none of them; the one that comes first in
 * the sweep dominates the others. Blocks with different numbers may be so too: the answer is
 * complete where no cycle has more than one entry. An unreachable block has a number of its own.
 *
 * A lane that ends in a call between two such blocks is not seen: that is the caller's to know.
 *
 * n log n; the array and all scratch are on the stack. Requires dominance and cycles.
 */
uint32_t *hd_control_equivalent_blocks(hd_function *f);

/* The same as numbers that also tell which of them stand below uniform branches: those from `first`
 * on, `size` of them.
 *
 *    a: goto_if uniform, b, c          a: 0, size 3    b and what runs like it: 1, size 1
 */
typedef struct hd_lane_set {
   uint32_t first, size;
} hd_lane_set;

/* By block slot, on the stack; n log n. Requires dominance, cycles and divergence. */
hd_lane_set *hd_find_lane_sets(hd_function *f);

/* Each sweep that runs the second block has run the first one, with the same lanes: between them,
 * all lanes of the first take one way. The first dominates the second, in the same cycles.
 */
static inline bool
keeps_lanes(const hd_lane_set *from, const hd_lane_set *to)
{
   return to->first - from->first < from->size;
}

#endif
