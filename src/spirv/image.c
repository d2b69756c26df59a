/* SPDX-License-Identifier: MIT */
/* image.c - translate images and samplers: their descriptors, texel accesses, queries. sample.c has sampling.
 *
 * An image or a sampler is no value of the IR but a descriptor: set, binding, and an index into an array.
 * Uses are resolved to it through copies, calls and access chains.
 */
#include "spirv/image.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"

/* Descriptors */

/* A combined one is both: one descriptor with an image and a sampler. */
static struct spirv_value *
load_descriptor(struct spirv *s, const struct spirv_pointer *p, const struct spirv_type *t,
                hd_def *index)
{
   const struct spirv_descriptor d = {
      .set = p->set,
      .binding = p->binding,
      .index = index,
      .access = p->access,
   };

   return hd_spirv_make_image(s, t, &(struct spirv_image){ .image = d, .sampler = d });
}

struct spirv_value *
hd_spirv_load_image(struct spirv *s, const struct spirv_pointer *p)
{
   const struct spirv_type *t = p->type;
   hd_builder *b = &s->b;

   if (p->place != PLACE_DESCRIPTOR || t->kind == TYPE_RUNTIME_ARRAY)
      hd_spirv_invalid(s, "expected a pointer to an image or a sampler");
   if (p->held && !*p->held)
      hd_spirv_unsupported(s, "a variable of type %s that is loaded before it is stored",
                           hd_spirv_type_name(s, t));
   if (p->held)
      return *p->held;
   if (!p->descriptors)
      return load_descriptor(s, p, t, p->array_index);
   if (!hd_spirv_is_image(t->element))
      hd_spirv_unsupported(s, "a value of arrays of arrays of images or samplers");
   struct spirv_value *all = hd_spirv_make_composite(s, t);
   for (uint32_t n = 0; n < t->length; n++) {
      hd_def *index = hd_imm_u32(b, n);
      if (p->array_index)
         index = hd_iadd(b, hd_imul(b, p->array_index, hd_imm_u32(b, t->length)), index);
      all->elements[n] = load_descriptor(s, p, t->element, index);
   }
   return all;
}

/* An operand whose type must be of this kind. */
static struct spirv_value *
operand(struct spirv *s, uint32_t id, enum spirv_type_kind kind)
{
   struct spirv_value *v = hd_spirv_value(s, id);

   if (v->kind != VALUE_IMAGE || v->type->kind != kind)
      hd_spirv_invalid(s, "%%%u is not %s", id,
                       kind == TYPE_IMAGE     ? "an image"
                       : kind == TYPE_SAMPLER ? "a sampler"
                                              : "a sampled image");
   return v;
}

const struct spirv_image *
hd_spirv_sampled_image(struct spirv *s, uint32_t id, const struct spirv_type **type)
{
   const struct spirv_value *v = operand(s, id, TYPE_SAMPLED_IMAGE);

   *type = v->type->element;
   return v->image;
}

static void
combine(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   const struct spirv_value *image = operand(s, i->words[0], TYPE_IMAGE);
   const struct spirv_value *sampler = operand(s, i->words[1], TYPE_SAMPLER);
   struct spirv_image both = { image->image->image, sampler->image->sampler };

   if (t->kind != TYPE_SAMPLED_IMAGE)
      hd_spirv_invalid(s, "expected a sampled image as result type");
   hd_spirv_set(s, i, hd_spirv_make_image(s, t, &both));
}

static void
take_image(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_value *v = operand(s, i->words[0], TYPE_SAMPLED_IMAGE);

   hd_spirv_set(s, i, hd_spirv_make_image(s, hd_spirv_result_type(s, i), v->image));
}

/* Building */

static void
put_index(const hd_intrinsic_info *info, uint32_t *indices, hd_index index, uint32_t value)
{
   if (info->slots[index])
      indices[info->slots[index] - 1] = value;
}

/* Nothing can go wrong, whatever lane asks: texels outside are zeros. */
static uint32_t
access_of(const struct spirv_descriptor *d)
{
   const bool safe = !d->index && !(d->access & HD_ACCESS_VOLATILE);
   const uint32_t access =
       d->access & HD_ACCESS_RESTRICT ? d->access : d->access & ~(uint32_t)HD_ACCESS_READONLY;

   return access | (safe ? HD_ACCESS_SPECULATABLE : 0);
}

