/* SPDX-License-Identifier: MIT */
/* texel.c - texels: channels from bits and back.
 *
 *    unorm     x / (2^n - 1)               and back: the nearest, of 0 to 1
 *    snorm     x / (2^(n-1) - 1), at least -1
 *    scaled    the integer as a float
 *    float     16 and 32 bits; of 10 and 11 bits without a sign
 */
#include "backend/gcn/sim/texel.h"

#include "util/float.h"

/* Names of formats begin with the highest bits. */
static const uint8_t layouts[][4] = {
   [1] = { 8 },
   [2] = { 16 },
   [3] = { 8, 8 },
   [4] = { 32 },
   [5] = { 16, 16 },
   [6] = { 11, 11, 10 },
   [7] = { 10, 11, 11 },
   [8] = { 2, 10, 10, 10 },
   [9] = { 10, 10, 10, 2 },
   [10] = { 8, 8, 8, 8 },
   [11] = { 32, 32 },
   [12] = { 16, 16, 16, 16 },
   [13] = { 32, 32, 32 },
   [14] = { 32, 32, 32, 32 },
   [16] = { 5, 6, 5 },
   [17] = { 5, 5, 5, 1 },
   [18] = { 1, 5, 5, 5 },
   [19] = { 4, 4, 4, 4 },
};

bool
hd_gcn_texel_format_find(unsigned data, unsigned number, hd_gcn_texel_format *out)
{
   unsigned bits = 0;

   if (data >= sizeof(layouts) / sizeof(layouts[0]) || !layouts[data][0] || number == 6 ||
       number >= HD_GCN_FLOAT_FORMAT + 1)
      return false;
   *out = (hd_gcn_texel_format){ .number = (uint8_t)number };
   for (unsigned n = 0; n < 4; n++) {
      out->bits[n] = layouts[data][n];
      bits += layouts[data][n];
      /* Numbers of other sizes are no floats, and of 32 bits there are no fractions. */
      const unsigned b = out->bits[n];
      if (b && number == HD_GCN_FLOAT_FORMAT && b != 16 && b != 32 && b != 11 && b != 10)
         return false;
      if (b == 32 && number < HD_GCN_UINT_FORMAT)
         return false;
   }
   out->bytes = (uint8_t)(bits / 8);
   return true;
}

