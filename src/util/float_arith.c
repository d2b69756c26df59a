/* SPDX-License-Identifier: MIT */
/* float_arith.c - sums, products and quotients. Each finds the exact result, or enough of its bits with
 * a sticky one below them, and leaves the rounding to float_pack.
 */
#include "util/float_parts.h"

/* Zero as the sum of numbers that cancel. */
static uint64_t
cancelled(unsigned bits, hd_round r)
{
   return float_signed(bits, r == HD_ROUND_DOWN, 0);
}

/* The sum of two where at least one is no FLOAT_NUMBER. `b` is the second one's encoding. */
static uint64_t
add_special(unsigned bits, float_parts x, float_parts y, uint64_t a, uint64_t b, hd_round r)
{
   if (x.kind == FLOAT_NAN || y.kind == FLOAT_NAN)
      return hd_float_nan(bits);
   if (x.kind == FLOAT_INF && y.kind == FLOAT_INF && x.sign != y.sign)
      return hd_float_nan(bits);
   if (x.kind == FLOAT_INF || y.kind == FLOAT_INF)
      return float_signed(bits, x.kind == FLOAT_INF ? x.sign : y.sign, hd_float_inf(bits));
   if (x.kind == FLOAT_ZERO && y.kind == FLOAT_ZERO)
      return x.sign == y.sign ? float_signed(bits, x.sign, 0) : cancelled(bits, r);

   const uint64_t number = x.kind == FLOAT_ZERO ? b : a;
   return float_signed(bits, hd_float_sign(bits, number), hd_float_abs(bits, number));
}

uint64_t
hd_float_add(unsigned bits, uint64_t a, uint64_t b, hd_round r)
{
   float_parts x = float_unpack(bits, a), y = float_unpack(bits, b);

   if (x.kind != FLOAT_NUMBER || y.kind != FLOAT_NUMBER)
      return add_special(bits, x, y, a, b, r);
   if (x.exp < y.exp || (x.exp == y.exp && x.sig < y.sig)) {
      const float_parts t = x;
      x = y;
      y = t;
   }

   /* Two places are free above for the carry. A significand has 53 bits at most, so nine are left
    * below it: bits of y are lost to the sticky one only if it is shifted by ten or more, and then
    * the difference has at most one leading zero and keeps eight bits under its last place. */
   const uint64_t large = x.sig >> 2;
   const uint64_t small = shift_right_jam(y.sig >> 2, (unsigned)(x.exp - y.exp));
   const uint64_t sum = x.sign == y.sign ? large + small : large - small;
   if (!sum)
      return cancelled(bits, r);
   return float_pack_any(bits, x.sign, x.exp + 2, sum, r);
}

uint64_t
hd_float_sub(unsigned bits, uint64_t a, uint64_t b, hd_round r)
{
   return hd_float_add(bits, a, hd_float_neg(bits, b), r);
}

/* The product or quotient of two where at least one is no FLOAT_NUMBER. A quotient is a product
 * with y's zero and infinity exchanged. */
static uint64_t
mul_special(unsigned bits, float_kind x, float_kind y, bool sign)
{
   if (x == FLOAT_NAN || y == FLOAT_NAN)
      return hd_float_nan(bits);
   if ((x == FLOAT_INF && y == FLOAT_ZERO) || (x == FLOAT_ZERO && y == FLOAT_INF))
      return hd_float_nan(bits);
   if (x == FLOAT_INF || y == FLOAT_INF)
      return float_signed(bits, sign, hd_float_inf(bits));
   return float_signed(bits, sign, 0);
}

uint64_t
hd_float_mul(unsigned bits, uint64_t a, uint64_t b, hd_round r)
{
   const float_parts x = float_unpack(bits, a), y = float_unpack(bits, b);
   const bool sign = x.sign != y.sign;

   if (x.kind != FLOAT_NUMBER || y.kind != FLOAT_NUMBER)
      return mul_special(bits, x.kind, y.kind, sign);

   uint64_t hi, lo = mul_wide(x.sig, y.sig, &hi);
   return float_pack_any(bits, sign, x.exp + y.exp + 1, hi | (lo != 0), r);
}

/* x / y for significands of the format (bit 63 set), times 2^shift, with a sticky last bit. */
static uint64_t
div_significands(unsigned bits, uint64_t x, uint64_t y, int *shift)
{
   uint64_t quotient, rest;

   if (bits < 64) {
      /* 24 bits by 24: at least 38 bits of quotient in one division. */
      const uint64_t n = x >> 40 << 39, d = y >> 40;
      quotient = n / d;
      rest = n % d;
      *shift = 39;
   } else {
      /* 53 bits by 53, eleven more each time: the rest is below 2^53, so rest << 11 fits. */
      const uint64_t n = x >> 11, d = y >> 11;
      quotient = n / d;
      rest = n % d;
      for (int i = 0; i < 5; ++i) {
         quotient = quotient << 11 | (rest << 11) / d;
         rest = (rest << 11) % d;
      }
      *shift = 55;
   }
   /* The quotient has 55 bits or 38 at least, two more than the format; the sticky bit is below. */
   const unsigned zeros = leading_zeros(quotient);
   *shift += (int)zeros;
   return quotient << zeros | (rest != 0);
}

