/* SPDX-License-Identifier: MIT */
/* constant_value.c - constants as values, at the head of the function. */
#include "spirv/body.h"
#include "spirv/constants.h"
#include "spirv/image.h"
#include "spirv/sampler.h"

/* What an expression needs is there before it. Expressions are no deeper than SPIRV_MAX_DEPTH. */
static void
prepare(struct spirv *s, const struct spirv_constant *c)
{
   if (!c->addresses || c->value)
      return;
   hd_heap_step(s->heap, 1);
   if (!c->computed) {
      for (uint32_t n = 0; c->elements && n < c->type->length; n++)
         if (c->elements[n]->addresses)
            hd_spirv_constant_value(s, c->elements[n]);
      return;
   }
   const struct spirv_instr i = hd_spirv_fetch(s, hd_spirv_id(s, c->computed)->word);
   for (uint32_t n = 1; i.opcode == SPV_OP_SPEC_CONSTANT_OP && n < i.num_words; n++) {
      const struct spirv_id *operand = hd_spirv_id(s, i.words[n]);
      if (operand->kind == ID_CONSTANT && !operand->constant->type->flat)
         hd_spirv_constant_value(s, operand->constant);
   }
}

/* As an instruction at this place. The id stays that of a constant. */
static struct spirv_value *
compute(struct spirv *s, struct spirv_constant *c)
{
   struct spirv_id *id = hd_spirv_id(s, c->computed);

   if (id->kind == ID_VARIABLE)
      return hd_spirv_variable_value(s, id->variable);
   struct spirv_instr i = hd_spirv_fetch(s, id->word);
   struct spirv_constant *const constant = id->constant;
   const uint32_t home = id->home;
   i.opcode = *i.words++;
   i.num_words--;
   s->compute(s, &i);
   struct spirv_value *value = id->value;
   id->constant = constant;
   id->home = home;
   return value;
}

static struct spirv_value *
build_sampler(struct spirv *s, const struct spirv_constant *c)
{
   const struct spirv_descriptor d = {
      .binding = hd_spirv_sampler_binding(s, (uint32_t)c->bits[0]),
      .access = HD_ACCESS_READONLY | HD_ACCESS_RESTRICT,
      .constant = c,
   };

   return hd_spirv_make_image(s, c->type, &(struct spirv_image){ .sampler = d });
}

static struct spirv_value *
build_constant(struct spirv *s, struct spirv_constant *c)
{
   const struct spirv_type *t = c->type;

   if (c->value)
      return c->value;
   hd_heap_step(s->heap, 1);
   if (t->kind == TYPE_SAMPLER && !c->null && !c->undef)
      return c->value = build_sampler(s, c);
   if (t->flat)
      hd_spirv_unsupported(s, "a value of type %u, which is opaque, is not supported", t->id);
   if (c->computed) {
      c->value = compute(s, c);
   } else if (c->undef) {
      c->value = hd_spirv_make_undef(s, t);
   } else if (c->null) {
      c->value = hd_spirv_make_zero(s, t);
   } else if (hd_spirv_type_is_leaf(t)) {
      hd_const_value values[HD_MAX_COMPONENTS];
      for (uint32_t n = 0; n < t->components; n++)
         values[n].u64 = hd_spirv_has_bits(t) ? c->bits[n] : c->elements[n]->bits[0];
      c->value = hd_spirv_make_def(s, t, hd_imm(&s->b, t->components, t->bits, values));
   } else {
      c->value = hd_spirv_make_composite(s, t);
      for (uint32_t n = 0; n < t->length; n++)
         c->value->elements[n] = build_constant(s, (struct spirv_constant *)c->elements[n]);
   }
   return c->value;
}

/* All code comes after the head of the start block: there a constant serves everyone. */
struct spirv_value *
hd_spirv_constant_value(struct spirv *s, const struct spirv_constant *c)
{
   if (c->value)
      return c->value;
   prepare(s, c);
   hd_block *start = hd_function_start(s->b.function);
   hd_cursor cursor = s->b.cursor;
   bool dropped = s->b.dropped;
   uint32_t loc = s->b.loc;

   s->b.cursor = s->last_constant ? hd_after_instr(s->last_constant) : hd_before_block(start);
   s->b.dropped = false;
   s->b.loc = 0;
   struct spirv_value *value = build_constant(s, (struct spirv_constant *)c);
   if (s->b.cursor.option == HD_CURSOR_AFTER_INSTR)
      s->last_constant = s->b.cursor.instr;
   s->b.cursor = cursor;
   s->b.dropped = dropped;
   s->b.loc = loc;
   return value;
}
