/* SPDX-License-Identifier: MIT */
/* texel.h - formats of texels as resources name them, and texels with undefined bits. What a format means is in
 * wave/texel.h.
 */
#ifndef HEDDLE_BACKEND_GCN_SIM_TEXEL_H
#define HEDDLE_BACKEND_GCN_SIM_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle/texture.h"

/* What a resource says of its texels. */
typedef struct hd_gcn_texel_words {
   uint8_t data, number; /* formats of the data, of the numbers */
   uint8_t select[4];    /* what each component is: 0, 1, or 4 and the channel */
} hd_gcn_texel_words;

/* False: the machine has no such format. HD_TEXEL_RAW is none. */
bool hd_gcn_texel_words_of(hd_texel_format format, hd_gcn_texel_words *out);
/* HD_TEXEL_RAW: the simulator does not have it. */
hd_texel_format hd_gcn_texel_format_of(const hd_gcn_texel_words *words);
/* The default swizzle: components that are not there are 0, 0, 0, 1. */
void hd_gcn_texel_usual_select(hd_gcn_texel_words *words);

/* Four components, with their undefined bits. */
typedef struct hd_gcn_texel {
   uint32_t value[4], undef[4];
} hd_gcn_texel;

/* From up to four dwords of memory, and back. */
hd_gcn_texel hd_gcn_texel_decode(hd_texel_format format, const uint32_t *memory,
                                 const uint32_t *undef);
void hd_gcn_texel_encode(hd_texel_format format, const hd_gcn_texel *texel, uint32_t *memory,
                         uint32_t *undef);

/* Components are integers, and no floats of 32 bits. */
bool hd_gcn_texel_is_integer(hd_texel_format format);

/* A component as a register of 16 bits has it, and back: floats are rounded, integers cut. */
void hd_gcn_texel_to_half(hd_texel_format format, uint32_t *value, uint32_t *undef);
void hd_gcn_texel_from_half(hd_texel_format format, uint32_t *value, uint32_t *undef);

#endif
