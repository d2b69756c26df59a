/* SPDX-License-Identifier: MIT */
/* lower_int64_float.c - conversions of 64-bit integers from and to floats, and to other sizes.
 *
 * All steps that must not round are exact: scaling by a power of two within the range of normal
 * numbers, and ffma where the true result fits. So they don't depend on the shader's rounding, and
 * denormals don't occur but as operands, where the first op flushes them or doesn't as the
 * conversion would.
 */
#include "heddle/build_ops.h"
#include "passes/lower_int64.h"

typedef enum rounding { AS_SHADER, NEAREST, TO_ZERO, UP, DOWN } rounding;

#define TWO_32 4294967296.0

hd_def *
hd_int64_imm_float(const int64_op *o, unsigned bits, double value)
{
   hd_const_value v[HD_MAX_COMPONENTS] = { { .u64 = 0 } };

   for (unsigned c = 0; c < o->n; c++) {
      if (bits == 64)
         v[c].f64 = value;
      else
         v[c].f32 = (float)value;
   }
   return hd_imm(o->b, o->n, bits, v);
}

static hd_def *
one_source(const int64_op *o, hd_op op, hd_def *x, unsigned bits)
{
   return hd_build_alu(o->b, op, 1, &x, bits);
}

/* From integers */

/* 16 bits. What is past 32 bits is past the greatest float as well, and rounds like anything else
 * that is: like the greatest number of 32 bits with its sign.
 */
static hd_def *
to_float16(const int64_op *o, bool is_signed)
{
   hd_builder *b = o->b;
   const int64_pair x = o->pair[0];
   hd_def *fits, *most;

   if (is_signed) {
      hd_def *sign = hd_ishr(b, x.hi, int64_imm(o, 31));
      fits = hd_ieq(b, x.hi, hd_ishr(b, x.lo, int64_imm(o, 31)));
      most = hd_ixor(b, sign, int64_imm(o, UINT32_C(0x7fffffff)));
   } else {
      fits = hd_ieq(b, x.hi, int64_imm(o, 0));
      most = int64_imm(o, UINT32_MAX);
   }
   return one_source(o, o->op, hd_select(b, fits, x.lo, most), 16);
}

/* 32 bits. The number is shifted up as far as it goes, but for the sign; of the lower word it then
 * matters only whether it is zero, which one more bit below the upper word tells as well. That word
 * has at least 31 bits without its sign where the lower one is not zero, 24 of which stay, so the
 * bit that tells is below all that decides: v, between two neighbouring even numbers, becomes the
 * odd number between them. The op for 32 bits rounds once, as the op for 64 would, and scaling back
 * is exact.
 */
static hd_def *
to_float32(const int64_op *o, bool is_signed)
{
   hd_builder *b = o->b;
   int64_pair x = o->pair[0];
   hd_def *top = is_signed ? hd_int64_ifind_msb(o, x) : hd_int64_ufind_msb(o, x);
   /* 63 and 62 for no bit at all: a shift of 0 or -1 by anything is right. */
   hd_def *up = hd_isub(b, int64_imm(o, is_signed ? 62 : 63), top);

   up = hd_umin(b, up, int64_imm(o, 63));
   x = hd_int64_shift_by(o, HD_OP_ISHL, x, up);
   hd_def *rest = hd_b2i(b, hd_ine(b, x.lo, int64_imm(o, 0)), 32);
   hd_def *f = one_source(o, o->op, hd_ior(b, x.hi, rest), 32);
   return hd_fldexp(b, f, hd_isub(b, int64_imm(o, 32), up));
}

/* high * 2^32 + low, rounded once as the shader says for 64 bits. */
static hd_def *
join_double(const int64_op *o, hd_def *high, hd_def *low, bool is_signed)
{
   hd_builder *b = o->b;
   hd_def *h = is_signed ? hd_i2f(b, high, 64) : hd_u2f(b, high, 64), *l = hd_u2f(b, low, 64);

   return hd_ffma(b, h, hd_int64_imm_float(o, 64, TWO_32), l);
}

/* 64 bits, rounded otherwise than ffma would. The bits that don't fit are cut off, which is
 * rounding down; where it should be up, one unit of the last place is added. Both are exact: the
 * sum is a multiple of that unit and no greater than 2^53 of it.
 */
