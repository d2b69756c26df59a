/* SPDX-License-Identifier: MIT */
/* alu.c - ops on integers and booleans, and moves of components.
 *
 * What the machine has is a row; the rest are sequences, written as expressions.
 */
#include "backend/nyuzi/select/expr.h"

/* Ops that are one instruction, of 32 bits. */
static const uint16_t direct[HD_NUM_OPS] = {
   [HD_OP_IADD] = HD_NYUZI_ADD_I,    [HD_OP_ISUB] = HD_NYUZI_SUB_I,
   [HD_OP_IMUL] = HD_NYUZI_MULL_I,   [HD_OP_UMULHI] = HD_NYUZI_MULH_U,
   [HD_OP_IMULHI] = HD_NYUZI_MULH_I, [HD_OP_IAND] = HD_NYUZI_AND,
   [HD_OP_IOR] = HD_NYUZI_OR,        [HD_OP_IXOR] = HD_NYUZI_XOR,
   [HD_OP_ISHL] = HD_NYUZI_SHL,      [HD_OP_USHR] = HD_NYUZI_SHR,
   [HD_OP_ISHR] = HD_NYUZI_ASHR,     [HD_OP_IEQ] = HD_NYUZI_CMPEQ_I,
   [HD_OP_INE] = HD_NYUZI_CMPNE_I,   [HD_OP_ULT] = HD_NYUZI_CMPLT_U,
   [HD_OP_ULE] = HD_NYUZI_CMPLE_U,   [HD_OP_ILT] = HD_NYUZI_CMPLT_I,
   [HD_OP_ILE] = HD_NYUZI_CMPLE_I,   [HD_OP_FADD] = HD_NYUZI_ADD_F,
   [HD_OP_FSUB] = HD_NYUZI_SUB_F,    [HD_OP_FMUL] = HD_NYUZI_MUL_F,
   [HD_OP_FEQ] = HD_NYUZI_CMPEQ_F,   [HD_OP_FNEU] = HD_NYUZI_CMPNE_F,
   [HD_OP_FLT] = HD_NYUZI_CMPLT_F,   [HD_OP_FLE] = HD_NYUZI_CMPLE_F,
};

#define NOT(a) xor(s, a, K(-1))
#define NEG(a) sub(s, K(0), a)

static val
min_max(sel *s, val a, val b, val is_less, bool min)
{
   return min ? pick(s, is_less, a, b) : pick(s, is_less, b, a);
}

static val
umin(sel *s, val a, val b)
{
   return min_max(s, a, b, ltu(s, a, b), true);
}

static val
umax(sel *s, val a, val b)
{
   return min_max(s, a, b, ltu(s, a, b), false);
}

static val
imin(sel *s, val a, val b)
{
   return min_max(s, a, b, lt(s, a, b), true);
}

static val
imax(sel *s, val a, val b)
{
   return min_max(s, a, b, lt(s, a, b), false);
}

/* The nearer end of the range, by the sign of `a`. */
static val
saturated(sel *s, val a, val overflows, val sum)
{
   return pick(s, lt(s, overflows, K(0)), xor(s, ashr(s, a, K(31)), K(INT32_MAX)), sum);
}

static val
iadd_sat(sel *s, val a, val b)
{
   const val sum = add(s, a, b);

   return saturated(s, a, and(s, xor(s, a, sum), xor(s, b, sum)), sum);
}

static val
uadd_sat(sel *s, val a, val b)
{
   const val sum = add(s, a, b);

   return pick(s, ltu(s, sum, a), K(-1), sum);
}

static val
isub_sat(sel *s, val a, val b)
{
   const val difference = sub(s, a, b);

   return saturated(s, a, and(s, xor(s, a, b), xor(s, a, difference)), difference);
}

/* As many ones as the count says, 32 or more are all. */
static val
ones(sel *s, val count)
{
   return pick(s, ltu(s, count, K(32)), add(s, shl(s, K(1), count), K(-1)), K(-1));
}

static val
field_mask(sel *s, val count, val offset)
{
   return pick(s, ltu(s, offset, K(32)), shl(s, ones(s, count), offset), K(0));
}

