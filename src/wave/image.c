/* SPDX-License-Identifier: MIT */
/* image.c - images of a launch: loads, stores and atomics of texels, queries. */
#include <inttypes.h>

#include "heddle/intrinsic_enum.h"
#include "wave/bytes.h"
#include "wave/image.h"
#include "wave/texture.h"

hd_bytes
hd_wave_image_bytes(hd_wave_run_state *run, const hd_wave_image *image)
{
   const unsigned bits = image->bits;

   if ((unsigned)image->format >= HD_NUM_TEXEL_FORMATS)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "an image has no format of number %u",
                     image->format);
   if (image->format == HD_TEXEL_RAW && bits != 16 && bits != 32 && bits != 64)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "an image has components of %u bits", bits);
   if (image->num_levels > 32)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "an image has %u levels", image->num_levels);
   const uint64_t size = hd_image_size(image);
   if (image->memory.size < size)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL,
                     "an image takes %" PRIu64 " bytes, but its memory has %" PRIu64, size,
                     image->memory.size);
   return hd_wave_bytes(run, &image->memory, 0);
}

struct access
hd_wave_image_access(const hd_wave *w, const hd_code_instr *i, uint32_t first)
{
   const hd_intrinsic_info *info = i->info;
   const bool skips = info->helpers == HD_HELPER_SKIP;

   return (struct access){ i, first, skips ? mask_without(w->active, w->helper) : w->active };
}

void
hd_wave_image_check(hd_wave *w, const struct access *a)
{
   const hd_intrinsic_info *info = a->i->info;

   for (uint32_t n = 0; n < a->i->num_srcs; n++) {
      const hd_operand *o = &a->i->srcs[n];
      if (!(info->src[n].flags & HD_OPERAND_DEFINED))
         continue;
      for (unsigned c = 0; c < o->num_components; c++) {
         const hd_wave_mask bad = mask_and(*undef_of(w, o, c), a->lanes);
         if (mask_any(bad))
            hd_wave_fault(w, a->i->instr, hd_wave_mask_first(bad),
                          "operand %u, component %u, is undefined", n, c);
      }
   }
}

uint64_t
hd_wave_descriptor(hd_wave *w, const struct access *a, uint32_t operand, unsigned lane)
{
   const uint64_t *row = row_of(w, &a->i->srcs[operand], 0);
   const unsigned first = hd_wave_mask_first(a->lanes);

   if (row[lane] != row[first] && !(intrinsic_index(a->i, HD_INDEX_ACCESS) & HD_ACCESS_NONUNIFORM))
      hd_wave_fault(w, a->i->instr, lane,
                    "descriptor index %" PRIu64 ", but lane %u has %" PRIu64 ": it must be uniform",
                    row[lane], first, row[first]);
   return row[lane];
}

uint32_t
hd_wave_find_image(hd_wave *w, const struct access *a, unsigned lane)
{
   const hd_wave_launch *launch = w->run->launch;
   const uint32_t set = intrinsic_index(a->i, HD_INDEX_SET);
   const uint32_t binding = intrinsic_index(a->i, HD_INDEX_BINDING);
   const uint64_t index = hd_wave_descriptor(w, a, a->first, lane);

   for (uint32_t n = 0; n < launch->num_images; n++) {
      const hd_wave_image *image = &launch->images[n];
      if (image->set == set && image->binding == binding && image->array_index == index)
         return n;
   }
   hd_wave_fault(w, a->i->instr, lane, "no image is bound to set %u, binding %u, index %" PRIu64,
                 set, binding, index);
}

/* A texel; data is NULL outside of the image. */
struct spot {
   const hd_wave_image *image;
   const hd_texel_layout *layout; /* NULL: raw */
   struct place place;
};

