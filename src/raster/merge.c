/* SPDX-License-Identifier: MIT */
/* merge.c - depth and stencil tests, blending, writes to the attachments. */
#include "raster/raster.h"
#include "util/bytes.h"
#include "wave/texture.h"

/* Attachments */

static const char *
format_name(hd_texel_format format)
{
   const char *name = hd_texel_format_name(format);

   return name ? name : "none";
}

static void
check_image(struct raster *r, const hd_wave_image *image, const char *what)
{
   const uint32_t layers = image->num_layers ? image->num_layers : 1,
                  samples = image->num_samples ? image->num_samples : 1;

   if (!r->width) {
      r->width = image->width;
      r->height = image->height;
      r->layers = layers;
      r->samples = samples;
   }
   if (!image->width || !image->height || image->width > HD_RASTER_MAX_SIZE ||
       image->height > HD_RASTER_MAX_SIZE)
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH, "%s has %u x %u pixels, expected 1 to %u each way",
                     what, image->width, image->height, HD_RASTER_MAX_SIZE);
   if (image->depth > 1 || image->num_levels > 1 || (samples != 1 && samples != 4))
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH,
                     "%s has depth %u, %u levels and %u samples, expected depth 1, 1 level and "
                     "1 or 4 samples",
                     what, image->depth ? image->depth : 1,
                     image->num_levels ? image->num_levels : 1, samples);
   if (image->width != r->width || image->height != r->height || layers != r->layers ||
       samples != r->samples)
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH,
                     "%s has %u x %u pixels, %u layers and %u samples, expected %u x %u, %u and "
                     "%u, as the first attachment has",
                     what, image->width, image->height, layers, samples, r->width, r->height,
                     r->layers, r->samples);
   if (!hd_texel_layout_of(image->format))
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH, "%s has format %u, expected one of hd_texel_format",
                     what, (unsigned)image->format);
   if (!image->memory.data || image->memory.size < hd_image_size(image))
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH, "%s has %llu bytes of memory, expected %llu", what,
                     (unsigned long long)(image->memory.data ? image->memory.size : 0),
                     (unsigned long long)hd_image_size(image));
}

void
hd_raster_check_attachments(struct raster *r)
{
   const hd_raster_draw *d = r->draw;

   if (d->num_colors > HD_RASTER_MAX_ATTACHMENTS || (!d->num_colors && !d->depth && !d->stencil))
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH,
                     "%u color attachments, expected %u at most, and one attachment at least",
                     d->num_colors, HD_RASTER_MAX_ATTACHMENTS);
   for (uint32_t n = 0; n < d->num_colors; n++) {
      check_image(r, &d->colors[n].image, "a color attachment");
      r->colors[n] = hd_texel_layout_of(d->colors[n].image.format);
   }
   if (d->depth) {
      check_image(r, d->depth, "the depth attachment");
      r->depth = hd_texel_layout_of(d->depth->format);
      if (d->depth->format != HD_TEXEL_R16_UNORM && d->depth->format != HD_TEXEL_D24_UNORM &&
          d->depth->format != HD_TEXEL_R32_FLOAT)
         hd_heap_refuse(
             &r->heap, HD_BAD_LAUNCH,
             "the depth attachment has format %s, expected r16_unorm, d24_unorm or r32_float",
             format_name(d->depth->format));
   }
   if (d->stencil) {
      check_image(r, d->stencil, "the stencil attachment");
      if (d->stencil->format != HD_TEXEL_R8_UINT)
         hd_heap_refuse(&r->heap, HD_BAD_LAUNCH,
                        "the stencil attachment has format %s, expected r8_uint",
                        format_name(d->stencil->format));
   }
}

/* The offset of a sample in memory. */
static uint64_t
offset_of(const hd_wave_image *image, const struct plane *p, const struct fragment *f,
          unsigned sample)
{
   const uint64_t at[3] = { f->x, f->y, 0 };

   return hd_image_texel_offset(image, 0, at, p->layer, sample);
}

