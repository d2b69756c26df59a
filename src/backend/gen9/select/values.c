/* SPDX-License-Identifier: MIT */
/* values.c - instruction selection: operands of IR values, and emitting instructions on them. */
#include "backend/gen9/select/select.h"

val
hd_gen9_new(sel *s, unsigned size)
{
   return hd_mach_operand_temp(s->p, hd_mach_temp_create(s->p, HD_GEN9_VECTOR, size, 0));
}

hd_mach_inst *
hd_gen9_append(sel *s, unsigned op, unsigned type, val def, val a, val b, val c)
{
   const unsigned num = a.size ? b.size ? c.size ? 3 : 2 : 1 : 0;
   hd_mach_inst *inst = hd_mach_inst_create(s->p, op, def.size != 0, num);
   const val srcs[3] = { a, b, c };

   if (def.size) {
      *hd_mach_def(inst, 0) = def;
      s->p->temps[def.value].def = inst;
   }
   for (unsigned n = 0; n < num; n++)
      *hd_mach_src(inst, n) = srcs[n];
   inst->form = (uint8_t)type;
   inst->loc = s->instr ? s->instr->loc : 0;
   hd_mach_inst_append(s->block, inst);
   return inst;
}

val
hd_gen9_in_register(sel *s, val v)
{
   const val none = { 0 };

   if (!hd_gen9_is_constant(&v))
      return v;
   const val d = hd_gen9_new(s, 1);
   hd_gen9_append(s, HD_GEN9_MOV, HD_GEN9_TYPE_UD, d, v, none, none);
   return d;
}

val
hd_gen9_emit(sel *s, unsigned op, unsigned type, val a, val b)
{
   const val none = { 0 };

   if (b.size && hd_gen9_is_constant(&a) && hd_gen9_op_infos[op].mach.flags & HD_MACH_COMMUTES) {
      const val swap = a;
      a = b, b = swap;
   }
   if (b.size || op != HD_GEN9_MOV)
      a = hd_gen9_in_register(s, a);
   if (op == HD_GEN9_P_HIGH)
      b = hd_gen9_in_register(s, b);
   const val d = hd_gen9_new(s, 1);
   hd_gen9_append(s, op, type, d, a, b, none);
   return d;
}

static unsigned
mirrored(unsigned condition)
{
   static const uint8_t other[] = {
      [HD_GEN9_CONDITION_EQ] = HD_GEN9_CONDITION_EQ, [HD_GEN9_CONDITION_NE] = HD_GEN9_CONDITION_NE,
      [HD_GEN9_CONDITION_GT] = HD_GEN9_CONDITION_LT, [HD_GEN9_CONDITION_LT] = HD_GEN9_CONDITION_GT,
      [HD_GEN9_CONDITION_GE] = HD_GEN9_CONDITION_LE, [HD_GEN9_CONDITION_LE] = HD_GEN9_CONDITION_GE,
   };

   return other[condition];
}

val
hd_gen9_compare(sel *s, unsigned condition, unsigned type, val a, val b)
{
   const val none = { 0 };

   if (hd_gen9_is_constant(&a)) {
      const val swap = a;
      a = b, b = swap;
      condition = mirrored(condition);
   }
   a = hd_gen9_in_register(s, a);
   const val d = hd_gen9_new(s, 1);
   hd_gen9_append(s, HD_GEN9_P_COMPARE, type, d, a, b, none)->bits = (uint16_t)condition;
   return d;
}

/* The first one is not a constant. */
val
hd_gen9_choose(sel *s, val condition, val a, val b)
{
   if (hd_gen9_is_constant(&condition))
      return hd_gen9_constant(&condition) ? a : b;
   a = hd_gen9_in_register(s, a);
   const val d = hd_gen9_new(s, 1);
   hd_gen9_append(s, HD_GEN9_P_SELECT, HD_GEN9_TYPE_UD, d, condition, a, b);
   return d;
}

val
hd_gen9_payload(sel *s, unsigned which)
{
   const val none = { 0 }, d = hd_gen9_new(s, 1);

   hd_gen9_append(s, HD_GEN9_P_PAYLOAD, HD_GEN9_TYPE_UD, d, none, none, none)->imm = (int32_t)which;
   return d;
}

val
hd_gen9_of_launch(sel *s, size_t offset)
{
   const val none = { 0 }, address = hd_gen9_in_register(s, K(offset)), d = hd_gen9_new(s, 1);
   hd_mach_inst *inst = hd_gen9_append(s, HD_GEN9_P_LOAD, HD_GEN9_TYPE_UD, d, address, none, none);

   inst->bits = 4;
   inst->imm = HD_GEN9_SURFACE_LAUNCH;
   inst->memory = HD_MACH_MEMORY_CONSTANT;
   return d;
}