hd_def *
hd_spirv_build_image(struct spirv *s, hd_intrinsic_id id, const struct spirv_image *image,
                     struct image_shape shape, const struct image_access *a, unsigned components,
                     unsigned bits, unsigned num_srcs, hd_def *const *srcs)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info(id);
   const bool samples = info->slots[HD_INDEX_SAMPLER_BINDING];
   const bool writes = info->writes != 0;
   const uint8_t flags = s->b.flags;
   uint32_t indices[HD_MAX_INDICES], access = access_of(&image->image) | a->access;

   for (unsigned n = 0; n < info->num_indices; n++)
      indices[n] = hd_index_get_info((hd_index)info->indices[n])->default_value;
   if (samples) {
      access |= image->sampler.access & HD_ACCESS_NONUNIFORM;
      if (image->sampler.index)
         access &= ~(uint32_t)HD_ACCESS_SPECULATABLE;
   }
   if (!(info->flags & HD_CAN_SPECULATE_BY_ACCESS) || access & HD_ACCESS_VOLATILE)
      access &= ~(uint32_t)HD_ACCESS_SPECULATABLE;
   if (writes)
      access &= ~(uint32_t)HD_ACCESS_READONLY;
   put_index(info, indices, HD_INDEX_SET, image->image.set);
   put_index(info, indices, HD_INDEX_BINDING, image->image.binding);
   put_index(info, indices, HD_INDEX_SAMPLER_SET, image->sampler.set);
   put_index(info, indices, HD_INDEX_SAMPLER_BINDING, image->sampler.binding);
   put_index(info, indices, HD_INDEX_DIM, shape.dim);
   put_index(info, indices, HD_INDEX_ARRAY, shape.array);
   put_index(info, indices, HD_INDEX_MS, shape.ms);
   put_index(info, indices, HD_INDEX_ACCESS, access);
   put_index(info, indices, HD_INDEX_COMPONENT, a->component);
   put_index(info, indices, HD_INDEX_ATOMIC_OP, a->atomic_op);
   put_index(info, indices, HD_INDEX_OFFSET_X, (uint32_t)a->offset[0]);
   put_index(info, indices, HD_INDEX_OFFSET_Y, (uint32_t)a->offset[1]);
   put_index(info, indices, HD_INDEX_OFFSET_Z, (uint32_t)a->offset[2]);
   /* Where a descriptor differs between lanes the module says so. */
   if ((image->image.index || (samples && image->sampler.index)) &&
       !(access & HD_ACCESS_NONUNIFORM))
      s->b.flags |= HD_ASSUME_UNIFORM;
   hd_def *result = hd_build_intrinsic(&s->b, id, components, bits, num_srcs, srcs, indices);
   s->b.flags = flags;
   return result;
}

hd_def *
hd_spirv_descriptor_index(struct spirv *s, const struct spirv_descriptor *d)
{
   return d->index ? d->index : hd_imm_u32(&s->b, 0);
}

/* Operands */

