/* SPDX-License-Identifier: MIT */
/* late_entry_phis.h - values that reach a loop header from the previous iteration (late entries). */
#ifndef HEDDLE_STRUCTURIZE_LATE_ENTRY_PHIS_H
#define HEDDLE_STRUCTURIZE_LATE_ENTRY_PHIS_H

#include "heddle/analysis.h"

/* In a flat function whose declarations make a block a header that other blocks of its cycle
 * dominate (lanes always enter the cycle elsewhere), a value that is made in one sweep can be read
 * in the next. Give each such value a phi at the header, so that from now on no value but those of
 * phis passes the header of a cycle that contains its definition. The function stays valid SSA.
 * Without such headers nothing is done. To be called inside an unwinding point.
 */
void hd_split_late_values(hd_function *f);

/* Are there such headers? Needs HD_META_CYCLES and HD_META_DOMINANCE. */
bool hd_has_late_values(const hd_function *f);

#endif