static val
bitselect(sel *s, val mask, val a, val b)
{
   return xor(s, b, and(s, mask, xor(s, a, b)));
}

static val
signed_field(sel *s, val value, val offset, val count)
{
   const val down = ashr(s, value, pick(s, ltu(s, offset, K(32)), offset, K(31)));
   const val above = pick(s, ltu(s, count, K(32)), sub(s, K(32), count), K(0));

   return pick(s, eq(s, count, K(0)), K(0), ashr(s, shl(s, down, above), above));
}

static val
bit_count(sel *s, val a)
{
   val n = sub(s, a, and(s, shr(s, a, K(1)), K(0x55555555)));

   n = add(s, and(s, n, K(0x33333333)), and(s, shr(s, n, K(2)), K(0x33333333)));
   n = and(s, add(s, n, shr(s, n, K(4))), K(0x0f0f0f0f));
   return shr(s, mul(s, n, K(0x01010101)), K(24));
}

static val
bit_reverse(sel *s, val a)
{
   static const uint32_t masks[] = { 0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff };

   for (unsigned n = 0; n < 5; n++)
      a = or (s, and(s, shr(s, a, K(1u << n)), K(masks[n])),
              shl(s, and(s, a, K(masks[n])), K(1u << n)));
   return a;
}

static val
byte_of(sel *s, val a, unsigned n, bool is_signed)
{
   if (is_signed)
      return ashr(s, shl(s, a, K(24 - 8 * n)), K(24));
   return and(s, shr(s, a, K(8 * n)), K(255));
}

static val
dot4(sel *s, val a, val b, bool signed_a, bool signed_b)
{
   val sum = K(0);

   for (unsigned n = 0; n < 4; n++) {
      const val product = mul(s, byte_of(s, a, n, signed_a), byte_of(s, b, n, signed_b));
      sum = n ? add(s, sum, product) : product;
   }
   return sum;
}

static val
low_24(sel *s, val a, bool is_signed)
{
   return is_signed ? ashr(s, shl(s, a, K(8)), K(8)) : and(s, a, K(0xffffff));
}

static val
mul24(sel *s, const val *x, bool is_signed)
{
   return mul(s, low_24(s, x[0], is_signed), low_24(s, x[1], is_signed));
}

/* An integer of so many bits in 32. */
static val
extended(sel *s, val a, unsigned bits, bool is_signed)
{
   if (bits == 1)
      return pick(s, a, K(is_signed ? -1 : 1), K(0));
   if (bits >= 32)
      return a;
   if (is_signed)
      return bits == 8 ? sext8(s, a) : sext16(s, a);
   return and(s, a, K(bits == 8 ? 0xff : 0xffff));
}

