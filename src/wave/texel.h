/* SPDX-License-Identifier: MIT */
/* texel.h - texels in memory as numbers, and back. */
#ifndef HEDDLE_WAVE_TEXEL_H
#define HEDDLE_WAVE_TEXEL_H

#include "heddle/texture.h"

typedef enum hd_texel_kind {
   TEXEL_UNORM,
   TEXEL_SNORM,
   TEXEL_UINT,
   TEXEL_SINT,
   TEXEL_FLOAT,
   TEXEL_SRGB,   /* alpha is unorm */
   TEXEL_SHARED, /* three fractions and their exponent */
} hd_texel_kind;

typedef struct hd_texel_layout {
   const char *name;
   uint8_t bytes, kind;
   uint8_t bits[4], shift[4]; /* by component; no bits: it is not there */
} hd_texel_layout;

/* NULL for HD_TEXEL_RAW and for what is no format. */
const hd_texel_layout *hd_texel_layout_of(hd_texel_format format);
bool hd_texel_is_integer(const hd_texel_layout *t);

/* The bits of a component that is there, and what puts them into bytes. */
uint64_t hd_texel_get_field(const hd_texel_layout *t, const uint8_t *bytes, unsigned c);
void hd_texel_put_field(const hd_texel_layout *t, uint8_t *bytes, unsigned c, uint64_t value);

/* The bytes of a texel as four numbers: floats of 32 bits, or integers of 64, sign extended. Components that are
 * not there are 0, 0, 0, 1.
 */
void hd_texel_decode(const hd_texel_layout *t, const uint8_t *bytes, uint64_t out[4]);
/* Back: numbers out of range become the nearest that the format has, NaNs 0 where it has none. */
void hd_texel_encode(const hd_texel_layout *t, const uint64_t in[4], uint8_t *bytes);

#endif
