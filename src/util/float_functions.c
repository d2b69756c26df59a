/* SPDX-License-Identifier: MIT */
/* float_functions.c - exp2, log2, sin and cos of 16 and 32 bits, correctly rounded.
 *
 * A float has 24 bits, the integers here 64. Each function brings its operand into a small range
 * without any error, evaluates tables and a polynomial in fixed point, and so finds the result with
 * some 60 bits or more. The results that a format can hold exactly, or that lie half way between
 * two of its numbers, are those listed in float.h and taken out first; all others are irrational.
 * That the errors bounded below never reach across a rounding boundary is shown by trying every
 * operand (float_approx in float_parts.h).
 *
 * "Qn" is a number with n bits after the point, a unit the last of them. mul_high(x, y) of a Q64
 * and a Qn is a Qn, cut off: less than a unit too small. */
#include "util/float_function_tables.h"
#include "util/float_parts.h"

static float_approx
exactly(uint64_t encoding)
{
   return (float_approx){ .is_exact = true, .exact = encoding };
}

/* ± sig * 2^(exp - 63) where bit 63 of sig need not be set. */
static float_approx
about(bool sign, int exp, uint64_t sig, uint64_t error)
{
   const unsigned zeros = leading_zeros(sig);
   return (float_approx){
      .sign = sign, .exp = exp - (int)zeros, .sig = sig << zeros, .error = error << zeros
   };
}

static uint64_t
pack_approx(unsigned bits, float_approx x)
{
   if (x.is_exact)
      return x.exact;
   return float_pack(bits, x.sign, x.exp, x.sig, HD_ROUND_NEAREST_EVEN);
}

/* A power of two as a number of the format, if need be rounded. */
static uint64_t
power_of_two(unsigned bits, int exp)
{
   return float_pack(bits, false, exp, UINT64_C(1) << 63, HD_ROUND_NEAREST_EVEN);
}

/* exp2 ----------------------------------------------------------------------------------------- */

/* 2^f in Q63 for f in Q64: f = i / 64 + j / 4096 + g, two tables and a polynomial.
 *
 * Each of the polynomial's four levels adds 1/2 unit of Q64 for its coefficient and 1 for its cut,
 * and what comes from further in is multiplied by less than 1: 6 units; g^5's term, left out, is
 * less than 2^-69. The low table adds 1/2, the product of both 1: 7.5 units of Q64. Times a number
 * below 2 and in Q63 these are 7.5 units again; the high table's 1/2, times 2^(1/64) at most, and
 * the last cut make it less than 10. */
static uint64_t
exp2_fraction(uint64_t f)
{
   const uint64_t high = exp2_high[f >> 58], low = exp2_low[f >> 52 & 63], g = f << 12;
   uint64_t p = exp2_series[3];

   p = exp2_series[2] + mul_high(g, p);
   p = exp2_series[1] + mul_high(g, p);
   p = exp2_series[0] + mul_high(g, p);
   p = mul_high(g, p);
   return high + mul_high(high, low + p + mul_high(low, p));
}

float_approx
hd_float_approx_exp2(unsigned bits, uint64_t a)
{
   const float_parts x = float_unpack(bits, a);

   if (x.kind == FLOAT_NAN)
      return exactly(hd_float_nan(bits));
   if (x.kind == FLOAT_INF || (x.kind == FLOAT_NUMBER && x.exp >= 8))
      return exactly(x.sign ? 0 : hd_float_inf(bits));
   /* Below 2^-26, the result is closer to 1 than half the distance to its neighbours, 2^-25. */
   if (x.kind == FLOAT_ZERO || x.exp < -26)
      return exactly(hd_float_one(bits));

   /* The operand in Q55, exactly: 9 bits with the sign before the point, and of the significand's
    * 24 bits the last one is 2^-49 at least. */
   const uint64_t magnitude = x.sig >> (8 - x.exp);
   const uint64_t fixed = x.sign ? -magnitude : magnitude;
   const int whole = (int)(fixed >> 55) - (x.sign ? 512 : 0);
   const uint64_t fraction = fixed << 9;

   if (!fraction)
      return exactly(power_of_two(bits, whole));
   return about(false, whole, exp2_fraction(fraction), 10);
}

