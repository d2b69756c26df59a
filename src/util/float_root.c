/* SPDX-License-Identifier: MIT */
/* Square roots and their reciprocals: an approximation, then the exact remainder. */
#include "util/float_parts.h"
#include "util/float_root_tables.h"

/* A number below 4^1: the operand with an even exponent taken off.
 *    x = m * 2^(-62) * 4^half_exp,   1 <= m * 2^(-62) < 4 */
typedef struct radicand {
   uint64_t m;
   int half_exp;
} radicand;

static radicand
radicand_of(float_parts x)
{
   const int odd = x.exp & 1;
   return (radicand){ odd ? x.sig : x.sig >> 1, (x.exp - odd) / 2 };
}

static bool
is_one(radicand x)
{
   return x.m == UINT64_C(1) << 62;
}

/* 1 / sqrt(m) with 64 bits after the point, for m from above 1 to 4 with 62.
 *
 * Newton's y (3 - m y^2) / 2 turns a relative error e into at most 1.51 e^2. The table's error is
 * 2^-8.99 with the rounding to 16 bits, so three steps give 2^-17.3, 2^-34.0, 2^-67.4. To the last
 * one add its own cuts: t loses less than 2^-64, which makes u too large by less than m 2^-64; w
 * loses less than 2^-62, which does the same; and shifting the product back loses 2^-63. Altogether
 * the result is within 2^-61 of 1 / sqrt(m).
 *
 * It cannot reach 1: m has 53 bits, so it is 1 + 2^-52 at least, and 1 / sqrt(m) 1 - 2^-53.01 at
 * most. */
static uint64_t
rsqrt(uint64_t m)
{
   uint64_t y = (uint64_t)rsqrt_table[(m >> 55) - 128] << 48;

   for (int i = 0; i < 3; ++i) {
      const uint64_t t = mul_high(y, y);
      const uint64_t w = mul_high(m, t);
      const uint64_t u = (UINT64_C(3) << 62) - w;
      y = mul_high(y, u) << 1;
   }
   return y;
}

uint64_t
hd_float_sqrt(unsigned bits, uint64_t a, hd_round r)
{
   const float_parts x = float_unpack(bits, a);

   if (x.kind == FLOAT_ZERO)
      return float_signed(bits, x.sign, 0);
   if (x.kind == FLOAT_NAN || x.sign)
      return hd_float_nan(bits);
   if (x.kind == FLOAT_INF)
      return hd_float_inf(bits);

   const radicand n = radicand_of(x);
   if (is_one(n))
      return float_pack(bits, false, n.half_exp, UINT64_C(1) << 63, r);

   /* The root with 55 bits after the point is floor(sqrt(m * 2^48)). m * rsqrt(m) has an error
    * below 2^-59 in it, so `root` is off by one at most, and the remainder m * 2^48 - root^2 is
    * below 4 * 2^56 in size: its low 64 bits tell all of it. */
   uint64_t root = mul_high(n.m, rsqrt(n.m)) >> 7;
   uint64_t rest = (n.m << 48) - root * root;
   if (rest >> 63) {
      --root;
      rest += 2 * root + 1;
   } else if (rest > 2 * root) {
      rest -= 2 * root + 1;
      ++root;
   }
   return float_pack(bits, false, n.half_exp, root << 8 | (rest != 0), r);
}

uint64_t
hd_float_rsq(unsigned bits, uint64_t a)
{
   const float_parts x = float_unpack(bits, a);

   if (x.kind == FLOAT_ZERO)
      return float_signed(bits, x.sign, hd_float_inf(bits));
   if (x.kind == FLOAT_NAN || x.sign)
      return hd_float_nan(bits);
   if (x.kind == FLOAT_INF)
      return 0;

   const radicand n = radicand_of(x);
   if (is_one(n))
      return float_pack(bits, false, -n.half_exp, UINT64_C(1) << 63, HD_ROUND_NEAREST_EVEN);

   /* y is 1 / sqrt(m) with 56 bits after the point, off by one at most. It is the floor if the rest
    * 2^164 - y^2 (m 2^52) is not negative, but less than (2 y + 1) (m 2^52). The rest is below
    * 2^113 in size, so its low 128 bits tell all of it. It is never zero: the reciprocal root of m
    * is rational only for powers of four, and hence the sticky bit. */
   uint64_t y = rsqrt(n.m) >> 8;
   const uint64_t m = n.m >> 10;
   uint64_t square_hi, hi, step_hi;
   const uint64_t square = mul_wide(y, y, &square_hi);
   const uint64_t lo = mul_wide(square, m, &hi) - 1;
   const uint64_t rest = ~lo, rest_hi = ~(hi + square_hi * m - (lo == UINT64_MAX));
   const uint64_t step = mul_wide(2 * y + 1, m, &step_hi);

   if (rest_hi >> 63)
      --y;
   else if (rest_hi > step_hi || (rest_hi == step_hi && rest >= step))
      ++y;
   return float_pack(bits, false, -n.half_exp - 1, y << 8 | 1, HD_ROUND_NEAREST_EVEN);
}
