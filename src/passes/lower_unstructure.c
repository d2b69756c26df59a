/* SPDX-License-Identifier: MIT */
/* lower_unstructure.c - lower structured control flow to a flat CFG.
 *
 *    b0:                                   b0: goto_if %c, b1, b2
 *    if %c { b1: A } else { b2: B }   =>   b1: A  goto b3
 *    b3:                                   b2: B  goto b3
 *                                          b3:
 *
 * hd_unstructure (structurize.h) does the work. Loops are declared, so that lower_structurize
 * restores the tree.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: nothing when it fires; all when it does not.
 * Leaves:    functions in which lanes end early and others reach a barrier (ended_lanes.h), unless
 *            opt_jump has made one end of all.
 * Tests:     tests/passes/lower_unstructure.hd, tests/structurize, tests/verify
 */
#include "heddle/structurize.h"
#include "passes/ended_lanes.h"

bool
hd_lower_unstructure(hd_function *f)
{
   hd_heap *heap = hd_shader_heap(f->shader);

   if (!f->structured || ends_before_barriers(f))
      return hd_progress(f, false, LOWER_UNSTRUCTURE_KEEPS);
   hd_result result = hd_unstructure(f);
   if (result != HD_OK)
      hd_heap_fail(heap, result);
   return hd_progress(f, true, LOWER_UNSTRUCTURE_KEEPS);
}
