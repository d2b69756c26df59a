/* SPDX-License-Identifier: MIT */
/* lower_copies.c - lower parallel copies and phis to moves (machine/copies.h), spills and reloads to stores
 * and loads.
 *
 * Requires: registers are assigned.
 * Leaves:   none of the layer's pseudo ops but p_end. Vector instructions are still for the lanes
 *           of exec.
 */
#include "backend/nyuzi/program.h"
#include "machine/copies.h"

static hd_mach_inst *
put(hd_mach_program *p, hd_mach_place at, unsigned op, hd_mach_operand def, hd_mach_operand a,
    hd_mach_operand b)
{
   hd_mach_inst *inst = hd_nyuzi_make(p, op, def, a, b);

   hd_mach_inst_insert_before(at.block, inst, at.before);
   return inst;
}

static void
constant(void *p, hd_mach_place at, unsigned to, unsigned size, hd_mach_operand value)
{
   const uint32_t bits = hd_nyuzi_constant(&value);
   const hd_mach_operand none = { 0 };

   (void)size;
   if (to >= HD_NYUZI_V0 && hd_nyuzi_fits(HD_NYUZI_FORM_VI_MASK, (int32_t)bits)) {
      put(p, at, HD_NYUZI_MOVE, hd_nyuzi_reg(to), hd_nyuzi_imm(bits), none);
      return;
   }
   const unsigned scalar = to >= HD_NYUZI_V0 ? HD_NYUZI_TEMP + 1 : to;
   put(p, at, HD_NYUZI_P_CONST, hd_nyuzi_reg(scalar), none, none)->imm = (int32_t)bits;
   if (to >= HD_NYUZI_V0)
      put(p, at, HD_NYUZI_MOVE, hd_nyuzi_reg(to), hd_nyuzi_reg(scalar), none);
}

static void
move(void *p, hd_mach_place at, unsigned to, unsigned from)
{
   put(p, at, HD_NYUZI_MOVE, hd_nyuzi_reg(to), hd_nyuzi_reg(from), (hd_mach_operand){ 0 });
}

/* Of the scratch memory of the wave. */
static bool
lower_slot(void *user, hd_mach_place at, const hd_mach_inst *inst)
{
   const hd_mach_operand *value = hd_mach_slot_value(inst), none = { 0 };

   if (!value)
      return false;
   hd_mach_program *p = user;
   const bool vector = value->reg >= HD_NYUZI_V0, store = inst->op == HD_MACH_P_SPILL;
   const uint32_t slot = (uint32_t)inst->imm;
   const uint32_t offset = vector ? (p->spill_offset + 4 * slot) * HD_NYUZI_LANES
                                  : p->scratch_size * HD_NYUZI_LANES + 4 * slot;
   const hd_mach_operand reg = hd_nyuzi_reg(value->reg);
   hd_mach_operand base = hd_nyuzi_reg(HD_NYUZI_SCRATCH);
   int32_t imm = (int32_t)offset;

   if (!hd_nyuzi_fits(vector && store ? HD_NYUZI_FORM_MEMORY_MASK : HD_NYUZI_FORM_MEMORY, imm)) {
      const hd_mach_operand temp = hd_nyuzi_reg(HD_NYUZI_TEMP);
      put(p, at, HD_NYUZI_P_CONST, temp, none, none)->imm = imm;
      put(p, at, HD_NYUZI_ADD_I, temp, temp, base);
      base = temp;
      imm = 0;
   }
   if (store)
      put(p, at, vector ? HD_NYUZI_STORE_V : HD_NYUZI_STORE_32, none, reg, base)->imm = imm;
   else
      put(p, at, vector ? HD_NYUZI_LOAD_V : HD_NYUZI_LOAD_32, reg, base, none)->imm = imm;
   return true;
}

bool
hd_nyuzi_lower_copies(hd_mach_program *p)
{
   static const hd_mach_copying rows = {
      .move = move,
      .constant = constant,
      .temporary = { [HD_NYUZI_SCALAR] = HD_NYUZI_TEMP, [HD_NYUZI_VECTOR] = HD_NYUZI_VECTOR_TEMP },
   };
   hd_mach_copies copies;

   hd_mach_copies_init(&copies, p, &rows, p);
   return hd_mach_lower_copies(&copies, lower_slot);
}