/* Depth and stencil */

/* `order` is negative, 0 or positive: the new value is less, equal or greater. */
static bool
compares(hd_compare_op op, int order, bool unordered)
{
   switch (op) {
   case HD_COMPARE_LESS:
      return !unordered && order < 0;
   case HD_COMPARE_EQUAL:
      return !unordered && order == 0;
   case HD_COMPARE_LESS_OR_EQUAL:
      return !unordered && order <= 0;
   case HD_COMPARE_GREATER:
      return !unordered && order > 0;
   case HD_COMPARE_NOT_EQUAL:
      return unordered || order != 0;
   case HD_COMPARE_GREATER_OR_EQUAL:
      return !unordered && order >= 0;
   case HD_COMPARE_ALWAYS:
      return true;
   default:
      return false;
   }
}

/* Depths are compared as they are stored, in the attachment's format. `bytes` is the new depth. */
static bool
passes_depth(const struct raster *r, const struct plane *p, uint32_t depth, const uint8_t *there,
             uint8_t bytes[8])
{
   const unsigned size = r->depth->bytes;

   /* Also what the shader stored. */
   if (r->draw->depth_clamp)
      depth = (uint32_t)hd_float_min(32, hd_float_max(32, depth, p->min_depth), p->max_depth);
   const uint64_t in[4] = { hd_float_saturate(32, depth) };

   memcpy(bytes, there, size);
   hd_texel_encode(r->depth, in, bytes);
   const uint32_t mask = r->depth->bits[0] == 32 ? UINT32_MAX : (1u << r->depth->bits[0]) - 1;
   const uint32_t new = (uint32_t)get_number(bytes, size) & mask,
                  old = (uint32_t)get_number(there, size) & mask;
   if (r->depth->kind != TEXEL_FLOAT)
      return compares(r->draw->depth_compare, (new > old) - (new < old), false);
   return compares(r->draw->depth_compare, hd_float_lt(32, old, new) - hd_float_lt(32, new, old),
                   hd_float_unordered(32, new, old));
}

static uint8_t
change_stencil(hd_stencil_op op, uint8_t old, uint8_t reference)
{
   switch (op) {
   case HD_STENCIL_ZERO:
      return 0;
   case HD_STENCIL_REPLACE:
      return reference;
   case HD_STENCIL_INCREMENT_CLAMP:
      return (uint8_t)(old + (old < UINT8_MAX));
   case HD_STENCIL_DECREMENT_CLAMP:
      return (uint8_t)(old - (old > 0));
   case HD_STENCIL_INVERT:
      return (uint8_t)~old;
   case HD_STENCIL_INCREMENT_WRAP:
      return (uint8_t)(old + 1);
   case HD_STENCIL_DECREMENT_WRAP:
      return (uint8_t)(old - 1);
   default:
      return old;
   }
}

/* Stencil first, then depth; what the stencil becomes depends on both. */
static bool
test_sample(struct raster *r, const struct plane *p, const struct fragment *f, unsigned sample,
            uint32_t depth, const uint8_t *stored)
{
   const hd_raster_draw *d = r->draw;
   const hd_stencil_face *face = p->front ? &d->front : &d->back;
   const uint8_t reference = stored ? *stored : face->reference;
   uint8_t *stencil =
       d->stencil ? (uint8_t *)d->stencil->memory.data + offset_of(d->stencil, p, f, sample) : NULL;
   uint8_t *there =
       d->depth ? (uint8_t *)d->depth->memory.data + offset_of(d->depth, p, f, sample) : NULL;
   uint8_t bytes[8];
   bool passes = true, deep = true;

   if (stencil) {
      const int new = reference & face->compare_mask, old = *stencil & face->compare_mask;
      passes = compares(face->compare, new - old, false);
   }
   if (there && passes)
      deep = passes_depth(r, p, depth, there, bytes);
   if (stencil) {
      const hd_stencil_op op = !passes ? face->fail : deep ? face->pass : face->depth_fail;
      const uint8_t new = change_stencil(op, *stencil, reference);
      *stencil = (uint8_t)((*stencil & ~face->write_mask) | (new & face->write_mask));
   }
   if (there && passes && deep && !d->depth_write_disable)
      memcpy(there, bytes, r->depth->bytes);
   return passes && deep;
}

