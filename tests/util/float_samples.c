/* SPDX-License-Identifier: MIT */
#include "float_samples.h"

#include "util/float.h"

unsigned
sample_edges(unsigned bits, uint64_t edges[SAMPLE_EDGES])
{
   const unsigned fraction_bits = hd_float_fraction_bits(bits);
   const uint64_t one = hd_float_one(bits), inf = hd_float_inf(bits);
   const uint64_t binade = UINT64_C(1) << fraction_bits;
   const uint64_t positive[] = {
      0, /* and the smallest numbers */
      1,
      2,
      3,
      binade / 2, /* among denormals */
      binade - 1,
      binade, /* the smallest normal one */
      binade + 1,
      binade * 2,
      one - 2 * binade, /* 1/4, 1/2, 3/4 */
      one - binade - 1,
      one - binade,
      one - binade + 1,
      one - binade / 2,
      one - 2,
      one - 1,
      one,
      one + 1,
      one + binade / 2, /* 1.5 */
      one + binade - 1,
      one + binade,              /* 2 */
      one + binade + binade / 4, /* 2.5 */
      one + binade / 3,
      one - fraction_bits * binade, /* half a unit of 1, and next to it */
      one - (fraction_bits + 1) * binade,
      one - (fraction_bits + 1) * binade + 1,
      one - (fraction_bits + 2) * binade,
      one + fraction_bits * binade, /* where all are integers */
      one + fraction_bits * binade - 1,
      one + (fraction_bits + 1) * binade,
      one + 15 * binade - 1, /* the ends of 16, 32 and 64-bit integers, where they exist */
      one + 15 * binade,
      bits > 16 ? one + 31 * binade - 1 : 0,
      bits > 16 ? one + 31 * binade : 0,
      bits > 16 ? one + 32 * binade - 1 : 0,
      bits > 16 ? one + 32 * binade : 0,
      bits > 16 ? one + 63 * binade - 1 : 0,
      bits > 16 ? one + 63 * binade : 0,
      bits > 16 ? one + 64 * binade - 1 : 0,
      bits > 16 ? one + 64 * binade : 0,
      inf - binade, /* the last binade */
      inf - 2,
      inf - 1,
      inf,
      inf + 1, /* a signaling NaN */
      inf + binade / 2,
      inf + binade - 1,
   };
   unsigned n = 0;

   for (unsigned i = 0; i < sizeof positive / sizeof positive[0]; ++i) {
      edges[n++] = positive[i];
      edges[n++] = positive[i] | hd_float_sign_bit(bits);
   }
   return n;
}

uint64_t
sample_bits(uint64_t *random)
{
   /* A counter with an odd step, and a bijection that spreads each of its bits over all. */
   uint64_t x = *random += UINT64_C(0x9e3779b97f4a7c15);
   x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
   x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
   return x ^ x >> 32;
}

/* A random significand, every other time mostly zeros or mostly ones. */
static uint64_t
fraction(uint64_t *random, unsigned bits)
{
   const uint64_t mask = (UINT64_C(1) << hd_float_fraction_bits(bits)) - 1;
   const uint64_t how = sample_bits(random), x = sample_bits(random) & mask;

   switch (how & 7) {
   case 0:
      return x >> (how >> 8 & 63);
   case 1:
      return mask - (x >> (how >> 8 & 63));
   case 2:
      return ~(x >> (how >> 8 & 63)) << (how >> 16 & 63) & mask;
   case 3:
      return x & sample_bits(random) & sample_bits(random) & sample_bits(random);
   default:
      return x;
   }
}

static uint64_t
with_exponent(uint64_t *random, unsigned bits, int64_t field)
{
   const unsigned fraction_bits = hd_float_fraction_bits(bits);
   const int64_t top = (int64_t)(hd_float_inf(bits) >> fraction_bits);
   const uint64_t sign = sample_bits(random) & hd_float_sign_bit(bits);

   field = field < 0 ? 0 : field > top ? top : field;
   return sign | (uint64_t)field << fraction_bits | fraction(random, bits);
}

void
sample_triple(uint64_t *random, unsigned bits, uint64_t operands[3])
{
   const int64_t fraction_bits = (int64_t)hd_float_fraction_bits(bits);
   const int64_t fields = (int64_t)(hd_float_inf(bits) >> fraction_bits) + 1;
   const int64_t bias = (int64_t)(hd_float_one(bits) >> fraction_bits);
   const uint64_t how = sample_bits(random);
   const int64_t spread = 2 * fraction_bits + 8;
   const int64_t near1 = (int64_t)(how >> 16 & 0xff) % spread - spread / 2;
   const int64_t near2 = (int64_t)(how >> 24 & 0xff) % spread - spread / 2;
   const int64_t x = (int64_t)(how >> 32) % fields;
   const int64_t free_y = (int64_t)(sample_bits(random) >> 32) % fields;
   const int64_t free_z = (int64_t)(sample_bits(random) >> 32) % fields;

   /* Products that stay in range want the second exponent around the inverse of the first. */
   const int64_t y = (how & 3) == 0 ? free_y : (how & 3) == 1 ? 2 * bias - x + near1 : x + near1;
   const int64_t z = how & 4 ? x + y - bias + near2 : free_z;
   operands[0] = with_exponent(random, bits, x);
   operands[1] = with_exponent(random, bits, y);
   operands[2] = with_exponent(random, bits, z);
   if ((how & 0x70) == 0)
      operands[1] = operands[0] ^ (how >> 7 & 1);
}

uint64_t
sample_near_integer(uint64_t *random, unsigned bits)
{
   const int64_t bias = (int64_t)(hd_float_one(bits) >> hd_float_fraction_bits(bits));
   return with_exponent(random, bits, bias - 3 + (int64_t)(sample_bits(random) >> 32) % 70);
}
