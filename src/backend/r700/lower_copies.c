/* SPDX-License-Identifier: MIT */
/* lower_copies.c - lower parallel copies and phis to moves (machine/copies.h).
 *
 * Requires: registers are assigned.
 * Leaves:   none of the layer's pseudo ops but p_spill, p_reload and p_end.
 */
#include "backend/r700/program.h"
#include "machine/copies.h"

static void
put(hd_mach_program *p, hd_mach_place at, unsigned to, hd_mach_operand from)
{
   hd_mach_inst *inst = hd_mach_inst_create(p, HD_R700_MOV, 1, 1);

   *hd_mach_def(inst, 0) = hd_mach_operand_reg(to, 1);
   *hd_mach_src(inst, 0) = from;
   hd_mach_inst_insert_before(at.block, inst, at.before);
}

static void
move(void *p, hd_mach_place at, unsigned to, unsigned from)
{
   put(p, at, to, hd_mach_operand_reg(from, 1));
}

static void
constant(void *p, hd_mach_place at, unsigned to, unsigned size, hd_mach_operand value)
{
   (void)size;
   put(p, at, to, value);
}

bool
hd_r700_lower_copies(hd_mach_program *p)
{
   static const hd_mach_copying rows = {
      .move = move,
      .constant = constant,
      .temporary = { HD_MACH_NO_REG, HD_R700_V0 + 4 * HD_R700_GPR_COPY },
   };
   hd_mach_copies copies;

   hd_mach_copies_init(&copies, p, &rows, p);
   return hd_mach_lower_copies(&copies, NULL);
}
