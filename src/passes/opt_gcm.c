/* SPDX-License-Identifier: MIT */
/* opt_gcm.c - global code motion (GCM): place each instruction in the fewest loops, then where the
 * fewest lanes are active.
 *
 *    %1 = iadd %a, %b                          loop {
 *    loop {                                       ...
 *       %2 = imul %a, %c             =>        }
 *       ...                                    %2 = imul %a, %c      (no use in the loop)
 *    }                                         if %d {
 *    if %d {                                      %1 = iadd %a, %b
 *       ... %1                                    ... %1
 *    }                                         }
 *
 * It is opt_licm and opt_sink in one go, with a free choice between both ends: what is computed in
 * one loop and used in another one comes to stand between them.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    the order in a block, and everything where nothing would be gained.
 * Tests:     tests/passes/opt_gcm.hd, tests/passes/test_run.c
 */
#include "passes/code_motion.h"

bool
hd_opt_gcm(hd_function *f, const opt_gcm_options *o)
{
   const hd_placing how = { .up = true, .down = true, .loads = o->loads, .speculate = true };

   return hd_progress(f, hd_place_instrs(f, &how), OPT_GCM_KEEPS);
}
