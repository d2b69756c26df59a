/* SPDX-License-Identifier: MIT */
/* opt_sink.c - sink code into the branch arm or after the loop that uses it.
 *
 *    %1 = iadd %a, %b                          if %c {
 *    if %c {                         =>           %1 = iadd %a, %b
 *       ... %1                                    ... %1
 *    }                                         }
 *
 * At a uniform branch that saves the work if the arm is skipped; at a divergent branch it shortens
 * the live range of the result. What reads other lanes goes below uniform branches only. Never into a
 * loop. code_motion.c has the algorithm.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    the order within a block.
 * Tests:     tests/passes/opt_sink.hd, tests/passes/opt_sink.lanes.hd, tests/passes/opt_sink.helpers.hd,
 *            tests/passes/test_run.c
 */
#include "passes/code_motion.h"

bool
hd_opt_sink(hd_function *f, const opt_sink_options *o)
{
   const hd_placing how = { .down = true, .loads = o->loads };

   return hd_progress(f, hd_place_instrs(f, &how), OPT_SINK_KEEPS);
}