/* log2 ----------------------------------------------------------------------------------------- */

/* log2(1 + t) / t in Q63, from 64 |t| in Q64, |t| below 2^-7. Even and odd terms are summed apart,
 * in z = (64 t)^2: neither sum has a subtraction in it, and neither waits for the other.
 *
 * A coefficient and a cut are 1.5 units; z, below 1/4 and off by less than one unit, is multiplied
 * with sums below 2^-12, and damps what comes from further in: less than 2.1 units for either sum.
 * The odd one is multiplied by less than 1/2 and cut once more: together less than 5 units. The
 * terms from t^10 on are less than 2^-72. */
static uint64_t
log2_quotient(bool negative, uint64_t t)
{
   const uint64_t z = mul_high(t, t);
   uint64_t even = log2_even_series[4], odd = log2_odd_series[4];

   for (int k = 3; k >= 0; --k) {
      even = log2_even_series[k] + mul_high(z, even);
      odd = log2_odd_series[k] + mul_high(z, odd);
   }
   odd = mul_high(t, odd);
   return even + (negative ? odd : -odd);
}

float_approx
hd_float_approx_log2(unsigned bits, uint64_t a)
{
   const float_parts x = float_unpack(bits, a);

   if (x.kind == FLOAT_ZERO)
      return exactly(float_signed(bits, true, hd_float_inf(bits)));
   if (x.kind == FLOAT_NAN || x.sign)
      return exactly(hd_float_nan(bits));
   if (x.kind == FLOAT_INF)
      return exactly(hd_float_inf(bits));
   if (x.sig == UINT64_C(1) << 63)
      return exactly(hd_float_from_int(bits, x.exp, HD_ROUND_NEAREST_EVEN));

   /* With m = sig in [1, 2) and the table's factor c near 1 / m: m = (1 + t) / c, where t is exact
    * in Q33 and below 2^-7. In the last entry c is 1/2, so that one is added to the exponent. */
   const unsigned i = x.sig >> 56 & 127;
   const int exp = x.exp + (i == 127);
   const int64_t t = (int64_t)((x.sig >> 40) * log2_factor[i]) - (INT64_C(1) << 33);
   const bool negative = t < 0;
   const uint64_t magnitude = (uint64_t)(negative ? -t : t);
   const uint64_t scaled = magnitude << 37; /* 64 |t| in Q64 */
   const uint64_t quotient = log2_quotient(negative, scaled);

   if (exp == 0 && (i == 0 || i == 127)) {
      /* log2(1 + t) alone, which can be small: |t| is shifted up first, so as to keep all its bits.
       * 5 units of the quotient are 5 of the product at most, and cutting it is one. */
      const unsigned zeros = leading_zeros(magnitude);
      const uint64_t product = mul_high(magnitude << zeros, quotient);
      return about(negative, 63 - (int)zeros - 33 + 1, product, 6);
   }

   /* exponent + log2(1 / c) + log2(1 + t) in Q64, as a two's complement of 128 bits. |t| in Q70
    * times a Q63 is a Q69 after mul_high; five bits less are a Q64. Off by 1/2 for the table, less
    * than 1.1 for the cuts, and 5 units of Q63 times 2^-7: less than 2. The product is not zero, as
    * t is 2^-33 at least: only for powers of two m c can be 1. */
   const uint64_t product = mul_high(scaled, quotient) >> 5;
   const uint64_t small = negative ? -product : product;
   uint64_t lo = log2_table[i] + small;
   uint64_t hi = (uint64_t)(int64_t)exp - negative + (lo < small);
   const bool sign = hi >> 63;

   if (sign) {
      lo = -lo;
      hi = ~hi + (lo == 0);
   }
   if (!hi)
      return about(sign, -1, lo, 2);
   const unsigned zeros = leading_zeros(hi);
   return about(sign, 63 - (int)zeros, hi << zeros | lo >> (64 - zeros), 2);
}

/* sin and cos ---------------------------------------------------------------------------------- */

/* s * 2^(exp - 63), with bit 63 of s set, is a part of a quarter turn, and at most a half. Its
 * square in Q64 is off by less than one unit, as mul_high and the shift only cut off. */