uint8_t
hd_raster_test(struct raster *r, const struct plane *p, const struct fragment *f, uint8_t mask,
               const uint32_t *depth, const uint8_t *stencil)
{
   uint8_t passed = 0;

   for (unsigned n = 0; n < r->samples; n++) {
      if (mask >> n & 1 && test_sample(r, p, f, n, depth[n], stencil))
         passed |= (uint8_t)(1u << n);
   }
   return passed;
}

/* Colors */

struct blender {
   const hd_blend *blend;
   real src[4], second[4], dst[4];
};

static real
one_minus(real x)
{
   return real_sub(REAL_ONE, x);
}

static real
factor(const struct blender *b, hd_blend_factor f, unsigned c)
{
   switch (f) {
   case HD_BLEND_FACTOR_ONE:
      return REAL_ONE;
   case HD_BLEND_FACTOR_SRC_COLOR:
      return b->src[c];
   case HD_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
      return one_minus(b->src[c]);
   case HD_BLEND_FACTOR_DST_COLOR:
      return b->dst[c];
   case HD_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
      return one_minus(b->dst[c]);
   case HD_BLEND_FACTOR_SRC_ALPHA:
      return b->src[3];
   case HD_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
      return one_minus(b->src[3]);
   case HD_BLEND_FACTOR_DST_ALPHA:
      return b->dst[3];
   case HD_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
      return one_minus(b->dst[3]);
   case HD_BLEND_FACTOR_SRC1_COLOR:
      return b->second[c];
   case HD_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR:
      return one_minus(b->second[c]);
   case HD_BLEND_FACTOR_SRC1_ALPHA:
      return b->second[3];
   case HD_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA:
      return one_minus(b->second[3]);
   default:
      return REAL_ZERO;
   }
}

static uint32_t
blended(const struct blender *b, unsigned c)
{
   const bool alpha = c == 3;
   const hd_blend_op op = alpha ? b->blend->alpha : b->blend->color;

   if (op == HD_BLEND_MIN)
      return real_to_bits(hd_float_min(64, b->src[c], b->dst[c]));
   if (op == HD_BLEND_MAX)
      return real_to_bits(hd_float_max(64, b->src[c], b->dst[c]));
   const real src =
       real_mul(b->src[c], factor(b, alpha ? b->blend->src_alpha : b->blend->src_color, c));
   const real dst =
       real_mul(b->dst[c], factor(b, alpha ? b->blend->dst_alpha : b->blend->dst_color, c));
   if (op == HD_BLEND_SUBTRACT)
      return real_to_bits(real_sub(src, dst));
   if (op == HD_BLEND_REVERSE_SUBTRACT)
      return real_to_bits(real_sub(dst, src));
   return real_to_bits(real_add(src, dst));
}

/* Source colors are clamped to the range of a normalized format before blending. */
static real
to_range(const hd_texel_layout *t, uint32_t bits)
{
   const uint32_t one = (uint32_t)hd_float_one(32);

   if (t->kind == TEXEL_FLOAT || t->kind == TEXEL_SHARED)
      return real_from_bits(bits);
   if (t->kind == TEXEL_SNORM)
      return real_from_bits(
          (uint32_t)hd_float_max(32, hd_float_min(32, bits, one), hd_float_neg(32, one)));
   return real_from_bits((uint32_t)hd_float_saturate(32, bits));
}

