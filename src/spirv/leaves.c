/* SPDX-License-Identifier: MIT */
/* leaves.c - values by their leaves and parts. */
#include "heddle/build_ops.h"
#include "spirv/body.h"

bool
hd_spirv_is_composite(const struct spirv_type *t)
{
   return t->kind == TYPE_MATRIX || t->kind == TYPE_ARRAY || t->kind == TYPE_STRUCT;
}

static void
need_value(struct spirv *s, const struct spirv_type *t)
{
   if (t->kind == TYPE_OPAQUE || hd_spirv_is_image(t))
      hd_spirv_unsupported(s, "a value of type %s is not supported", hd_spirv_type_name(s, t));
   if (t->flat || t->kind == TYPE_RUNTIME_ARRAY || t->kind == TYPE_FUNCTION)
      hd_spirv_invalid(s, "this type has no values");
}

/* A definition for each leaf from what the caller knows. Types are at most SPIRV_MAX_DEPTH deep. */
static struct spirv_value *
fill(struct spirv *s, const struct spirv_type *t,
     struct spirv_value *(*leaf)(struct spirv *s, const struct spirv_type *t))
{
   need_value(s, t);
   if (!hd_spirv_is_composite(t))
      return leaf(s, t);
   struct spirv_value *v = hd_spirv_make_composite(s, t);
   for (uint32_t n = 0; n < t->length; n++) {
      bool again = n && t->kind != TYPE_STRUCT;
      v->elements[n] = again ? v->elements[0] : fill(s, hd_spirv_part_type(s, t, n), leaf);
   }
   return v;
}

static struct spirv_value *
undef_leaf(struct spirv *s, const struct spirv_type *t)
{
   unsigned components = t->components, bits = t->bits;

   if (t->kind != TYPE_POINTER)
      return hd_spirv_make_def(s, t, hd_undef(&s->b, components, bits));
   hd_spirv_pointer_shape(s, t, &components, &bits);
   return hd_spirv_pointer_from_bits(s, t, hd_undef(&s->b, components, bits));
}

static struct spirv_value *
zero_leaf(struct spirv *s, const struct spirv_type *t)
{
   unsigned components = t->components, bits = t->bits;
   hd_const_value zero[HD_MAX_COMPONENTS];

   memset(zero, 0, sizeof(zero));
   if (t->kind != TYPE_POINTER)
      return hd_spirv_make_def(s, t, hd_imm(&s->b, components, bits, zero));
   hd_spirv_pointer_shape(s, t, &components, &bits);
   return hd_spirv_pointer_from_bits(s, t, hd_imm(&s->b, components, bits, zero));
}

struct spirv_value *
hd_spirv_make_undef(struct spirv *s, const struct spirv_type *t)
{
   return fill(s, t, undef_leaf);
}

struct spirv_value *
hd_spirv_make_zero(struct spirv *s, const struct spirv_type *t)
{
   return fill(s, t, zero_leaf);
}

/* Leaves */

hd_def *
hd_spirv_leaf(struct spirv *s, struct spirv_value *v)
{
   if (v->kind == VALUE_COMPOSITE)
      hd_spirv_invalid(s, "expected a scalar or vector operand, found a composite");
   if (v->kind == VALUE_IMAGE)
      hd_spirv_invalid(s, "expected a scalar or vector operand, found an image or sampler");
   return v->kind == VALUE_POINTER ? hd_spirv_pointer_bits(s, v) : v->def;
}

struct spirv_value *
hd_spirv_from_leaf(struct spirv *s, const struct spirv_type *t, hd_def *def)
{
   return t->kind == TYPE_POINTER ? hd_spirv_pointer_from_bits(s, t, def)
                                  : hd_spirv_make_def(s, t, def);
}

void
hd_spirv_leaf_shape(struct spirv *s, const struct spirv_type *t, unsigned *components,
                    unsigned *bits)
{
   need_value(s, t);
   *components = t->components;
   *bits = t->bits;
   if (t->kind == TYPE_POINTER)
      hd_spirv_pointer_shape(s, t, components, bits);
}

struct spirv_value *
hd_spirv_map(struct spirv *s, const struct spirv_type *t, unsigned num,
             struct spirv_value *const *values,
             struct spirv_value *(*leaf)(struct spirv *s, const struct spirv_type *t,
                                         struct spirv_value *const *values, void *user),
             void *user)
{
   struct spirv_value *parts[HD_SPIRV_MAX_MAP];

   assert(num <= HD_SPIRV_MAX_MAP);
   need_value(s, t);
   if (!hd_spirv_is_composite(t))
      return leaf(s, t, values, user);
   struct spirv_value *v = hd_spirv_make_composite(s, t);
   for (uint32_t n = 0; n < t->length; n++) {
      for (unsigned m = 0; m < num; m++)
         parts[m] = hd_spirv_part(s, values[m], n);
      v->elements[n] = hd_spirv_map(s, hd_spirv_part_type(s, t, n), num, parts, leaf, user);
   }
   return v;
}

struct spirv_value *
hd_spirv_part(struct spirv *s, struct spirv_value *v, uint32_t n)
{
   const struct spirv_type *t = hd_spirv_part_type(s, v->type, n);

   if (v->kind == VALUE_COMPOSITE)
      return v->elements[n];
   if (v->kind != VALUE_DEF || v->type->kind != TYPE_VECTOR)
      hd_spirv_invalid(s, "a composite has no member %u", n);
   return hd_spirv_make_def(s, t, hd_build_channel(&s->b, v->def, n));
}

hd_def *
hd_spirv_splat(struct spirv *s, hd_def *scalar, unsigned components)
{
   hd_def *scalars[HD_MAX_COMPONENTS];

   if (scalar->num_components != 1)
      hd_spirv_invalid(s, "an operand is a vector, expected a scalar");
   for (unsigned c = 0; c < components; c++)
      scalars[c] = scalar;
   return hd_build_vec(&s->b, components, scalars);
}

hd_def *
hd_spirv_channel(struct spirv *s, hd_def *vector, hd_def *index)
{
   hd_builder *b = &s->b;
   unsigned c = vector->num_components - 1;

   /* OpenCL C gives 0 for a dimension that is not there, and its compilers read a component for it. */
   if (s->kernel || hd_instr_as_const(hd_def_instr(index)))
      return hd_channel(b, vector, index);
   hd_def *chosen = hd_build_channel(b, vector, c);
   while (c-- > 0) {
      hd_def *is_this = hd_ieq(b, index, hd_imm_u32(b, c)), *part = hd_build_channel(b, vector, c);
      chosen = hd_select(b, is_this, part, chosen);
   }
   return chosen;
}
