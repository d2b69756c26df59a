/* SPDX-License-Identifier: MIT */
/* make_value.c - values of functions: leaves, composites, pointers, images. */
#include "spirv/body.h"
#include "spirv/image.h"

/* A value that takes more definitions than this is not one that anybody computes with. */
#define MAX_LEAVES 65536u

static struct spirv_value *
make_value(struct spirv *s, enum spirv_value_kind kind, const struct spirv_type *t)
{
   struct spirv_value *v = hd_spirv_alloc(s, sizeof(*v));

   v->kind = kind;
   v->type = t;
   return v;
}

struct spirv_value *
hd_spirv_make_def(struct spirv *s, const struct spirv_type *t, hd_def *def)
{
   struct spirv_value *v = make_value(s, VALUE_DEF, t);

   v->def = def;
   return v;
}

struct spirv_value *
hd_spirv_make_composite(struct spirv *s, const struct spirv_type *t)
{
   if (t->leaves > MAX_LEAVES || t->length > MAX_LEAVES)
      hd_spirv_unsupported(s, "a value of more than %u parts", MAX_LEAVES);
   if (t->kind == TYPE_RUNTIME_ARRAY)
      hd_spirv_invalid(s, "a runtime array is not a value");
   struct spirv_value *v = make_value(s, VALUE_COMPOSITE, t);

   v->elements = hd_spirv_alloc(s, (t->length + 1u) * sizeof(struct spirv_value *));
   return v;
}

struct spirv_value *
hd_spirv_make_pointer(struct spirv *s, const struct spirv_type *pointer_type,
                      const struct spirv_pointer *pointer)
{
   struct spirv_value *v = make_value(s, VALUE_POINTER, pointer_type);

   v->pointer = hd_spirv_alloc(s, sizeof(*pointer));
   *v->pointer = *pointer;
   return v;
}

struct spirv_value *
hd_spirv_make_image(struct spirv *s, const struct spirv_type *t, const struct spirv_image *image)
{
   struct spirv_value *v = make_value(s, VALUE_IMAGE, t);

   v->image = hd_spirv_alloc(s, sizeof(*image));
   *v->image = *image;
   return v;
}

struct spirv_value *
hd_spirv_add_image_access(struct spirv *s, const struct spirv_value *value, uint32_t access)
{
   struct spirv_image image = *value->image;

   image.image.access |= access;
   image.sampler.access |= access;
   return hd_spirv_make_image(s, value->type, &image);
}

struct spirv_value *
hd_spirv_with_type(struct spirv *s, const struct spirv_value *value, const struct spirv_type *t)
{
   struct spirv_value *v = hd_spirv_alloc(s, sizeof(*v));

   *v = *value;
   v->type = t;
   return v;
}
