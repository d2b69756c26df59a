/* SPDX-License-Identifier: MIT */
/* sample.c - translate image sampling and gathering.
 *
 * Projections are divided here. A gather with four offsets is four gathers, of which each gives the texel that its
 * offset selects. Where a stage has no quads, an implicit level is level 0.
 *
 * Coordinates of kernels may be integers. With a constant sampler that takes the nearest texel and does not scale
 * coordinates, the texel is loaded, and no sampler asked for.
 */
#include "heddle/build_ops.h"
#include "spirv/body.h"
#include "spirv/image.h"

/* What an opcode asks for. */
struct way {
   bool implicit, dref, proj;
};

static bool
way_of(uint32_t opcode, struct way *w)
{
   if (opcode < SPV_OP_IMAGE_SAMPLE_IMPLICIT_LOD ||
       opcode > SPV_OP_IMAGE_SAMPLE_PROJ_DREF_EXPLICIT_LOD)
      return false;
   const uint32_t n = opcode - SPV_OP_IMAGE_SAMPLE_IMPLICIT_LOD;
   *w = (struct way){ .implicit = !(n & 1), .dref = n & 2, .proj = n & 4 };
   return true;
}

static hd_def *
float_operand(struct spirv *s, uint32_t id)
{
   return id ? hd_spirv_first_components(s, id, 1, true) : hd_imm_float(&s->b, 32, 0.0);
}

static bool
has_quads(const struct spirv *s)
{
   return s->shader->stage == HD_STAGE_FRAGMENT || s->quads_2d || s->quads_in_row;
}

/* The components of a vector divided by its last. */
static hd_def *
project(struct spirv *s, uint32_t id, unsigned num, hd_def **dref)
{
   hd_builder *b = &s->b;
   hd_def *all = hd_spirv_first_components(s, id, num + 1, true), *parts[4];
   hd_def *q = hd_build_channel(b, all, num);

   for (unsigned n = 0; n < num; n++)
      parts[n] = hd_spirv_quotient(s, hd_build_channel(b, all, n), q);
   if (*dref)
      *dref = hd_spirv_quotient(s, *dref, q);
   return hd_build_vec(b, num, parts);
}

static void
check_result(struct spirv *s, const struct spirv_type *t, bool dref)
{
   if (!hd_spirv_type_is_leaf(t) || (t->bits != 16 && t->bits != 32) || t->components > 4 ||
       (dref && t->components != 1))
      hd_spirv_unsupported(s, "a sample of this type");
}

/* The texel that a constant sampler takes, if it is known which one that is: NULL. Without an addressing mode
 * coordinates are inside, so that held to the edge is right for both.
 */
static hd_def *
nearest_texel(struct spirv *s, const struct spirv_image *image, struct image_shape shape,
              const struct image_access *a, uint32_t coord_id, const struct spirv_type *t)
{
   hd_builder *b = &s->b;
   const struct spirv_constant *c = image->sampler.constant;
   const bool is_float = hd_spirv_value(s, coord_id)->type->is_float;
   const unsigned num = hd_image_coord_components(shape.dim, shape.array);

   if (!c || c->bits[0] > SPV_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE || (is_float && shape.array))
      return NULL;
   const uint32_t zeros[4] = { 0 }, ones[4] = { 1, 1, 1, 1 };
   hd_def *zero = hd_imm_u32(b, 0), *index = hd_spirv_descriptor_index(s, &image->image);
   hd_def *at = hd_spirv_first_components(s, coord_id, num, is_float);
   if (is_float)
      at = hd_f2i(b, hd_ffloor(b, at), 32);
   if (c->bits[0] || shape.array) {
      hd_def *size = hd_spirv_build_image(s, HD_INTRINSIC_IMAGE_SIZE, image, shape, a, num, 0, 2,
                                          (hd_def *[]){ index, zero });
      at = hd_imax(b, at, hd_imm_vec_u32(b, num, zeros));
      at = hd_imin(b, at, hd_isub(b, size, hd_imm_vec_u32(b, num, ones)));
   }
   return hd_spirv_build_image(s, HD_INTRINSIC_IMAGE_LOAD, image, shape, a, t->components, t->bits,
                               4, (hd_def *[]){ index, at, zero, zero });
}