struct image_operands
hd_spirv_image_operands(struct spirv *s, const struct spirv_instr *i, uint32_t at)
{
   struct image_operands o = { 0 };

   if (at >= i->num_words)
      return o;
   o.mask = i->words[at++];
   for (uint32_t rest = o.mask; rest; rest &= rest - 1) {
      const uint32_t bit = rest & -rest;
      const unsigned num = bit == SPV_IMAGE_OPERANDS_GRAD ? 2
                           : bit == SPV_IMAGE_OPERANDS_NON_PRIVATE_TEXEL ||
                                   bit == SPV_IMAGE_OPERANDS_VOLATILE_TEXEL ||
                                   bit == SPV_IMAGE_OPERANDS_SIGN_EXTEND ||
                                   bit == SPV_IMAGE_OPERANDS_ZERO_EXTEND ||
                                   bit == SPV_IMAGE_OPERANDS_NONTEMPORAL
                               ? 0
                               : 1;
      if (num > i->num_words - at)
         hd_spirv_invalid(s, "an image operand is missing");
      const uint32_t id = num ? i->words[at] : 0;
      switch (bit) {
      case SPV_IMAGE_OPERANDS_BIAS:
         o.bias = id;
         break;
      case SPV_IMAGE_OPERANDS_LOD:
         o.lod = id;
         break;
      case SPV_IMAGE_OPERANDS_GRAD:
         o.grad[0] = id;
         o.grad[1] = i->words[at + 1];
         break;
      case SPV_IMAGE_OPERANDS_CONST_OFFSET:
      case SPV_IMAGE_OPERANDS_OFFSET:
         o.offset = id;
         break;
      case SPV_IMAGE_OPERANDS_CONST_OFFSETS:
         o.offsets = id;
         break;
      case SPV_IMAGE_OPERANDS_SAMPLE:
         o.sample = id;
         break;
      case SPV_IMAGE_OPERANDS_MIN_LOD:
         o.min_lod = id;
         break;
      case SPV_IMAGE_OPERANDS_MAKE_TEXEL_AVAILABLE:
      case SPV_IMAGE_OPERANDS_MAKE_TEXEL_VISIBLE:
         o.access |= HD_ACCESS_COHERENT;
         break;
      case SPV_IMAGE_OPERANDS_VOLATILE_TEXEL:
         o.access |= HD_ACCESS_VOLATILE;
         break;
      case SPV_IMAGE_OPERANDS_NONTEMPORAL:
         o.access |= HD_ACCESS_NONTEMPORAL;
         break;
      case SPV_IMAGE_OPERANDS_NON_PRIVATE_TEXEL:
      case SPV_IMAGE_OPERANDS_SIGN_EXTEND: /* the format says what a texel is */
      case SPV_IMAGE_OPERANDS_ZERO_EXTEND:
         break;
      default:
         hd_spirv_unsupported(s, "the image operand 0x%x", bit);
      }
      at += num;
   }
   return o;
}

/* The first components of a vector, as numbers of 32 bits. */
hd_def *
hd_spirv_first_components(struct spirv *s, uint32_t id, unsigned num, bool is_float)
{
   struct spirv_value *v = hd_spirv_value(s, id);
   hd_builder *b = &s->b;
   hd_def *parts[4], *def;

   if (v->kind != VALUE_DEF || v->type->is_float != is_float || v->type->bits == 1 ||
       v->type->components < num || num > 4)
      hd_spirv_invalid(s, "expected %u components of %s", num, is_float ? "floats" : "integers");
   def = v->def;
   if (v->type->bits != 32)
      def = is_float             ? hd_f2f(b, def, 32)
            : v->type->is_signed ? hd_i2i(b, def, 32)
                                 : hd_u2u(b, def, 32);
   if (def->num_components == num)
      return def;
   for (unsigned n = 0; n < num; n++)
      parts[n] = hd_build_channel(b, def, n);
   return hd_build_vec(b, num, parts);
}

bool
hd_spirv_constant_offset(struct spirv *s, uint32_t id, int32_t offset[3])
{
   if (hd_spirv_id(s, id)->kind != ID_CONSTANT)
      return false;
   const struct spirv_constant *c = hd_spirv_get_constant(s, id);
   if (!hd_spirv_type_is_leaf(c->type) || c->type->is_float || c->type->components > 3 ||
       c->addresses)
      hd_spirv_invalid(s, "expected an offset of up to 3 integers");
   for (unsigned n = 0; n < c->type->components; n++)
      offset[n] = (int32_t)(uint32_t)c->bits[n];
   return true;
}

/* Texels */

struct image_shape
hd_spirv_image_shape(struct spirv *s, const struct spirv_type *t)
{
   if (t->image.dim == SPIRV_IMAGE_REFUSED)
      hd_spirv_unsupported(s, "an image of dimension Rect or TileImageData is not supported");
   return (struct image_shape){ (hd_image_dim)t->image.dim, t->image.array, t->image.ms };
}

/* Loads and stores see the faces of cubes as the layers of an array. */
static struct image_shape
texel_shape(struct spirv *s, const struct spirv_type *t)
{
   struct image_shape shape = hd_spirv_image_shape(s, t);

   if (shape.dim == HD_DIM_CUBE)
      shape = (struct image_shape){ HD_DIM_D2, true, false };
   return shape;
}

