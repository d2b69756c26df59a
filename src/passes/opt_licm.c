/* SPDX-License-Identifier: MIT */
/* opt_licm.c - loop-invariant code motion (LICM).
 *
 *    loop {                                    %1 = iadd %a, %b
 *       %1 = iadd %a, %b             =>        loop {
 *       ... %1                                    ... %1
 *    }                                         }
 *
 * Hoists an instruction out of all loops in which its operands are invariant, at once (code_motion.c).
 * With `speculate`, an instruction without side effects is hoisted even if not all lanes that enter
 * the loop reach it.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    values that only one arm needs stand in front of the if: opt_sink moves them back; what a
 *            loop would hold in more registers than it saves.
 * Tests:     tests/passes/opt_licm.hd, tests/passes/opt_licm.held.hd,
 *            tests/passes/test_run.c
 */
#include "passes/code_motion.h"

bool
hd_opt_licm(hd_function *f, const opt_licm_options *o)
{
   const hd_placing how = { .up = true, .loads = o->loads, .speculate = o->speculate };

   return hd_progress(f, hd_place_instrs(f, &how), OPT_LICM_KEEPS);
}
