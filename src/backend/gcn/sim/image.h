/* SPDX-License-Identifier: MIT */
/* image.h - resources of images, and where their texels are.
 *
 * A linear image: its levels one behind the other, of each level its slices, of those their rows. A
 * row takes a multiple of 256 bytes: of level 0 as many texels as the resource says, of the others as
 * many as it must. The samples of a texel lie side by side.
 */
#ifndef HEDDLE_BACKEND_GCN_SIM_IMAGE_H
#define HEDDLE_BACKEND_GCN_SIM_IMAGE_H

#include "backend/gcn/sim/texel.h"
#include "heddle/gcn.h"

/* By the numbers that they have in a resource. */
typedef enum hd_gcn_image_type {
   HD_GCN_IMAGE_1D = 8,
   HD_GCN_IMAGE_2D,
   HD_GCN_IMAGE_3D,
   HD_GCN_IMAGE_CUBE,
   HD_GCN_IMAGE_1D_ARRAY,
   HD_GCN_IMAGE_2D_ARRAY,
   HD_GCN_IMAGE_2D_MSAA,
   HD_GCN_IMAGE_2D_MSAA_ARRAY,
} hd_gcn_image_type;

typedef struct hd_gcn_image {
   hd_gcn_image_type type;
   uint64_t base;
   uint32_t width, height, depth; /* of level 0; depth 1 unless it has three dimensions */
   uint32_t pitch;                /* texels of a row of level 0 */
   uint32_t first_slice, last_slice;
   uint32_t first_level, last_level;
   uint32_t samples;
   hd_texel_format format;
   uint32_t bytes; /* of a texel */
} hd_gcn_image;

#define HD_GCN_IMAGE_ALIGN 256u

/* The dimensions of a level, which is there. */
uint32_t hd_gcn_image_extent(uint32_t size, uint32_t level);
/* Bytes from the base to a texel that is there; `slice` is a layer, a face or the third coordinate. */
uint64_t hd_gcn_image_offset(const hd_gcn_image *image, uint32_t level, uint32_t slice, uint32_t x,
                             uint32_t y, uint32_t sample);
/* Of all levels. */
uint64_t hd_gcn_image_size(const hd_gcn_image *image);
/* Texels of a row that is as short as it can be. */
uint32_t hd_gcn_image_least_pitch(const hd_gcn_image *image, uint32_t width);

/* Eight words, as generation `gen` has them. NULL: they are read; else why not. */
const char *hd_gcn_image_read(hd_gcn_gen gen, const uint32_t *words, hd_gcn_image *out);
void hd_gcn_image_write(hd_gcn_gen gen, const hd_gcn_image *image, uint32_t *words);

static inline bool
hd_gcn_image_is_array(const hd_gcn_image *image)
{
   return image->type == HD_GCN_IMAGE_CUBE || image->type == HD_GCN_IMAGE_1D_ARRAY ||
          image->type == HD_GCN_IMAGE_2D_ARRAY || image->type == HD_GCN_IMAGE_2D_MSAA_ARRAY;
}

static inline bool
hd_gcn_image_is_multisampled(const hd_gcn_image *image)
{
   return image->type >= HD_GCN_IMAGE_2D_MSAA;
}

/* Coordinates without that of a slice. */
static inline unsigned
hd_gcn_image_dims(const hd_gcn_image *image)
{
   return image->type == HD_GCN_IMAGE_3D                                           ? 3
          : image->type == HD_GCN_IMAGE_1D || image->type == HD_GCN_IMAGE_1D_ARRAY ? 1
                                                                                   : 2;
}

#endif
