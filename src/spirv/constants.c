/* SPDX-License-Identifier: MIT */
/* constants.c - which constant an id is. */
#include "spirv/constants.h"
#include "spirv/sampler.h"

const struct spirv_constant *
hd_spirv_get_constant(struct spirv *s, uint32_t id)
{
   const struct spirv_id *record = hd_spirv_id(s, id);

   if (record->kind == ID_VARIABLE && record->variable) {
      struct spirv_constant *c = hd_spirv_new_constant(s, record->variable->pointer_type);
      c->computed = id;
      c->addresses = true;
      return c;
   }
   if (record->kind != ID_CONSTANT || !record->constant)
      hd_spirv_invalid(s, "id %u is not a constant", id);
   return record->constant;
}

bool
hd_spirv_is_constant(struct spirv *s, uint32_t id, uint64_t *value)
{
   const struct spirv_id *record = hd_spirv_id(s, id);

   if (record->kind != ID_CONSTANT || !record->constant)
      return false;
   const struct spirv_constant *c = record->constant;
   if (c->type->kind != TYPE_INT || c->undef || c->addresses)
      return false;
   *value = c->type->is_signed ? (uint64_t)sext(c->type->bits, c->bits[0]) : c->bits[0];
   return true;
}

uint64_t
hd_spirv_constant_uint(struct spirv *s, uint32_t id)
{
   uint64_t value;

   if (!hd_spirv_is_constant(s, id, &value))
      hd_spirv_invalid(s, "id %u is not a constant integer", id);
   return value;
}

uint32_t
hd_spirv_sampler_binding(struct spirv *s, uint32_t state)
{
   return hd_spirv_id(s, s->entry)->function->num_params + state;
}

struct spirv_constant *
hd_spirv_new_constant(struct spirv *s, const struct spirv_type *t)
{
   struct spirv_constant *c = hd_spirv_alloc(s, sizeof(*c));

   c->type = t;
   return c;
}