static struct spot
locate(hd_wave *w, const struct access *a, unsigned lane, uint64_t lod, unsigned bits)
{
   const hd_code_instr *i = a->i;
   const uint32_t number = hd_wave_find_image(w, a, lane);
   const hd_wave_image *image = &w->run->launch->images[number];
   const hd_texel_layout *layout = hd_texel_layout_of(image->format);
   hd_bytes *bytes = &w->run->images[number];
   const hd_image_dim dim = (hd_image_dim)intrinsic_index(i, HD_INDEX_DIM);
   const unsigned dims = hd_image_dimensions(dim);
   const hd_operand *coord = &i->srcs[a->first + 1];
   const uint64_t sample =
       intrinsic_index(i, HD_INDEX_MS) ? row_of(w, &i->srcs[a->first + 2], 0)[lane] : 0;
   struct spot spot = { image, layout, { bytes, NULL, 0 } };
   uint64_t at[3] = { 0, 0, 0 }, layer = 0;
   unsigned c = 0;

   if (layout ? (bits == 64) != (layout->bits[0] == 64) : bits != image->bits)
      hd_wave_fault(w, i->instr, lane, "components of %u bits of an image that has %u", bits,
                    layout ? layout->bits[0] : image->bits);
   for (; c < dims; c++)
      at[c] = row_of(w, coord, c)[lane];
   if (dim == HD_DIM_CUBE) {
      layer = row_of(w, coord, c++)[lane];
      if (layer >= 6)
         return spot;
   }
   if (intrinsic_index(i, HD_INDEX_ARRAY))
      layer += row_of(w, coord, c)[lane] * (dim == HD_DIM_CUBE ? 6 : 1);
   if (lod >= at_least_1(image->num_levels) || layer >= at_least_1(image->num_layers) ||
       sample >= at_least_1(image->num_samples))
      return spot;
   const hd_extent e = hd_image_extent(image, (unsigned)lod);
   if (at[0] >= e.width || at[1] >= e.height || at[2] >= e.depth)
      return spot;
   spot.place.at = hd_image_texel_offset(image, (unsigned)lod, at, layer, sample);
   spot.place.data = bytes->data + spot.place.at;
   return spot;
}

static uint64_t
lod_of(const hd_wave *w, const hd_code_instr *i, unsigned lane)
{
   return row_of(w, &i->srcs[i->num_srcs - 1], 0)[lane];
}

/* The components of a texel as numbers of the size that is asked for. */
static bool
load_texel(const struct spot *spot, unsigned bits, uint64_t out[4])
{
   const hd_texel_layout *t = spot->layout;
   bool defined = true;

   hd_texel_decode(t, spot->place.data, out);
   for (unsigned n = 0; n < t->bytes && spot->place.bytes->undefined; n++)
      defined &= !spot->place.bytes->undefined[spot->place.at + n];
   for (unsigned c = 0; c < 4; c++) {
      if (bits == 16 && !hd_texel_is_integer(t))
         out[c] = hd_float_convert(32, 16, out[c], HD_ROUND_NEAREST_EVEN);
      out[c] &= size_mask(bits);
   }
   return defined;
}

void
hd_wave_image_load(hd_wave *w, const hd_code_instr *i)
{
   const struct access a = hd_wave_image_access(w, i, 0);
   const unsigned size = i->dst.bits / 8;

   hd_wave_image_check(w, &a);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      struct spot spot = locate(w, &a, l, lod_of(w, i, l), i->dst.bits);
      struct place p = spot.place;
      uint64_t texel[4] = { 0 };
      const bool defined = !p.data || !spot.layout || load_texel(&spot, i->dst.bits, texel);
      for (unsigned c = 0; c < i->dst.num_components; c++) {
         if (!p.data || spot.layout) {
            set_component(w, i, c, l, texel[c], !defined);
            continue;
         }
         set_component(w, i, c, l, get_number(p.data, size), is_undefined(&p, size));
         p.data += size;
         p.at += size;
      }
   }
}