/* Sequences of arithmetic. Size 0: there is none. */
static val
arithmetic(sel *s, hd_op op, const val *x)
{
   switch (op) {
   case HD_OP_INEG:
      return NEG(x[0]);
   case HD_OP_IABS:
      return pick(s, lt(s, x[0], K(0)), NEG(x[0]), x[0]);
   case HD_OP_ISIGN:
      return or (s, ashr(s, x[0], K(31)), shr(s, NEG(x[0]), K(31)));
   case HD_OP_UMUL24:
      return mul24(s, x, false);
   case HD_OP_IMUL24:
      return mul24(s, x, true);
   case HD_OP_UMAD24:
      return add(s, mul24(s, x, false), x[2]);
   case HD_OP_IMAD24:
      return add(s, mul24(s, x, true), x[2]);
   case HD_OP_UMIN:
      return umin(s, x[0], x[1]);
   case HD_OP_UMAX:
      return umax(s, x[0], x[1]);
   case HD_OP_IMIN:
      return imin(s, x[0], x[1]);
   case HD_OP_IMAX:
      return imax(s, x[0], x[1]);
   case HD_OP_UMIN3:
      return umin(s, umin(s, x[0], x[1]), x[2]);
   case HD_OP_UMAX3:
      return umax(s, umax(s, x[0], x[1]), x[2]);
   case HD_OP_IMIN3:
      return imin(s, imin(s, x[0], x[1]), x[2]);
   case HD_OP_IMAX3:
      return imax(s, imax(s, x[0], x[1]), x[2]);
   case HD_OP_UMED3:
      return umin(s, umax(s, x[0], x[1]), umax(s, umin(s, x[0], x[1]), x[2]));
   case HD_OP_IMED3:
      return imin(s, imax(s, x[0], x[1]), imax(s, imin(s, x[0], x[1]), x[2]));
   case HD_OP_UADD_CARRY:
      return ltu(s, add(s, x[0], x[1]), x[0]);
   case HD_OP_USUB_BORROW:
      return ltu(s, x[0], x[1]);
   case HD_OP_UADD_SAT:
      return uadd_sat(s, x[0], x[1]);
   case HD_OP_IADD_SAT:
      return iadd_sat(s, x[0], x[1]);
   case HD_OP_USUB_SAT:
      return pick(s, ltu(s, x[0], x[1]), K(0), sub(s, x[0], x[1]));
   case HD_OP_ISUB_SAT:
      return isub_sat(s, x[0], x[1]);
   case HD_OP_UABS_DIFF:
      return pick(s, ltu(s, x[0], x[1]), sub(s, x[1], x[0]), sub(s, x[0], x[1]));
   case HD_OP_IABS_DIFF:
      return pick(s, lt(s, x[0], x[1]), sub(s, x[1], x[0]), sub(s, x[0], x[1]));
   case HD_OP_USAD:
      return add(s, pick(s, ltu(s, x[0], x[1]), sub(s, x[1], x[0]), sub(s, x[0], x[1])), x[2]);
   case HD_OP_UDOT4:
      return dot4(s, x[0], x[1], false, false);
   case HD_OP_IDOT4:
      return dot4(s, x[0], x[1], true, true);
   case HD_OP_IUDOT4:
      return dot4(s, x[0], x[1], true, false);
   case HD_OP_UDOT4_ACC:
      return add(s, dot4(s, x[0], x[1], false, false), x[2]);
   case HD_OP_IDOT4_ACC:
      return add(s, dot4(s, x[0], x[1], true, true), x[2]);
   case HD_OP_IUDOT4_ACC:
      return add(s, dot4(s, x[0], x[1], true, false), x[2]);
   case HD_OP_UDOT4_ACC_SAT:
      return uadd_sat(s, dot4(s, x[0], x[1], false, false), x[2]);
   case HD_OP_IDOT4_ACC_SAT:
      return iadd_sat(s, dot4(s, x[0], x[1], true, true), x[2]);
   case HD_OP_IUDOT4_ACC_SAT:
      return iadd_sat(s, dot4(s, x[0], x[1], true, false), x[2]);
   case HD_OP_IADD3:
      return add(s, add(s, x[0], x[1]), x[2]);
   case HD_OP_ISHL_ADD:
      return add(s, shl(s, x[0], x[1]), x[2]);
   case HD_OP_IADD_SHL:
      return shl(s, add(s, x[0], x[1]), x[2]);
   default:
      return (val){ 0 };
   }
}

