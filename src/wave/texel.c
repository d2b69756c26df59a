/* SPDX-License-Identifier: MIT */
/* texel.c - formats: bytes of texels to numbers and back, exactly or correctly rounded. */
#include "wave/texel.h"

#include <string.h>

#include "util/bytes.h"
#include "util/float.h"
#include "wave/srgb.h"

#define NEAREST HD_ROUND_NEAREST_EVEN
#define ONE     UINT64_C(0x3f800000)

#define LAYOUT_1(name, kind, b)                                                                    \
   {                                                                                               \
      name, b / 8, kind, { b },                                                                    \
      {                                                                                            \
         0                                                                                         \
      }                                                                                            \
   }
#define LAYOUT_2(name, kind, b)                                                                    \
   {                                                                                               \
      name, b / 4, kind, { b, b },                                                                 \
      {                                                                                            \
         0, b                                                                                      \
      }                                                                                            \
   }
#define LAYOUT_4(name, kind, b)                                                                    \
   {                                                                                               \
      name, b / 2, kind, { b, b, b, b },                                                           \
      {                                                                                            \
         0, b, 2 * b, 3 * b                                                                        \
      }                                                                                            \
   }

/* By format. */
static const hd_texel_layout layouts[HD_NUM_TEXEL_FORMATS] = {
   [HD_TEXEL_RAW] = { .name = "raw" },
   [HD_TEXEL_R8_UNORM] = LAYOUT_1("r8_unorm", TEXEL_UNORM, 8),
   [HD_TEXEL_R8_SNORM] = LAYOUT_1("r8_snorm", TEXEL_SNORM, 8),
   [HD_TEXEL_R8_UINT] = LAYOUT_1("r8_uint", TEXEL_UINT, 8),
   [HD_TEXEL_R8_SINT] = LAYOUT_1("r8_sint", TEXEL_SINT, 8),
   [HD_TEXEL_R8_SRGB] = LAYOUT_1("r8_srgb", TEXEL_SRGB, 8),
   [HD_TEXEL_RG8_UNORM] = LAYOUT_2("rg8_unorm", TEXEL_UNORM, 8),
   [HD_TEXEL_RG8_SNORM] = LAYOUT_2("rg8_snorm", TEXEL_SNORM, 8),
   [HD_TEXEL_RG8_UINT] = LAYOUT_2("rg8_uint", TEXEL_UINT, 8),
   [HD_TEXEL_RG8_SINT] = LAYOUT_2("rg8_sint", TEXEL_SINT, 8),
   [HD_TEXEL_RGBA8_UNORM] = LAYOUT_4("rgba8_unorm", TEXEL_UNORM, 8),
   [HD_TEXEL_RGBA8_SNORM] = LAYOUT_4("rgba8_snorm", TEXEL_SNORM, 8),
   [HD_TEXEL_RGBA8_UINT] = LAYOUT_4("rgba8_uint", TEXEL_UINT, 8),
   [HD_TEXEL_RGBA8_SINT] = LAYOUT_4("rgba8_sint", TEXEL_SINT, 8),
   [HD_TEXEL_RGBA8_SRGB] = LAYOUT_4("rgba8_srgb", TEXEL_SRGB, 8),
   [HD_TEXEL_BGRA8_UNORM] = { "bgra8_unorm", 4, TEXEL_UNORM, { 8, 8, 8, 8 }, { 16, 8, 0, 24 } },
   [HD_TEXEL_BGRA8_SRGB] = { "bgra8_srgb", 4, TEXEL_SRGB, { 8, 8, 8, 8 }, { 16, 8, 0, 24 } },
   [HD_TEXEL_R16_UNORM] = LAYOUT_1("r16_unorm", TEXEL_UNORM, 16),
   [HD_TEXEL_R16_SNORM] = LAYOUT_1("r16_snorm", TEXEL_SNORM, 16),
   [HD_TEXEL_R16_UINT] = LAYOUT_1("r16_uint", TEXEL_UINT, 16),
   [HD_TEXEL_R16_SINT] = LAYOUT_1("r16_sint", TEXEL_SINT, 16),
   [HD_TEXEL_R16_FLOAT] = LAYOUT_1("r16_float", TEXEL_FLOAT, 16),
   [HD_TEXEL_RG16_UNORM] = LAYOUT_2("rg16_unorm", TEXEL_UNORM, 16),
   [HD_TEXEL_RG16_SNORM] = LAYOUT_2("rg16_snorm", TEXEL_SNORM, 16),
   [HD_TEXEL_RG16_UINT] = LAYOUT_2("rg16_uint", TEXEL_UINT, 16),
   [HD_TEXEL_RG16_SINT] = LAYOUT_2("rg16_sint", TEXEL_SINT, 16),
   [HD_TEXEL_RG16_FLOAT] = LAYOUT_2("rg16_float", TEXEL_FLOAT, 16),
   [HD_TEXEL_RGBA16_UNORM] = LAYOUT_4("rgba16_unorm", TEXEL_UNORM, 16),
   [HD_TEXEL_RGBA16_SNORM] = LAYOUT_4("rgba16_snorm", TEXEL_SNORM, 16),
   [HD_TEXEL_RGBA16_UINT] = LAYOUT_4("rgba16_uint", TEXEL_UINT, 16),
   [HD_TEXEL_RGBA16_SINT] = LAYOUT_4("rgba16_sint", TEXEL_SINT, 16),
   [HD_TEXEL_RGBA16_FLOAT] = LAYOUT_4("rgba16_float", TEXEL_FLOAT, 16),
   [HD_TEXEL_R32_UINT] = LAYOUT_1("r32_uint", TEXEL_UINT, 32),
   [HD_TEXEL_R32_SINT] = LAYOUT_1("r32_sint", TEXEL_SINT, 32),
   [HD_TEXEL_R32_FLOAT] = LAYOUT_1("r32_float", TEXEL_FLOAT, 32),
   [HD_TEXEL_RG32_UINT] = LAYOUT_2("rg32_uint", TEXEL_UINT, 32),
   [HD_TEXEL_RG32_SINT] = LAYOUT_2("rg32_sint", TEXEL_SINT, 32),
   [HD_TEXEL_RG32_FLOAT] = LAYOUT_2("rg32_float", TEXEL_FLOAT, 32),
   [HD_TEXEL_RGBA32_UINT] = LAYOUT_4("rgba32_uint", TEXEL_UINT, 32),
   [HD_TEXEL_RGBA32_SINT] = LAYOUT_4("rgba32_sint", TEXEL_SINT, 32),
   [HD_TEXEL_RGBA32_FLOAT] = LAYOUT_4("rgba32_float", TEXEL_FLOAT, 32),
   [HD_TEXEL_R64_UINT] = LAYOUT_1("r64_uint", TEXEL_UINT, 64),
   [HD_TEXEL_R64_SINT] = LAYOUT_1("r64_sint", TEXEL_SINT, 64),
   [HD_TEXEL_BGR565_UNORM] = { "bgr565_unorm", 2, TEXEL_UNORM, { 5, 6, 5 }, { 11, 5, 0 } },
   [HD_TEXEL_BGRA5551_UNORM] = { "bgra5551_unorm",
                                 2,
                                 TEXEL_UNORM,
                                 { 5, 5, 5, 1 },
                                 { 10, 5, 0, 15 } },
   [HD_TEXEL_ARGB4444_UNORM] = { "argb4444_unorm",
                                 2,
                                 TEXEL_UNORM,
                                 { 4, 4, 4, 4 },
                                 { 4, 8, 12, 0 } },
   [HD_TEXEL_RGBA1010102_UNORM] = { "rgba1010102_unorm",
                                    4,
                                    TEXEL_UNORM,
                                    { 10, 10, 10, 2 },
                                    { 0, 10, 20, 30 } },
   [HD_TEXEL_RGBA1010102_UINT] = { "rgba1010102_uint",
                                   4,
                                   TEXEL_UINT,
                                   { 10, 10, 10, 2 },
                                   { 0, 10, 20, 30 } },
   [HD_TEXEL_BGRA1010102_UNORM] = { "bgra1010102_unorm",
                                    4,
                                    TEXEL_UNORM,
                                    { 10, 10, 10, 2 },
                                    { 20, 10, 0, 30 } },
   [HD_TEXEL_RGB111110_FLOAT] = { "rgb111110_float",
                                  4,
                                  TEXEL_FLOAT,
                                  { 11, 11, 10 },
                                  { 0, 11, 22 } },
   [HD_TEXEL_RGB9995_FLOAT] = { "rgb9995_float", 4, TEXEL_SHARED, { 9, 9, 9 }, { 0, 9, 18 } },
   [HD_TEXEL_D24_UNORM] = { "d24_unorm", 4, TEXEL_UNORM, { 24 }, { 0 } },
   [HD_TEXEL_RGB32_UINT] = { "rgb32_uint", 12, TEXEL_UINT, { 32, 32, 32 }, { 0, 32, 64 } },
   [HD_TEXEL_RGB32_SINT] = { "rgb32_sint", 12, TEXEL_SINT, { 32, 32, 32 }, { 0, 32, 64 } },
   [HD_TEXEL_RGB32_FLOAT] = { "rgb32_float", 12, TEXEL_FLOAT, { 32, 32, 32 }, { 0, 32, 64 } },
};