static hd_def *
sample_coord(struct spirv *s, uint32_t id, unsigned num)
{
   if (s->kernel && !hd_spirv_value(s, id)->type->is_float)
      return hd_i2f(&s->b, hd_spirv_first_components(s, id, num, false), 32);
   return hd_spirv_first_components(s, id, num, true);
}

/* words: sampled image, coordinate, [dref], operands */
static void
sample(struct spirv *s, const struct spirv_instr *i, struct way w)
{
   hd_builder *b = &s->b;
   const struct spirv_type *t = hd_spirv_result_type(s, i), *type;
   const struct spirv_image *image = hd_spirv_sampled_image(s, i->words[0], &type);
   const struct image_shape shape = hd_spirv_image_shape(s, type);
   const struct image_operands o = hd_spirv_image_operands(s, i, 2 + w.dref);
   const unsigned num = hd_image_coord_components(shape.dim, shape.array);
   struct image_access a = { .access = o.access };
   hd_def *srcs[8];
   hd_def *dref = w.dref ? hd_spirv_first_components(s, i->words[2], 1, true) : NULL;
   hd_intrinsic_id id;
   unsigned n = 2;

   check_result(s, t, w.dref);
   if (shape.dim == HD_DIM_BUFFER || shape.ms || (w.proj && (shape.array || num > 3)))
      hd_spirv_invalid(s, "an image of this kind cannot be sampled this way");
   if (o.mask & (SPV_IMAGE_OPERANDS_CONST_OFFSETS | SPV_IMAGE_OPERANDS_SAMPLE))
      hd_spirv_invalid(s, "an image operand that is not for sampling");
   if (o.offset && !hd_spirv_constant_offset(s, o.offset, a.offset))
      hd_spirv_unsupported(s, "the operand Offset of a sample that is not constant");
   if (!w.proj && !dref && !o.offset) {
      hd_def *texel = nearest_texel(s, image, shape, &a, i->words[1], t);
      if (texel) {
         hd_spirv_set_def(s, i, texel);
         return;
      }
   }
   srcs[0] = hd_spirv_descriptor_index(s, &image->image);
   srcs[1] = hd_spirv_descriptor_index(s, &image->sampler);
   srcs[n++] = w.proj ? project(s, i->words[1], num, &dref) : sample_coord(s, i->words[1], num);
   if (o.mask & SPV_IMAGE_OPERANDS_GRAD) {
      id = HD_INTRINSIC_IMAGE_SAMPLE_GRAD;
      srcs[n++] = hd_spirv_first_components(s, o.grad[0], num - shape.array, true);
      srcs[n++] = hd_spirv_first_components(s, o.grad[1], num - shape.array, true);
      srcs[n++] = float_operand(s, o.min_lod);
   } else if (w.implicit && has_quads(s)) {
      id = HD_INTRINSIC_IMAGE_SAMPLE;
      srcs[n++] = float_operand(s, o.bias);
      srcs[n++] = float_operand(s, o.min_lod);
   } else {
      id = HD_INTRINSIC_IMAGE_SAMPLE_LOD;
      srcs[n++] = float_operand(s, w.implicit ? o.min_lod : o.lod);
   }
   if (dref) {
      srcs[n++] = dref;
      id = id == HD_INTRINSIC_IMAGE_SAMPLE_GRAD ? HD_INTRINSIC_IMAGE_SAMPLE_GRAD_COMPARE
           : id == HD_INTRINSIC_IMAGE_SAMPLE    ? HD_INTRINSIC_IMAGE_SAMPLE_COMPARE
                                                : HD_INTRINSIC_IMAGE_SAMPLE_LOD_COMPARE;
   }
   hd_def *def =
       hd_spirv_build_image(s, id, image, shape, &a, dref ? 0 : t->components, t->bits, n, srcs);
   if (dref && b->result == HD_OK && def->bit_size != t->bits)
      def = hd_f2f(b, def, t->bits);
   hd_spirv_set_def(s, i, def);
}

static hd_def *
gather_at(struct spirv *s, const struct spirv_image *image, struct image_shape shape,
          const struct image_access *a, hd_def *coord, hd_def *offset, hd_def *dref, unsigned bits)
{
   hd_def *index = hd_spirv_descriptor_index(s, &image->image);
   hd_def *srcs[] = { index, hd_spirv_descriptor_index(s, &image->sampler), coord, offset, dref };

   return hd_spirv_build_image(s,
                               dref ? HD_INTRINSIC_IMAGE_GATHER_COMPARE : HD_INTRINSIC_IMAGE_GATHER,
                               image, shape, a, 4, bits, dref ? 5 : 4, srcs);
}