static uint32_t
low_mask(unsigned bits)
{
   return bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

static uint32_t
get_bits(const uint32_t *words, unsigned at, unsigned bits)
{
   const unsigned within = at % 32;
   uint64_t all = words[at / 32];

   if (within + bits > 32)
      all |= (uint64_t)words[at / 32 + 1] << 32;
   return (uint32_t)(all >> within) & low_mask(bits);
}

static void
put_bits(uint32_t *words, unsigned at, unsigned bits, uint32_t value)
{
   const uint64_t put = (uint64_t)(value & low_mask(bits)) << at % 32;

   words[at / 32] |= (uint32_t)put;
   if (at % 32 + bits > 32)
      words[at / 32 + 1] |= (uint32_t)(put >> 32);
}

static int64_t
signed_of(uint32_t x, unsigned bits)
{
   const uint32_t sign = UINT32_C(1) << (bits - 1);

   return (int64_t)(x ^ sign) - (int64_t)sign;
}

static uint32_t
fraction(int64_t x, int64_t most)
{
   const uint64_t a = hd_float_from_int(32, x, HD_ROUND_NEAREST_EVEN),
                  b = hd_float_from_int(32, most, HD_ROUND_NEAREST_EVEN);

   return (uint32_t)hd_float_div(32, a, b, HD_ROUND_NEAREST_EVEN);
}

/* The small floats have the exponent of 16 bits, and no sign. */
static uint32_t
float_of(uint32_t x, unsigned bits)
{
   if (bits == 32)
      return x;
   return (uint32_t)hd_float_convert(16, 32, bits == 16 ? x : x << (15 - bits),
                                     HD_ROUND_NEAREST_EVEN);
}

static uint32_t
decode_channel(unsigned number, unsigned bits, uint32_t x)
{
   const int64_t s = signed_of(x, bits);

   switch (number) {
   case HD_GCN_UNORM_FORMAT:
      return fraction(x, (int64_t)low_mask(bits));
   case HD_GCN_SNORM_FORMAT: {
      const int64_t most = (int64_t)low_mask(bits - 1);
      return bits == 1 ? 0 : fraction(s < -most ? -most : s, most);
   }
   case HD_GCN_USCALED_FORMAT:
      return (uint32_t)hd_float_from_uint(32, x, HD_ROUND_NEAREST_EVEN);
   case HD_GCN_SSCALED_FORMAT:
      return (uint32_t)hd_float_from_int(32, s, HD_ROUND_NEAREST_EVEN);
   case HD_GCN_SINT_FORMAT:
      return (uint32_t)s;
   case HD_GCN_FLOAT_FORMAT:
      return float_of(x, bits);
   default:
      return x;
   }
}

/* The nearest integer to x * scale between least and most; of no number 0. */
static uint32_t
nearest(uint32_t x, int64_t scale, int64_t least, int64_t most)
{
   const hd_round r = HD_ROUND_NEAREST_EVEN;
   uint64_t wide = hd_float_convert(32, 64, x, r);

   if (hd_float_is_nan(32, x))
      return 0;
   wide = hd_float_mul(64, wide, hd_float_from_int(64, scale, r), r);
   wide = hd_float_max(64, wide, hd_float_from_int(64, least, r));
   wide = hd_float_min(64, wide, hd_float_from_int(64, most, r));
   return (uint32_t)hd_float_to_int(64, wide, 64, r);
}

static uint32_t
small_float(uint32_t x, unsigned bits)
{
   const bool negative = x >> 31;
   uint32_t half = (uint32_t)hd_float_convert(32, 16, x, HD_ROUND_NEAREST_EVEN);

   if (bits == 16)
      return half;
   const unsigned drop = 15 - bits;
   if (hd_float_is_nan(16, half))
      return 0x7fff >> drop;
   if (negative)
      return 0;
   /* From the whole number again: rounded once. */
   half = (uint32_t)hd_float_convert(32, 16, x, HD_ROUND_ZERO) >> drop;
   return half;
}

static uint32_t
encode_channel(unsigned number, unsigned bits, uint32_t x)
{
   const int64_t most = (int64_t)low_mask(bits), half = (int64_t)low_mask(bits - 1);

   switch (number) {
   case HD_GCN_UNORM_FORMAT:
      return nearest(x, most, 0, most);
   case HD_GCN_SNORM_FORMAT:
      return nearest(x, half, -half, half);
   case HD_GCN_USCALED_FORMAT:
      return nearest(x, 1, 0, most);
   case HD_GCN_SSCALED_FORMAT:
      return nearest(x, 1, -half - 1, half);
   case HD_GCN_UINT_FORMAT:
      return x > (uint64_t)most ? (uint32_t)most : x;
   case HD_GCN_SINT_FORMAT: {
      const int64_t s = (int32_t)x;
      return (uint32_t)(s < -half - 1 ? -half - 1 : s > half ? half : s);
   }
   default:
      return bits == 32 ? x : small_float(x, bits);
   }
}

/* Bits that go through as they are, and are undefined one by one. */
static bool
is_plain(unsigned number, unsigned bits)
{
   return bits == 32 || number == HD_GCN_UINT_FORMAT;
}

hd_gcn_texel
hd_gcn_texel_decode(const hd_gcn_texel_format *f, const uint32_t *memory, const uint32_t *undef)
{
   hd_gcn_texel t = { { 0 }, { 0 } };
   unsigned at = 0;

   for (unsigned n = 0; n < 4 && f->bits[n]; n++) {
      const uint32_t x = get_bits(memory, at, f->bits[n]), u = get_bits(undef, at, f->bits[n]);
      t.value[n] = decode_channel(f->number, f->bits[n], x);
      t.undef[n] = is_plain(f->number, f->bits[n]) ? u : u ? UINT32_MAX : 0;
      at += f->bits[n];
   }
   return t;
}

void
hd_gcn_texel_encode(const hd_gcn_texel_format *f, const hd_gcn_texel *texel, uint32_t *memory,
                    uint32_t *undef)
{
   unsigned at = 0;

   for (unsigned n = 0; n < 4; n++)
      memory[n] = undef[n] = 0;
   for (unsigned n = 0; n < 4 && f->bits[n]; n++) {
      const uint32_t u = texel->undef[n];
      /* A number that is too large becomes another one. */
      const bool plain =
          is_plain(f->number, f->bits[n]) && !((texel->value[n] | u) & ~low_mask(f->bits[n]));
      put_bits(memory, at, f->bits[n], encode_channel(f->number, f->bits[n], texel->value[n]));
      put_bits(undef, at, f->bits[n], plain ? u : u ? UINT32_MAX : 0);
      at += f->bits[n];
   }
}
