/* SPDX-License-Identifier: MIT */
/* alu_float.c - ops on floats of 32 bits that the machine does not have.
 *
 * The machine's own keep denormals and round to nearest even; a NaN that arithmetic makes is the
 * canonical one.
 */
#include "backend/nyuzi/select/alu_exact.h"

#define SIGN      0x80000000u
#define MAGNITUDE 0x7fffffffu
#define ONE       0x3f800000u
#define NAN_BITS  0x7fc00000u
#define TWO_23    0x4b000000u
#define TWO_31    0x4f000000u

static val
canonical(sel *s, val a)
{
   return pick(s, nef(s, a, a), K(NAN_BITS), a);
}

static val
magnitude(sel *s, val a)
{
   return and(s, a, K(MAGNITUDE));
}

static val
sign_of(sel *s, val a)
{
   return and(s, a, K(SIGN));
}

static val
unordered(sel *s, val a, val b)
{
   return hd_nyuzi_logic(s, HD_NYUZI_OR, nef(s, a, a), nef(s, b, b));
}

/* Of equal ones the bits decide: zeros differ in the sign, all others are the same. */
static val
least(sel *s, val a, val b, bool min)
{
   val r = pick(s, min ? ltf(s, a, b) : gtf(s, a, b), a, b);

   r = pick(s, eqf(s, a, b), min ? or (s, a, b) : and(s, a, b), r);
   r = pick(s, nef(s, b, b), a, r);
   return canonical(s, r);
}

static val
lesser(sel *s, val a, val b)
{
   return least(s, a, b, true);
}

static val
greater(sel *s, val a, val b)
{
   return least(s, a, b, false);
}

static val
fmed3(sel *s, const val *x)
{
   const val any = hd_nyuzi_logic(s, HD_NYUZI_OR, unordered(s, x[0], x[1]), nef(s, x[2], x[2]));
   const val low = lesser(s, x[0], x[1]), high = greater(s, x[0], x[1]);

   return pick(s, any, lesser(s, low, x[2]), greater(s, low, lesser(s, high, x[2])));
}

/* Floats that have no fraction because they are so large keep their bits. */
static val
if_small(sel *s, val a, val integral)
{
   return pick(s, ltf(s, magnitude(s, a), K(TWO_23)), or (s, magnitude(s, integral), sign_of(s, a)),
               canonical(s, a));
}

static val
ftrunc(sel *s, val a)
{
   return if_small(s, a, itof(s, ftoi(s, a)));
}

static val
ffloor(sel *s, val a)
{
   const val t = ftrunc(s, a);

   return pick(s, ltf(s, a, t), subf(s, t, K(ONE)), t);
}

static val
fceil(sel *s, val a)
{
   const val t = ftrunc(s, a);

   return pick(s, gtf(s, a, t), addf(s, t, K(ONE)), t);
}

static val
frint(sel *s, val a)
{
   const val m = magnitude(s, a);

   return if_small(s, a, subf(s, addf(s, m, K(TWO_23)), K(TWO_23)));
}

static val
ffract(sel *s, val a)
{
   const val f = subf(s, a, ffloor(s, a));

   return pick(s, gef(s, f, K(ONE)), K(ONE - 1), f);
}

static val
fsat(sel *s, val a)
{
   const val positive = pick(s, gtf(s, a, K(0)), a, K(0));

   return pick(s, ltf(s, positive, K(ONE)), positive, K(ONE));
}

static val
fsign(sel *s, val a)
{
   const val one = or (s, sign_of(s, a), K(ONE)), zero = eqf(s, a, K(0));

   return pick(s, nef(s, a, a), K(0), pick(s, zero, a, one));
}

/* To the 10 bits of a half: what is cut off rounds to nearest even. */
static val
fquantize16(sel *s, val a)
{
   const val m = magnitude(s, a);
   val r = add(s, add(s, m, K(0xfff)), and(s, shr(s, m, K(13)), K(1)));

   r = and(s, r, K(~UINT32_C(0x1fff)));
   r = pick(s, ltu(s, r, K(0x38800000)), K(0), r);
   r = pick(s, geu(s, r, K(0x47800000)), K(0x7f800000), r);
   r = or (s, r, sign_of(s, a));
   return pick(s, nef(s, a, a), K(NAN_BITS), r);
}

/* Integers */

