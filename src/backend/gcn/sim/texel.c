/* SPDX-License-Identifier: MIT */
/* texel.c - which format the words of a resource are, and undefined bits of texels. */
#include "backend/gcn/sim/texel.h"

#include <string.h>

#include "util/bytes.h"
#include "util/float.h"
#include "wave/texel.h"

/* Channels of a format of data, from the lowest bit up: its name begins with the highest. */
typedef struct data_format {
   uint8_t number, bits[4];
} data_format;

static const data_format data_formats[] = {
   { 1, { 8 } },
   { 2, { 16 } },
   { 3, { 8, 8 } },
   { 4, { 32 } },
   { 5, { 16, 16 } },
   { 6, { 11, 11, 10 } },
   { 7, { 10, 11, 11 } },
   { 8, { 2, 10, 10, 10 } },
   { 9, { 10, 10, 10, 2 } },
   { 10, { 8, 8, 8, 8 } },
   { 11, { 32, 32 } },
   { 12, { 16, 16, 16, 16 } },
   { 13, { 32, 32, 32 } },
   { 14, { 32, 32, 32, 32 } },
   { 16, { 5, 6, 5 } },
   { 17, { 5, 5, 5, 1 } },
   { 18, { 1, 5, 5, 5 } },
   { 19, { 4, 4, 4, 4 } },
   { 20, { 24 } },
   { 34, { 9, 9, 9 } },
};

#define NUM_DATA_FORMATS (sizeof(data_formats) / sizeof(data_formats[0]))

/* Of numbers, by hd_texel_kind. */
static const uint8_t number_formats[] = {
   [TEXEL_UNORM] = 0, [TEXEL_SNORM] = 1, [TEXEL_UINT] = 4,   [TEXEL_SINT] = 5,
   [TEXEL_FLOAT] = 7, [TEXEL_SRGB] = 9,  [TEXEL_SHARED] = 7,
};

/* The channel that begins with this bit, or -1. */
static int
channel_at(const data_format *d, unsigned shift)
{
   unsigned at = 0;

   for (int n = 0; n < 4 && d->bits[n]; n++) {
      if (at == shift)
         return n;
      at += d->bits[n];
   }
   return -1;
}

static bool
fits(const data_format *d, const hd_texel_layout *t, uint8_t select[4])
{
   unsigned num = 0, have = 0;

   for (unsigned n = 0; n < 4; n++) {
      have += d->bits[n] != 0;
      select[n] = n == 3;
      if (!t->bits[n])
         continue;
      const int channel = channel_at(d, t->shift[n]);
      if (channel < 0 || d->bits[channel] != t->bits[n])
         return false;
      select[n] = (uint8_t)(4 + channel);
      num++;
   }
   return num == have;
}

bool
hd_gcn_texel_words_of(hd_texel_format format, hd_gcn_texel_words *out)
{
   const hd_texel_layout *t = hd_texel_layout_of(format);

   for (unsigned n = 0; t && n < NUM_DATA_FORMATS; n++) {
      *out =
          (hd_gcn_texel_words){ .data = data_formats[n].number, .number = number_formats[t->kind] };
      if (fits(&data_formats[n], t, out->select))
         return true;
   }
   return false;
}

hd_texel_format
hd_gcn_texel_format_of(const hd_gcn_texel_words *words)
{
   hd_gcn_texel_words have;

   for (unsigned f = HD_TEXEL_RAW + 1; f < HD_NUM_TEXEL_FORMATS; f++) {
      if (hd_gcn_texel_words_of((hd_texel_format)f, &have) && have.data == words->data &&
          have.number == words->number && !memcmp(have.select, words->select, 4))
         return (hd_texel_format)f;
   }
   return HD_TEXEL_RAW;
}

void
hd_gcn_texel_usual_select(hd_gcn_texel_words *words)
{
   for (unsigned n = 0; n < NUM_DATA_FORMATS; n++) {
      if (data_formats[n].number != words->data)
         continue;
      for (unsigned c = 0; c < 4; c++)
         words->select[c] = (uint8_t)(data_formats[n].bits[c] ? 4 + c : c == 3);
   }
}

