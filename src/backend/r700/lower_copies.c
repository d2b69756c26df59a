/* SPDX-License-Identifier: MIT */
/* lower_copies.c - lower parallel copies and phis to moves (machine/copies.h).
 *
 * Requires: registers are assigned.
 * Leaves:   none of the layer's pseudo ops but p_spill, p_reload and p_end.
 */
#include "backend/r700/program.h"
#include "machine/copies.h"

bool
hd_r700_lower_copies(hd_mach_program *p)
{
   static const hd_mach_copying rows = {
      .op = HD_R700_MOV,
      .temporary = { HD_MACH_NO_REG, HD_R700_V0 + 4 * HD_R700_GPR_COPY },
   };
   hd_mach_copies copies;

   hd_mach_copies_init(&copies, p, &rows, p);
   return hd_mach_lower_copies(&copies, NULL);
}