static val
bits(sel *s, hd_op op, const val *x)
{
   switch (op) {
   case HD_OP_INOT:
      return NOT(x[0]);
   case HD_OP_BITSELECT:
      return bitselect(s, x[0], x[1], x[2]);
   case HD_OP_ISHL_OR:
      return or (s, shl(s, x[0], x[1]), x[2]);
   case HD_OP_IAND_OR:
      return or (s, and(s, x[0], x[1]), x[2]);
   case HD_OP_IOR3:
      return or (s, or (s, x[0], x[1]), x[2]);
   case HD_OP_ROTL:
      return or (s, shl(s, x[0], x[1]), shr(s, x[0], NEG(x[1])));
   case HD_OP_ROTR:
      return or (s, shr(s, x[0], x[1]), shl(s, x[0], NEG(x[1])));
   case HD_OP_FUNNEL_SHR:
      return or (s, shr(s, x[1], x[2]), shl(s, shl(s, x[0], K(1)), NOT(x[2])));
   case HD_OP_BIT_COUNT:
      return bit_count(s, x[0]);
   case HD_OP_BIT_REVERSE:
      return bit_reverse(s, x[0]);
   case HD_OP_FIND_LSB:
      return pick(s, eq(s, x[0], K(0)), K(-1), ctz(s, x[0]));
   case HD_OP_UFIND_MSB:
      return sub(s, K(31), clz(s, x[0]));
   case HD_OP_IFIND_MSB:
      return sub(s, K(31), clz(s, xor(s, x[0], ashr(s, x[0], K(31)))));
   case HD_OP_BITFIELD_MASK:
      return field_mask(s, x[0], x[1]);
   case HD_OP_UBITFIELD_EXTRACT:
      return pick(s, ltu(s, x[1], K(32)), and(s, shr(s, x[0], x[1]), ones(s, x[2])), K(0));
   case HD_OP_IBITFIELD_EXTRACT:
      return signed_field(s, x[0], x[1], x[2]);
   case HD_OP_UBFE:
      return and(s, shr(s, x[0], x[1]), add(s, shl(s, K(1), x[2]), K(-1)));
   case HD_OP_IBFE:
      return signed_field(s, x[0], and(s, x[1], K(31)), and(s, x[2], K(31)));
   case HD_OP_BITFIELD_INSERT:
      return bitselect(s, field_mask(s, x[3], x[2]), shl(s, x[1], x[2]), x[0]);
   default:
      return (val){ 0 };
   }
}

static bool
select_boolean(sel *s, const hd_alu *alu)
{
   const val a = hd_nyuzi_part(s, alu->src[0].def, 0);
   const val b = alu->instr.num_srcs > 1 ? hd_nyuzi_part(s, alu->src[1].def, 0) : K(0);
   val result;

   switch ((hd_op)alu->instr.op) {
   case HD_OP_IAND:
      result = hd_nyuzi_logic(s, HD_NYUZI_AND, a, b);
      break;
   case HD_OP_IOR:
      result = hd_nyuzi_logic(s, HD_NYUZI_OR, a, b);
      break;
   case HD_OP_IXOR:
   case HD_OP_INE:
      result = hd_nyuzi_logic(s, HD_NYUZI_XOR, a, b);
      break;
   case HD_OP_IEQ:
      result = hd_nyuzi_not(s, hd_nyuzi_logic(s, HD_NYUZI_XOR, a, b));
      break;
   case HD_OP_INOT:
      result = hd_nyuzi_not(s, a);
      break;
   case HD_OP_SELECT: {
      const val c = hd_nyuzi_part(s, alu->src[2].def, 0);
      const val differ = hd_nyuzi_logic(s, HD_NYUZI_XOR, b, c);
      result = hd_nyuzi_logic(s, HD_NYUZI_XOR, c, hd_nyuzi_logic(s, HD_NYUZI_AND, a, differ));
      break;
   }
   default:
      return hd_mach_refuse(s->p, &alu->instr, "unsupported op %s of booleans",
                            hd_op_get_info((hd_op)alu->instr.op)->name);
   }
   hd_nyuzi_set(s, &alu->instr.def, result);
   return true;
}

/* Components */

/* The part of a vector whose component is not constant; `past` where there is none. */
static val
indexed(sel *s, const hd_def *vector, unsigned half, val index, val past)
{
   const unsigned step = vector->bit_size == 64 ? 2 : 1;
   val result = past;

   for (unsigned c = 0; c < vector->num_components; c++) {
      const val part = hd_nyuzi_part(s, vector, c * step + half), is = eq(s, index, K(c));
      if (vector->bit_size != 1) {
         result = pick(s, is, part, result);
         continue;
      }
      const val differ = hd_nyuzi_logic(s, HD_NYUZI_XOR, part, result);
      result = hd_nyuzi_logic(s, HD_NYUZI_XOR, result, hd_nyuzi_logic(s, HD_NYUZI_AND, is, differ));
   }
   return result;
}

