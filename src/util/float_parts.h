/* SPDX-License-Identifier: MIT */
/* float_parts.h - shared by the softfloat functions: unpacking, and packing with rounding.
 * For src/util/float_*.c and their test only. */
#ifndef HD_UTIL_FLOAT_PARTS_H
#define HD_UTIL_FLOAT_PARTS_H

#include "util/float.h"

/* Wide integers -------------------------------------------------------------------------------- */

static inline unsigned
leading_zeros(uint64_t x)
{
   return (unsigned)__builtin_clzll(x);
}

/* x * y = *hi * 2^64 + the result, from products of 32-bit halves. */
static inline uint64_t
mul_wide_by_halves(uint64_t x, uint64_t y, uint64_t *hi)
{
   const uint64_t x0 = (uint32_t)x, x1 = x >> 32;
   const uint64_t y0 = (uint32_t)y, y1 = y >> 32;
   const uint64_t low = x0 * y0;
   /* At most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1: no carry is lost. */
   const uint64_t mid = x1 * y0 + (low >> 32);
   const uint64_t mid2 = x0 * y1 + (uint32_t)mid;

   *hi = x1 * y1 + (mid >> 32) + (mid2 >> 32);
   return mid2 << 32 | (uint32_t)low;
}

static inline uint64_t
mul_wide(uint64_t x, uint64_t y, uint64_t *hi)
{
#ifdef __SIZEOF_INT128__
   __extension__ typedef unsigned __int128 wide;
   const wide product = (wide)x * y;
   *hi = (uint64_t)(product >> 64);
   return (uint64_t)product;
#else
   return mul_wide_by_halves(x, y, hi);
#endif
}

static inline uint64_t
mul_high(uint64_t x, uint64_t y)
{
   uint64_t hi;
   (void)mul_wide(x, y, &hi);
   return hi;
}

/* x / 2^n where the last bit stands for all that were shifted out: it is set if any of them was.
 * That is as good as knowing them all, so long as two bits or more are still to be rounded away. */
static inline uint64_t
shift_right_jam(uint64_t x, unsigned n)
{
   if (n == 0)
      return x;
   if (n > 63)
      return x != 0;
   return x >> n | ((x & ((UINT64_C(1) << n) - 1)) != 0);
}

/* Numbers in parts ----------------------------------------------------------------------------- */

typedef enum float_kind { FLOAT_ZERO, FLOAT_NUMBER, FLOAT_INF, FLOAT_NAN } float_kind;

/* A FLOAT_NUMBER is ± sig * 2^(exp - 63), and bit 63 of sig is set: 1.m * 2^exp. Denormals are
 * normalised like all others. Otherwise exp and sig are zero. */
typedef struct float_parts {
   float_kind kind;
   bool sign;
   int exp;
   uint64_t sig;
} float_parts;

/* The exponent of the largest binade; that of the smallest normal one is 1 - float_emax. */
static inline int
float_emax(unsigned bits)
{
   return bits == 16 ? 15 : bits == 32 ? 127 : 1023;
}

static inline float_parts
float_unpack(unsigned bits, uint64_t a)
{
   const unsigned fraction_bits = hd_float_fraction_bits(bits);
   const uint64_t magnitude = hd_float_abs(bits, a), inf = hd_float_inf(bits);
   const uint64_t fraction = magnitude & ((UINT64_C(1) << fraction_bits) - 1);
   const int field = (int)(magnitude >> fraction_bits);
   float_parts p = { FLOAT_NUMBER, hd_float_sign(bits, a), 0, 0 };

   if (magnitude >= inf) {
      p.kind = magnitude == inf ? FLOAT_INF : FLOAT_NAN;
   } else if (field) {
      p.exp = field - float_emax(bits);
      p.sig = UINT64_C(1) << 63 | fraction << (63 - fraction_bits);
   } else if (fraction) {
      const unsigned shift = leading_zeros(fraction);
      p.exp = 1 - float_emax(bits) + (int)(63 - fraction_bits) - (int)shift;
      p.sig = fraction << shift;
   } else {
      p.kind = FLOAT_ZERO;
   }
   return p;
}

static inline uint64_t
float_signed(unsigned bits, bool sign, uint64_t magnitude)
{
   return sign ? hd_float_sign_bit(bits) | magnitude : magnitude;
}

static inline bool
float_rounds_up(hd_round r, bool sign, bool odd, uint64_t rest, uint64_t half)
{
   switch (r) {
   case HD_ROUND_ZERO:
      return false;
   case HD_ROUND_UP:
      return rest != 0 && !sign;
   case HD_ROUND_DOWN:
      return rest != 0 && sign;
   case HD_ROUND_NEAREST_EVEN:
      break;
   }
   return rest > half || (rest == half && odd);
}

/* ± sig * 2^(exp - 63) as a number of the format. Bit 63 of sig is set; its last bit may be sticky
 * (shift_right_jam). |exp| is below 2^30. */
static inline uint64_t
float_pack(unsigned bits, bool sign, int exp, uint64_t sig, hd_round r)
{
   const unsigned fraction_bits = hd_float_fraction_bits(bits), drop = 63 - fraction_bits;
   const int emin = 1 - float_emax(bits);

   if (exp > float_emax(bits)) {
      const bool to_inf = float_rounds_up(r, sign, true, 1, 0);
      return float_signed(bits, sign, hd_float_inf(bits) - !to_inf);
   }
   if (exp < emin) {
      sig = shift_right_jam(sig, (unsigned)(emin - exp));
      exp = emin;
   }

   /* The leading bit of a normal number adds one to the exponent field; a denormal has neither. A
    * carry out of the fraction adds one too: to the next binade, and from the last one to
    * infinity. */
   const uint64_t kept = sig >> drop, rest = sig & ((UINT64_C(1) << drop) - 1);
   const bool up = float_rounds_up(r, sign, kept & 1, rest, UINT64_C(1) << (drop - 1));
   return float_signed(bits, sign, ((uint64_t)(exp - emin) << fraction_bits) + kept + up);
}

/* The same for a sig that is not normalised, but not zero either. */
static inline uint64_t
float_pack_any(unsigned bits, bool sign, int exp, uint64_t sig, hd_round r)
{
   const unsigned shift = leading_zeros(sig);
   return float_pack(bits, sign, exp - (int)shift, sig << shift, r);
}

/* Approximations ------------------------------------------------------------------------------- */

/* What exp2, log2, sin and cos find before rounding: either the encoding `exact`, or a number whose
 * significand differs from the true one by less than `error` units of its last place.
 *
 * That this rounds correctly is then a matter of counting: over all 2^32 operands, no number half
 * way between two neighbours lies within `error` of sig. tests/util/float_exhaustive.c shows it.
 * The closest one is 36 units away for exp2, where 10 are allowed, 546 for sin and cos, where 8
 * are, and for log2 784 times what is allowed. */
typedef struct float_approx {
   bool is_exact, sign;
   int exp;
   uint64_t sig, error, exact;
} float_approx;

/* `bits` is 16 or 32. */
float_approx hd_float_approx_exp2(unsigned bits, uint64_t a);
float_approx hd_float_approx_log2(unsigned bits, uint64_t a);
float_approx hd_float_approx_sin(unsigned bits, uint64_t a);
float_approx hd_float_approx_cos(unsigned bits, uint64_t a);

#endif
