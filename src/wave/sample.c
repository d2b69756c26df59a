/* SPDX-License-Identifier: MIT */
/* sample.c - sampling intrinsics: which image and sampler, levels from operands or from the quad. */
#include <inttypes.h>

#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "wave/image.h"
#include "wave/texture.h"

/* Where the operands of an intrinsic stand; 0: it has none. */
struct operands {
   unsigned bias, lod, ddx, least, offset, reference;
   bool implicit;
};

static struct operands
operands_of(hd_intrinsic_id id)
{
   switch (id) {
   case HD_INTRINSIC_IMAGE_SAMPLE:
      return (struct operands){ .bias = 3, .least = 4, .implicit = true };
   case HD_INTRINSIC_IMAGE_SAMPLE_COMPARE:
      return (struct operands){ .bias = 3, .least = 4, .reference = 5, .implicit = true };
   case HD_INTRINSIC_IMAGE_SAMPLE_LOD:
      return (struct operands){ .lod = 3 };
   case HD_INTRINSIC_IMAGE_SAMPLE_LOD_COMPARE:
      return (struct operands){ .lod = 3, .reference = 4 };
   case HD_INTRINSIC_IMAGE_SAMPLE_GRAD:
      return (struct operands){ .ddx = 3, .least = 5 };
   case HD_INTRINSIC_IMAGE_SAMPLE_GRAD_COMPARE:
      return (struct operands){ .ddx = 3, .least = 5, .reference = 6 };
   case HD_INTRINSIC_IMAGE_GATHER:
      return (struct operands){ .offset = 3 };
   case HD_INTRINSIC_IMAGE_GATHER_COMPARE:
      return (struct operands){ .offset = 3, .reference = 4 };
   default:
      return (struct operands){ .implicit = true };
   }
}

static const hd_wave_sampler *
find_sampler(hd_wave *w, const struct access *a, unsigned lane)
{
   const hd_wave_launch *launch = w->run->launch;
   const uint32_t set = intrinsic_index(a->i, HD_INDEX_SAMPLER_SET);
   const uint32_t binding = intrinsic_index(a->i, HD_INDEX_SAMPLER_BINDING);
   const uint64_t index = hd_wave_descriptor(w, a, 1, lane);

   for (uint32_t n = 0; n < launch->num_samplers; n++) {
      const hd_wave_sampler *s = &launch->samplers[n];
      if (s->set == set && s->binding == binding && s->array_index == index)
         return s;
   }
   hd_wave_fault(w, a->i->instr, lane, "no sampler is bound to set %u, binding %u, index %" PRIu64,
                 set, binding, index);
}

static uint32_t
number(const hd_wave *w, const hd_code_instr *i, unsigned operand, unsigned c, unsigned lane)
{
   return (uint32_t)row_of(w, &i->srcs[operand], c)[lane];
}

/* Along x and y, of the quad's first lane; false where one of its lanes is not there. */
static bool
quad_derivatives(const hd_wave *w, const hd_code_instr *i, unsigned lane, uint32_t ddx[3],
                 uint32_t ddy[3])
{
   const unsigned first = lane & ~3u;
   const hd_operand *coord = &i->srcs[2];
   bool defined = true;

   for (unsigned n = first; n < first + 4; n++)
      defined &= n < w->run->width && mask_has(w->active, n);
   for (unsigned c = 0; c < coord->num_components && c < 3 && defined; c++) {
      const uint64_t *row = row_of(w, coord, c);
      for (unsigned n = 0; n < 3; n++)
         defined &= !mask_has(*undef_of(w, coord, c), first + n);
      ddx[c] = (uint32_t)hd_wave_combine(w, HD_OP_FSUB, 32, row[first + 1], row[first]);
      ddy[c] = (uint32_t)hd_wave_combine(w, HD_OP_FSUB, 32, row[first + 2], row[first]);
   }
   return defined;
}

