/* SPDX-License-Identifier: MIT */
/* texture.h - what a launch says of images and samplers: formats of texels, how coordinates and levels are taken.
 *
 * In libheddle-tools. doc/meaning.md has the arithmetic of samples ("Images").
 */
#ifndef HEDDLE_TEXTURE_H
#define HEDDLE_TEXTURE_H

#include "heddle/base.h"

HD_BEGIN_DECLS

/* How a texel lies in memory. Names tell components in the order of their bytes, the lowest first; of
 * formats in one number (those with 565, 5551, 4444, 1010102, 111110, 9995) from the lowest bit up.
 */
typedef enum hd_texel_format {
   HD_TEXEL_RAW, /* four components of hd_wave_image.bits: floats of that size where they are sampled */
   HD_TEXEL_R8_UNORM,
   HD_TEXEL_R8_SNORM,
   HD_TEXEL_R8_UINT,
   HD_TEXEL_R8_SINT,
   HD_TEXEL_R8_SRGB,
   HD_TEXEL_RG8_UNORM,
   HD_TEXEL_RG8_SNORM,
   HD_TEXEL_RG8_UINT,
   HD_TEXEL_RG8_SINT,
   HD_TEXEL_RGBA8_UNORM,
   HD_TEXEL_RGBA8_SNORM,
   HD_TEXEL_RGBA8_UINT,
   HD_TEXEL_RGBA8_SINT,
   HD_TEXEL_RGBA8_SRGB,
   HD_TEXEL_BGRA8_UNORM,
   HD_TEXEL_BGRA8_SRGB,
   HD_TEXEL_R16_UNORM,
   HD_TEXEL_R16_SNORM,
   HD_TEXEL_R16_UINT,
   HD_TEXEL_R16_SINT,
   HD_TEXEL_R16_FLOAT,
   HD_TEXEL_RG16_UNORM,
   HD_TEXEL_RG16_SNORM,
   HD_TEXEL_RG16_UINT,
   HD_TEXEL_RG16_SINT,
   HD_TEXEL_RG16_FLOAT,
   HD_TEXEL_RGBA16_UNORM,
   HD_TEXEL_RGBA16_SNORM,
   HD_TEXEL_RGBA16_UINT,
   HD_TEXEL_RGBA16_SINT,
   HD_TEXEL_RGBA16_FLOAT,
   HD_TEXEL_R32_UINT,
   HD_TEXEL_R32_SINT,
   HD_TEXEL_R32_FLOAT,
   HD_TEXEL_RG32_UINT,
   HD_TEXEL_RG32_SINT,
   HD_TEXEL_RG32_FLOAT,
   HD_TEXEL_RGBA32_UINT,
   HD_TEXEL_RGBA32_SINT,
   HD_TEXEL_RGBA32_FLOAT,
   HD_TEXEL_R64_UINT,
   HD_TEXEL_R64_SINT,
   HD_TEXEL_BGR565_UNORM,
   HD_TEXEL_BGRA5551_UNORM,
   HD_TEXEL_ARGB4444_UNORM,
   HD_TEXEL_RGBA1010102_UNORM,
   HD_TEXEL_RGBA1010102_UINT,
   HD_TEXEL_BGRA1010102_UNORM,
   HD_TEXEL_RGB111110_FLOAT,
   HD_TEXEL_RGB9995_FLOAT, /* three fractions and their exponent */
   HD_TEXEL_D24_UNORM,     /* of 32 bits the low 24 */
   HD_TEXEL_RGB32_UINT,    /* 12 bytes: of vertices */
   HD_TEXEL_RGB32_SINT,
   HD_TEXEL_RGB32_FLOAT,
   HD_NUM_TEXEL_FORMATS
} hd_texel_format;

/* "rgba8_unorm"; NULL for what is no format. */
HD_API const char *hd_texel_format_name(hd_texel_format format);
/* The format of this name, or HD_NUM_TEXEL_FORMATS. */
HD_API hd_texel_format hd_texel_format_from_name(const char *name);
/* Bytes of a texel; 0 for HD_TEXEL_RAW and for what is no format. */
HD_API unsigned hd_texel_format_size(hd_texel_format format);

typedef enum hd_address_mode {
   HD_ADDRESS_REPEAT,
   HD_ADDRESS_MIRRORED_REPEAT,
   HD_ADDRESS_CLAMP_TO_EDGE,
   HD_ADDRESS_CLAMP_TO_BORDER,
   HD_ADDRESS_MIRROR_CLAMP_TO_EDGE,
   HD_NUM_ADDRESS_MODES
} hd_address_mode;

typedef enum hd_filter { HD_FILTER_NEAREST, HD_FILTER_LINEAR, HD_NUM_FILTERS } hd_filter;

typedef enum hd_border_color {
   HD_BORDER_TRANSPARENT_BLACK,
   HD_BORDER_OPAQUE_BLACK,
   HD_BORDER_OPAQUE_WHITE,
   HD_NUM_BORDER_COLORS
} hd_border_color;

/* What a reference is to a texel where the answer is 1. */
typedef enum hd_compare_op {
   HD_COMPARE_NEVER,
   HD_COMPARE_LESS,
   HD_COMPARE_EQUAL,
   HD_COMPARE_LESS_OR_EQUAL,
   HD_COMPARE_GREATER,
   HD_COMPARE_NOT_EQUAL,
   HD_COMPARE_GREATER_OR_EQUAL,
   HD_COMPARE_ALWAYS,
   HD_NUM_COMPARE_OPS
} hd_compare_op;

/* All zero: repeats, nearest texel, nearest level, of level 0 alone (max_lod 0). Anisotropy is not looked at:
 * its ratio is 1.
 */
typedef struct hd_wave_sampler {
   uint32_t set, binding;
   uint32_t array_index;
   hd_address_mode address[3];
   hd_filter mag, min, mip;
   float lod_bias, min_lod, max_lod;
   hd_border_color border;
   hd_compare_op compare;
   bool unnormalized; /* coordinates count texels */
} hd_wave_sampler;

HD_END_DECLS

#endif
