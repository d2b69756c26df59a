/* SPDX-License-Identifier: MIT */
/* lane_float.h - floating point of one lane, for the expressions of gcn_sem*.py.
 *
 * A mode `m` is in scope. fin flushes an operand and fout a result, where the mode says so; frnd is
 * the mode to round in. Numbers are encodings, as in util/float.h; arithmetic returns its
 * canonical NaN for every NaN.
 */
#ifndef HEDDLE_BACKEND_GCN_SIM_LANE_FLOAT_H
#define HEDDLE_BACKEND_GCN_SIM_LANE_FLOAT_H

#include "util/float_host.h"

#include "backend/gcn/sim/exec.h"
#include "backend/gcn/sim/lane_bits.h"

/* The mode of 32 bits, and that of 16 and 64. */
#define frnd(bits) ((bits) == 32 ? m->round32 : m->round64)
#define fin(bits, x)                                                                               \
   (((bits) == 32 ? m->flush_in32 : m->flush_in64) ? hd_float_flush(bits, x) : (x))
#define fout(bits, x) float_out(m, bits, x)

LANE_INLINE uint64_t
float_out(const hd_gcn_mode *m, unsigned bits, uint64_t x)
{
   return (bits == 32 ? m->flush_out32 : m->flush_out64) ? hd_float_flush(bits, x) : x;
}

/* Arithmetic ----------------------------------------------------------------------------------- */

#define fadd(bits, a, b) fout(bits, hd_float_add(bits, fin(bits, a), fin(bits, b), frnd(bits)))
#define fsub(bits, a, b) fout(bits, hd_float_sub(bits, fin(bits, a), fin(bits, b), frnd(bits)))
#define fmul(bits, a, b) fout(bits, hd_float_mul(bits, fin(bits, a), fin(bits, b), frnd(bits)))
#define ffma(bits, a, b, c)                                                                        \
   fout(bits, hd_float_fma(bits, fin(bits, a), fin(bits, b), fin(bits, c), frnd(bits)))
#define flt(bits, a, b)    hd_float_lt(bits, fin(bits, a), fin(bits, b))
#define fle(bits, a, b)    hd_float_le(bits, fin(bits, a), fin(bits, b))
#define feq(bits, a, b)    hd_float_eq(bits, fin(bits, a), fin(bits, b))
#define fldexp(bits, a, e) fout(bits, hd_float_ldexp(bits, fin(bits, a), e))

/* Two roundings, and no denormals whatever the mode says: the unit of v_mad and v_mac has none. */
LANE_INLINE uint64_t
float_mad(unsigned bits, uint64_t a, uint64_t b, uint64_t c, hd_round round)
{
   const uint64_t product = hd_float_flush(
       bits, hd_float_mul(bits, hd_float_flush(bits, a), hd_float_flush(bits, b), round));
   return hd_float_flush(bits, hd_float_add(bits, product, hd_float_flush(bits, c), round));
}

#define fmad(bits, a, b, c) float_mad(bits, a, b, c, frnd(bits))

/* Zero times anything is zero. */
#define legacy_zero(a, b)                                                                          \
   (hd_float_abs(32, hd_float_flush(32, a)) == 0 || hd_float_abs(32, hd_float_flush(32, b)) == 0)
#define fmul_legacy(a, b)    (legacy_zero(a, b) ? 0 : fmul(32, a, b))
#define fmad_legacy(a, b, c) (legacy_zero(a, b) ? fmad(32, 0, 0, c) : fmad(32, a, b, c))

/* The smaller number; -0 is below +0. Of a NaN and a number it is the number, but the NaN if that
 * signals and the mode is that of the IEEE. Before gfx9 denormals come through whatever the mode.
 */
LANE_INLINE bool
float_signals(unsigned bits, uint64_t x)
{
   return hd_float_is_nan(bits, x) && !(x >> (hd_float_fraction_bits(bits) - 1) & 1);
}

LANE_INLINE uint64_t
float_pick(const hd_gcn_mode *m, unsigned bits, uint64_t a, uint64_t b, bool larger)
{
   if (m->ieee && (float_signals(bits, a) || float_signals(bits, b)))
      return hd_float_nan(bits);
   if (m->old_minmax)
      return larger ? hd_float_max(bits, a, b) : hd_float_min(bits, a, b);
   a = fin(bits, a);
   b = fin(bits, b);
   return fout(bits, larger ? hd_float_max(bits, a, b) : hd_float_min(bits, a, b));
}

#define fmin(bits, a, b) float_pick(m, bits, a, b, false)
#define fmax(bits, a, b) float_pick(m, bits, a, b, true)

/* With a NaN, the smallest of the three. */
LANE_INLINE uint64_t
float_med3(const hd_gcn_mode *m, unsigned bits, uint64_t a, uint64_t b, uint64_t c)
{
   if (hd_float_unordered(bits, a, b) || hd_float_is_nan(bits, c))
      return fmin(bits, fmin(bits, a, b), c);
   return fmax(bits, fmin(bits, a, b), fmin(bits, fmax(bits, a, b), c));
}

