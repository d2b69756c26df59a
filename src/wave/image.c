/* SPDX-License-Identifier: MIT */
/* image.c - image loads, stores and atomics. There are no filters and no formats: a texel has four
 * components of the image's size.
 */
#include <inttypes.h>

#include "heddle/intrinsic_enum.h"
#include "wave/bytes.h"

struct extent {
   uint64_t width, height, depth;
};

static uint64_t
at_least_1(uint64_t n)
{
   return n ? n : 1;
}

static struct extent
extent_of(const hd_wave_image *image, unsigned level)
{
   return (struct extent){ at_least_1(at_least_1(image->width) >> level),
                           at_least_1(at_least_1(image->height) >> level),
                           at_least_1(at_least_1(image->depth) >> level) };
}

static uint64_t
texel_size(const hd_wave_image *image)
{
   return image->bits / 8 * 4;
}

/* a * b, or UINT64_MAX where that does not fit. */
static uint64_t
multiply(uint64_t a, uint64_t b)
{
   return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Bytes of a level, all layers and samples. */
static uint64_t
level_size(const hd_wave_image *image, unsigned level)
{
   const struct extent e = extent_of(image, level);
   uint64_t size = multiply(multiply(multiply(e.width, e.height), e.depth), texel_size(image));

   size = multiply(size, at_least_1(image->num_layers));
   return multiply(size, at_least_1(image->num_samples));
}

hd_bytes
hd_wave_image_bytes(hd_wave_run_state *run, const hd_wave_image *image)
{
   uint64_t size = 0;

   if (image->bits != 16 && image->bits != 32 && image->bits != 64)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "an image has components of %u bits", image->bits);
   if (image->num_levels > 32)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "an image has %u levels", image->num_levels);
   for (unsigned level = 0; level < at_least_1(image->num_levels); level++) {
      const uint64_t more = level_size(image, level);
      size = more > UINT64_MAX - size ? UINT64_MAX : size + more;
   }
   if (image->memory.size < size)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL,
                     "an image takes %" PRIu64 " bytes, but its memory has %" PRIu64, size,
                     image->memory.size);
   return hd_wave_bytes(run, &image->memory, 0);
}

/* The operands of an access to an image, which begin with that numbered `first`. */
struct access {
   const hd_code_instr *i;
   uint32_t first;
   hd_wave_mask lanes; /* that take part */
};

static struct access
access_of(const hd_wave *w, const hd_code_instr *i, uint32_t first)
{
   const hd_intrinsic_info *info = i->info;
   const bool skips = info->helpers == HD_HELPER_SKIP;

   return (struct access){ i, first, skips ? mask_without(w->active, w->helper) : w->active };
}

static void
check_defined(hd_wave *w, const struct access *a)
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

/* Which image of the launch; its number. The descriptor index is the same for all, if nothing else
 * is said.
 */
static uint32_t
find_image(hd_wave *w, const struct access *a, unsigned lane)
{
   const hd_wave_launch *launch = w->run->launch;
   const uint32_t set = intrinsic_index(a->i, HD_INDEX_SET);
   const uint32_t binding = intrinsic_index(a->i, HD_INDEX_BINDING);
   const uint64_t *row = row_of(w, &a->i->srcs[a->first], 0);
   const unsigned first = hd_wave_mask_first(a->lanes);

   if (row[lane] != row[first] && !(intrinsic_index(a->i, HD_INDEX_ACCESS) & HD_ACCESS_NONUNIFORM))
      hd_wave_fault(w, a->i->instr, lane,
                    "descriptor index %" PRIu64 ", but lane %u has %" PRIu64 ": it must be uniform",
                    row[lane], first, row[first]);
   for (uint32_t n = 0; n < launch->num_images; n++) {
      const hd_wave_image *image = &launch->images[n];
      if (image->set == set && image->binding == binding && image->array_index == row[lane])
         return n;
   }
   hd_wave_fault(w, a->i->instr, lane, "no image is bound to set %u, binding %u, index %" PRIu64,
                 set, binding, row[lane]);
}

