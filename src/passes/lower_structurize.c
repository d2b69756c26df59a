/* SPDX-License-Identifier: MIT */
/* lower_structurize.c - structurize flat functions.
 *
 *    b0: goto_if %c, b1, b2                b0:
 *    b1: A  goto b3             =>         if %c { A } else { B }
 *    b2: B  goto b3                        b3:
 *    b3:
 *
 * hd_structurize (structurize.h) does the work.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: nothing when it fires, but comes back with what it had to find out of the tree; all
 *            when it does not.
 * Leaves:    constants and phis of selectors, to opt_algebraic and opt_cse.
 * Tests:     tests/passes/lower_structurize.hd, tests/structurize, tests/verify
 */
#include "heddle/structurize.h"
#include "passes/pass.h"

bool
hd_lower_structurize(hd_function *f)
{
   hd_heap *heap = hd_shader_heap(f->shader);

   if (f->structured)
      return hd_progress(f, false, LOWER_STRUCTURIZE_KEEPS);
   hd_result result = hd_structurize(f, NULL);
   if (result != HD_OK)
      hd_heap_fail(heap, result);
   return true; /* what is known of the tree stays */
}