const char *
hd_texel_format_name(hd_texel_format format)
{
   return (unsigned)format < HD_NUM_TEXEL_FORMATS ? layouts[format].name : NULL;
}

hd_texel_format
hd_texel_format_from_name(const char *name)
{
   for (unsigned n = 0; n < HD_NUM_TEXEL_FORMATS; n++) {
      if (!strcmp(layouts[n].name, name))
         return (hd_texel_format)n;
   }
   return HD_NUM_TEXEL_FORMATS;
}

unsigned
hd_texel_format_size(hd_texel_format format)
{
   return (unsigned)format < HD_NUM_TEXEL_FORMATS ? layouts[format].bytes : 0;
}

const hd_texel_layout *
hd_texel_layout_of(hd_texel_format format)
{
   return (unsigned)format < HD_NUM_TEXEL_FORMATS && format != HD_TEXEL_RAW ? &layouts[format]
                                                                            : NULL;
}

bool
hd_texel_is_integer(const hd_texel_layout *t)
{
   return t && (t->kind == TEXEL_UINT || t->kind == TEXEL_SINT);
}

/* Fields lie in words of 32 bits, or fill 64. */

static unsigned
word_size(const hd_texel_layout *t, unsigned c)
{
   const unsigned at = t->shift[c] / 32 * 4, rest = t->bytes - at;

   return t->bits[c] == 64 ? 8 : rest < 4 ? rest : 4;
}

