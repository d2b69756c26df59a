/* SPDX-License-Identifier: MIT */
/* float_root.c - square roots and their reciprocals: an approximation, then the exact remainder. */
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

/* 1 / sqrt(m) with 64 bits after the point, for m from above 1 to 4 with 62: within 2^-34 of it for
 * the formats of 32 bits and less, within 2^-61 for 64.
 *
 * Newton's y (3 - m y^2) / 2 turns a relative error e into at most 1.51 e^2. The table's error is
 * 2^-8.99 with the rounding to 16 bits, so steps give 2^-17.3, 2^-34.1, 2^-67.6. To the last one
 * add its own cuts: t loses less than 2^-64, which makes u too large by less than m 2^-64; w loses
 * less than 2^-62, which does the same; and cutting the last product loses 2^-63.
 *
 * It cannot reach 1: m has 53 bits or 24, so it is 1 + 2^-52 at least, or 1 + 2^-23, and 1 /
 * sqrt(m) lower than 1 by almost half of that. What is above 1 / sqrt(m) is only the cuts' 2^-62,
 * as an exact step never gives more than 1 / sqrt(m). */
static uint64_t
rsqrt(unsigned bits, uint64_t m)
{
   const int steps = bits == 64 ? 3 : 2;
   uint64_t y = (uint64_t)rsqrt_table[(m >> 55) - 128] << 48;

   for (int i = 0; i < steps; ++i) {
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

   /* The root with k bits after the point is floor(sqrt(m * 2^(2 k - 62))). m * rsqrt(m) is off by
    * less than 2^-k, so `root` is off by one at most, and the remainder m * 2^(2 k - 62) - root^2
    * is below 4 * 2^(k + 1) in size: its low 64 bits tell all of it. */
   const unsigned k = bits == 64 ? 55 : 31;
   uint64_t root = mul_high(n.m, rsqrt(bits, n.m)) >> (62 - k);
   uint64_t rest = (n.m << (2 * k - 62)) - root * root;
   if (rest >> 63) {
      --root;
      rest += 2 * root + 1;
   } else if (rest > 2 * root) {
      rest -= 2 * root + 1;
      ++root;
   }
   return float_pack(bits, false, n.half_exp, root << (63 - k) | (rest != 0), r);
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

   /* y is 1 / sqrt(m) with k bits after the point, off by one at most; m gets as many as make the
    * rest 1 - y^2 m, in units of its last place, 2^128 or 2^164 less a product. y is the floor if
    * the rest is not negative, but less than (2 y + 1) m. As it is below 2^113 in size, its low 128
    * bits tell all of it, and in them the 1 vanishes. It is never zero: the reciprocal root of m is
    * rational only for powers of four, and hence the sticky bit. */
   const unsigned k = bits == 64 ? 56 : 33;
   const uint64_t m = bits == 64 ? n.m >> 10 : n.m;
   uint64_t y = rsqrt(bits, n.m) >> (64 - k);
   uint64_t square_hi, hi, step_hi;
   const uint64_t square = mul_wide(y, y, &square_hi);
   const uint64_t lo = mul_wide(square, m, &hi) - 1;
   const uint64_t rest = ~lo, rest_hi = ~(hi + square_hi * m - (lo == UINT64_MAX));
   const uint64_t step = mul_wide(2 * y + 1, m, &step_hi);

   if (rest_hi >> 63)
      --y;
   else if (rest_hi > step_hi || (rest_hi == step_hi && rest >= step))
      ++y;
   return float_pack(bits, false, -n.half_exp - 1, y << (64 - k) | 1, HD_ROUND_NEAREST_EVEN);
}
