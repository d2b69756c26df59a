/* SPDX-License-Identifier: MIT */
/* values.c - instruction selection: operands of IR values, and emitting instructions on them. */
#include <stddef.h>

#include "backend/gen9/select/select.h"

val
hd_gen9_new(sel *s, unsigned file)
{
   return hd_mach_operand_temp(s->p, hd_mach_temp_create(s->p, file, 1, 0));
}

bool
hd_gen9_is_vector(const sel *s, val v)
{
   return hd_mach_is_temp(&v) && hd_mach_is_vector(s->p, v.value);
}

unsigned
hd_gen9_file_of(const sel *s, val a, val b, val c)
{
   return hd_gen9_is_vector(s, a) || hd_gen9_is_vector(s, b) || hd_gen9_is_vector(s, c)
              ? HD_GEN9_VECTOR
              : HD_GEN9_UNIFORM;
}

hd_mach_inst *
hd_gen9_append(sel *s, unsigned op, unsigned type, val def, val a, val b, val c)
{
   const unsigned num = a.size ? b.size ? c.size ? 3 : 2 : 1 : 0;
   hd_mach_inst *inst = hd_mach_inst_create(s->p, op, def.size != 0, num);
   const val srcs[3] = { a, b, c };

   if (def.size)
      *hd_mach_def(inst, 0) = def;
   if (hd_mach_is_temp(&def))
      s->p->temps[def.value].def = inst;
   for (unsigned n = 0; n < num; n++)
      *hd_mach_src(inst, n) = srcs[n];
   inst->form = (uint8_t)type;
   inst->loc = s->instr ? s->instr->loc : 0;
   hd_mach_inst_append(s->block, inst);
   return inst;
}

static val
move(sel *s, unsigned file, val v)
{
   const val d = hd_gen9_new(s, file), none = { 0 };

   hd_gen9_append(s, HD_GEN9_MOV, HD_GEN9_TYPE_UD, d, v, none, none);
   return d;
}

val
hd_gen9_in_register(sel *s, val v)
{
   return hd_gen9_is_constant(&v) ? move(s, HD_GEN9_UNIFORM, v) : v;
}

val
hd_gen9_in_vector(sel *s, val v)
{
   return hd_gen9_is_vector(s, v) ? v : move(s, HD_GEN9_VECTOR, v);
}

val
hd_gen9_in_temp(sel *s, val v)
{
   return hd_mach_is_temp(&v) || hd_gen9_is_constant(&v) ? v : move(s, HD_GEN9_UNIFORM, v);
}

/* Of two constants: false, if it is none that sequences make of them. */
static bool
fold(unsigned op, const val *a, const val *b, val *result)
{
   if (!b->size || !hd_gen9_is_constant(a) || !hd_gen9_is_constant(b))
      return false;
   const uint32_t x = hd_gen9_constant(a), y = hd_gen9_constant(b);
   switch (op) {
   case HD_GEN9_AND:
      *result = K(x & y);
      return true;
   case HD_GEN9_OR:
      *result = K(x | y);
      return true;
   case HD_GEN9_XOR:
      *result = K(x ^ y);
      return true;
   case HD_GEN9_SHL:
      *result = K(x << (y & 31));
      return true;
   case HD_GEN9_SHR:
      *result = K(x >> (y & 31));
      return true;
   default:
      return false;
   }
}

/* Is the value the first operand? */
static bool
is_neutral(unsigned op, const val *b)
{
   if (!b->size || !hd_gen9_is_constant(b))
      return false;
   const uint32_t y = hd_gen9_constant(b);
   switch (op) {
   case HD_GEN9_SHL:
   case HD_GEN9_SHR:
   case HD_GEN9_ASR:
      return !(y & 31);
   case HD_GEN9_OR:
   case HD_GEN9_XOR:
      return !y;
   case HD_GEN9_AND:
      return y == UINT32_MAX;
   default:
      return false;
   }
}

val
hd_gen9_emit(sel *s, unsigned op, unsigned type, val a, val b)
{
   val none = { 0 }, known;

   if (fold(op, &a, &b, &known))
      return known;
   if (b.size && hd_gen9_is_constant(&a) && hd_gen9_op_infos[op].mach.flags & HD_MACH_COMMUTES) {
      const val swap = a;
      a = b, b = swap;
   }
   if (is_neutral(op, &b))
      return a;
   if (b.size || op != HD_GEN9_MOV)
      a = hd_gen9_in_register(s, a);
   if (b.size && (op == HD_GEN9_P_HIGH || hd_gen9_op_infos[op].function))
      b = hd_gen9_in_register(s, b);
   const val d = hd_gen9_new(s, hd_gen9_file_of(s, a, b, none));
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
   const val d = hd_gen9_new(s, hd_gen9_file_of(s, a, b, none));
   hd_gen9_append(s, HD_GEN9_P_COMPARE, type, d, a, b, none)->bits = (uint16_t)condition;
   return d;
}

