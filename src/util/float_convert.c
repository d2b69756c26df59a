/* SPDX-License-Identifier: MIT */
/* float_convert.c - rounding to integral values, exponents, conversions to other formats and integers.
 */
#include "util/float_parts.h"

uint64_t
hd_float_round(unsigned bits, uint64_t a, hd_round r)
{
   const unsigned fraction_bits = hd_float_fraction_bits(bits);
   const uint64_t magnitude = hd_float_abs(bits, a);
   const bool sign = hd_float_sign(bits, a);
   const int exp = (int)(magnitude >> fraction_bits) - float_emax(bits);

   if (magnitude > hd_float_inf(bits))
      return hd_float_nan(bits);
   if (exp >= (int)fraction_bits || magnitude == 0)
      return float_signed(bits, sign, magnitude);
   if (exp < 0) {
      /* Between 0 and 1. Encodings are in the order of the numbers: half of one is one binade
       * below it. */
      const uint64_t one = hd_float_one(bits), half = one - (UINT64_C(1) << fraction_bits);
      const bool up = float_rounds_up(r, sign, false, magnitude, half);
      return float_signed(bits, sign, up ? one : 0);
   }

   /* A carry goes into the exponent field, which is the next binade's first number. In the binade
    * of one, `unit` is the last bit of the exponent field: the bias, odd like the one it hides. */
   const unsigned drop = fraction_bits - (unsigned)exp;
   const uint64_t unit = UINT64_C(1) << drop, rest = magnitude & (unit - 1);
   const uint64_t kept = magnitude - rest;
   const bool up = float_rounds_up(r, sign, (magnitude & unit) != 0, rest, unit / 2);
   return float_signed(bits, sign, up ? kept + unit : kept);
}

uint64_t
hd_float_fract(unsigned bits, uint64_t a)
{
   const uint64_t floor = hd_float_floor(bits, a);
   const uint64_t fract = hd_float_sub(bits, a, floor, HD_ROUND_NEAREST_EVEN);
   return fract == hd_float_one(bits) ? fract - 1 : fract;
}

uint64_t
hd_float_ldexp(unsigned bits, uint64_t a, int32_t e)
{
   const float_parts x = float_unpack(bits, a);

   switch (x.kind) {
   case FLOAT_NAN:
      return hd_float_nan(bits);
   case FLOAT_INF:
   case FLOAT_ZERO:
      return float_signed(bits, x.sign, hd_float_abs(bits, a));
   case FLOAT_NUMBER:
      break;
   }
   /* 5000 takes the smallest number past the largest, and back. */
   const int bounded = e > 5000 ? 5000 : e < -5000 ? -5000 : e;
   return float_pack(bits, x.sign, x.exp + bounded, x.sig, HD_ROUND_NEAREST_EVEN);
}

uint64_t
hd_float_frexp_sig(unsigned bits, uint64_t a)
{
   return hd_float_ldexp(bits, a, -hd_float_frexp_exp(bits, a));
}

int32_t
hd_float_frexp_exp(unsigned bits, uint64_t a)
{
   const float_parts x = float_unpack(bits, a);
   return x.kind == FLOAT_NUMBER ? x.exp + 1 : 0;
}

uint64_t
hd_float_convert(unsigned from_bits, unsigned to_bits, uint64_t a, hd_round r)
{
   const float_parts x = float_unpack(from_bits, a);

   switch (x.kind) {
   case FLOAT_NAN:
      return hd_float_nan(to_bits);
   case FLOAT_INF:
      return float_signed(to_bits, x.sign, hd_float_inf(to_bits));
   case FLOAT_ZERO:
      return float_signed(to_bits, x.sign, 0);
   case FLOAT_NUMBER:
      break;
   }
   return float_pack(to_bits, x.sign, x.exp, x.sig, r);
}

uint64_t
hd_float_from_int(unsigned bits, int64_t a, hd_round r)
{
   if (a >= 0)
      return hd_float_from_uint(bits, (uint64_t)a, r);
   return float_pack_any(bits, true, 63, -(uint64_t)a, r);
}

uint64_t
hd_float_from_uint(unsigned bits, uint64_t a, hd_round r)
{
   return a ? float_pack_any(bits, false, 63, a, r) : 0;
}

/* The magnitude of a FLOAT_NUMBER as an integer, or UINT64_MAX if it is larger. */
static uint64_t
integral_magnitude(float_parts x, hd_round r)
{
   if (x.exp > 63)
      return UINT64_MAX;
   if (x.exp < -1)
      return float_rounds_up(r, x.sign, false, 1, 2);
   if (x.exp == -1)
      return float_rounds_up(r, x.sign, false, x.sig, UINT64_C(1) << 63);

   const unsigned drop = 63 - (unsigned)x.exp;
   const uint64_t unit = UINT64_C(1) << drop, rest = x.sig & (unit - 1);
   const uint64_t kept = x.sig >> drop;
   /* Significands have 53 bits at most: with a drop below 11 there is no rest and kept is even, so
    * nothing is added, and with a larger one kept is below 2^53 and cannot overflow. */
   return kept + float_rounds_up(r, x.sign, kept & 1, rest, unit / 2);
}

uint64_t
hd_float_to_int(unsigned float_bits, uint64_t a, unsigned int_bits, hd_round r)
{
   const float_parts x = float_unpack(float_bits, a);
   const uint64_t limit = (UINT64_C(1) << (int_bits - 1)) - !x.sign;
   uint64_t magnitude = 0;

   if (x.kind == FLOAT_INF)
      magnitude = limit;
   else if (x.kind == FLOAT_NUMBER)
      magnitude = integral_magnitude(x, r);
   if (magnitude > limit)
      magnitude = limit;
   return (x.sign ? -magnitude : magnitude) & (UINT64_MAX >> (64 - int_bits));
}

uint64_t
hd_float_to_uint(unsigned float_bits, uint64_t a, unsigned int_bits, hd_round r)
{
   const float_parts x = float_unpack(float_bits, a);
   const uint64_t limit = UINT64_MAX >> (64 - int_bits);
   uint64_t magnitude = 0;

   if (x.sign)
      return 0;
   if (x.kind == FLOAT_INF)
      magnitude = limit;
   else if (x.kind == FLOAT_NUMBER)
      magnitude = integral_magnitude(x, r);
   return magnitude < limit ? magnitude : limit;
}
