/* SPDX-License-Identifier: MIT */
/* texel.h - formats of texels as resources name them: bits in memory, numbers in registers. */
#ifndef HEDDLE_BACKEND_GCN_SIM_TEXEL_H
#define HEDDLE_BACKEND_GCN_SIM_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

/* Formats of numbers, of images and of buffers; the last one has images alone. */
typedef enum hd_gcn_number_format {
   HD_GCN_UNORM_FORMAT,
   HD_GCN_SNORM_FORMAT,
   HD_GCN_USCALED_FORMAT,
   HD_GCN_SSCALED_FORMAT,
   HD_GCN_UINT_FORMAT,
   HD_GCN_SINT_FORMAT,
   HD_GCN_FLOAT_FORMAT = 7,
   HD_GCN_SRGB_FORMAT = 9,
} hd_gcn_number_format;

enum { HD_GCN_FORMAT_32 = 4, HD_GCN_FORMAT_16X4 = 12, HD_GCN_FORMAT_32X4 = 14 };

typedef struct hd_gcn_texel_format {
   uint8_t bits[4]; /* of each channel, from the lowest bit on; 0: there is none */
   uint8_t bytes;   /* of a texel */
   uint8_t number;  /* hd_gcn_number_format */
} hd_gcn_texel_format;

/* Four channels, with their undefined bits. */
typedef struct hd_gcn_texel {
   uint32_t value[4], undef[4];
} hd_gcn_texel;

/* False: the simulator does not have it. */
bool hd_gcn_texel_format_find(unsigned data, unsigned number, hd_gcn_texel_format *out);

/* From up to four dwords of memory, of which the bytes of the texel count, and back. A channel that
 * the format does not have is 0. Floats are of 32 bits. What no number holds becomes the nearest that
 * one does.
 */
hd_gcn_texel hd_gcn_texel_decode(const hd_gcn_texel_format *f, const uint32_t *memory,
                                 const uint32_t *undef);
void hd_gcn_texel_encode(const hd_gcn_texel_format *f, const hd_gcn_texel *texel, uint32_t *memory,
                         uint32_t *undef);

/* Whether the channels are integers: what a constant channel of one is then. */
static inline bool
hd_gcn_texel_is_integer(const hd_gcn_texel_format *f)
{
   return f->number == HD_GCN_UINT_FORMAT || f->number == HD_GCN_SINT_FORMAT;
}

#endif
