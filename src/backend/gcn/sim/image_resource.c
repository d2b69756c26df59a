/* SPDX-License-Identifier: MIT */
/* image_resource.c - the eight words of an image resource, and linear images in memory.
 *
 *    0  address, bits 8 to 39
 *    1  address, bits 40 to 47; format of the data [25:20], of the numbers [29:26]
 *    2  width - 1 [13:0], height - 1 [27:14]
 *    3  channels [11:0], first level [15:12], last one [19:16], tiling [24:20], type [31:28]
 *    4  depth - 1 or the last slice [12:0], pitch - 1 from bit 13 on
 *    5  first slice [12:0]; before gfx9 the last one [25:13]
 *
 * Of what has several samples the last level is the logarithm of their number.
 */
#include "backend/gcn/sim/image.h"

/* That of rows one behind the other: a mode of gfx9, on the others its index in the table of modes
 * that drivers load.
 */
#define LINEAR_GFX9 0u
#define LINEAR_OLD  8u

static uint32_t
field(uint32_t word, unsigned high, unsigned low)
{
   return word >> low & (uint32_t)((UINT64_C(1) << (high - low + 1)) - 1);
}

const char *
hd_gcn_image_read(hd_gcn_gen gen, const uint32_t *words, hd_gcn_image *out)
{
   const unsigned type = field(words[3], 31, 28), tiling = field(words[3], 24, 20);
   const bool gfx9 = gen >= HD_GCN_GFX900;

   if (type < HD_GCN_IMAGE_1D)
      return "expected the resource of an image, found another type";
   if (tiling != (gfx9 ? LINEAR_GFX9 : LINEAR_OLD))
      return gfx9 ? "expected a linear image, found a swizzled one"
                  : "expected a linear image, found a tiled one";
   *out = (hd_gcn_image){
      .type = (hd_gcn_image_type)type,
      .base = (uint64_t)words[0] << 8 | (uint64_t)field(words[1], 7, 0) << 40,
      .width = field(words[2], 13, 0) + 1,
      .height = field(words[2], 27, 14) + 1,
      .depth = 1,
      .pitch = field(words[4], gfx9 ? 28 : 26, 13) + 1,
      .first_slice = field(words[5], 12, 0),
      .last_slice = gfx9 ? field(words[4], 12, 0) : field(words[5], 25, 13),
      .first_level = field(words[3], 15, 12),
      .last_level = field(words[3], 19, 16),
      .samples = 1,
   };
   if (type == HD_GCN_IMAGE_3D) {
      out->depth = field(words[4], 12, 0) + 1;
      out->first_slice = out->last_slice = 0;
   } else if (!hd_gcn_image_is_array(out)) {
      out->last_slice = out->first_slice;
   }
   if (hd_gcn_image_is_multisampled(out)) {
      out->samples = 1u << out->last_level;
      out->last_level = out->first_level = 0;
   }
   hd_gcn_texel_words texel = { .data = (uint8_t)field(words[1], 25, 20),
                                .number = (uint8_t)field(words[1], 29, 26) };
   for (unsigned n = 0; n < 4; n++)
      texel.select[n] = (uint8_t)field(words[3], 3 * n + 2, 3 * n);
   out->format = hd_gcn_texel_format_of(&texel);
   if (out->format == HD_TEXEL_RAW)
      return "the simulator does not have this texel format or channel order";
   out->bytes = hd_texel_format_size(out->format);
   if (out->pitch < out->width || out->pitch * out->bytes % HD_GCN_IMAGE_ALIGN)
      return "expected a row pitch that is a multiple of 256 bytes and no less than the width";
   return NULL;
}

void
hd_gcn_image_write(hd_gcn_gen gen, const hd_gcn_image *image, uint32_t *words)
{
   const bool gfx9 = gen >= HD_GCN_GFX900, msaa = hd_gcn_image_is_multisampled(image);
   uint32_t last = image->last_level;
   hd_gcn_texel_words texel = { 0 };

   (void)hd_gcn_texel_words_of(image->format, &texel);
   for (uint32_t n = image->samples; msaa && n > 1; n /= 2)
      last++;
   words[0] = (uint32_t)(image->base >> 8);
   words[1] = (uint32_t)(image->base >> 40 & 0xff) | (uint32_t)texel.data << 20 |
              (uint32_t)texel.number << 26;
   words[2] = (image->width - 1) | (image->height - 1) << 14;
   words[3] = image->first_level << 12 | last << 16 | (gfx9 ? LINEAR_GFX9 : LINEAR_OLD) << 20 |
              (uint32_t)image->type << 28;
   for (unsigned n = 0; n < 4; n++)
      words[3] |= (uint32_t)texel.select[n] << 3 * n;
   words[4] = (image->type == HD_GCN_IMAGE_3D ? image->depth - 1 : image->last_slice) |
              (image->pitch - 1) << 13;
   words[5] = image->first_slice | (gfx9 ? 0 : image->last_slice << 13);
   words[6] = words[7] = 0;
}

uint32_t
hd_gcn_image_extent(uint32_t size, uint32_t level)
{
   const uint32_t extent = level < 32 ? size >> level : 0;

   return extent ? extent : 1;
}

uint32_t
hd_gcn_image_least_pitch(const hd_gcn_image *image, uint32_t width)
{
   uint32_t pitch = width;

   /* Texels of 12 bytes, too. */
   while ((uint64_t)pitch * image->bytes % HD_GCN_IMAGE_ALIGN)
      pitch++;
   return pitch;
}

static uint64_t
pitch_of(const hd_gcn_image *image, uint32_t level)
{
   return level ? hd_gcn_image_least_pitch(image, hd_gcn_image_extent(image->width, level))
                : image->pitch;
}

static uint64_t
slice_size(const hd_gcn_image *image, uint32_t level)
{
   return pitch_of(image, level) * hd_gcn_image_extent(image->height, level) * image->samples *
          image->bytes;
}

static uint64_t
level_size(const hd_gcn_image *image, uint32_t level)
{
   const uint64_t slices = image->type == HD_GCN_IMAGE_3D ? hd_gcn_image_extent(image->depth, level)
                                                          : image->last_slice + UINT64_C(1);

   return slice_size(image, level) * slices;
}

uint64_t
hd_gcn_image_offset(const hd_gcn_image *image, uint32_t level, uint32_t slice, uint32_t x,
                    uint32_t y, uint32_t sample)
{
   uint64_t offset = slice * slice_size(image, level);

   for (uint32_t n = 0; n < level; n++)
      offset += level_size(image, n);
   return offset + ((y * pitch_of(image, level) + x) * image->samples + sample) * image->bytes;
}

uint64_t
hd_gcn_image_size(const hd_gcn_image *image)
{
   uint64_t size = 0;

   for (uint32_t n = 0; n <= image->last_level; n++)
      size += level_size(image, n);
   return size;
}