static bool
is_zero(const val *v)
{
   return hd_gen9_is_constant(v) && !hd_gen9_constant(v);
}

/* A boolean is a mask of bits; of a selection the first value is not a constant. */
val
hd_gen9_choose(sel *s, val condition, val a, val b)
{
   const val none = { 0 };

   if (hd_gen9_is_constant(&condition))
      return hd_gen9_constant(&condition) ? a : b;
   if (is_zero(&b))
      return hd_gen9_is_constant(&a) && hd_gen9_constant(&a) == UINT32_MAX ? condition
                                                                           : and(s, condition, a);
   if (is_zero(&a) && hd_gen9_is_constant(&b) && hd_gen9_constant(&b) == UINT32_MAX)
      return hd_gen9_emit(s, HD_GEN9_NOT, HD_GEN9_TYPE_UD, condition, none);
   if (is_zero(&a)) {
      const val d = and(s, condition, b);
      s->block->last->bits = HD_GEN9_INVERTED;
      return d;
   }
   const bool inverse = hd_gen9_is_constant(&a) && !hd_gen9_is_constant(&b);
   if (inverse) {
      const val swap = a;
      a = b, b = swap;
   }
   a = hd_gen9_in_register(s, a);
   const val d = hd_gen9_new(s, hd_gen9_file_of(s, condition, a, b));
   hd_gen9_append(s, HD_GEN9_P_SELECT, HD_GEN9_TYPE_UD, d, condition, a, b)->bits = inverse;
   return d;
}

static val
payload_dword(unsigned grf, size_t dword)
{
   return hd_mach_operand_reg(HD_GEN9_PAYLOAD + HD_GEN9_GRF_DWORDS * grf + (unsigned)dword, 1);
}

val
hd_gen9_payload(sel *s, unsigned which)
{
   const unsigned lanes = hd_gen9_of(s->p)->width->lanes;
   const val none = { 0 };

   switch ((hd_gen9_start)which) {
   case HD_GEN9_START_GROUP_X:
      return payload_dword(HD_GEN9_GRF_HEADER, 1);
   case HD_GEN9_START_GROUP_Y:
      return payload_dword(HD_GEN9_GRF_HEADER, 6);
   case HD_GEN9_START_GROUP_Z:
      return payload_dword(HD_GEN9_GRF_HEADER, 7);
   case HD_GEN9_START_WAVE:
      return payload_dword(HD_GEN9_GRF_THREAD, 0);
   case HD_GEN9_START_LANES:
      return K(lanes);
   case HD_GEN9_START_LAST_LANE:
      return K(lanes - 1);
   case HD_GEN9_START_ALL_LANES:
      return K((1u << lanes) - 1);
   default:
      break;
   }
   const val d = hd_gen9_new(s, HD_GEN9_VECTOR);
   hd_gen9_append(s, HD_GEN9_P_PAYLOAD, HD_GEN9_TYPE_UD, d, none, none, none)->imm = (int32_t)which;
   return d;
}

_Static_assert(offsetof(hd_gen9_launch, work_dim) == offsetof(hd_mach_launch, work_dim),
               "a launch begins with a hd_mach_launch");

val
hd_gen9_of_launch(void *s, size_t offset)
{
   (void)s;
   return payload_dword(HD_GEN9_GRF_LAUNCH, offset / 4);
}

val
hd_gen9_of_payload(size_t offset)
{
   return payload_dword(HD_GEN9_GRF_LAUNCH, (sizeof(hd_gen9_launch) + offset) / 4);
}

/* As hd_mach_find_scalars has it. What was computed for each lane is the same in all that are active. */
void
hd_gen9_set_parts(void *user, const hd_def *def, const val *parts)
{
   sel *s = user;
   const bool scalar = s->p->scalars[def->index];
   val as_asked[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_mach_num_parts(def); n++)
      as_asked[n] = hd_gen9_is_constant(&parts[n]) ? parts[n]
                    : scalar                       ? hd_gen9_first_lane(s, parts[n])
                                                   : hd_gen9_in_vector(s, parts[n]);
   hd_mach_keep_parts(s, def, as_asked);
}

val
hd_gen9_first_lane(void *user, val part)
{
   sel *s = user;
   const val none = { 0 };

   if (!hd_gen9_is_vector(s, part))
      return part;
   const val d = hd_gen9_new(s, HD_GEN9_UNIFORM);
   hd_gen9_append(s, HD_GEN9_P_FIRST, HD_GEN9_TYPE_UD, d, part, none, none);
   return d;
}