static void
blend(const hd_texel_layout *t, const hd_blend *how, uint64_t color[4], const uint64_t second[4],
      const uint8_t *there)
{
   struct blender b = { .blend = how };
   uint64_t old[4];

   hd_texel_decode(t, there, old);
   for (unsigned c = 0; c < 4; c++) {
      b.src[c] = to_range(t, (uint32_t)color[c]);
      b.second[c] = to_range(t, (uint32_t)second[c]);
      b.dst[c] = real_from_bits((uint32_t)old[c]);
   }
   for (unsigned c = 0; c < 4; c++)
      color[c] = blended(&b, c);
}

/* Four components of a location; returns a mask of those that are defined. Missing ones are 0, 0, 0, 1. */
static unsigned
read_color(const struct raster *r, const hd_wave_memory *m, uint32_t number, uint32_t location,
           uint64_t color[4])
{
   const hd_texel_layout *t = r->colors[location];
   const size_t at = ((size_t)number * r->fragment.num_outputs + location) * 16;
   const bool half = r->fragment.bits[location] == 16;
   unsigned defined = 0;

   for (unsigned c = 0; c < 4; c++) {
      const uint64_t bits = get_number((const uint8_t *)m->data + at + 4 * c, half ? 2 : 4);
      color[c] = hd_texel_is_integer(t) ? c == 3 : c == 3 ? hd_float_one(32) : 0;
      if (get_number(m->undefined + at + 4 * c, half ? 2 : 4))
         continue;
      defined |= 1u << c;
      if (!hd_texel_is_integer(t))
         color[c] = half ? hd_float_convert(16, 32, bits, HD_ROUND_NEAREST_EVEN) : bits;
      else if (t->kind == TEXEL_SINT)
         color[c] = half ? (uint64_t)(int64_t)(int16_t)bits : (uint64_t)(int64_t)(int32_t)bits;
      else
         color[c] = bits;
   }
   return defined;
}

static void
write_sample(struct raster *r, uint32_t location, const uint64_t color[4], const uint64_t second[4],
             unsigned defined, uint64_t at)
{
   const hd_color_attachment *a = &r->draw->colors[location];
   const hd_texel_layout *t = r->colors[location];
   uint8_t *there = (uint8_t *)a->image.memory.data + at;
   uint8_t *undefined = a->image.memory.undefined ? a->image.memory.undefined + at : NULL;
   const bool blends = a->blend.enabled && !hd_texel_is_integer(t);
   hd_texel_layout written = *t;
   uint64_t new[4];
   bool known = true, old = blends;

   memcpy(new, color, sizeof(new));
   if (blends)
      blend(t, &a->blend, new, second, there);
   for (unsigned c = 0; c < 4; c++) {
      if (a->color_write_disable >> c & 1) {
         old |= t->bits[c] != 0;
         written.bits[c] = 0;
      }
      known &= !written.bits[c] || defined >> c & 1;
   }
   hd_texel_encode(&written, new, there);
   /* Where something of the old texel is left, it stays undefined. */
   for (unsigned n = 0; undefined && n < t->bytes; n++)
      undefined[n] = !known || (old && undefined[n]);
}

void
hd_raster_write_colors(struct raster *r, const struct plane *p, const struct fragment *f,
                       uint32_t number, uint8_t mask)
{
   for (uint32_t location = 0; location < r->draw->num_colors; location++) {
      const hd_wave_image *image = &r->draw->colors[location].image;
      uint64_t color[4], second[4] = { 0 };
      if (!r->fragment.stored[location] || location >= r->fragment.num_outputs)
         continue;
      const unsigned defined = read_color(r, &r->outputs, number, location, color);
      if (r->second.data)
         read_color(r, &r->second, number, location, second);
      for (unsigned n = 0; n < r->samples; n++) {
         if (mask >> n & 1)
            write_sample(r, location, color, second, defined, offset_of(image, p, f, n));
      }
   }
   for (unsigned n = 0; n < r->samples; n++)
      r->stats.samples += mask >> n & 1;
}
