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
 * Click's global code motion (Global Code Motion, Global Value Numbering, 1995): an early and a
 * late block for each instruction, and the best block between them. opt_licm and opt_sink are the
 * same with one end fixed; code_motion.c has the algorithm.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    the order within a block, and instructions that would gain nothing.
 * Tests:     tests/passes/opt_gcm.hd, tests/passes/opt_gcm.lanes.hd,
 *            tests/passes/test_run.c
 */
#include "passes/code_motion.h"

bool
hd_opt_gcm(hd_function *f, const opt_gcm_options *o)
{
   const hd_placing how = { .up = true, .down = true, .loads = o->loads, .speculate = true };

   return hd_progress(f, hd_place_instrs(f, &how), OPT_GCM_KEEPS);
}