/* Held in the range of `bits`. NaN gives 0. */
static val
f2i(sel *s, val a, unsigned bits)
{
   const val n = ftoi(s, a), max = K(bits == 32 ? INT32_MAX : (1 << (bits - 1)) - 1);
   const val min = K(bits == 32 ? INT32_MIN : -(1 << (bits - 1)));
   const uint32_t limit = bits == 32 ? TWO_31 : bits == 16 ? 0x47000000u : 0x43000000u;
   val r = pick(s, gef(s, a, K(limit)), max, n);

   r = pick(s, lef(s, a, K(limit | SIGN)), min, r);
   return pick(s, nef(s, a, a), K(0), r);
}

static val
f2u(sel *s, val a, unsigned bits)
{
   const val n = ftoi(s, a), above = xor(s, ftoi(s, subf(s, a, K(TWO_31))), K(SIGN));
   const val max = K(bits == 32 ? -1 : (1 << bits) - 1);
   const uint32_t limit = bits == 32 ? 0x4f800000u : bits == 16 ? 0x47800000u : 0x43800000u;
   val r = bits == 32 ? pick(s, gef(s, a, K(TWO_31)), above, n) : n;

   r = pick(s, gef(s, a, K(limit)), max, r);
   return pick(s, gtf(s, a, K(0)), r, K(0));
}

/* From 2^31 on half of it, with what is cut off in the lowest bit. */
static val
u2f(sel *s, val a)
{
   const val half = itof(s, or (s, shr(s, a, K(1)), and(s, a, K(1))));

   return pick(s, lt(s, a, K(0)), addf(s, half, half), itof(s, a));
}

/* Halves */

static val
to_half(sel *s, val a, bool to_zero)
{
   const val m = magnitude(s, a), sign = shr(s, sign_of(s, a), K(16));
   const val up = to_zero ? K(0) : add(s, K(0xfff), and(s, shr(s, m, K(13)), K(1)));
   const val normal = shr(s, add(s, sub(s, m, K(0x38000000)), up), K(13));
   /* Below the smallest normal half the exponent of 1/2 is added: its units are those of halves. */
   val small = sub(s, addf(s, m, K(0x3f000000)), K(0x3f000000));

   if (to_zero) {
      const val scaled = mulf(s, m, K(0x4b800000)); /* 2^24 */
      small = ftoi(s, scaled);
   }
   val r = pick(s, ltu(s, m, K(0x38800000)), small, normal);
   /* Past the largest one: infinity, or that one. */
   r = pick(s, geu(s, m, K(to_zero ? 0x47800000 : 0x477ff000)), K(to_zero ? 0x7bff : 0x7c00), r);
   r = pick(s, eq(s, m, K(0x7f800000)), K(0x7c00), r);
   r = or (s, r, sign);
   return pick(s, nef(s, a, a), K(0x7e00), r);
}

static val
from_half(sel *s, val h)
{
   const val m = and(s, h, K(0x7fff)), sign = shl(s, and(s, h, K(0x8000)), K(16));
   const val small = mulf(s, itof(s, m), K(0x33800000)); /* 2^-24 */
   val r = pick(s, ltu(s, m, K(0x400)), small, add(s, shl(s, m, K(13)), K(0x38000000)));

   r = pick(s, geu(s, m, K(0x7c00)), K(0x7f800000), r);
   r = or (s, r, sign);
   return pick(s, gtu(s, m, K(0x7c00)), K(NAN_BITS), r);
}

static val
pack_halves(sel *s, const hd_def *src, bool to_zero)
{
   const val low = to_half(s, hd_nyuzi_part(s, src, 0), to_zero);
   const val high = to_half(s, hd_nyuzi_part(s, src, 1), to_zero);

   return or (s, low, shl(s, high, K(16)));
}

/* Numbers of a fixed point */

static val
pack_norm(sel *s, const hd_def *src, unsigned bits, bool is_signed)
{
   const uint32_t most = is_signed ? (1u << (bits - 1)) - 1 : (1u << bits) - 1;
   val whole = K(0);

   for (unsigned n = 0; n < 32 / bits; n++) {
      const val a = hd_nyuzi_part(s, src, n);
      val held =
          pick(s, gtf(s, a, K(is_signed ? ONE | SIGN : 0)), a, K(is_signed ? ONE | SIGN : 0));
      held = pick(s, ltf(s, held, K(ONE)), held, K(ONE));
      held = pick(s, nef(s, a, a), K(0), held);
      const val scaled = frint(s, mulf(s, held, itof(s, K(most))));
      const val number = and(s, ftoi(s, scaled), K((1u << bits) - 1));
      whole = n ? or (s, whole, shl(s, number, K(n * bits))) : number;
   }
   return whole;
}

