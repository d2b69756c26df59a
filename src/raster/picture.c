/* SPDX-License-Identifier: MIT */
/* picture.c - for the host: clear an attachment, read it as a picture. */
#include "heddle/raster.h"

#include <string.h>

#include "util/float.h"
#include "wave/texture.h"

/* NULL: the image has no format, or its memory is too small. */
static const hd_texel_layout *
layout_of(const hd_wave_image *image)
{
   const hd_texel_layout *t = hd_texel_layout_of(image->format);

   return t && image->memory.data && hd_image_size(image) <= image->memory.size ? t : NULL;
}

hd_result
hd_raster_clear(const hd_wave_image *image, const uint32_t color[4])
{
   const hd_texel_layout *t = layout_of(image);
   uint8_t texel[16] = { 0 };
   uint64_t in[4];

   if (!t)
      return HD_BAD_LAUNCH;
   for (unsigned c = 0; c < 4; c++)
      in[c] = t->kind == TEXEL_SINT ? (uint64_t)(int64_t)(int32_t)color[c] : color[c];
   hd_texel_encode(t, in, texel);
   for (uint64_t at = 0; at + t->bytes <= hd_image_size(image); at += t->bytes)
      memcpy((uint8_t *)image->memory.data + at, texel, t->bytes);
   if (image->memory.undefined)
      memset(image->memory.undefined, 0, hd_image_size(image));
   return HD_OK;
}

/* The sum of a component over the samples, each 0 to 255; sRGB is not decoded. */
static uint32_t
add_samples(const hd_wave_image *image, const hd_texel_layout *t, const uint64_t at[3],
            uint32_t layer, uint32_t sum[4])
{
   const uint32_t samples = (uint32_t)at_least_1(image->num_samples);
   hd_texel_layout plain = *t;

   if (t->kind == TEXEL_SRGB)
      plain.kind = TEXEL_UNORM;
   for (uint32_t n = 0; n < samples; n++) {
      const uint8_t *texel =
          (const uint8_t *)image->memory.data + hd_image_texel_offset(image, 0, at, layer, n);
      uint64_t out[4];
      hd_texel_decode(&plain, texel, out);
      for (unsigned c = 0; c < 4; c++) {
         const uint64_t scaled =
             hd_float_mul(32, hd_float_saturate(32, out[c]),
                          hd_float_from_uint(32, 255, HD_ROUND_ZERO), HD_ROUND_NEAREST_EVEN);
         const bool there = !hd_texel_is_integer(t);
         sum[c] += there ? (uint32_t)hd_float_to_uint(32, scaled, 8, HD_ROUND_NEAREST_EVEN)
                         : (uint32_t)(out[c] & 255);
      }
      if (hd_texel_is_integer(t) && !t->bits[3])
         sum[3] += 254; /* 1 is there */
   }
   return samples;
}

static void
convert(const hd_wave_image *image, const hd_texel_layout *t, uint32_t layer, uint8_t *rgba)
{
   for (uint64_t y = 0; y < image->height; y++) {
      for (uint64_t x = 0; x < image->width; x++) {
         uint32_t sum[4] = { 0 };
         const uint32_t samples = add_samples(image, t, (const uint64_t[3]){ x, y, 0 }, layer, sum);
         for (unsigned c = 0; c < 4; c++)
            rgba[(y * image->width + x) * 4 + c] = (uint8_t)((sum[c] + samples / 2) / samples);
      }
   }
}

hd_result
hd_raster_picture(const hd_wave_image *image, uint32_t layer, uint8_t *rgba)
{
   const hd_texel_layout *t = layout_of(image);

   if (!t || layer >= at_least_1(image->num_layers))
      return HD_BAD_LAUNCH;
   convert(image, t, layer, rgba);
   return HD_OK;
}
