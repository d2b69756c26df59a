/* SPDX-License-Identifier: MIT */
/* pointer_bits.c - pointers as numbers, and back. */
#include "heddle/build_ops.h"
#include "spirv/body.h"

void
hd_spirv_pointer_shape(struct spirv *s, const struct spirv_type *t, unsigned *components,
                       unsigned *bits)
{
   *components = 1;
   switch (t->storage) {
   case SPV_STORAGE_CLASS_PHYSICAL_STORAGE_BUFFER:
   case SPV_STORAGE_CLASS_CROSS_WORKGROUP:
   case SPV_STORAGE_CLASS_GENERIC:
      *bits = 64;
      return;
   case SPV_STORAGE_CLASS_WORKGROUP:
   case SPV_STORAGE_CLASS_FUNCTION:
   case SPV_STORAGE_CLASS_PRIVATE:
      *bits = 32;
      return;
   case SPV_STORAGE_CLASS_UNIFORM_CONSTANT:
      if (!s->kernel)
         hd_spirv_unsupported(s, "a pointer to an image or sampler as a value");
      *bits = 64;
      return;
   case SPV_STORAGE_CLASS_STORAGE_BUFFER:
   case SPV_STORAGE_CLASS_UNIFORM:
      *components = 3;
      *bits = 32;
      return;
   default:
      hd_spirv_unsupported(s, "a pointer of storage class %u as a value", t->storage);
   }
}

/* Which variable a buffer is, from 1 on, in the order of the module's end. */
static uint32_t
buffer_number(struct spirv *s, const struct spirv_pointer *p)
{
   uint32_t n = 1;

   for (const struct spirv_variable *v = s->variables; v; v = v->next, n++) {
      if ((v->storage == SPV_STORAGE_CLASS_STORAGE_BUFFER ||
           v->storage == SPV_STORAGE_CLASS_UNIFORM) &&
          v->set == p->set && v->binding == p->binding)
         return n;
   }
   return 0;
}

/* As a generic pointer: null stays null. Nothing of the shader's own is at address 0. */
static hd_def *
tagged(struct spirv *s, const struct spirv_pointer *p, uint32_t aperture)
{
   hd_builder *b = &s->b;
   hd_def *address = hd_spirv_flat_address(s, p);
   hd_def *tag = hd_imm_u64(b, (uint64_t)aperture << 32);
   hd_def *whole = hd_ior(b, hd_u2u(b, address, 64), tag);

   if (!p->base)
      return whole;
   hd_def *null = hd_imm_u64(b, 0);
   return hd_select(b, hd_ieq(b, address, hd_imm_u32(b, 0)), null, whole);
}

hd_def *
hd_spirv_place_bits(struct spirv *s, const struct spirv_pointer *p)
{
   switch (p->place) {
   case PLACE_BUFFER: {
      if (p->descriptors)
         hd_spirv_unsupported(s, "a pointer to an array of descriptors as a value");
      hd_def *parts[] = {
         p->buffer ? p->buffer : hd_imm_u32(&s->b, buffer_number(s, p)),
         p->array_index ? p->array_index : hd_imm_u32(&s->b, 0),
         hd_spirv_flat_address(s, p),
      };
      return hd_build_vec(&s->b, 3, parts);
   }
   case PLACE_SHARED:
      if (p->storage == SPV_STORAGE_CLASS_GENERIC)
         return tagged(s, p, SPIRV_APERTURE_SHARED);
      return hd_spirv_flat_address(s, p);
   case PLACE_SCRATCH:
      if (p->storage == SPV_STORAGE_CLASS_GENERIC)
         return tagged(s, p, SPIRV_APERTURE_SCRATCH);
      return hd_spirv_flat_address(s, p);
   case PLACE_CONSTANT: {
      /* As wide as those of kernel arguments to constant memory. */
      hd_def *aperture = hd_imm_u64(&s->b, (uint64_t)SPIRV_APERTURE_CONSTANT << 32);
      return hd_ior(&s->b, hd_u2u(&s->b, hd_spirv_flat_address(s, p), 64), aperture);
   }
   case PLACE_GLOBAL:
   case PLACE_GENERIC:
      return hd_spirv_flat_address(s, p);
   case PLACE_LOCAL:
      hd_spirv_unsupported(s, "a pointer to a variable of a function as a value");
   case PLACE_INPUT:
      hd_spirv_unsupported(s, "a pointer to an input as a value");
   default:
      hd_spirv_unsupported(s, "a pointer to push constants or arguments as a value");
   }
}

hd_def *
hd_spirv_pointer_bits(struct spirv *s, struct spirv_value *v)
{
   if (v->kind == VALUE_DEF)
      return v->def;
   if (v->kind != VALUE_POINTER)
      hd_spirv_invalid(s, "expected a pointer");
   return hd_spirv_place_bits(s, v->pointer);
}

/* Whether constant memory can be constant data: the module has tables. */
static bool
has_tables(const struct spirv *s)
{
   for (const struct spirv_variable *v = s->variables; v; v = v->next) {
      if (v->storage == SPV_STORAGE_CLASS_UNIFORM_CONSTANT && v->initializer)
         return true;
   }
   return false;
}

struct spirv_value *
hd_spirv_pointer_from_bits(struct spirv *s, const struct spirv_type *t, hd_def *bits)
{
   struct spirv_pointer p = {
      .type = t->element,
      .storage = t->storage,
      .builtin = -1,
      .base = bits,
      .align = 1,
   };
   unsigned components, size;

   if (!t->element)
      hd_spirv_invalid(s, "a pointer to an undefined forward type");
   hd_spirv_pointer_shape(s, t, &components, &size);
   if (bits->num_components != components || bits->bit_size != size)
      hd_spirv_invalid(s, "a pointer of this class is not a number of %u bits", bits->bit_size);
   switch (t->storage) {
   case SPV_STORAGE_CLASS_PHYSICAL_STORAGE_BUFFER:
   case SPV_STORAGE_CLASS_CROSS_WORKGROUP:
      p.place = PLACE_GLOBAL;
      break;
   case SPV_STORAGE_CLASS_UNIFORM_CONSTANT:
      p.place = has_tables(s) ? PLACE_GENERIC : PLACE_GLOBAL;
      p.access = HD_ACCESS_READONLY | HD_ACCESS_RESTRICT;
      break;
   case SPV_STORAGE_CLASS_GENERIC:
      p.place = PLACE_GENERIC;
      break;
   case SPV_STORAGE_CLASS_WORKGROUP:
      p.place = PLACE_SHARED;
      break;
   case SPV_STORAGE_CLASS_FUNCTION:
   case SPV_STORAGE_CLASS_PRIVATE:
      p.place = PLACE_SCRATCH;
      break;
   default:
      p.place = PLACE_BUFFER;
      p.buffer = hd_build_channel(&s->b, bits, 0);
      p.array_index = hd_build_channel(&s->b, bits, 1);
      p.base = hd_build_channel(&s->b, bits, 2);
      break;
   }
   return hd_spirv_make_pointer(s, t, &p);
}