/* The place of the first component of a texel; data is NULL outside of the image. */
static struct place
locate(hd_wave *w, const struct access *a, unsigned lane, uint64_t lod, unsigned bits)
{
   const hd_code_instr *i = a->i;
   const uint32_t number = find_image(w, a, lane);
   const hd_wave_image *image = &w->run->launch->images[number];
   hd_bytes *bytes = &w->run->images[number];
   const hd_image_dim dim = (hd_image_dim)intrinsic_index(i, HD_INDEX_DIM);
   const bool array = intrinsic_index(i, HD_INDEX_ARRAY);
   const unsigned dims = dim == HD_DIM_D3 ? 3 : dim == HD_DIM_D2 || dim == HD_DIM_CUBE ? 2 : 1;
   const hd_operand *coord = &i->srcs[a->first + 1];
   const uint64_t sample =
       intrinsic_index(i, HD_INDEX_MS) ? row_of(w, &i->srcs[a->first + 2], 0)[lane] : 0;
   uint64_t at[3] = { 0, 0, 0 }, layer = 0, offset = 0;
   unsigned c = 0;

   if (bits != image->bits)
      hd_wave_fault(w, i->instr, lane, "components of %u bits of an image that has %u", bits,
                    image->bits);
   for (; c < dims; c++)
      at[c] = row_of(w, coord, c)[lane];
   if (dim == HD_DIM_CUBE) {
      layer = row_of(w, coord, c++)[lane];
      if (layer >= 6)
         return (struct place){ bytes, NULL, 0 };
   }
   if (array)
      layer += row_of(w, coord, c)[lane] * (dim == HD_DIM_CUBE ? 6 : 1);
   if (lod >= at_least_1(image->num_levels) || layer >= at_least_1(image->num_layers) ||
       sample >= at_least_1(image->num_samples))
      return (struct place){ bytes, NULL, 0 };
   const struct extent e = extent_of(image, (unsigned)lod);
   if (at[0] >= e.width || at[1] >= e.height || at[2] >= e.depth)
      return (struct place){ bytes, NULL, 0 };
   for (unsigned level = 0; level < lod; level++)
      offset += level_size(image, level);
   uint64_t texel = ((layer * e.depth + at[2]) * e.height + at[1]) * e.width + at[0];
   texel = texel * at_least_1(image->num_samples) + sample;
   offset += texel * texel_size(image);
   return (struct place){ bytes, bytes->data + offset, offset };
}

static uint64_t
lod_of(const hd_wave *w, const hd_code_instr *i, unsigned lane)
{
   return row_of(w, &i->srcs[i->num_srcs - 1], 0)[lane];
}

void
hd_wave_image_load(hd_wave *w, const hd_code_instr *i)
{
   const struct access a = access_of(w, i, 0);
   const unsigned size = i->dst.bits / 8;

   check_defined(w, &a);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      struct place p = locate(w, &a, l, lod_of(w, i, l), i->dst.bits);
      for (unsigned c = 0; c < i->dst.num_components; c++) {
         if (!p.data) {
            set_component(w, i, c, l, 0, false);
            continue;
         }
         set_component(w, i, c, l, get_number(p.data, size), is_undefined(&p, size));
         p.data += size;
         p.at += size;
      }
   }
}

void
hd_wave_image_store(hd_wave *w, const hd_code_instr *i)
{
   const struct access a = access_of(w, i, 1);
   const hd_operand *value = &i->srcs[0];
   const unsigned size = value->bits / 8;

   check_defined(w, &a);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      if (!mask_has(a.lanes, l))
         continue;
      struct place p = locate(w, &a, l, lod_of(w, i, l), value->bits);
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
   const struct access a = access_of(w, i, 0);
   const bool swap = i->instr->op == HD_INTRINSIC_IMAGE_ATOMIC_SWAP;
   const hd_operand *data = &i->srcs[i->num_srcs - 1];
   const hd_operand *compare = swap ? &i->srcs[i->num_srcs - 2] : NULL;

   check_defined(w, &a);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      if (!mask_has(a.lanes, l)) {
         set_component(w, i, 0, l, 0, true);
         continue;
      }
      struct place p = locate(w, &a, l, 0, data->bits);
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
   const unsigned dims = dim == HD_DIM_D3 ? 3 : dim == HD_DIM_D2 || dim == HD_DIM_CUBE ? 2 : 1;

   if (lod >= at_least_1(image->num_levels))
      return 0;
   const struct extent e = extent_of(image, (unsigned)lod);
   if (c < dims)
      return c == 0 ? e.width : c == 1 ? e.height : e.depth;
   return at_least_1(image->num_layers) / (dim == HD_DIM_CUBE ? 6 : 1);
}

void
hd_wave_image_query(hd_wave *w, const hd_code_instr *i)
{
   const struct access a = access_of(w, i, 0);

   check_defined(w, &a);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      const hd_wave_image *image = &w->run->launch->images[find_image(w, &a, l)];
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
