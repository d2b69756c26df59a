/* SPDX-License-Identifier: MIT */
/* lower_idiv.c - expand integer division and remainder to multiplications and reciprocals.
 *
 *    %2 = udiv %1, 10         =>     %2 = ushr (umulhi %1, 0xcccccccd), 3
 *    %3 = udiv %1, %2         =>     an estimate from frcp of %2, corrected twice
 *
 * Newton-Raphson iteration on the reciprocal; the proof of its error bounds is below.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    constant operands that opt_algebraic folds; 64-bit products and 8- and 16-bit
 *            arithmetic to the passes that lower those, so it comes before them.
 * Tests:     tests/passes/lower_idiv.hd, tests/passes/test_lower_idiv.c
 *
 * Divisors that are constants: lower_idiv_const.c. For the others, y is the divisor, x the
 * dividend, u = 2^-24, [x] is x rounded down. All float steps are in 32 bits. A machine's
 * reciprocal may be off by one unit in the last place, a relative 2u; products may be rounded to
 * zero, a relative error from -2u to u; conversions round to nearest, a relative error of at most
 * u.
 *
 * 8 and 16 bits. q = (x + 1/2) * rcp(y), cut off. x + 1/2 is exact. The true (x + 1/2) / y is at
 * least 1 / 2y away from the nearest integers that could matter, [x / y] and [x / y] + 1; the
 * errors add up to a relative 5u, so to at most 2^16 5u / y < 1 / 2y. y = 0 gives an infinity,
 * that the conversion makes 2^32 - 1, all ones; and the remainder x - q 0 is x. Signed: the same
 * with 1/2 of the sign of x, and the quotient -1 for y = 0 is chosen.
 *
 * 32 bits, M = 2^32. z0 = [rcp(y) * c] with c = M (1 - 4u), then z = z0 + [z0 E / M] with
 * E = M - z0 y, computed as -y z0 modulo M.
 *   z0 y <= M (1 - 4u)(1 + 2u)(1 + u) / (1 - u) < M, so E > 0 and z0 < M. E wraps only if z0 = 0;
 *   then it becomes 0, z and the estimate are 0, and as y > M / 3, what follows holds.
 *   z0 y >  M (1 - 4u)(1 - 2u)(1 - 2u) / (1 + u) - y, so E < M 9u + y = 2304 + y.
 *   z  y <= z0 y (1 + E / M) = (M - E)(1 + E / M) < M, so z never is too large.
 *   z  y >  M - E^2 / M - y.
 * The estimate q = [x z / M] therefore is at most x / y, and falls short of it by less than
 *   1 + (E^2 / M + y) / y = 2 + E^2 / (M y) < 3 where y <= M / 3, because (2304 + y)^2 < M y at
 * both ends, 1 and M / 3, and (2304 + y)^2 / y is convex. Where y > M / 3 the quotient is at
 * most 2. So the quotient is q, q + 1 or q + 2: x - q y does not wrap, and two corrections are
 * enough. y = 0: z0 is M - 1, and all products with y are 0; the remainder stays x through both
 * corrections, and the quotient, which is not right, is replaced by all ones.
 *   A correction of the remainder is umin(r, r - y): if r < y the difference wraps to more than r.
 *
 * 64 bits, M = 2^64. The float of y is ffma(high, 2^32, low), with a relative error from -3u to
 * 2u + u^2; c = M (1 - 8u). z0 is cut off exactly: its upper half is the product / 2^32, cut off,
 * its lower half what is left. As above 0 < E < e + y, now with e = M 15u < 2^44. A step takes E
 * to E' < E^2 / M + y; there are two. After the first E < (e + y)^2 / M + y, and the estimate falls
 * short by less than 2 + E^2 / (M y) < 3 where y <= M / 3:
 *   y <= 2^44:  (e + y)^2 / M < 2^26, and (2^26 + y)^2 < M y;
 *   y >  2^44:  with t = y / M <= 1/3, and (1 + e / y)^2 < 4 below 2^62 and < 1.0001 above 2^60,
 *               E^2 / (M y) < t (1 + 4t)^2 < 1 for t < 1/16, and t (1 + 1.0001 t)^2 < 0.6.
 *
 * Signed division divides the magnitudes; what was negative is negated after it.
 *
 * Where the machine has an unsigned quotient (quotient=0), 32 bits are that, and fewer bits are 32.
 */