struct texel {
   const struct spirv_image *image;
   struct image_shape shape;
   hd_def *coord, *sample, *lod;
   uint32_t access;
};

/* An input attachment: relative to the pixel, in the layer of the fragment. */
static hd_def *
attachment_coord(struct spirv *s, uint32_t id)
{
   hd_builder *b = &s->b;
   hd_def *offset = hd_spirv_first_components(s, id, 2, false);

   if (s->shader->stage != HD_STAGE_FRAGMENT)
      hd_spirv_invalid(s, "an input attachment is for fragment shaders");
   hd_def *pixel = hd_f2i(b, hd_frag_coord(b), 32);
   hd_def *parts[3];
   for (unsigned n = 0; n < 2; n++) {
      hd_def *at = hd_build_channel(b, pixel, n);
      parts[n] = hd_iadd(b, at, hd_build_channel(b, offset, n));
   }
   parts[2] = hd_layer(b);
   return hd_build_vec(b, 3, parts);
}

static struct texel
texel_at(struct spirv *s, const struct spirv_type *t, const struct spirv_image *image,
         uint32_t coord, const struct image_operands *o)
{
   hd_builder *b = &s->b;
   struct texel x = { .image = image, .shape = texel_shape(s, t), .access = o->access };

   if (t->image.attachment) {
      x.shape.array = true;
      x.coord = attachment_coord(s, coord);
   } else {
      x.coord = hd_spirv_first_components(
          s, coord, hd_image_coord_components(x.shape.dim, x.shape.array), false);
   }
   if (o->offset) {
      const unsigned layers = x.shape.array, num = x.coord->num_components - layers;
      hd_def *offset = hd_spirv_first_components(s, o->offset, num, false), *parts[4];
      for (unsigned n = 0; n < num + layers; n++) {
         parts[n] = hd_build_channel(b, x.coord, n);
         if (n < num)
            parts[n] = hd_iadd(b, parts[n], hd_build_channel(b, offset, n));
      }
      x.coord = hd_build_vec(b, num + layers, parts);
   }
   x.sample = o->sample ? hd_spirv_index32(s, o->sample) : hd_imm_u32(b, 0);
   x.lod = o->lod ? hd_spirv_index32(s, o->lod) : hd_imm_u32(b, 0);
   if (o->mask & (SPV_IMAGE_OPERANDS_BIAS | SPV_IMAGE_OPERANDS_GRAD | SPV_IMAGE_OPERANDS_MIN_LOD |
                  SPV_IMAGE_OPERANDS_CONST_OFFSETS | SPV_IMAGE_OPERANDS_OFFSETS))
      hd_spirv_invalid(s, "an image operand that is for sampling");
   return x;
}

static hd_def *
load_texel(struct spirv *s, const struct texel *x, unsigned components, unsigned bits)
{
   hd_def *index = hd_spirv_descriptor_index(s, &x->image->image);
   hd_def *srcs[] = { index, x->coord, x->sample, x->lod };

   return hd_spirv_build_image(s, HD_INTRINSIC_IMAGE_LOAD, x->image, x->shape,
                               &(struct image_access){ .access = x->access }, components, bits, 4,
                               srcs);
}

static void
store_texel(struct spirv *s, const struct texel *x, hd_def *value)
{
   hd_def *index = hd_spirv_descriptor_index(s, &x->image->image);
   hd_def *srcs[] = { value, index, x->coord, x->sample, x->lod };

   hd_spirv_build_image(s, HD_INTRINSIC_IMAGE_STORE, x->image, x->shape,
                        &(struct image_access){ .access = x->access }, 0, 0, 5, srcs);
}

static void
check_texel(struct spirv *s, const struct spirv_type *t)
{
   if (!hd_spirv_type_is_leaf(t) || t->bits < 16 || t->components > 4)
      hd_spirv_invalid(s, "a texel has up to 4 components of 16, 32 or 64 bits");
}

/* words: image, coordinate, operands */
static void
fetch(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   const struct spirv_value *v = operand(s, i->words[0], TYPE_IMAGE);
   const struct image_operands o = hd_spirv_image_operands(s, i, 2);

   check_texel(s, t);
   const struct texel x = texel_at(s, v->type, v->image, i->words[1], &o);
   hd_spirv_set_def(s, i, load_texel(s, &x, t->components, t->bits));
}

