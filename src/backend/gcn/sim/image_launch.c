/* SPDX-License-Identifier: MIT */
/* image_launch.c - the images of hd_wave_run, whose texels lie one behind the other, as images whose
 * rows are multiples of 256 bytes.
 */
#include "backend/gcn/sim/image_launch.h"

#include <string.h>

#include "heddle/intrinsic_enum.h"
#include "heddle/ops.h"
#include "heddle/walk.h"

#define MAX_SIZE   16384u
#define MAX_SLICES 8192u
#define MAX_LEVELS 16u

static uint32_t
at_least_1(uint32_t n)
{
   return n ? n : 1;
}

/* Queries do not say all of it: the access that says most counts. */
static void
look_at(hd_gcn_image_shape *shape, const hd_intrinsic *i, uint32_t set, uint32_t binding)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   if (i->instr.op < HD_INTRINSIC_IMAGE_LOAD || i->instr.op > HD_INTRINSIC_IMAGE_QUERY_LOD ||
       hd_intrinsic_index(i, HD_INDEX_SET) != set ||
       hd_intrinsic_index(i, HD_INDEX_BINDING) != binding)
      return;
   shape->ms |= hd_intrinsic_index(i, HD_INDEX_MS) != 0;
   shape->array |= hd_intrinsic_index(i, HD_INDEX_ARRAY) != 0;
   if (info->slots[HD_INDEX_DIM])
      shape->dim = (hd_image_dim)hd_intrinsic_index(i, HD_INDEX_DIM);
   shape->sampled |= info->slots[HD_INDEX_SAMPLER_BINDING] != 0;
   shape->wide |= i->instr.def.bit_size == 64 ||
                  (i->instr.op == HD_INTRINSIC_IMAGE_STORE && i->src[0].def->bit_size == 64);
   shape->is_image = true;
}

hd_gcn_image_shape
hd_gcn_image_shape_of(const hd_shader *shader, uint32_t set, uint32_t binding)
{
   hd_gcn_image_shape shape = { .dim = HD_DIM_D2 };

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_intrinsic *intrinsic = hd_instr_as_intrinsic(i);
            if (intrinsic)
               look_at(&shape, intrinsic, set, binding);
         }
      }
   }
   return shape;
}

hd_texel_format
hd_gcn_texel_format_in(const hd_gcn_image_shape *shape, const hd_wave_image *from)
{
   /* One component of 64 bits is two of 32. */
   if (shape->wide && !shape->sampled &&
       (from->format == HD_TEXEL_R64_UINT || from->format == HD_TEXEL_R64_SINT))
      return HD_TEXEL_RG32_UINT;
   if (from->format != HD_TEXEL_RAW)
      return from->format;
   /* Bits as they are; those that are sampled are floats. */
   if (from->bits == 16)
      return shape->sampled ? HD_TEXEL_RGBA16_FLOAT : HD_TEXEL_RGBA16_UINT;
   return from->bits == 32 ? HD_TEXEL_RGBA32_FLOAT : HD_TEXEL_RAW;
}

static hd_gcn_image_type
type_of(const hd_gcn_image_shape *shape)
{
   switch (shape->dim) {
   case HD_DIM_D1:
      return shape->array ? HD_GCN_IMAGE_1D_ARRAY : HD_GCN_IMAGE_1D;
   case HD_DIM_D3:
      return HD_GCN_IMAGE_3D;
   case HD_DIM_CUBE:
      return HD_GCN_IMAGE_CUBE;
   default:
      break;
   }
   if (shape->ms)
      return shape->array ? HD_GCN_IMAGE_2D_MSAA_ARRAY : HD_GCN_IMAGE_2D_MSAA;
   return shape->array ? HD_GCN_IMAGE_2D_ARRAY : HD_GCN_IMAGE_2D;
}

