/* SPDX-License-Identifier: MIT */
/* lane_divide.h - the three instructions for division by reciprocals, and cube map projection.
 *
 *    v_div_scale   scales a numerator or denominator so that the quotient is in range
 *    v_div_fmas    the last step of refinement; scales back
 *    v_div_fixup   zeros, infinities, NaNs, signs
 */
#ifndef HEDDLE_BACKEND_GCN_SIM_LANE_DIVIDE_H
#define HEDDLE_BACKEND_GCN_SIM_LANE_DIVIDE_H

#include "backend/gcn/sim/lane_float.h"
#include "util/float_parts.h"

/* The exponent field. */
LANE_INLINE int
float_exponent(unsigned bits, uint64_t x)
{
   return (int)(hd_float_abs(bits, x) >> hd_float_fraction_bits(bits));
}

/* What to do with the operand that is the denominator, with the one that is the numerator, and
 * whether v_div_fmas has to scale back.
 */
typedef struct lane_scale {
   int denominator, numerator; /* powers of two */
   bool flag, nan;
} lane_scale;

LANE_INLINE lane_scale
division_scale(unsigned bits, uint64_t denominator, uint64_t numerator)
{
   const int step = bits == 32 ? 64 : 128;
   const int far = bits == 32 ? 96 : 768, tiny = bits == 32 ? 23 : 53;
   const int exponent = float_exponent(bits, numerator);
   const uint64_t one = hd_float_one(bits);

   if (hd_float_abs(bits, denominator) == 0 || hd_float_abs(bits, numerator) == 0)
      return (lane_scale){ .nan = true };
   if (exponent - float_exponent(bits, denominator) >= far)
      return (lane_scale){ .denominator = step, .flag = true };
   if (hd_float_is_denorm(bits, denominator))
      return (lane_scale){ .denominator = step, .numerator = step };

   const bool small_inverse =
       hd_float_is_denorm(bits, hd_float_div(bits, one, denominator, HD_ROUND_NEAREST_EVEN));
   const bool small_quotient =
       hd_float_is_denorm(bits, hd_float_div(bits, numerator, denominator, HD_ROUND_NEAREST_EVEN));

   if (small_inverse && small_quotient)
      return (lane_scale){ .denominator = -step, .flag = true };
   if (small_inverse)
      return (lane_scale){ .denominator = -step, .numerator = -step };
   if (small_quotient)
      return (lane_scale){ .numerator = step, .flag = true };
   if (exponent <= tiny)
      return (lane_scale){ .denominator = step, .numerator = step };
   return (lane_scale){ 0 };
}

/* `x` is one of the other two, or both are the same: then it is the denominator. */
LANE_INLINE uint64_t
div_scale(unsigned bits, uint64_t x, uint64_t denominator, uint64_t numerator)
{
   const lane_scale scale = division_scale(bits, denominator, numerator);

   if (scale.nan)
      return hd_float_nan(bits);
   return hd_float_ldexp(bits, x, x == denominator ? scale.denominator : scale.numerator);
}

#define div_scale_flag(bits, denominator, numerator)                                               \
   division_scale(bits, denominator, numerator).flag

/* A quotient above 2 was made too small by the scale, one below too large. */
LANE_INLINE uint64_t
float_div_fmas(const hd_gcn_mode *m, unsigned bits, uint64_t a, uint64_t b, uint64_t c, bool flag)
{
   const int step = bits == 32 ? 64 : 128, bias = bits == 32 ? 127 : 1023;
   const int scale = float_exponent(bits, c) > bias ? step : -step;

   if (!flag)
      return ffma(bits, a, b, c);
   /* Rounded once, at the place of the last bit that the scaled result keeps. Where that is a
    * denormal, what is cut off the sum stays as a bit below all others.
    */
   const uint64_t fin_a = fin(bits, a), fin_b = fin(bits, b), fin_c = fin(bits, c);
   const uint64_t sum = hd_float_fma(bits, fin_a, fin_b, fin_c, frnd(bits));
   const uint64_t cut = hd_float_fma(bits, fin_a, fin_b, fin_c, HD_ROUND_ZERO);
   const bool exact = hd_float_fma(bits, fin_a, fin_b, fin_c, HD_ROUND_UP) ==
                      hd_float_fma(bits, fin_a, fin_b, fin_c, HD_ROUND_DOWN);
   const float_parts parts = float_unpack(bits, cut);
   if (parts.kind != FLOAT_NUMBER || parts.exp + scale >= 1 - float_emax(bits))
      return fout(bits, hd_float_mul(bits, sum, hd_float_ldexp(bits, hd_float_one(bits), scale),
                                     frnd(bits)));
   return fout(bits,
               float_pack(bits, parts.sign, parts.exp + scale, parts.sig | !exact, frnd(bits)));
}

#define div_fmas(bits, a, b, c, flag) float_div_fmas(m, bits, a, b, c, flag)