uint64_t
hd_float_div(unsigned bits, uint64_t a, uint64_t b, hd_round r)
{
   const float_parts x = float_unpack(bits, a), y = float_unpack(bits, b);
   const bool sign = x.sign != y.sign;

   if (x.kind != FLOAT_NUMBER || y.kind != FLOAT_NUMBER) {
      const float_kind inverse = y.kind == FLOAT_ZERO  ? FLOAT_INF
                                 : y.kind == FLOAT_INF ? FLOAT_ZERO
                                                       : y.kind;
      return mul_special(bits, x.kind, inverse, sign);
   }

   int shift;
   const uint64_t quotient = div_significands(bits, x.sig, y.sig, &shift);
   return float_pack(bits, sign, x.exp - y.exp + 63 - shift, quotient, r);
}

uint64_t
hd_float_rcp(unsigned bits, uint64_t a)
{
   return hd_float_div(bits, hd_float_one(bits), a, HD_ROUND_NEAREST_EVEN);
}

/* A significand of 128 bits. */
typedef struct wide {
   uint64_t hi, lo;
} wide;

static bool
wide_less(wide x, wide y)
{
   return x.hi < y.hi || (x.hi == y.hi && x.lo < y.lo);
}

static wide
wide_add(wide x, wide y)
{
   const uint64_t lo = x.lo + y.lo;
   return (wide){ x.hi + y.hi + (lo < x.lo), lo };
}

static wide
wide_sub(wide x, wide y)
{
   return (wide){ x.hi - y.hi - (x.lo < y.lo), x.lo - y.lo };
}

static wide
wide_shift_right_jam(wide x, unsigned n)
{
   if (n == 0)
      return x;
   if (n >= 64)
      return (wide){ 0, shift_right_jam(x.hi, n - 64) | (x.lo != 0) };

   const uint64_t out = x.lo & ((UINT64_C(1) << n) - 1);
   return (wide){ x.hi >> n, x.lo >> n | x.hi << (64 - n) | (out != 0) };
}

/* ± sig * 2^(exp - 127), not normalised, not zero. */
static uint64_t
pack_wide(unsigned bits, bool sign, int exp, wide sig, hd_round r)
{
   if (!sig.hi)
      return float_pack_any(bits, sign, exp - 64, sig.lo, r);

   const unsigned zeros = leading_zeros(sig.hi);
   if (zeros) {
      sig.hi = sig.hi << zeros | sig.lo >> (64 - zeros);
      sig.lo <<= zeros;
   }
   return float_pack(bits, sign, exp - (int)zeros, sig.hi | (sig.lo != 0), r);
}

uint64_t
hd_float_fma(unsigned bits, uint64_t a, uint64_t b, uint64_t c, hd_round r)
{
   const float_parts x = float_unpack(bits, a), y = float_unpack(bits, b);
   const float_parts z = float_unpack(bits, c);
   const bool sign = x.sign != y.sign;

   if (x.kind != FLOAT_NUMBER || y.kind != FLOAT_NUMBER) {
      const uint64_t product = mul_special(bits, x.kind, y.kind, sign);
      return hd_float_add(bits, product, c, r);
   }
   if (z.kind == FLOAT_NAN || z.kind == FLOAT_INF)
      return add_special(bits, x, z, a, c, r);

   /* Both as significand * 2^(exp - 127), two places free above. The product has 106 bits at most
    * and so 20 free ones below, z has 73. Bits get lost to the sticky one only if the shift is
    * larger than that, and then the difference has at most one leading zero: 64 bits and more are
    * left of it, so the sticky bit stays below what the rounding looks at. */
   wide product, addend = { z.sig, 0 };
   product.lo = mul_wide(x.sig, y.sig, &product.hi);
   product = wide_shift_right_jam(product, 2);
   addend = wide_shift_right_jam(addend, 2);

   int exp = x.exp + y.exp + 3;
   if (z.kind == FLOAT_ZERO)
      return pack_wide(bits, sign, exp, product, r);

   const int distance = exp - (z.exp + 2);
   if (distance >= 0) {
      addend = wide_shift_right_jam(addend, (unsigned)distance);
   } else {
      product = wide_shift_right_jam(product, (unsigned)-distance);
      exp = z.exp + 2;
   }

   if (sign == z.sign)
      return pack_wide(bits, sign, exp, wide_add(product, addend), r);
   if (wide_less(addend, product))
      return pack_wide(bits, sign, exp, wide_sub(product, addend), r);
   if (wide_less(product, addend))
      return pack_wide(bits, z.sign, exp, wide_sub(addend, product), r);
   return cancelled(bits, r);
}
