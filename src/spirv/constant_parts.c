/* SPDX-License-Identifier: MIT */
/* constant_parts.c - constants and their components, columns, elements, members. */
#include "spirv/constants.h"

/* An all-zero part of a constant: made on demand, as arrays may be large. */
const struct spirv_constant *
hd_spirv_constant_part(struct spirv *s, const struct spirv_constant *c, uint32_t n)
{
   const struct spirv_type *t = hd_spirv_part_type(s, c->type, n);

   if (c->elements)
      return c->elements[n];
   struct spirv_constant *part = hd_spirv_new_constant(s, t);
   part->undef = c->undef;
   part->null = c->null;
   if (hd_spirv_has_bits(c->type))
      part->bits[0] = c->bits[n];
   return part;
}

struct spirv_constant *
hd_spirv_make_constant(struct spirv *s, const struct spirv_type *t,
                       const struct spirv_constant **parts)
{
   struct spirv_constant *c = hd_spirv_new_constant(s, t);

   const uint32_t num = t->kind == TYPE_VECTOR ? t->components : t->length;
   for (uint32_t n = 0; n < num; n++) {
      c->addresses |= parts[n]->addresses;
      if (parts[n]->depth > c->depth)
         c->depth = parts[n]->depth;
   }
   if (!hd_spirv_has_bits(t)) {
      c->elements = parts;
      return c;
   }
   if (c->addresses)
      hd_spirv_unsupported(s, "a constant vector of addresses");
   /* A part that is not known among others that are is 0. */
   c->undef = true;
   for (uint32_t n = 0; n < t->components; n++) {
      c->bits[n] = parts[n]->bits[0];
      c->undef &= parts[n]->undef;
   }
   return c;
}