static uint64_t
mask_of(unsigned bits)
{
   return UINT64_MAX >> (64 - bits);
}

uint64_t
hd_texel_get_field(const hd_texel_layout *t, const uint8_t *bytes, unsigned c)
{
   const uint64_t word = get_number(bytes + t->shift[c] / 32 * 4, word_size(t, c));

   return word >> t->shift[c] % 32 & mask_of(t->bits[c]);
}

void
hd_texel_put_field(const hd_texel_layout *t, uint8_t *bytes, unsigned c, uint64_t value)
{
   uint8_t *at = bytes + t->shift[c] / 32 * 4;
   const unsigned size = word_size(t, c), shift = t->shift[c] % 32;
   const uint64_t mask = mask_of(t->bits[c]) << shift;

   put_number(at, size, (get_number(at, size) & ~mask) | (value << shift & mask));
}

static int64_t
extend(uint64_t value, unsigned bits)
{
   const uint64_t sign = UINT64_C(1) << (bits - 1);

   return (int64_t)((value ^ sign) - sign);
}

/* Decoding */

static uint64_t
ratio(int64_t value, uint64_t most)
{
   const uint64_t x = hd_float_from_int(32, value, NEAREST);

   return hd_float_div(32, x, hd_float_from_uint(32, most, NEAREST), NEAREST);
}

/* Small floats have the exponent of 16-bit ones, and no sign. */
static uint64_t
decode_float(uint64_t value, unsigned bits)
{
   switch (bits) {
   case 32:
      return value;
   case 16:
      return hd_float_convert(16, 32, value, NEAREST);
   default:
      return hd_float_convert(16, 32, value << (15 - bits), NEAREST);
   }
}

static uint64_t
decode_field(const hd_texel_layout *t, uint64_t value, unsigned c)
{
   const unsigned bits = t->bits[c];
   const int64_t most = (int64_t)(mask_of(bits) >> 1);

   switch (t->kind) {
   case TEXEL_SRGB:
      return c < 3 ? srgb_values[value] : ratio((int64_t)value, mask_of(bits));
   case TEXEL_UNORM:
      return ratio((int64_t)value, mask_of(bits));
   case TEXEL_SNORM: {
      const int64_t x = extend(value, bits);
      return ratio(x < -most ? -most : x, (uint64_t)most);
   }
   case TEXEL_SINT:
      return (uint64_t)extend(value, bits);
   case TEXEL_FLOAT:
      return decode_float(value, bits);
   default:
      return value;
   }
}