#define fmed3(bits, a, b, c) float_med3(m, bits, a, b, c)

/* The adder of LDS rounds to nearest whatever the mode says; of denormals it does what that says. */
LANE_INLINE uint64_t
float_atomic_sum(unsigned bits, uint32_t denorm, uint64_t a, uint64_t b)
{
   const uint64_t sum = denorm & 1 ? hd_float_add(bits, a, b, HD_ROUND_NEAREST_EVEN)
                                   : hd_float_add(bits, hd_float_flush(bits, a),
                                                  hd_float_flush(bits, b), HD_ROUND_NEAREST_EVEN);
   return denorm & 2 ? sum : hd_float_flush(bits, sum);
}

/* Kinds ---------------------------------------------------------------------------------------- */

/* The bit of v_cmp_class for what the number is. */
LANE_INLINE uint32_t
fclass(unsigned bits, uint64_t x)
{
   const bool sign = hd_float_sign(bits, x);

   if (hd_float_is_nan(bits, x))
      return float_signals(bits, x) ? 1 : 2;
   if (hd_float_is_inf(bits, x))
      return sign ? 1u << 2 : 1u << 9;
   if (hd_float_is_denorm(bits, x))
      return sign ? 1u << 4 : 1u << 7;
   if (hd_float_abs(bits, x) == 0)
      return sign ? 1u << 5 : 1u << 6;
   return sign ? 1u << 3 : 1u << 8;
}

/* Infinity becomes the largest number; or zero: what gfx6 has beside the plain functions. */
#define finite(bits, x) (hd_float_is_inf(bits, x) ? (uint64_t)(x)-1 : (uint64_t)(x))
#define inf_to_zero(bits, x)                                                                       \
   (hd_float_is_inf(bits, x) ? (uint64_t)(x)&hd_float_sign_bit(bits) : (uint64_t)(x))

/* Conversions ---------------------------------------------------------------------------------- */

#define fnarrow(x)    fout(16, hd_float_convert(32, 16, fin(32, x), frnd(16)))
#define narrow_rtz(x) ((uint32_t)fout(16, hd_float_convert(32, 16, fin(32, x), HD_ROUND_ZERO)))

/* floor(x + 0.5), without the rounding of a sum: of a number with a half left over, up. */
LANE_INLINE uint32_t
cvt_rpi(uint64_t x)
{
   const uint64_t floor = hd_float_floor(32, x);
   const uint64_t rest = hd_float_sub(32, x, floor, HD_ROUND_NEAREST_EVEN);
   const uint64_t up = hd_float_le(32, 0x3f000000, rest) ? 0x3f800000 : 0;
   const int64_t whole = (int64_t)sext64(hd_float_to_int(32, floor, 64, HD_ROUND_ZERO));
   if (hd_float_is_inf(32, x) || whole > INT32_MAX || whole < INT32_MIN)
      return (uint32_t)hd_float_to_int(32, x, 32, HD_ROUND_ZERO);
   return (uint32_t)saturate_s(32, whole + (up != 0));
}

/* Four bits with a sign, in sixteenths. */
#define cvt_off(x)                                                                                 \
   hd_float_ldexp(32, hd_float_from_int(32, sign_extend(4, x), HD_ROUND_NEAREST_EVEN), -4)

/* The range [-1, 1] or [0, 1] to all of 16 bits, rounded to the nearest. */
LANE_INLINE uint32_t
float_norm16(const hd_gcn_mode *m, unsigned bits, uint64_t x, bool is_signed)
{
   const uint64_t wide = hd_float_convert(bits, 64, fin(bits, x), HD_ROUND_NEAREST_EVEN);
   const uint64_t scale = is_signed ? UINT64_C(0x40dfffc000000000) : UINT64_C(0x40efffe000000000);
   const uint64_t one = hd_float_one(64), minus_one = hd_float_neg(64, one);
   uint64_t y = hd_float_is_nan(64, wide) ? 0 : wide;

   y = hd_float_min(64, hd_float_max(64, y, is_signed ? minus_one : 0), one);
   y = hd_float_mul(64, y, scale, HD_ROUND_NEAREST_EVEN); /* exact: 24 bits times 16 */
   return (uint32_t)hd_float_to_int(64, y, 32, HD_ROUND_NEAREST_EVEN) & 0xffff;
}

#define norm_i16(bits, x) float_norm16(m, bits, x, true)
#define norm_u16(bits, x) float_norm16(m, bits, x, false)

/* Rounded as the mode says, into byte b of c. */
LANE_INLINE uint32_t
cvt_pk_u8(const hd_gcn_mode *m, uint64_t a, uint32_t b, uint32_t c)
{
   const unsigned shift = 8 * (b & 3);
   const uint32_t byte = (uint32_t)hd_float_to_uint(32, fin(32, a), 8, frnd(32));
   return (c & ~(255u << shift)) | byte << shift;
}

#endif
