/* SPDX-License-Identifier: MIT */
/* arguments.c - kernel arguments: layout of the kernarg segment.
 *
 * They are laid out in order, each aligned as in OpenCL C. A pointer to workgroup memory is a 32-bit
 * offset in the shader's shared memory; other pointers are 64-bit addresses. An image or a sampler is a
 * descriptor of set 0, whose binding is the argument's number; the address of its descriptor has a place
 * in the segment, which the shader does not read.
 */
#include "heddle/build_intrinsics.h"
#include "spirv/spirv.h"

static bool
is_by_value(struct spirv *s, uint32_t id, const struct spirv_type *t)
{
   return t->kind == TYPE_POINTER && t->storage == SPV_STORAGE_CLASS_FUNCTION &&
          hd_spirv_has_attribute(s, id, SPV_FUNCTION_PARAMETER_ATTRIBUTE_BY_VAL);
}

void
hd_spirv_describe_argument(struct spirv *s, uint32_t id, const struct spirv_argument *a,
                           hd_spirv_argument *out)
{
   const struct spirv_type *t = a->type;

   out->kind = a->kind;
   out->offset = a->offset;
   out->size = a->size;
   if (a->kind == HD_SPIRV_ARGUMENT_IMAGE) {
      out->dim = (uint32_t)t->image.dim;
      out->array = t->image.array;
      out->multisampled = t->image.ms;
      out->readonly = !t->image.storage;
      out->writeonly = t->image.access == SPV_ACCESS_QUALIFIER_WRITE_ONLY;
   }
   if (a->kind != HD_SPIRV_ARGUMENT_GLOBAL && a->kind != HD_SPIRV_ARGUMENT_SHARED)
      return;
   const struct spirv_decoration *align = hd_spirv_decoration(s, id, -1, SPV_DECORATION_ALIGNMENT);
   out->pointee_align = align ? s->words[align->word] : t->element ? t->element->align : 1;
   out->constant = t->storage == SPV_STORAGE_CLASS_UNIFORM_CONSTANT;
   out->readonly =
       out->constant || hd_spirv_has_attribute(s, id, SPV_FUNCTION_PARAMETER_ATTRIBUTE_NO_WRITE);
   out->restricted = hd_spirv_has_attribute(s, id, SPV_FUNCTION_PARAMETER_ATTRIBUTE_NO_ALIAS);
}

static void
set_memory_kind(struct spirv_argument *a, const struct spirv_type *t)
{
   a->type = t;
   a->size = a->align = 8;
   switch (t->storage) {
   case SPV_STORAGE_CLASS_CROSS_WORKGROUP:
   case SPV_STORAGE_CLASS_UNIFORM_CONSTANT:
   case SPV_STORAGE_CLASS_GENERIC:
      a->kind = HD_SPIRV_ARGUMENT_GLOBAL;
      break;
   case SPV_STORAGE_CLASS_WORKGROUP:
      a->kind = HD_SPIRV_ARGUMENT_SHARED;
      a->size = a->align = 4;
      break;
   default:
      a->kind = HD_SPIRV_ARGUMENT_OTHER;
      break;
   }
}

static bool
is_image_or_sampler(const struct spirv_type *t)
{
   return t->kind == TYPE_SAMPLER || (t->kind == TYPE_IMAGE && t->image.dim != SPIRV_IMAGE_REFUSED);
}

void
hd_spirv_next_argument(struct spirv *s, uint32_t id, const struct spirv_type *t,
                       struct spirv_argument *a)
{
   uint64_t end = (uint64_t)a->offset + a->size;

   a->by_value = is_by_value(s, id, t);
   if (a->by_value)
      t = t->element;
   a->type = t;
   a->kind = t->flat ? HD_SPIRV_ARGUMENT_OTHER : HD_SPIRV_ARGUMENT_VALUE;
   a->size = t->size > UINT32_MAX / 4 ? UINT32_MAX / 4 : (uint32_t)t->size;
   a->align = t->align;
   if (t->kind == TYPE_POINTER)
      set_memory_kind(a, t);
   if (is_image_or_sampler(t)) {
      a->kind = t->kind == TYPE_IMAGE ? HD_SPIRV_ARGUMENT_IMAGE : HD_SPIRV_ARGUMENT_SAMPLER;
      a->size = a->align = 8;
   }
   a->offset = (uint32_t)((end + a->align - 1) / a->align * a->align);
   if (end > UINT32_MAX / 4)
      hd_spirv_unsupported(s, "arguments of 2^30 bytes or more");
}

struct spirv_value *
hd_spirv_kernel_argument(struct spirv *s, uint32_t n, const struct spirv_type *t)
{
   const struct spirv_function *f = hd_spirv_id(s, s->entry)->function;
   uint32_t id = f->params[n];

   hd_spirv_next_argument(s, id, t, &s->argument);
   const struct spirv_argument *a = &s->argument;
   if (a->kind == HD_SPIRV_ARGUMENT_OTHER)
      hd_spirv_unsupported(s, "argument %u of type %s is not supported", n,
                           hd_spirv_type_name(s, t));
   const struct spirv_pointer place = {
      .type = a->type,
      .storage = SPV_STORAGE_CLASS_FUNCTION,
      .place = PLACE_KERNARG,
      .access = HD_ACCESS_READONLY | HD_ACCESS_SPECULATABLE,
      .builtin = -1,
      .offset = a->offset,
      .align = 16,
   };
   s->shader->kernarg_size = a->offset + a->size;
   if (is_image_or_sampler(t)) {
      const bool readonly = t->kind == TYPE_SAMPLER || !t->image.storage;
      return hd_spirv_load_image(
          s, &(struct spirv_pointer){
                 .type = t,
                 .place = PLACE_DESCRIPTOR,
                 .binding = n,
                 .access = readonly ? HD_ACCESS_READONLY | HD_ACCESS_RESTRICT : 0,
             });
   }
   if (a->kind == HD_SPIRV_ARGUMENT_SHARED)
      return hd_spirv_pointer_from_bits(s, t,
                                        hd_load_kernarg(&s->b, hd_imm_u32(&s->b, 0), 1, 32,
                                                        (int32_t)a->offset, 16, a->offset % 16,
                                                        place.access));
   struct spirv_value *value = hd_spirv_load(s, &place, 0);
   if (!a->by_value)
      return value;
   /* The kernel may write to its own copy. */
   struct spirv_value *copy = hd_spirv_make_variable(s, id, t);
   hd_spirv_store(s, copy->pointer, value, 0);
   return copy;
}