#include "passes/lower_idiv.h"
#include "heddle/build_ops.h"

#include <assert.h>

/* Floats as bits: 32 bits. */
#define FLOAT_HALF       UINT32_C(0x3f000000)
#define FLOAT_2_32       UINT32_C(0x4f800000)
#define FLOAT_MINUS_2_32 UINT32_C(0xcf800000)
#define FLOAT_2_M32      UINT32_C(0x2f800000)
#define FLOAT_2_32_LESS  UINT32_C(0x4f7ffffc) /* 2^32 (1 - 4u) */
#define FLOAT_2_64_LESS  UINT32_C(0x5f7ffff8) /* 2^64 (1 - 8u) */

static hd_def *
imm32(hd_builder *b, const hd_def *like, uint32_t bits)
{
   return hd_lower_imm(b, like->num_components, 32, bits);
}

/* 8 and 16 bits */

static hd_def *
divide_small(hd_builder *b, hd_op op, hd_def *x, hd_def *y)
{
   const bool is_signed = op != HD_OP_UDIV && op != HD_OP_UREM;
   const unsigned bits = x->bit_size;
   hd_def *fx, *fy, *half = imm32(b, x, FLOAT_HALF), *q;

   if (is_signed) {
      fx = hd_i2f_rne(b, x, 32);
      fy = hd_i2f_rne(b, y, 32);
      half = hd_fcopysign(b, half, fx);
   } else {
      fx = hd_u2f_rne(b, x, 32);
      fy = hd_u2f_rne(b, y, 32);
   }
   fy = hd_frcp(b, fy);
   q = hd_fmul(b, hd_fadd(b, fx, half), fy);
   q = is_signed ? hd_f2i(b, q, 32) : hd_f2u(b, q, 32);
   if (op == HD_OP_UDIV)
      return hd_u2u(b, q, bits);
   if (op == HD_OP_IDIV) {
      hd_def *zero = hd_ieq(b, y, hd_lower_imm_like(b, y, 0));
      hd_def *ones = hd_lower_imm_like(b, x, UINT64_MAX);
      return hd_select(b, zero, ones, hd_u2u(b, q, bits));
   }
   x = is_signed ? hd_i2i(b, x, 32) : hd_u2u(b, x, 32);
   y = is_signed ? hd_i2i(b, y, 32) : hd_u2u(b, y, 32);
   return hd_u2u(b, hd_isub(b, x, hd_imul(b, q, y)), bits);
}

/* 32 and 64 bits: 2^N / y, at most, and a little less */

/* One step: as many bits again. */
static hd_def *
refine(hd_builder *b, hd_def *z, hd_def *minus_y)
{
   return hd_iadd(b, z, hd_umulhi(b, z, hd_imul(b, minus_y, z)));
}

static hd_def *
reciprocal_32(hd_builder *b, hd_def *y)
{
   hd_def *r = hd_frcp(b, hd_u2f_rne(b, y, 32));
   hd_def *z = hd_f2u(b, hd_fmul(b, r, imm32(b, y, FLOAT_2_32_LESS)), 32);

   return refine(b, z, hd_ineg(b, y));
}

static hd_def *
reciprocal_64(hd_builder *b, hd_def *y)
{
   hd_def *low = hd_u2u(b, y, 32), *high = hd_u2u(b, hd_ushr(b, y, imm32(b, y, 32)), 32);
   hd_def *word = imm32(b, y, FLOAT_2_32), *float_low = hd_u2f_rne(b, low, 32);
   hd_def *float_y = hd_ffma(b, hd_u2f_rne(b, high, 32), word, float_low);
   hd_def *c = imm32(b, y, FLOAT_2_64_LESS), *scale = imm32(b, y, FLOAT_2_M32);
   hd_def *p = hd_fmul(b, hd_frcp(b, float_y), c);
   hd_def *upper = hd_ftrunc(b, hd_fmul(b, p, scale));
   hd_def *lower = hd_ffma(b, upper, imm32(b, y, FLOAT_MINUS_2_32), p);
   hd_def *z = hd_u2u(b, hd_f2u(b, upper, 32), 64), *minus_y = hd_ineg(b, y);

   z = hd_ishl(b, z, imm32(b, y, 32));
   z = hd_ior(b, z, hd_u2u(b, hd_f2u(b, lower, 32), 64));
   return refine(b, refine(b, z, minus_y), minus_y);
}