void
hd_texel_decode(const hd_texel_layout *t, const uint8_t *bytes, uint64_t out[4])
{
   const bool integer = hd_texel_is_integer(t);

   for (unsigned c = 0; c < 4; c++) {
      out[c] = c < 3 ? 0 : integer ? 1 : ONE;
      if (t->kind == TEXEL_SHARED && c < 3) {
         const int32_t exponent = (int32_t)(get_number(bytes, 4) >> 27) - 24;
         const uint64_t x = hd_float_from_uint(32, hd_texel_get_field(t, bytes, c), NEAREST);
         out[c] = hd_float_ldexp(32, x, exponent);
      } else if (t->bits[c]) {
         out[c] = decode_field(t, hd_texel_get_field(t, bytes, c), c);
      }
   }
}

/* Encoding */

static uint64_t
encode_norm(uint64_t x, unsigned bits, bool is_signed)
{
   const uint64_t most = mask_of(bits) >> is_signed;
   const uint64_t one = hd_float_one(32);

   if (hd_float_is_nan(32, x))
      return 0;
   x = hd_float_min(32, hd_float_max(32, x, is_signed ? hd_float_neg(32, one) : 0), one);
   x = hd_float_convert(32, 64, x, NEAREST);
   x = hd_float_mul(64, x, hd_float_from_uint(64, most, NEAREST), NEAREST);
   return hd_float_to_int(64, x, 48, NEAREST);
}

static uint64_t
encode_srgb(uint64_t x)
{
   unsigned low = 0, high = 255;

   if (hd_float_is_nan(32, x))
      return 0;
   while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (hd_float_lt(32, x, srgb_ends[middle]))
         high = middle;
      else
         low = middle + 1;
   }
   return low;
}

static uint64_t
encode_float(uint64_t x, unsigned bits)
{
   if (bits == 32)
      return x;
   if (bits == 16)
      return hd_float_convert(32, 16, x, NEAREST);
   if (!hd_float_is_nan(32, x) && hd_float_sign(32, x))
      return 0;
   return (hd_float_convert(32, 16, x, HD_ROUND_ZERO) & 0x7fff) >> (15 - bits);
}

static uint64_t
encode_field(const hd_texel_layout *t, uint64_t x, unsigned c)
{
   const unsigned bits = t->bits[c];
   const int64_t most = (int64_t)(mask_of(bits) >> 1);

   switch (t->kind) {
   case TEXEL_SRGB:
      return c < 3 ? encode_srgb(x) : encode_norm(x, bits, false);
   case TEXEL_UNORM:
      return encode_norm(x, bits, false);
   case TEXEL_SNORM:
      return encode_norm(x, bits, true);
   case TEXEL_UINT:
      return x > mask_of(bits) ? mask_of(bits) : x;
   case TEXEL_SINT: {
      const int64_t value = (int64_t)x;
      return (uint64_t)(value < -most - 1 ? -most - 1 : value > most ? most : value);
   }
   default:
      return encode_float(x, bits);
   }
}

/* The largest that the format has is 511 * 2^7. */
static uint64_t
held(uint64_t x)
{
   const uint64_t most = hd_float_ldexp(32, hd_float_from_uint(32, 511, NEAREST), 7);

   return hd_float_is_nan(32, x) ? 0 : hd_float_min(32, hd_float_max(32, x, 0), most);
}

static void
encode_shared(const uint64_t in[4], uint8_t *bytes)
{
   uint64_t x[3], most = 0, word;
   int32_t exponent;

   for (unsigned c = 0; c < 3; c++) {
      x[c] = held(in[c]);
      most = hd_float_max(32, most, x[c]);
   }
   /* A fraction below 1 with that exponent: the largest has its upper bit set, if it can. */
   exponent = most ? hd_float_frexp_exp(32, most) : -15;
   if (exponent < -15)
      exponent = -15;
   if (hd_float_to_uint(32, hd_float_ldexp(32, most, 9 - exponent), 32, NEAREST) == 512)
      exponent++;
   word = (uint64_t)(exponent + 15) << 27;
   for (unsigned c = 0; c < 3; c++)
      word |= hd_float_to_uint(32, hd_float_ldexp(32, x[c], 9 - exponent), 32, NEAREST) << 9 * c;
   put_number(bytes, 4, word);
}

void
hd_texel_encode(const hd_texel_layout *t, const uint64_t in[4], uint8_t *bytes)
{
   if (t->kind == TEXEL_SHARED) {
      encode_shared(in, bytes);
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (t->bits[c])
         hd_texel_put_field(t, bytes, c, encode_field(t, in[c], c));
   }
}
