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

#endif