static void
unpack_norm(sel *s, const hd_alu *alu, unsigned bits, bool is_signed)
{
   const uint32_t most = is_signed ? (1u << (bits - 1)) - 1 : (1u << bits) - 1;
   const val a = hd_nyuzi_part(s, alu->src[0].def, 0);
   val parts[4];

   for (unsigned n = 0; n < 32 / bits; n++) {
      const val up = shl(s, a, K(32 - bits - n * bits));
      val number = is_signed ? ashr(s, up, K(32 - bits)) : shr(s, up, K(32 - bits));
      if (is_signed)
         number = pick(s, lt(s, number, K(-(int32_t)most)), K(-(int32_t)most), number);
      parts[n] = hd_nyuzi_divide(s, itof(s, number), itof(s, K(most)));
   }
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
}

/* Which ones there are */

static val
compare(sel *s, hd_op op, const val *x)
{
   switch (op) {
   case HD_OP_FNE:
      return hd_nyuzi_logic(s, HD_NYUZI_OR, ltf(s, x[0], x[1]), gtf(s, x[0], x[1]));
   case HD_OP_FEQU:
      return hd_nyuzi_not(s,
                          hd_nyuzi_logic(s, HD_NYUZI_OR, ltf(s, x[0], x[1]), gtf(s, x[0], x[1])));
   case HD_OP_FLTU:
      return hd_nyuzi_not(s, gef(s, x[0], x[1]));
   case HD_OP_FLEU:
      return hd_nyuzi_not(s, gtf(s, x[0], x[1]));
   case HD_OP_FORD:
      return hd_nyuzi_not(s, unordered(s, x[0], x[1]));
   case HD_OP_FUNORD:
      return unordered(s, x[0], x[1]);
   default:
      return (val){ 0 };
   }
}

static val
arithmetic(sel *s, hd_op op, const val *x)
{
   switch (op) {
   case HD_OP_FNEG:
      return xor(s, x[0], K(SIGN));
   case HD_OP_FABS:
      return magnitude(s, x[0]);
   case HD_OP_FCOPYSIGN:
      return or (s, magnitude(s, x[0]), sign_of(s, x[1]));
   case HD_OP_FSIGN:
      return fsign(s, x[0]);
   case HD_OP_FMIN:
      return lesser(s, x[0], x[1]);
   case HD_OP_FMAX:
      return greater(s, x[0], x[1]);
   case HD_OP_FMIN3:
      return lesser(s, lesser(s, x[0], x[1]), x[2]);
   case HD_OP_FMAX3:
      return greater(s, greater(s, x[0], x[1]), x[2]);
   case HD_OP_FMED3:
      return fmed3(s, x);
   case HD_OP_FSAT:
      return fsat(s, x[0]);
   case HD_OP_FCANONICALIZE:
      return canonical(s, x[0]);
   case HD_OP_FQUANTIZE16:
      return fquantize16(s, x[0]);
   case HD_OP_FFLOOR:
      return ffloor(s, x[0]);
   case HD_OP_FCEIL:
      return fceil(s, x[0]);
   case HD_OP_FTRUNC:
      return ftrunc(s, x[0]);
   case HD_OP_FRINT:
      return frint(s, x[0]);
   case HD_OP_FFRACT:
      return ffract(s, x[0]);
   case HD_OP_FDIV:
      return hd_nyuzi_divide(s, x[0], x[1]);
   case HD_OP_FRCP:
      return hd_nyuzi_divide(s, K(ONE), x[0]);
   case HD_OP_FSQRT:
      return hd_nyuzi_square_root(s, x[0]);
   case HD_OP_FRSQ:
      return hd_nyuzi_inverse_root(s, x[0]);
   case HD_OP_FFMA:
      return hd_nyuzi_fma(s, x[0], x[1], x[2]);
   case HD_OP_FLDEXP:
      return hd_nyuzi_ldexp(s, x[0], x[1]);
   case HD_OP_FFREXP_SIG:
      return hd_nyuzi_frexp_sig(s, x[0]);
   case HD_OP_FFREXP_EXP:
      return hd_nyuzi_frexp_exp(s, x[0]);
   default:
      return (val){ 0 };
   }
}