static bool
level_of(hd_wave *w, const hd_code_instr *i, const struct operands *o, unsigned lane,
         const hd_texture *t, const hd_wave_sampler *s, hd_sample *q)
{
   const bool query = i->instr->op == HD_INTRINSIC_IMAGE_QUERY_LOD;
   uint32_t ddx[3] = { 0 }, ddy[3] = { 0 };

   q->least = INT64_MIN;
   if (o->least && number(w, i, o->least, 0, lane))
      q->least = hd_lod_from_float(number(w, i, o->least, 0, lane));
   if (o->lod)
      q->lod = hd_lod_from_float(number(w, i, o->lod, 0, lane));
   if (o->implicit && !quad_derivatives(w, i, lane, ddx, ddy))
      return !query && hd_texture_ignores_lod(t, s, q->least);
   for (unsigned c = 0; o->ddx && c < i->srcs[o->ddx].num_components; c++) {
      ddx[c] = number(w, i, o->ddx, c, lane);
      ddy[c] = number(w, i, o->ddx + 1, c, lane);
   }
   if (o->implicit || o->ddx)
      q->lod = hd_texture_lod(t, s, q->coord, ddx, ddy);
   if (o->bias)
      q->lod += hd_lod_from_float(number(w, i, o->bias, 0, lane));
   return true;
}

/* Every operand that the lane gives. */
static bool
is_defined(const hd_wave *w, const hd_code_instr *i, unsigned lane)
{
   for (unsigned n = 2; n < i->num_srcs; n++) {
      for (unsigned c = 0; c < i->srcs[n].num_components; c++) {
         if (mask_has(*undef_of(w, &i->srcs[n], c), lane))
            return false;
      }
   }
   return true;
}

static void
check_filter(hd_wave *w, const hd_code_instr *i, unsigned lane, const hd_texture *t,
             const hd_wave_sampler *s, bool gathers)
{
   const bool linear =
       s->mag == HD_FILTER_LINEAR || s->min == HD_FILTER_LINEAR || s->mip == HD_FILTER_LINEAR;

   if (!gathers && linear && !hd_texture_filters(t->image))
      hd_wave_fault(w, i->instr, lane, "integers are not filtered");
   if (t->image->num_samples > 1)
      hd_wave_fault(w, i->instr, lane, "a texel of several samples is not sampled");
}

void
hd_wave_image_sample(hd_wave *w, const hd_code_instr *i)
{
   const struct access a = hd_wave_image_access(w, i, 0);
   const hd_intrinsic_id id = (hd_intrinsic_id)i->instr->op;
   const struct operands o = operands_of(id);
   const bool query = id == HD_INTRINSIC_IMAGE_QUERY_LOD;

   hd_wave_image_check(w, &a);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      const uint32_t image = hd_wave_find_image(w, &a, l);
      const hd_bytes *bytes = &w->run->images[image];
      const hd_wave_sampler *s = find_sampler(w, &a, l);
      const hd_texture t = { &w->run->launch->images[image], bytes->data, bytes->undefined,
                             (hd_image_dim)intrinsic_index(i, HD_INDEX_DIM),
                             intrinsic_index(i, HD_INDEX_ARRAY) };
      hd_sample q = { .compare = o.reference, .gather = o.offset };
      uint64_t out[4] = { 0 };
      uint32_t levels[2] = { 0 };
      check_filter(w, i, l, &t, s, o.offset || query);
      for (unsigned c = 0; c < i->srcs[2].num_components; c++)
         q.coord[c] = number(w, i, 2, c, l);
      for (unsigned c = 0; c < 3; c++)
         q.offset[c] = (int32_t)intrinsic_index(i, (hd_index)(HD_INDEX_OFFSET_X + c));
      for (unsigned c = 0; o.offset && c < 2; c++)
         q.offset[c] = (int32_t)number(w, i, o.offset, c, l);
      q.component = intrinsic_index(i, HD_INDEX_COMPONENT);
      if (o.reference)
         q.reference = number(w, i, o.reference, 0, l);
      bool defined = is_defined(w, i, l) && level_of(w, i, &o, l, &t, s, &q);
      if (defined && query)
         hd_texture_query_lod(&t, s, q.lod, levels);
      else if (defined)
         defined = hd_texture_sample(&t, s, &q, out);
      for (unsigned c = 0; c < i->dst.num_components; c++) {
         uint64_t value = query ? levels[c] : out[c];
         if (i->dst.bits == 16 && hd_texture_filters(t.image))
            value = hd_float_convert(32, 16, value, HD_ROUND_NEAREST_EVEN);
         set_component(w, i, c, l, value & size_mask(i->dst.bits), !defined);
      }
   }
}