static hd_def *
divide_unsigned(hd_builder *b, const lower_idiv_options *o, hd_def *x, hd_def *y, bool remainder)
{
   const unsigned bits = x->bit_size;

   if (bits == 32 && !o->quotient) {
      hd_def *quotient = hd_udiv(b, x, y);
      return remainder ? hd_isub(b, x, hd_imul(b, quotient, y)) : quotient;
   }
   hd_def *z = bits == 32 ? reciprocal_32(b, y) : reciprocal_64(b, y);
   hd_def *q = hd_umulhi(b, x, z);
   hd_def *r = hd_isub(b, x, hd_imul(b, q, y));
   hd_def *r1 = hd_umin(b, r, hd_isub(b, r, y));

   if (remainder)
      return hd_umin(b, r1, hd_isub(b, r1, y));
   q = hd_iadd(b, q, hd_b2i(b, hd_ule(b, y, r), bits));
   q = hd_iadd(b, q, hd_b2i(b, hd_ule(b, y, r1), bits));
   return q;
}

/* x / 0 is all ones. */
static hd_def *
unless_zero(hd_builder *b, hd_def *y, hd_def *quotient)
{
   hd_def *zero = hd_ieq(b, y, hd_lower_imm_like(b, y, 0));

   return hd_select(b, zero, hd_lower_imm_like(b, quotient, UINT64_MAX), quotient);
}

/* -q where the mask is all ones, q where it is zero. */
static hd_def *
negate_where(hd_builder *b, hd_def *mask, hd_def *q)
{
   return hd_isub(b, hd_ixor(b, q, mask), mask);
}

static hd_def *
is_negative(hd_builder *b, hd_def *x)
{
   return hd_ilt(b, x, hd_lower_imm_like(b, x, 0));
}

static hd_def *
divide_signed(hd_builder *b, const lower_idiv_options *o, hd_op op, hd_def *x, hd_def *y)
{
   hd_def *last = imm32(b, x, x->bit_size - 1u);
   hd_def *sign = hd_ishr(b, op == HD_OP_IDIV ? hd_ixor(b, x, y) : x, last);
   hd_def *abs_x = hd_iabs(b, x), *abs_y = hd_iabs(b, y);
   hd_def *magnitude = divide_unsigned(b, o, abs_x, abs_y, op != HD_OP_IDIV);
   hd_def *result = negate_where(b, sign, magnitude);

   /* The sign of x is compared besides. */
   if (op == HD_OP_IMOD) {
      hd_def *minus = is_negative(b, x), *negated = hd_ineg(b, magnitude);
      return hd_select(b, minus, negated, magnitude);
   }
   return op == HD_OP_IDIV ? unless_zero(b, y, result) : result;
}

/* Both are zero extended from 32 bits: so is the result, but for x / 0. */
static hd_def *
divide_extended(hd_builder *b, const lower_idiv_options *o, hd_op op, hd_def *x32, hd_def *y32)
{
   if (op == HD_OP_UDIV || op == HD_OP_IDIV) {
      hd_def *q = divide_unsigned(b, o, x32, y32, false);
      return unless_zero(b, y32, hd_u2u(b, q, 64));
   }
   return hd_u2u(b, divide_unsigned(b, o, x32, y32, true), 64);
}

/* What a 64-bit value was zero extended from, in 32 bits; or NULL. */
static hd_def *
extended_from(hd_builder *b, hd_def *def)
{
   const hd_instr *i = hd_def_instr(def);

   if (i->kind == HD_INSTR_ALU && i->op == HD_OP_U2U) {
      hd_def *from = hd_instr_src(i, 0)->def;
      if (from->bit_size > 32)
         return NULL;
      return from->bit_size == 32 ? from : hd_u2u(b, from, 32);
   }
   return NULL;
}

