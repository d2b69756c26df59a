/* SPDX-License-Identifier: MIT */
/* merge_phis.h - merge phis of lanes that wait for different blocks. */
#ifndef HEDDLE_STRUCTURIZE_MERGE_PHIS_H
#define HEDDLE_STRUCTURIZE_MERGE_PHIS_H

#include "ir/private.h"

/* Of a structured function: among the phis of each block that are not kept, those that are equal,
 * or of which for each predecessor all but one are undef, become one. Only divergent ones do, so
 * that nothing uniform is lost: a phi counts as divergent if one of its sources does. `divergent`
 * and `kept` are by definition's index, below `num`; phis beyond are new, and not kept. Returns how
 * many are gone. To be called inside an unwinding point.
 */
uint32_t hd_merge_phis(hd_function *f, const uint8_t *divergent, const uint8_t *kept, uint32_t num);

#endif
