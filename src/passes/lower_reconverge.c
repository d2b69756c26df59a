/* SPDX-License-Identifier: MIT */
/* lower_reconverge.c - add explicit reconvergence points for divergent branches of flat functions.
 *
 *    b0: goto_if %c, b1, b2                b0: goto_if %c, b1, b4
 *    b1: A  goto_if %d, b2, b3             b1: A  goto_if %d, b4, b4'
 *    b2: B  goto b3             =>         b4: goto_if (lanes that wait for b2), b2, b3
 *    b3:                                   ...
 *
 * hd_reconverge (structurize.h) does the work. Lanes that wait take a mask for each block that they
 * wait for. In a dense irreducible cycle each of them is live everywhere, a quadratic number of live
 * values: such a function becomes a tree instead, in which masks are live in their ifs alone.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: nothing when it fires; all when it does not.
 * Leaves:    constants and phis of selectors, to opt_algebraic and opt_cse; functions in which lanes
 *            end early and others reach a barrier (ended_lanes.h).
 * Tests:     tests/passes/lower_reconverge.hd, tests/structurize, tests/verify
 */
#include "heddle/structurize.h"
#include "passes/ended_lanes.h"

bool
hd_lower_reconverge(hd_function *f, const lower_reconverge_options *o)
{
   bool too_many = false;
   const hd_reconverge_options options = { .order = (hd_reconverge_order)o->order,
                                           .keep_reconverging = o->keep,
                                           .max_masks = o->masks,
                                           .too_many_masks = &too_many };
   const hd_cf_node *first = f->body.first;

   if (ends_before_barriers(f))
      return hd_progress(f, false, LOWER_RECONVERGE_KEEPS);
   hd_result result = hd_reconverge(f, &options);
   if (result == HD_OK && too_many)
      result = hd_structurize(f, NULL);
   if (result != HD_OK)
      hd_heap_fail(hd_shader_heap(f->shader), result);
   /* What was changed has a new body. */
   return hd_progress(f, f->structured || f->body.first != first, LOWER_RECONVERGE_KEEPS);
}