/* Of a texel of this format; 4 where it is not known. */
static unsigned
format_components(unsigned format)
{
   switch (format) {
   case SPV_IMAGE_FORMAT_R32F:
   case SPV_IMAGE_FORMAT_R16F:
   case SPV_IMAGE_FORMAT_R16:
   case SPV_IMAGE_FORMAT_R8:
   case SPV_IMAGE_FORMAT_R16_SNORM:
   case SPV_IMAGE_FORMAT_R8_SNORM:
   case SPV_IMAGE_FORMAT_R32I:
   case SPV_IMAGE_FORMAT_R16I:
   case SPV_IMAGE_FORMAT_R8I:
   case SPV_IMAGE_FORMAT_R32UI:
   case SPV_IMAGE_FORMAT_R16UI:
   case SPV_IMAGE_FORMAT_R8UI:
      return 1;
   case SPV_IMAGE_FORMAT_RG32F:
   case SPV_IMAGE_FORMAT_RG16F:
   case SPV_IMAGE_FORMAT_RG16:
   case SPV_IMAGE_FORMAT_RG8:
   case SPV_IMAGE_FORMAT_RG16_SNORM:
   case SPV_IMAGE_FORMAT_RG8_SNORM:
   case SPV_IMAGE_FORMAT_RG32I:
   case SPV_IMAGE_FORMAT_RG16I:
   case SPV_IMAGE_FORMAT_RG8I:
   case SPV_IMAGE_FORMAT_RG32UI:
   case SPV_IMAGE_FORMAT_RG16UI:
   case SPV_IMAGE_FORMAT_RG8UI:
      return 2;
   case SPV_IMAGE_FORMAT_R11F_G11F_B10F:
      return 3;
   default:
      return 4;
   }
}

/* Components that the format does not have are not looked at: zero is what costs machines least. */
static hd_def *
without_dropped(struct spirv *s, hd_def *value, unsigned format)
{
   const unsigned kept = format_components(format), num = value->num_components;
   hd_def *parts[4];

   if (kept >= num || value->bit_size == 64)
      return value;
   for (unsigned n = 0; n < num; n++)
      parts[n] =
          n < kept ? hd_build_channel(&s->b, value, n) : hd_imm_uint(&s->b, value->bit_size, 0);
   return hd_build_vec(&s->b, num, parts);
}

/* words: image, coordinate, texel, operands */
static void
write(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_value *v = operand(s, i->words[0], TYPE_IMAGE);
   const struct spirv_value *value = hd_spirv_value(s, i->words[2]);
   const struct image_operands o = hd_spirv_image_operands(s, i, 3);

   check_texel(s, value->type);
   if (!v->type->image.storage)
      hd_spirv_invalid(s, "it writes to an image that is not a storage image");
   const struct texel x = texel_at(s, v->type, v->image, i->words[1], &o);
   store_texel(s, &x, without_dropped(s, value->def, v->type->image.format));
}

/* words: pointer to an image, coordinate, sample */
static void
texel_pointer(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   const struct spirv_pointer *p = hd_spirv_pointer(s, i->words[0]);
   const struct image_operands o = { .sample = i->words[2] };

   if (p->place != PLACE_DESCRIPTOR || p->descriptors || p->held || p->type->kind != TYPE_IMAGE ||
       !p->type->image.storage)
      hd_spirv_invalid(s, "expected a pointer to a storage image");
   if (t->kind != TYPE_POINTER || t->storage != SPV_STORAGE_CLASS_IMAGE || !t->element)
      hd_spirv_invalid(s, "expected a pointer of storage class Image as result type");
   const struct spirv_descriptor d = { p->set, p->binding, p->array_index, p->access, NULL };
   struct spirv_image *image = hd_spirv_alloc(s, sizeof(*image));
   *image = (struct spirv_image){ d, d };
   struct texel *x = hd_spirv_alloc(s, sizeof(*x));
   *x = texel_at(s, p->type, image, i->words[1], &o);
   hd_spirv_set(s, i,
                hd_spirv_make_pointer(s, t,
                                      &(struct spirv_pointer){ .type = t->element,
                                                               .storage = t->storage,
                                                               .place = PLACE_TEXEL,
                                                               .builtin = -1,
                                                               .texel = x }));
}