static hd_def *
to_double(const int64_op *o, bool is_signed, rounding mode)
{
   hd_builder *b = o->b;
   const int64_pair x = o->pair[0];
   hd_def *top = is_signed ? hd_int64_ifind_msb(o, x) : hd_int64_ufind_msb(o, x);
   hd_def *zero = int64_imm(o, 0), *one = int64_imm(o, 1);
   /* The number of bits that don't fit, 0 to 11; -1 for the top must not become large. */
   hd_def *excess = hd_imax(b, hd_isub(b, top, int64_imm(o, 52)), zero);
   hd_def *unit = hd_ishl(b, one, excess);
   hd_def *cut = hd_iand(b, x.lo, hd_isub(b, unit, one)), *up = hd_ine(b, cut, zero);
   hd_def *f = join_double(o, x.hi, hd_isub(b, x.lo, cut), is_signed);

   if (mode == NEAREST) {
      hd_def *half = hd_ushr(b, unit, one);
      hd_def *odd = hd_ine(b, hd_iand(b, x.lo, unit), zero);
      hd_def *tie = hd_iand(b, up, hd_ieq(b, cut, half));
      up = hd_iand(b, tie, odd);
      up = hd_ior(b, up, hd_ult(b, half, cut));
   } else if (mode == TO_ZERO && is_signed) {
      up = hd_iand(b, up, hd_ilt(b, x.hi, zero));
   } else if (mode == TO_ZERO || mode == DOWN) {
      return f;
   }
   return hd_fadd(b, f, hd_u2f(b, hd_select(b, up, unit, zero), 64));
}

static hd_def *
to_float(const int64_op *o, bool is_signed, rounding mode)
{
   const bool to_zero = o->b->shader->float_controls & HD_FLOAT_RTZ_64;

   if (o->bits == 16)
      return to_float16(o, is_signed);
   if (o->bits == 32)
      return to_float32(o, is_signed);
   if (mode == AS_SHADER || mode == (to_zero ? TO_ZERO : NEAREST))
      return join_double(o, o->pair[0].hi, o->pair[0].lo, is_signed);
   return to_double(o, is_signed, mode);
}

/* From floats */

/* Of a whole number that is not negative: its words, and whether it is `limit` * 2^32 or more. */
static int64_pair
split_float(const int64_op *o, hd_def *x, double limit, hd_def **past)
{
   hd_builder *b = o->b;
   const unsigned bits = x->bit_size;
   hd_def *scaled = hd_fmul(b, x, hd_int64_imm_float(o, bits, 1 / TWO_32));
   hd_def *high = hd_ftrunc(b, scaled);
   hd_def *low = hd_ffma(b, high, hd_int64_imm_float(o, bits, -TWO_32), x);

   *past = hd_fle(b, hd_int64_imm_float(o, bits, limit), high);
   return (int64_pair){ hd_f2u(b, low, 32), hd_f2u(b, high, 32) };
}

static hd_def *
rounded(const int64_op *o, hd_def *x, rounding mode)
{
   switch (mode) {
   case NEAREST:
      return hd_frint(o->b, x);
   case UP:
      return hd_fceil(o->b, x);
   case DOWN:
      return hd_ffloor(o->b, x);
   default:
      return hd_ftrunc(o->b, x);
   }
}

/* 16 bits: the op for 32 has the answer, but for infinities, which it makes its own limits. */
static int64_pair
from_float16(const int64_op *o, bool is_signed)
{
   hd_builder *b = o->b;
   hd_def *x = one_source(o, o->op, o->src[0], 32);
   hd_def *most = int64_imm(o, is_signed ? UINT32_C(0x7fffffff) : UINT32_MAX);
   hd_def *zero = int64_imm(o, 0), *all = int64_imm(o, UINT32_MAX);
   hd_def *infinite = hd_ieq(b, x, most);

   if (!is_signed)
      return (int64_pair){ x, hd_select(b, infinite, all, zero) };
   hd_def *least = int64_imm(o, UINT32_C(0x80000000));
   hd_def *below = hd_ieq(b, x, least), *sign = hd_ishr(b, x, int64_imm(o, 31));
   hd_def *low = hd_select(b, infinite, all, hd_select(b, below, zero, x));
   return (int64_pair){ low, hd_select(b, hd_ior(b, infinite, below), x, sign) };
}