static uint64_t
square(uint64_t s, int exp)
{
   const int shift = -2 * exp - 2;
   return shift < 64 ? mul_high(s, s) >> shift : 0;
}

/* The sum of c_k (-z)^k in Q63, z in Q64 and at most 1/4: 1/2 unit for a coefficient, 1 for a cut
 * and less than 0.7 for the error of z (half a unit of Q63 times a sum below 1.3), each time
 * multiplied by 1/4: less than 3 units. The terms left out are less than 2^-67. */
static uint64_t
alternating(const uint64_t series[10], uint64_t z)
{
   uint64_t p = series[9];

   for (int k = 8; k >= 0; --k)
      p = series[k] - mul_high(z, p);
   return p;
}

/* sin(s pi / 2): 3 units of the quotient, which is normal, are 3 of the product at most, and
 * cutting it is one. */
static float_approx
sin_part(bool sign, uint64_t s, int exp)
{
   return about(sign, exp + 1, mul_high(s, alternating(sin_series, square(s, exp))), 4);
}

static float_approx
cos_part(bool sign, uint64_t s, int exp)
{
   return about(sign, 0, alternating(cos_series, square(s, exp)), 3);
}

/* sin of `a` turns and a quarter turn `more`, 0 or 1. */
static float_approx
sin_of_turns(unsigned bits, uint64_t a, unsigned more)
{
   const float_parts x = float_unpack(bits, a);
   const bool negative = x.sign && !more; /* cos(-x) = cos(x) */

   if (x.kind == FLOAT_NAN || x.kind == FLOAT_INF)
      return exactly(hd_float_nan(bits));
   if (x.kind == FLOAT_NUMBER && x.exp < -20) {
      /* Small enough to keep as it is, and too small for 64 bits after the point. */
      return more ? cos_part(false, x.sig, x.exp + 2) : sin_part(x.sign, x.sig, x.exp + 2);
   }

   /* The fraction of a turn in Q64, exactly: of 24 bits the last is 2^-43 at least. */
   uint64_t turn = 0;
   if (x.kind == FLOAT_NUMBER && x.exp < 63)
      turn = x.exp < 0 ? x.sig >> (-x.exp - 1) : x.sig << x.exp << 1;

   const unsigned quarter = (unsigned)(turn >> 62) + more;
   const bool sign = negative != ((quarter & 2) != 0);
   uint64_t s = turn << 2;
   bool is_cos = quarter & 1;

   if (!s) {
      if (is_cos)
         return exactly(float_signed(bits, sign, hd_float_one(bits)));
      return exactly(float_signed(bits, negative, 0));
   }
   if (s > UINT64_C(1) << 63) {
      s = -s;
      is_cos = !is_cos;
   }
   const unsigned zeros = leading_zeros(s);
   s <<= zeros;
   return is_cos ? cos_part(sign, s, -1 - (int)zeros) : sin_part(sign, s, -1 - (int)zeros);
}

float_approx
hd_float_approx_sin(unsigned bits, uint64_t a)
{
   return sin_of_turns(bits, a, 0);
}

float_approx
hd_float_approx_cos(unsigned bits, uint64_t a)
{
   return sin_of_turns(bits, a, 1);
}

/* The functions -------------------------------------------------------------------------------- */

uint64_t
hd_float_exp2(unsigned bits, uint64_t a)
{
   return bits == 64 ? hd_float_nan(64) : pack_approx(bits, hd_float_approx_exp2(bits, a));
}

uint64_t
hd_float_log2(unsigned bits, uint64_t a)
{
   return bits == 64 ? hd_float_nan(64) : pack_approx(bits, hd_float_approx_log2(bits, a));
}

uint64_t
hd_float_sin(unsigned bits, uint64_t a)
{
   return bits == 64 ? hd_float_nan(64) : pack_approx(bits, sin_of_turns(bits, a, 0));
}

uint64_t
hd_float_cos(unsigned bits, uint64_t a)
{
   return bits == 64 ? hd_float_nan(64) : pack_approx(bits, sin_of_turns(bits, a, 1));
}