hd_def *
hd_spirv_texel_atomic(struct spirv *s, const struct spirv_pointer *p, bool swap, hd_atomic_op op,
                      hd_def *compare, hd_def *data)
{
   const struct texel *x = p->texel;
   const struct image_access access = { .access = x->access | p->access, .atomic_op = op };
   hd_def *index = hd_spirv_descriptor_index(s, &x->image->image);
   hd_def *srcs[] = { index, x->coord, x->sample, swap ? compare : data, data };

   return hd_spirv_build_image(s, swap ? HD_INTRINSIC_IMAGE_ATOMIC_SWAP : HD_INTRINSIC_IMAGE_ATOMIC,
                               x->image, x->shape, &access, 0, data->bit_size, swap ? 5 : 4, srcs);
}

struct spirv_value *
hd_spirv_load_texel(struct spirv *s, const struct spirv_pointer *p, uint32_t access)
{
   struct texel x = *p->texel;

   check_texel(s, p->type);
   x.access |= p->access | access;
   return hd_spirv_make_def(s, p->type, load_texel(s, &x, p->type->components, p->type->bits));
}

void
hd_spirv_store_texel(struct spirv *s, const struct spirv_pointer *p, hd_def *value, uint32_t access)
{
   struct texel x = *p->texel;

   check_texel(s, p->type);
   x.access |= p->access | access;
   store_texel(s, &x, value);
}

/* Queries */

static void
set_number(struct spirv *s, const struct spirv_instr *i, hd_def *def)
{
   const unsigned bits = hd_spirv_result_type(s, i)->bits;

   hd_spirv_set_def(s, i, bits == 32 || bits < 8 ? def : hd_u2u(&s->b, def, bits));
}

static void
query(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_value *v = operand(s, i->words[0], TYPE_IMAGE);
   const struct image_shape shape = hd_spirv_image_shape(s, v->type);
   const struct image_access none = { 0 };
   hd_def *srcs[2] = { hd_spirv_descriptor_index(s, &v->image->image) };

   if (i->opcode == SPV_OP_IMAGE_QUERY_LEVELS) {
      set_number(s, i,
                 hd_spirv_build_image(s, HD_INTRINSIC_IMAGE_LEVELS, v->image, shape, &none, 0, 0, 1,
                                      srcs));
      return;
   }
   if (i->opcode == SPV_OP_IMAGE_QUERY_SAMPLES) {
      set_number(s, i,
                 hd_spirv_build_image(s, HD_INTRINSIC_IMAGE_SAMPLES, v->image, shape, &none, 0, 0,
                                      1, srcs));
      return;
   }
   const unsigned face = shape.dim == HD_DIM_CUBE;
   srcs[1] = i->opcode == SPV_OP_IMAGE_QUERY_SIZE_LOD ? hd_spirv_index32(s, i->words[1])
                                                      : hd_imm_u32(&s->b, 0);
   set_number(s, i,
              hd_spirv_build_image(s, HD_INTRINSIC_IMAGE_SIZE, v->image, shape, &none,
                                   hd_image_coord_components(shape.dim, shape.array) - face, 0, 2,
                                   srcs));
}

bool
hd_spirv_texel_instr(struct spirv *s, const struct spirv_instr *i)
{
   switch (i->opcode) {
   case SPV_OP_SAMPLED_IMAGE:
      combine(s, i);
      break;
   case SPV_OP_IMAGE:
      take_image(s, i);
      break;
   case SPV_OP_IMAGE_FETCH:
   case SPV_OP_IMAGE_READ:
      fetch(s, i);
      break;
   case SPV_OP_IMAGE_WRITE:
      write(s, i);
      break;
   case SPV_OP_IMAGE_TEXEL_POINTER:
      texel_pointer(s, i);
      break;
   case SPV_OP_IMAGE_QUERY_SIZE:
   case SPV_OP_IMAGE_QUERY_SIZE_LOD:
   case SPV_OP_IMAGE_QUERY_LEVELS:
   case SPV_OP_IMAGE_QUERY_SAMPLES:
      query(s, i);
      break;
   default:
      return false;
   }
   return true;
}
