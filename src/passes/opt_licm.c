/* SPDX-License-Identifier: MIT */
/* opt_licm.c - loop-invariant code motion (LICM).
 *
 *    loop {                                    %1 = iadd %a, %b
 *       %1 = iadd %a, %b             =>        loop {
 *       ... %1                                    ... %1
 *    }                                         }
 *
 * Out of as many loops at once as its operands are known before. What only computes goes also where
 * not all that enter the loop come to it (`speculate`): it may be run for nothing, but once.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    values that only an arm needs outside of it: opt_sink.
 * Tests:     tests/passes/opt_licm.hd, tests/passes/test_run.c
 */
#include "passes/code_motion.h"

bool
hd_opt_licm(hd_function *f, const opt_licm_options *o)
{
   const hd_placing how = { .up = true, .loads = o->loads, .speculate = o->speculate };

   return hd_progress(f, hd_place_instrs(f, &how), OPT_LICM_KEEPS);
}