/* `quotient` as it came out, of numerator by denominator. */
LANE_INLINE uint64_t
float_div_fixup(const hd_gcn_mode *m, unsigned bits, uint64_t quotient, uint64_t denominator,
                uint64_t numerator)
{
   const uint64_t sign = (denominator ^ numerator) & hd_float_sign_bit(bits);
   const bool inf_below = hd_float_is_inf(bits, denominator);
   const bool inf_above = hd_float_is_inf(bits, numerator);
   const bool zero_below = hd_float_abs(bits, denominator) == 0;
   const bool zero_above = hd_float_abs(bits, numerator) == 0;
   const int lowest = bits == 32 ? -150 : -1075;

   if (hd_float_unordered(bits, denominator, numerator) || (zero_below && zero_above) ||
       (inf_below && inf_above))
      return hd_float_nan(bits);
   if (zero_below || inf_above)
      return sign | hd_float_inf(bits);
   if (inf_below || zero_above)
      return sign;
   if (bits != 16 && float_exponent(bits, numerator) - float_exponent(bits, denominator) < lowest) {
      /* Below half of the smallest number: the mode decides. */
      const uint64_t tiny = sign | 1;
      return fout(
          bits, hd_float_mul(bits, tiny, hd_float_ldexp(bits, hd_float_one(bits), -2), frnd(bits)));
   }
   if (hd_float_is_nan(bits, quotient) || hd_float_is_inf(bits, quotient)) {
      /* Of finite numbers: it left the range on the way, with infinities taken from each other. */
      const uint64_t largest = sign | (hd_float_inf(bits) - 1);
      return hd_float_add(bits, largest, largest, frnd(bits));
   }
   return sign | fout(bits, hd_float_abs(bits, quotient));
}

#define div_fixup(bits, a, b, c) float_div_fixup(m, bits, a, b, c)

/* Reduction of angles -------------------------------------------------------------------------- */

/* 53 bits of 2 / pi from a place that the segment and the size of the angle say, as a number of
 * their weight; so that angle times number, without its whole part, keeps enough bits.
 */
LANE_INLINE uint64_t
float_trig_preop(const uint64_t *bits, uint64_t x, uint32_t segment)
{
   const int exponent = float_exponent(64, x);
   unsigned shift = (segment & 31) * 53;

   if (exponent > 1077)
      shift += (unsigned)exponent - 1077;
   if (shift >= 1201)
      return 0;
   const unsigned word = shift / 64, within = shift % 64;
   const uint64_t window =
       within ? bits[word] << within | bits[word + 1] >> (64 - within) : bits[word];
   const int scale = -53 - (int)shift + (exponent >= 1968 ? 128 : 0);
   return hd_float_ldexp(64, hd_float_from_uint(64, window >> 11, HD_ROUND_NEAREST_EVEN), scale);
}

/* Faces of a cube ------------------------------------------------------------------------------ */

/* The axis along which the vector is longest: z before y before x. */
LANE_INLINE unsigned
cube_axis(uint64_t x, uint64_t y, uint64_t z)
{
   x = hd_float_abs(32, x);
   y = hd_float_abs(32, y);
   z = hd_float_abs(32, z);
   if (hd_float_le(32, x, z) && hd_float_le(32, y, z))
      return 2;
   return hd_float_le(32, x, y) ? 1 : 0;
}

LANE_INLINE uint64_t
cube_face(uint64_t x, uint64_t y, uint64_t z)
{
   const unsigned axis = cube_axis(x, y, z);
   const uint64_t along = axis == 2 ? z : axis == 1 ? y : x;
   return hd_float_from_uint(32, 2 * axis + hd_float_lt(32, along, 0), HD_ROUND_NEAREST_EVEN);
}

LANE_INLINE uint64_t
cube_across(uint64_t x, uint64_t y, uint64_t z)
{
   const unsigned axis = cube_axis(x, y, z);

   if (axis == 2)
      return hd_float_lt(32, z, 0) ? hd_float_neg(32, x) : x;
   if (axis == 1)
      return x;
   return hd_float_lt(32, x, 0) ? z : hd_float_neg(32, z);
}

LANE_INLINE uint64_t
cube_down(uint64_t x, uint64_t y, uint64_t z)
{
   if (cube_axis(x, y, z) == 1)
      return hd_float_lt(32, y, 0) ? hd_float_neg(32, z) : z;
   return hd_float_neg(32, y);
}

LANE_INLINE uint64_t
cube_twice(const hd_gcn_mode *m, uint64_t x, uint64_t y, uint64_t z)
{
   const unsigned axis = cube_axis(x, y, z);
   return fmul(32, axis == 2 ? z : axis == 1 ? y : x, 0x40000000);
}

#define cube_id(m, x, y, z) cube_face(fin(32, x), fin(32, y), fin(32, z))
#define cube_sc(m, x, y, z) cube_across(fin(32, x), fin(32, y), fin(32, z))
#define cube_tc(m, x, y, z) cube_down(fin(32, x), fin(32, y), fin(32, z))
#define cube_ma(m, x, y, z) cube_twice(m, fin(32, x), fin(32, y), fin(32, z))

#endif
