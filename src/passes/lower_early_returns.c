/* SPDX-License-Identifier: MIT */
/* lower_early_returns.c - several returns of a flat function become one: hd_lower_returns as a
 * pass.
 *
 *    b1: return %1     =>     b1: goto b3
 *    b2: return %2            b2: goto b3
 *                             b3: %3 = phi b1: %1, b2: %2  return %3
 *
 * In trees opt_jump does this where no other code would have to be guarded.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: nothing when it fires; all when it does not.
 * Leaves:    halts, which end a lane in the callers too; functions in which lanes end early and
 *            others come to a barrier (ends.h).
 * Tests:     tests/passes/lower_early_returns.hd, tests/structurize
 */
#include "heddle/structurize.h"
#include "passes/ends.h"

bool
hd_lower_early_returns(hd_function *f)
{
   /* A changed function has new blocks, made before the old ones went. */
   const hd_block *start = hd_function_start(f);

   if (ends_before_barriers(f))
      return false;
   hd_result result = hd_lower_returns(f);
   if (result != HD_OK)
      hd_heap_fail(hd_shader_heap(f->shader), result);
   return hd_progress(f, start != hd_function_start(f), LOWER_EARLY_RETURNS_KEEPS);
}