/* An operand of fewer bits is extended before. */
static val
convert(sel *s, const hd_alu *alu, val a)
{
   const unsigned from = alu->src[0].def->bit_size, to = alu->instr.def.bit_size;

   switch ((hd_op)alu->instr.op) {
   case HD_OP_B2F:
      return to == 32 ? pick(s, a, K(ONE), K(0)) : (val){ 0 };
   case HD_OP_U2F:
   case HD_OP_U2F_RNE:
      if (to != 32 || from > 32)
         return (val){ 0 };
      return from == 32 ? u2f(s, a) : itof(s, and(s, a, K((1u << from) - 1)));
   case HD_OP_I2F:
   case HD_OP_I2F_RNE:
      if (to != 32 || from > 32)
         return (val){ 0 };
      return itof(s, from == 8 ? sext8(s, a) : from == 16 ? sext16(s, a) : a);
   default:
      break;
   }
   if (from != 32 || to > 32)
      return (val){ 0 };
   switch ((hd_op)alu->instr.op) {
   case HD_OP_F2F:
   case HD_OP_F2F_RNE:
   case HD_OP_F2F_RTZ:
   case HD_OP_F2F_RU:
   case HD_OP_F2F_RD:
      return to == 32 ? canonical(s, a) : (val){ 0 };
   case HD_OP_F2I:
      return f2i(s, a, to);
   case HD_OP_F2U:
      return f2u(s, a, to);
   case HD_OP_F2I_RNE:
      return f2i(s, frint(s, a), to);
   case HD_OP_F2U_RNE:
      return f2u(s, frint(s, a), to);
   case HD_OP_F2I_RU:
      return f2i(s, fceil(s, a), to);
   case HD_OP_F2U_RU:
      return f2u(s, fceil(s, a), to);
   case HD_OP_F2I_RD:
      return f2i(s, ffloor(s, a), to);
   case HD_OP_F2U_RD:
      return f2u(s, ffloor(s, a), to);
   default:
      return (val){ 0 };
   }
}

static val
pack(sel *s, const hd_alu *alu)
{
   const hd_def *src = alu->src[0].def;

   switch ((hd_op)alu->instr.op) {
   case HD_OP_PACK_HALF_2X16:
      return pack_halves(s, src, false);
   case HD_OP_PACK_HALF_2X16_RTZ:
      return pack_halves(s, src, true);
   case HD_OP_PACK_UNORM_2X16:
      return pack_norm(s, src, 16, false);
   case HD_OP_PACK_SNORM_2X16:
      return pack_norm(s, src, 16, true);
   case HD_OP_PACK_UNORM_4X8:
      return pack_norm(s, src, 8, false);
   case HD_OP_PACK_SNORM_4X8:
      return pack_norm(s, src, 8, true);
   default:
      return (val){ 0 };
   }
}

static bool
unpack(sel *s, const hd_alu *alu)
{
   switch ((hd_op)alu->instr.op) {
   case HD_OP_UNPACK_HALF_2X16: {
      const val a = hd_nyuzi_part(s, alu->src[0].def, 0);
      hd_nyuzi_set_parts(s, &alu->instr.def,
                         (val[]){ from_half(s, a), from_half(s, shr(s, a, K(16))) });
      return true;
   }
   case HD_OP_UNPACK_UNORM_2X16:
      unpack_norm(s, alu, 16, false);
      return true;
   case HD_OP_UNPACK_SNORM_2X16:
      unpack_norm(s, alu, 16, true);
      return true;
   case HD_OP_UNPACK_UNORM_4X8:
      unpack_norm(s, alu, 8, false);
      return true;
   case HD_OP_UNPACK_SNORM_4X8:
      unpack_norm(s, alu, 8, true);
      return true;
   default:
      return false;
   }
}

bool
hd_nyuzi_float_op(sel *s, const hd_alu *alu, const val *x, val *result)
{
   const hd_op op = (hd_op)alu->instr.op;
   const unsigned from = alu->src[0].def->bit_size, to = alu->instr.def.bit_size;

   *result = (val){ 0 };
   if (unpack(s, alu))
      return true;
   *result = convert(s, alu, x[0]);
   if (!result->size && from == 32 && (to == 32 || to == 1)) {
      *result = pack(s, alu);
      if (!result->size)
         *result = to == 1 ? compare(s, op, x) : arithmetic(s, op, x);
   }
   return result->size != 0;
}