/* Of a constant array of four offsets. */
static hd_def *
offset_part(struct spirv *s, uint32_t id, uint32_t n)
{
   struct spirv_value *v = hd_spirv_value(s, id);

   if (v->type->kind != TYPE_ARRAY || v->type->length != 4 ||
       !hd_spirv_type_is_leaf(v->type->element) || v->type->element->components != 2 ||
       v->type->element->bits != 32 || v->type->element->is_float)
      hd_spirv_invalid(s, "expected four offsets of two integers");
   return hd_spirv_part(s, v, n)->def;
}

/* words: sampled image, coordinate, component or dref, operands */
static void
gather(struct spirv *s, const struct spirv_instr *i)
{
   hd_builder *b = &s->b;
   const struct spirv_type *t = hd_spirv_result_type(s, i), *type;
   const struct spirv_image *image = hd_spirv_sampled_image(s, i->words[0], &type);
   const struct image_shape shape = hd_spirv_image_shape(s, type);
   const struct image_operands o = hd_spirv_image_operands(s, i, 3);
   const bool compares = i->opcode == SPV_OP_IMAGE_DREF_GATHER;
   struct image_access a = { .access = o.access };
   hd_def *dref = NULL, *offset, *parts[4];

   check_result(s, t, false);
   if (t->components != 4 || shape.ms || (shape.dim != HD_DIM_D2 && shape.dim != HD_DIM_CUBE))
      hd_spirv_invalid(s, "an image of this kind cannot be gathered from this way");
   if (o.mask & (SPV_IMAGE_OPERANDS_BIAS | SPV_IMAGE_OPERANDS_LOD))
      hd_spirv_unsupported(s, "a level of a gather");
   if (compares) {
      dref = hd_spirv_first_components(s, i->words[2], 1, true);
   } else {
      const uint64_t component = hd_spirv_constant_uint(s, i->words[2]);
      if (component > 3)
         hd_spirv_invalid(s, "component %llu of a texel", (unsigned long long)component);
      a.component = (uint32_t)component;
   }
   hd_def *coord = hd_spirv_first_components(
       s, i->words[1], hd_image_coord_components(shape.dim, shape.array), true);
   if (o.offsets) {
      for (unsigned n = 0; n < 4; n++) {
         offset = offset_part(s, o.offsets, n);
         /* The last is the texel with the lower coordinates. */
         hd_def *four = gather_at(s, image, shape, &a, coord, offset, dref, t->bits);
         parts[n] = hd_build_channel(b, four, 3);
      }
      hd_spirv_set_def(s, i, hd_build_vec(b, 4, parts));
      return;
   }
   const uint32_t zero[2] = { 0, 0 };
   offset =
       o.offset ? hd_spirv_first_components(s, o.offset, 2, false) : hd_imm_vec_u32(b, 2, zero);
   hd_spirv_set_def(s, i, gather_at(s, image, shape, &a, coord, offset, dref, t->bits));
}

static void
query_lod(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *type;
   const struct spirv_image *image = hd_spirv_sampled_image(s, i->words[0], &type);
   const struct image_shape shape = hd_spirv_image_shape(s, type);
   hd_def *index = hd_spirv_descriptor_index(s, &image->image);
   hd_def *sampler = hd_spirv_descriptor_index(s, &image->sampler);
   hd_def *srcs[] = { index, sampler,
                      hd_spirv_first_components(
                          s, i->words[1], hd_image_coord_components(shape.dim, false), true) };

   if (shape.dim == HD_DIM_BUFFER || shape.ms)
      hd_spirv_invalid(s, "an image of this kind is not sampled");
   hd_spirv_set_def(s, i,
                    hd_spirv_build_image(s, HD_INTRINSIC_IMAGE_QUERY_LOD, image, shape,
                                         &(struct image_access){ 0 }, 0, 0, 3, srcs));
}

void
hd_spirv_image_instr(struct spirv *s, const struct spirv_instr *i)
{
   struct way w;

   if (hd_spirv_texel_instr(s, i))
      return;
   if (way_of(i->opcode, &w))
      sample(s, i, w);
   else if (i->opcode == SPV_OP_IMAGE_QUERY_LOD)
      query_lod(s, i);
   else
      gather(s, i);
}