static void
select_channel(sel *s, const hd_alu *alu)
{
   const hd_def *vector = alu->src[0].def;
   const hd_const *c = hd_src_as_const(&alu->src[1]);
   const unsigned num = vector->bit_size == 64 ? 2 : 1;
   val parts[2];

   for (unsigned n = 0; n < num; n++) {
      if (c)
         parts[n] = c->value[0].u32 < vector->num_components
                        ? hd_nyuzi_part(s, vector, c->value[0].u32 * num + n)
                        : K(0);
      else
         parts[n] = indexed(s, vector, n, hd_nyuzi_part(s, alu->src[1].def, 0), K(0));
   }
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
}

static void
select_insert(sel *s, const hd_alu *alu)
{
   const hd_def *vector = alu->src[0].def;
   const unsigned num = vector->bit_size == 64 ? 2 : 1;
   const val index = hd_nyuzi_part(s, alu->src[2].def, 0);
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < vector->num_components * num; n++) {
      const val old = hd_nyuzi_part(s, vector, n), put = hd_nyuzi_part(s, alu->src[1].def, n % num);
      const val is = hd_nyuzi_is_constant(&index)
                         ? K(hd_nyuzi_constant(&index) == n / num ? HD_NYUZI_TRUE : 0)
                         : eq(s, index, K(n / num));
      if (vector->bit_size != 1) {
         parts[n] = pick(s, is, put, old);
         continue;
      }
      const val differ = hd_nyuzi_logic(s, HD_NYUZI_XOR, put, old);
      parts[n] = hd_nyuzi_logic(s, HD_NYUZI_XOR, old, hd_nyuzi_logic(s, HD_NYUZI_AND, is, differ));
   }
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
}

/* The low bits of each part side by side. */
static val
joined(sel *s, const hd_def *vector, unsigned first, unsigned num, unsigned bits_of_each)
{
   val whole = K(0);

   for (unsigned n = 0; n < num; n++) {
      val part = hd_nyuzi_part(s, vector, first + n);
      if (n + 1 < num)
         part = extended(s, part, bits_of_each, false);
      if (n)
         part = shl(s, part, K(n * bits_of_each));
      whole = n ? or (s, whole, part) : part;
   }
   return whole;
}

static bool
select_pack(sel *s, const hd_alu *alu)
{
   const hd_def *src = alu->src[0].def;
   val parts[4];

   switch ((hd_op)alu->instr.op) {
   case HD_OP_PACK_64_2X32:
   case HD_OP_UNPACK_64_2X32:
      parts[0] = hd_nyuzi_part(s, src, 0);
      parts[1] = hd_nyuzi_part(s, src, 1);
      break;
   case HD_OP_PACK_64_4X16:
      parts[0] = joined(s, src, 0, 2, 16);
      parts[1] = joined(s, src, 2, 2, 16);
      break;
   case HD_OP_PACK_32_2X16:
      parts[0] = joined(s, src, 0, 2, 16);
      break;
   case HD_OP_PACK_32_4X8:
      parts[0] = joined(s, src, 0, 4, 8);
      break;
   case HD_OP_UNPACK_64_4X16:
      for (unsigned n = 0; n < 4; n++)
         parts[n] =
             n % 2 ? shr(s, hd_nyuzi_part(s, src, n / 2), K(16)) : hd_nyuzi_part(s, src, n / 2);
      break;
   case HD_OP_UNPACK_32_2X16:
   case HD_OP_UNPACK_32_4X8:
      for (unsigned n = 0; n < alu->instr.def.num_components; n++)
         parts[n] = n ? shr(s, hd_nyuzi_part(s, src, 0), K(n * alu->instr.def.bit_size))
                      : hd_nyuzi_part(s, src, 0);
      break;
   default:
      return false;
   }
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
   return true;
}

/* Integers of other sizes. */
static bool
select_resize(sel *s, const hd_alu *alu)
{
   const unsigned from = alu->src[0].def->bit_size, to = alu->instr.def.bit_size;
   const bool is_signed = alu->instr.op == HD_OP_I2I;
   val parts[2] = { hd_nyuzi_part(s, alu->src[0].def, 0), K(0) };

   if (from < to)
      parts[0] = extended(s, parts[0], from, is_signed);
   if (to == 64)
      parts[1] = from == 64  ? hd_nyuzi_part(s, alu->src[0].def, 1)
                 : is_signed ? ashr(s, parts[0], K(31))
                             : K(0);
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
   return true;
}