/* Undefined bits */

static void
to_bytes(const uint32_t *words, uint8_t bytes[16])
{
   for (unsigned n = 0; n < 4; n++)
      put_number(bytes + 4 * (size_t)n, 4, words[n]);
}

static void
from_bytes(const uint8_t bytes[16], uint32_t *words)
{
   for (unsigned n = 0; n < 4; n++)
      words[n] = (uint32_t)get_number(bytes + 4 * (size_t)n, 4);
}

/* Bits go through as they are. */
static bool
is_plain(const hd_texel_layout *t, unsigned c)
{
   return t->kind == TEXEL_UINT || (t->bits[c] == 32 && t->kind >= TEXEL_UINT);
}

hd_gcn_texel
hd_gcn_texel_decode(hd_texel_format format, const uint32_t *memory, const uint32_t *undef)
{
   const hd_texel_layout *t = hd_texel_layout_of(format);
   hd_gcn_texel out = { { 0 }, { 0 } };
   uint8_t bytes[16], undef_bytes[16];
   uint64_t values[4];

   to_bytes(memory, bytes);
   to_bytes(undef, undef_bytes);
   hd_texel_decode(t, bytes, values);
   for (unsigned n = 0; n < 4; n++) {
      const uint32_t u = t->bits[n] ? (uint32_t)hd_texel_get_field(t, undef_bytes, n) : 0;
      out.value[n] = (uint32_t)values[n];
      out.undef[n] = is_plain(t, n) ? u : u ? UINT32_MAX : 0;
   }
   return out;
}

void
hd_gcn_texel_encode(hd_texel_format format, const hd_gcn_texel *texel, uint32_t *memory,
                    uint32_t *undef)
{
   const hd_texel_layout *t = hd_texel_layout_of(format);
   uint8_t bytes[16] = { 0 }, undef_bytes[16] = { 0 };
   uint64_t values[4];

   for (unsigned n = 0; n < 4; n++)
      values[n] =
          t->kind == TEXEL_SINT ? (uint64_t)(int64_t)(int32_t)texel->value[n] : texel->value[n];
   hd_texel_encode(t, values, bytes);
   from_bytes(bytes, memory);
   for (unsigned n = 0; n < 4; n++) {
      if (!t->bits[n] || !texel->undef[n])
         continue;
      /* A number that is too large becomes another one. */
      const uint64_t above = (texel->value[n] | texel->undef[n]) >> (t->bits[n] & 31u);
      const bool plain = is_plain(t, n) && (t->bits[n] == 32 || !above);
      hd_texel_put_field(t, undef_bytes, n, plain ? texel->undef[n] : UINT32_MAX);
   }
   from_bytes(undef_bytes, undef);
}

bool
hd_gcn_texel_is_integer(hd_texel_format format)
{
   return hd_texel_is_integer(hd_texel_layout_of(format));
}

void
hd_gcn_texel_to_half(hd_texel_format format, uint32_t *value, uint32_t *undef)
{
   if (!hd_gcn_texel_is_integer(format)) {
      *value = (uint32_t)hd_float_convert(32, 16, *value, HD_ROUND_NEAREST_EVEN);
      *undef = *undef ? 0xffff : 0;
   }
   *value &= 0xffff;
   *undef &= 0xffff;
}

void
hd_gcn_texel_from_half(hd_texel_format format, uint32_t *value, uint32_t *undef)
{
   *value &= 0xffff;
   *undef &= 0xffff;
   if (!hd_gcn_texel_is_integer(format)) {
      *value = (uint32_t)hd_float_convert(16, 32, *value, HD_ROUND_NEAREST_EVEN);
      *undef = *undef ? UINT32_MAX : 0;
   } else if (hd_texel_layout_of(format)->kind == TEXEL_SINT) {
      *value = (uint32_t)(int32_t)(int16_t)*value;
   }
}