static hd_def *divide(hd_builder *b, const lower_idiv_options *o, hd_op op, hd_def *x, hd_def *y);

/* Of 8 and 16 bits, in 32: what is x / 0 there is so here. */
static hd_def *
divide_in_words(hd_builder *b, const lower_idiv_options *o, hd_op op, hd_def *x, hd_def *y)
{
   const bool is_signed = op != HD_OP_UDIV && op != HD_OP_UREM;
   hd_def *wide_x = is_signed ? hd_i2i(b, x, 32) : hd_u2u(b, x, 32);
   hd_def *wide_y = is_signed ? hd_i2i(b, y, 32) : hd_u2u(b, y, 32);

   return hd_u2u(b, divide(b, o, op, wide_x, wide_y), x->bit_size);
}

/* By what is not known. */
static hd_def *
divide(hd_builder *b, const lower_idiv_options *o, hd_op op, hd_def *x, hd_def *y)
{
   const unsigned bits = x->bit_size;
   hd_def *result, *x32, *y32;

   if (bits == 64 && (x32 = extended_from(b, x)) && (y32 = extended_from(b, y)))
      return divide_extended(b, o, op, x32, y32);
   if (bits < 32 && !o->quotient)
      return divide_in_words(b, o, op, x, y);
   if (bits < 32)
      result = divide_small(b, op == HD_OP_IMOD ? HD_OP_IREM : op, x, y);
   else if (op == HD_OP_UREM)
      return divide_unsigned(b, o, x, y, true);
   else if (op == HD_OP_UDIV)
      return bits == 32 && !o->quotient ? divide_unsigned(b, o, x, y, false)
                                        : unless_zero(b, y, divide_unsigned(b, o, x, y, false));
   else
      result = divide_signed(b, o, op, x, y);
   if (op != HD_OP_IMOD)
      return result;
   /* The remainder has the sign of x; the modulus has that of y, or is the remainder if y is 0. */
   hd_def *minus = is_negative(b, x), *other = is_negative(b, y);
   hd_def *differ = hd_ixor(b, minus, other);
   hd_def *wrong = hd_iand(b, differ, hd_ine(b, result, hd_lower_imm_like(b, x, 0)));
   return hd_select(b, wrong, hd_iadd(b, result, y), result);
}

static hd_def *
lower_division(hd_builder *b, hd_instr *i, void *user)
{
   const lower_idiv_options *o = user;

   if (i->kind != HD_INSTR_ALU)
      return NULL;
   switch (i->op) {
   case HD_OP_UDIV:
   case HD_OP_IDIV:
   case HD_OP_UREM:
   case HD_OP_IREM:
   case HD_OP_IMOD:
      break;
   default:
      return NULL;
   }
   hd_def *x = hd_instr_src(i, 0)->def, *y = hd_instr_src(i, 1)->def;
   assert(x && y);
   const hd_const *c = hd_instr_as_const(hd_def_instr(y));

   /* Zero even where it is undef, which the steps below would make of it. */
   if (x == y && hd_op_get_info((hd_op)i->op)->same == HD_SAME_ZERO)
      return hd_lower_imm_like(b, x, 0);
   /* The proofs need these steps as they stand. */
   b->flags = HD_FP_EXACT;
   if (!c && i->op == HD_OP_UDIV && x->bit_size == 32 && !o->quotient)
      return NULL;
   if (!c)
      return divide(b, o, (hd_op)i->op, x, y);
   if (hd_lower_is_splat(c))
      return hd_divide_by_const(b, (hd_op)i->op, x, hd_lower_const(c, 0));
   hd_def *parts[HD_MAX_COMPONENTS];
   for (unsigned n = 0; n < x->num_components; n++) {
      hd_def *part = hd_build_channel(b, x, n);
      parts[n] = hd_divide_by_const(b, (hd_op)i->op, part, hd_lower_const(c, n));
   }
   return hd_build_vec(b, x->num_components, parts);
}

bool
hd_lower_idiv(hd_function *f, const lower_idiv_options *o)
{
   lower_idiv_options options = *o;

   return hd_progress(f, hd_lower_instrs(f, lower_division, &options), LOWER_IDIV_KEEPS);
}