/* NaN fails every compare, and each of its words is 0. */
static int64_pair
from_float(const int64_op *o, bool is_signed, rounding mode)
{
   hd_builder *b = o->b;
   const unsigned bits = o->src[0]->bit_size;
   hd_def *x = rounded(o, o->src[0], mode), *past, *zero = int64_imm(o, 0);
   hd_def *all = int64_imm(o, UINT32_MAX);
   int64_pair r;

   if (!is_signed) {
      /* The words of a negative number are not positive, and become 0; the upper one of what is
       * too large becomes all ones by itself.
       */
      r = split_float(o, x, TWO_32, &past);
      r.lo = hd_select(b, past, all, r.lo);
      return r;
   }
   hd_def *negative = hd_flt(b, x, hd_int64_imm_float(o, bits, 0));
   hd_def *mask = hd_int64_mask(o, negative);
   hd_def *most = hd_ixor(b, mask, int64_imm(o, UINT32_C(0x7fffffff)));
   r = hd_int64_negate_where(o, mask, split_float(o, hd_fabs(b, x), TWO_32 / 2, &past));
   return hd_int64_select(o, past, (int64_pair){ hd_select(b, negative, zero, all), most }, r);
}

/* Sizes */

static hd_def *
resized(const int64_op *o, hd_def *x, unsigned bits, bool is_signed)
{
   if (x->bit_size == bits)
      return x;
   return is_signed ? hd_i2i(o->b, x, bits) : hd_u2u(o->b, x, bits);
}

static int64_pair
resize(const int64_op *o, bool is_signed)
{
   int64_pair r = o->pair[0];

   if (o->bits < 64)
      return (int64_pair){ resized(o, r.lo, o->bits, false), NULL };
   if (r.lo)
      return r;
   r.lo = resized(o, o->src[0], 32, is_signed);
   r.hi = is_signed ? hd_ishr(o->b, r.lo, int64_imm(o, 31)) : int64_imm(o, 0);
   return r;
}

static rounding
mode_of(hd_op op)
{
   switch (op) {
   case HD_OP_U2F_RNE:
   case HD_OP_I2F_RNE:
   case HD_OP_F2U_RNE:
   case HD_OP_F2I_RNE:
      return NEAREST;
   case HD_OP_U2F_RTZ:
   case HD_OP_I2F_RTZ:
      return TO_ZERO;
   case HD_OP_U2F_RU:
   case HD_OP_I2F_RU:
   case HD_OP_F2U_RU:
   case HD_OP_F2I_RU:
      return UP;
   case HD_OP_U2F_RD:
   case HD_OP_I2F_RD:
   case HD_OP_F2U_RD:
   case HD_OP_F2I_RD:
      return DOWN;
   default:
      return AS_SHADER;
   }
}

int64_pair
hd_int64_convert(const int64_op *o)
{
   const rounding mode = mode_of(o->op);

   switch (o->op) {
   case HD_OP_U2U:
   case HD_OP_I2I:
      return resize(o, o->op == HD_OP_I2I);
   case HD_OP_B2I:
      return (int64_pair){ hd_b2i(o->b, o->src[0], 32), int64_imm(o, 0) };
   case HD_OP_U2F:
   case HD_OP_U2F_RNE:
   case HD_OP_U2F_RTZ:
   case HD_OP_U2F_RU:
   case HD_OP_U2F_RD:
      return (int64_pair){ to_float(o, false, mode), NULL };
   case HD_OP_I2F:
   case HD_OP_I2F_RNE:
   case HD_OP_I2F_RTZ:
   case HD_OP_I2F_RU:
   case HD_OP_I2F_RD:
      return (int64_pair){ to_float(o, true, mode), NULL };
   default: {
      const bool is_signed = o->op != HD_OP_F2U && o->op != HD_OP_F2U_RNE &&
                             o->op != HD_OP_F2U_RU && o->op != HD_OP_F2U_RD;
      return o->src[0]->bit_size == 16 ? from_float16(o, is_signed)
                                       : from_float(o, is_signed, mode);
   }
   }
}