/* What is not given is 0. A texel of which a part is undefined is undefined. */
static void
store_texel(hd_wave *w, const hd_code_instr *i, unsigned lane, const struct spot *spot)
{
   const hd_operand *value = &i->srcs[0];
   const hd_texel_layout *t = spot->layout;
   struct place p = spot->place;
   uint64_t in[4] = { 0 };
   bool undefined = false;

   for (unsigned c = 0; c < value->num_components && c < 4; c++) {
      in[c] = row_of(w, value, c)[lane];
      if (value->bits == 16 && !hd_texel_is_integer(t))
         in[c] = hd_float_convert(16, 32, in[c], HD_ROUND_NEAREST_EVEN);
      else if (t->kind == TEXEL_SINT && value->bits < 64)
         in[c] = (in[c] ^ UINT64_C(1) << (value->bits - 1)) - (UINT64_C(1) << (value->bits - 1));
      undefined |= t->bits[c] && mask_has(*undef_of(w, value, c), lane);
   }
   hd_texel_encode(t, in, p.data);
   for (unsigned n = 0; n < t->bytes; n++, p.at++)
      set_undefined(w, &p, 1, undefined);
   wrote(w, i, lane, 0, &spot->place, t->bytes);
}

void
hd_wave_image_store(hd_wave *w, const hd_code_instr *i)
{
   const struct access a = hd_wave_image_access(w, i, 1);
   const hd_operand *value = &i->srcs[0];
   const unsigned size = value->bits / 8;

   hd_wave_image_check(w, &a);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      if (!mask_has(a.lanes, l))
         continue;
      const struct spot spot = locate(w, &a, l, lod_of(w, i, l), value->bits);
      struct place p = spot.place;
      if (p.data && spot.layout) {
         store_texel(w, i, l, &spot);
         continue;
      }
      for (unsigned c = 0; c < value->num_components && p.data; c++) {
         put_number(p.data, size, row_of(w, value, c)[l]);
         set_undefined(w, &p, size, mask_has(*undef_of(w, value, c), l));
         wrote(w, i, l, c, &p, size);
         p.data += size;
         p.at += size;
      }
   }
}

void
hd_wave_image_atomic(hd_wave *w, const hd_code_instr *i)
{
   const struct access a = hd_wave_image_access(w, i, 0);
   const bool swap = i->instr->op == HD_INTRINSIC_IMAGE_ATOMIC_SWAP;
   const hd_operand *data = &i->srcs[i->num_srcs - 1];
   const hd_operand *compare = swap ? &i->srcs[i->num_srcs - 2] : NULL;

   hd_wave_image_check(w, &a);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      if (!mask_has(a.lanes, l)) {
         set_component(w, i, 0, l, 0, true);
         continue;
      }
      const struct spot spot = locate(w, &a, l, 0, data->bits);
      struct place p = spot.place;
      if (spot.layout && (spot.layout->bits[0] != data->bits || spot.layout->bits[1]))
         hd_wave_fault(w, i->instr, l, "an atomic of %u bits on a texel of the format %s",
                       data->bits, spot.layout->name);
      if (p.data)
         hd_wave_change(w, i, &p, l, compare, data);
      else
         set_component(w, i, 0, l, 0, false);
   }
}

/* One component of what image_size gives. */
static uint64_t
size_component(const hd_wave_image *image, const hd_code_instr *i, uint64_t lod, unsigned c)
{
   const hd_image_dim dim = (hd_image_dim)intrinsic_index(i, HD_INDEX_DIM);
   const unsigned dims = hd_image_dimensions(dim);

   if (lod >= at_least_1(image->num_levels))
      return 0;
   const hd_extent e = hd_image_extent(image, (unsigned)lod);
   if (c < dims)
      return c == 0 ? e.width : c == 1 ? e.height : e.depth;
   return at_least_1(image->num_layers) / (dim == HD_DIM_CUBE ? 6 : 1);
}

void
hd_wave_image_query(hd_wave *w, const hd_code_instr *i)
{
   const struct access a = hd_wave_image_access(w, i, 0);

   hd_wave_image_check(w, &a);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      const hd_wave_image *image = &w->run->launch->images[hd_wave_find_image(w, &a, l)];
      for (unsigned c = 0; c < i->dst.num_components; c++) {
         uint64_t value;
         if (i->instr->op == HD_INTRINSIC_IMAGE_SIZE)
            value = size_component(image, i, lod_of(w, i, l), c);
         else if (i->instr->op == HD_INTRINSIC_IMAGE_LEVELS)
            value = at_least_1(image->num_levels);
         else
            value = at_least_1(image->num_samples);
         set_component(w, i, c, l, value, false);
      }
   }
}