/* Each part by itself. */
static void
select_choice(sel *s, const hd_alu *alu)
{
   const unsigned num = hd_nyuzi_num_parts(&alu->instr.def);
   const val condition = hd_nyuzi_part(s, alu->src[0].def, 0);
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < num; n++) {
      const val b = hd_nyuzi_part(s, alu->src[2].def, n);
      const val a = hd_nyuzi_part(s, alu->src[1].def, n);
      parts[n] = pick(s, condition, a, b);
   }
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
}

static void
select_vec(sel *s, const hd_alu *alu)
{
   const unsigned step = alu->instr.def.bit_size == 64 ? 2 : 1;
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_nyuzi_num_parts(&alu->instr.def); n++)
      parts[n] = hd_nyuzi_part(s, alu->src[n / step].def, n % step);
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
}

static bool
moves_components(sel *s, const hd_alu *alu)
{
   switch ((hd_op)alu->instr.op) {
   case HD_OP_VEC:
      select_vec(s, alu);
      return true;
   case HD_OP_CHANNEL:
      select_channel(s, alu);
      return true;
   case HD_OP_INSERT_CHANNEL:
      select_insert(s, alu);
      return true;
   case HD_OP_U2U:
   case HD_OP_I2I:
      return select_resize(s, alu);
   case HD_OP_SELECT:
      if (alu->instr.def.bit_size == 1)
         return false;
      select_choice(s, alu);
      return true;
   case HD_OP_B2I: {
      const val parts[2] = { pick(s, hd_nyuzi_part(s, alu->src[0].def, 0), K(1), K(0)), K(0) };
      hd_nyuzi_set_parts(s, &alu->instr.def, parts);
      return true;
   }
   default:
      return select_pack(s, alu);
   }
}

/* Floats of 32 bits are read or written as numbers. */
static bool
is_float(const hd_alu *alu)
{
   const hd_op_info *info = hd_op_get_info((hd_op)alu->instr.op);
   bool found = info->result.kind == HD_KIND_FLOAT && alu->instr.def.bit_size == 32;

   for (unsigned n = 0; n < alu->instr.num_srcs && n < info->num_srcs; n++)
      found |= info->src[n].kind == HD_KIND_FLOAT && alu->src[n].def->bit_size == 32;
   return found;
}

bool
hd_nyuzi_select_alu(sel *s, const hd_alu *alu)
{
   const hd_op op = (hd_op)alu->instr.op;
   const hd_def *def = &alu->instr.def;
   const unsigned from = alu->src[0].def->bit_size;
   val x[4] = { { 0 } }, result = { 0 };

   if (moves_components(s, alu))
      return true;
   if (from == 1 && def->bit_size == 1)
      return select_boolean(s, alu);
   if (is_float(alu) && s->p->shader->float_controls & (HD_FLOAT_RTZ_32 | HD_FLOAT_FLUSH_32))
      return hd_mach_refuse(s->p, &alu->instr, "floats round to nearest and keep denormals");
   for (unsigned n = 0; n < alu->instr.num_srcs && n < 4; n++)
      x[n] = hd_nyuzi_part(s, alu->src[n].def, 0);
   const bool whole = from == 32 && (def->bit_size == 32 || def->bit_size == 1);
   if (whole && direct[op]) {
      result = hd_nyuzi_emit(s, direct[op], x[0], x[1]);
   } else if (whole) {
      result = arithmetic(s, op, x);
      if (!result.size)
         result = bits(s, op, x);
   }
   if (!result.size && !hd_nyuzi_float_op(s, alu, x, &result))
      return hd_mach_refuse(s->p, &alu->instr, "unsupported op %s of %u bits",
                            hd_op_get_info(op)->name, from == 1 ? def->bit_size : from);
   if (result.size)
      hd_nyuzi_set(s, def, result);
   return true;
}
