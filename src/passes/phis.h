/* SPDX-License-Identifier: MIT */
/* phis.h - redundant phis, for passes that create or simplify phis. */
#ifndef HEDDLE_PASSES_PHIS_H
#define HEDDLE_PASSES_PHIS_H

#include "heddle/analysis.h"

/* Remove those of the given phis that are redundant: through which, and through phis that feed only
 * each other, nothing comes but one value. All their uses become uses of that value.
 *
 *    %1 = phi b0: %a, b3: %2        %1 and %2 are %a; so are cycles of any size and shape
 *    %2 = phi b1: %1, b2: %a
 *
 * 1. A source from an unreachable predecessor can be anything. So can an undefined one, where the
 *    value that is left dominates the phi.
 * 2. A phi into which no value comes at all becomes undef.
 * 3. Phis in unreachable blocks stay.
 * 4. With `keep_uniform`, a uniform phi stays where its value would not be uniform: out of a cycle
 *    that lanes leave in different sweeps.
 *
 * Asks for HD_META_DOMINANCE where one may be redundant, and for HD_META_DIVERGENCE where
 * `keep_uniform` may keep one, so it is to be called inside an unwinding point. Returns how many
 * were removed; `phis` then begins with those that are left, in their order. Time is m log m for m
 * sources.
 */
uint32_t hd_remove_redundant_phis(hd_function *f, hd_phi **phis, uint32_t num, bool keep_uniform);

#endif
