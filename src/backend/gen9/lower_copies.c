/* SPDX-License-Identifier: MIT */
/* lower_copies.c - lower parallel copies and phis to moves (machine/copies.h).
 *
 * Requires: registers are assigned.
 * Leaves:   none of the layer's pseudo ops but p_spill, p_reload and p_end.
 */
#include "backend/gen9/program.h"
#include "machine/copies.h"

static void
put(hd_mach_program *p, hd_mach_place at, unsigned to, hd_mach_operand from)
{
   hd_mach_inst *inst = hd_mach_inst_create(p, HD_GEN9_MOV, 1, 1);

   inst->form = HD_GEN9_TYPE_UD;
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
   put(p, at, to, hd_gen9_imm(hd_gen9_constant(&value)));
}

bool
hd_gen9_lower_copies(hd_mach_program *p)
{
   const hd_mach_copying rows = {
      .move = move,
      .constant = constant,
      .temporary = { HD_GEN9_UNIFORM_COPY, hd_gen9_of(p)->width->copy },
   };
   hd_mach_copies copies;

   hd_mach_copies_init(&copies, p, &rows, p);
   return hd_mach_lower_copies(&copies, NULL);
}