const char *
hd_gcn_image_from_launch(const hd_gcn_image_shape *shape, const hd_wave_image *from,
                         hd_gcn_image *out)
{
   const uint32_t samples = at_least_1(from->num_samples);

   const hd_texel_format format = hd_gcn_texel_format_in(shape, from);
   hd_gcn_texel_words words;
   if (!hd_gcn_texel_words_of(format, &words))
      return "texels of a format that the machine does not have";
   if (from->width > MAX_SIZE || from->height > MAX_SIZE || from->depth > MAX_SLICES ||
       from->num_layers > MAX_SLICES || from->num_levels > MAX_LEVELS)
      return "the image is larger than the machine supports";
   *out = (hd_gcn_image){
      .type = type_of(shape),
      .width = at_least_1(from->width),
      .height = at_least_1(from->height),
      .depth = 1,
      .last_level = at_least_1(from->num_levels) - 1,
      .samples = 1,
      .format = format,
      .bytes = hd_texel_format_size(format),
   };
   if (hd_gcn_image_dims(out) == 1)
      out->height = 1;
   if (out->type == HD_GCN_IMAGE_3D)
      out->depth = at_least_1(from->depth);
   if (hd_gcn_image_is_array(out))
      out->last_slice = at_least_1(from->num_layers) - 1;
   if (hd_gcn_image_is_multisampled(out)) {
      if (samples & (samples - 1) || samples > 16 || from->num_levels > 1)
         return "expected a power of two as the number of samples, and one level";
      out->samples = samples;
   }
   out->pitch = hd_gcn_image_least_pitch(out, out->width);
   return NULL;
}

/* Where a texel is in the launch's memory. */
static uint64_t
offset_in_launch(const hd_wave_image *image, uint32_t bytes, uint32_t level, uint32_t layer,
                 uint32_t z, uint32_t x, uint32_t y, uint32_t sample)
{
   const uint64_t samples = at_least_1(image->num_samples);
   uint64_t texels = 0, width, height, depth;

   for (uint32_t n = 0;; n++) {
      width = hd_gcn_image_extent(at_least_1(image->width), n);
      height = hd_gcn_image_extent(at_least_1(image->height), n);
      depth = hd_gcn_image_extent(at_least_1(image->depth), n);
      if (n == level)
         break;
      texels += width * height * depth * at_least_1(image->num_layers) * samples;
   }
   texels += (((layer * depth + z) * height + y) * width + x) * samples + sample;
   return texels * bytes;
}

static void
copy_texel(const hd_gcn_image *image, const hd_wave_image *launch, hd_wave_memory machine,
           uint64_t from, uint64_t to, bool back)
{
   uint8_t *a = (uint8_t *)machine.data + to, *b = (uint8_t *)launch->memory.data + from;
   uint8_t *ua = machine.undefined ? machine.undefined + to : NULL,
           *ub = launch->memory.undefined ? launch->memory.undefined + from : NULL;
   const size_t size = image->bytes;

   if (from + size > launch->memory.size)
      return;
   memcpy(back ? b : a, back ? a : b, size);
   if (ua && ub)
      memcpy(back ? ub : ua, back ? ua : ub, size);
   else if (back ? ub != NULL : ua != NULL)
      memset(back ? ub : ua, 0, size);
}

static void
copy_slice(const hd_gcn_image *image, const hd_wave_image *launch, hd_wave_memory machine,
           uint32_t level, uint32_t slice, bool back)
{
   const bool solid = image->type == HD_GCN_IMAGE_3D;
   const uint32_t layer = solid ? 0 : slice, z = solid ? slice : 0;

   for (uint32_t y = 0; y < hd_gcn_image_extent(image->height, level); y++) {
      for (uint32_t x = 0; x < hd_gcn_image_extent(image->width, level); x++) {
         for (uint32_t n = 0; n < image->samples; n++)
            copy_texel(image, launch, machine,
                       offset_in_launch(launch, image->bytes, level, layer, z, x, y, n),
                       hd_gcn_image_offset(image, level, slice, x, y, n), back);
      }
   }
}

void
hd_gcn_image_copy(const hd_gcn_image *image, const hd_wave_image *of_launch,
                  hd_wave_memory of_machine, bool back)
{
   for (uint32_t level = 0; level <= image->last_level; level++) {
      const uint32_t slices = image->type == HD_GCN_IMAGE_3D
                                  ? hd_gcn_image_extent(image->depth, level)
                                  : image->last_slice + 1;
      for (uint32_t slice = 0; slice < slices; slice++)
         copy_slice(image, of_launch, of_machine, level, slice, back);
   }
}
