/* SPDX-License-Identifier: MIT */
/* lower_copies.c - lower parallel copies and phis to moves (machine/copies.h).
 *
 * Requires: registers are assigned.
 * Leaves:   none of the layer's pseudo ops but p_spill, p_reload and p_end.
 */
#include "backend/gen9/program.h"
#include "machine/copies.h"

bool
hd_gen9_lower_copies(hd_mach_program *p)
{
   const hd_mach_copying rows = {
      .op = HD_GEN9_MOV,
      .form = HD_GEN9_TYPE_UD,
      .temporary = { HD_GEN9_UNIFORM_COPY, hd_gen9_of(p)->width->copy },
   };
   hd_mach_copies copies;

   hd_mach_copies_init(&copies, p, &rows, p);
   return hd_mach_lower_copies(&copies, NULL);
}
