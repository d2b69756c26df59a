/* SPDX-License-Identifier: MIT */
/* texture.h - texture sampling: layout of texels, filtering. doc/meaning.md has the arithmetic.
 *
 * Independent of waves, so that simulators of texture units can use it, too.
 */
#ifndef HEDDLE_WAVE_TEXTURE_H
#define HEDDLE_WAVE_TEXTURE_H

#include "heddle/intrinsic_enum.h"
#include "heddle/wave.h"
#include "wave/texel.h"

typedef struct hd_extent {
   uint64_t width, height, depth;
} hd_extent;

/* Numbers of an image that are 0 count as 1. */
static inline uint64_t
at_least_1(uint64_t n)
{
   return n ? n : 1;
}

hd_extent hd_image_extent(const hd_wave_image *image, unsigned level);
/* Bytes of a texel; of a level with all layers and samples, UINT64_MAX where that does not fit; of all levels. */
unsigned hd_image_texel_size(const hd_wave_image *image);
uint64_t hd_image_level_size(const hd_wave_image *image, unsigned level);
uint64_t hd_image_size(const hd_wave_image *image);
/* The offset of a texel, which must be inside. */
uint64_t hd_image_texel_offset(const hd_wave_image *image, unsigned level, const uint64_t at[3],
                               uint64_t layer, uint64_t sample);
/* Dimensions that a coordinate has: 1 to 3; 2 of a cube's face. */
unsigned hd_image_dimensions(hd_image_dim dim);

/* Bytes of an image; `undefined` may be NULL. */
typedef struct hd_texture {
   const hd_wave_image *image;
   const uint8_t *data, *undefined;
   hd_image_dim dim;
   bool array;
} hd_texture;

/* Numbers with 8 fractional bits. */
#define HD_LOD_ONE 256

typedef struct hd_sample {
   uint32_t coord[4]; /* floats */
   int32_t offset[3]; /* texels */
   int64_t lod,
       least; /* the level before the sampler's bias, and the operand min_lod: HD_LOD_ONE is 1 */
   bool compare;
   uint32_t reference; /* float */
   bool gather;        /* level 0, and one component of four texels */
   unsigned component;
} hd_sample;

/* Four components: floats of 32 bits, or integers of 64. False: a texel of it is undefined. */
bool hd_texture_sample(const hd_texture *t, const hd_wave_sampler *s, const hd_sample *q,
                       uint64_t out[4]);
/* A float as such a number, to nearest even; NaN is 0. */
int64_t hd_lod_from_float(uint32_t f);
/* The level that derivatives of the coordinates ask for. */
int64_t hd_texture_lod(const hd_texture *t, const hd_wave_sampler *s, const uint32_t coord[3],
                       const uint32_t ddx[3], const uint32_t ddy[3]);
/* Is a sample the same whatever `lod` is? The sampler may allow one level only, or the image have no other. */
bool hd_texture_ignores_lod(const hd_texture *t, const hd_wave_sampler *s, int64_t least);
/* What query_lod gives for it: the level as it is accessed, and before it is held in range. */
void hd_texture_query_lod(const hd_texture *t, const hd_wave_sampler *s, int64_t lod,
                          uint32_t out[2]);
/* Whether texels of the image can be combined: they are no integers. */
bool hd_texture_filters(const hd_wave_image *image);

#endif
