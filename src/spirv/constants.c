/* SPDX-License-Identifier: MIT */
/* constants.c - constants and specialisation constants. */
#include "spirv/constants.h"
#include "spirv/body.h"

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

/* Making them */

struct spirv_constant *
hd_spirv_new_constant(struct spirv *s, const struct spirv_type *t)
{
   struct spirv_constant *c = hd_spirv_alloc(s, sizeof(*c));

   c->type = t;
   return c;
}

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

/* What the host says of a specialisation constant. */
static uint64_t
specialise(struct spirv *s, const struct spirv_instr *i, uint64_t value)
{
   const struct spirv_decoration *d = hd_spirv_decoration(s, i->result, -1, SPV_DECORATION_SPEC_ID);

   for (uint32_t n = 0; d && n < s->options->num_constants; n++) {
      if (s->options->constants[n].id == s->words[d->word])
         value = s->options->constants[n].bits;
   }
   return value;
}

static void
read_number(struct spirv *s, const struct spirv_instr *i, struct spirv_constant *c)
{
   const struct spirv_type *t = c->type;
   uint32_t num = t->bits == 64 ? 2 : 1;

   if (t->kind != TYPE_INT && t->kind != TYPE_FLOAT)
      hd_spirv_invalid(s, "type %u is not a number", t->id);
   if (i->num_words != num)
      hd_spirv_invalid(s, "%u words, a number of %u bits has %u", i->num_words, t->bits, num);
   uint64_t value = i->words[0] | (num == 2 ? (uint64_t)i->words[1] << 32 : 0);
   if (i->opcode == SPV_OP_SPEC_CONSTANT)
      value = specialise(s, i, value);
   c->bits[0] = value & mask(t->bits);
}

static void
read_bool(struct spirv *s, const struct spirv_instr *i, struct spirv_constant *c)
{
   bool value = i->opcode == SPV_OP_CONSTANT_TRUE || i->opcode == SPV_OP_SPEC_CONSTANT_TRUE;

   if (c->type->kind != TYPE_BOOL)
      hd_spirv_invalid(s, "type %u is not bool", c->type->id);
   if (i->opcode == SPV_OP_SPEC_CONSTANT_TRUE || i->opcode == SPV_OP_SPEC_CONSTANT_FALSE)
      value = specialise(s, i, value) != 0;
   c->bits[0] = value;
}

static struct spirv_constant *
read_composite(struct spirv *s, const struct spirv_instr *i, const struct spirv_type *t)
{
   const struct spirv_constant **parts =
       hd_spirv_alloc(s, i->num_words * sizeof(const struct spirv_constant *));

   if (t->kind < TYPE_VECTOR || t->kind > TYPE_STRUCT || t->length != i->num_words)
      hd_spirv_invalid(s, "%u parts, type %u has %u", i->num_words, t->id,
                       t->kind >= TYPE_VECTOR && t->kind <= TYPE_STRUCT ? t->length : 0);
   for (uint32_t n = 0; n < i->num_words; n++) {
      parts[n] = hd_spirv_get_constant(s, i->words[n]);
      if (parts[n]->type != hd_spirv_part_type(s, t, n))
         hd_spirv_invalid(s, "part %u has type %u, expected %u", n, parts[n]->type->id,
                          hd_spirv_part_type(s, t, n)->id);
   }
   return hd_spirv_make_constant(s, t, parts);
}

void
hd_spirv_read_constant(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   struct spirv_constant *c = NULL;

   if (t->kind == TYPE_VOID || t->kind == TYPE_FUNCTION)
      hd_spirv_invalid(s, "type %u has no constants", t->id);
   switch (i->opcode) {
   case SPV_OP_CONSTANT_TRUE:
   case SPV_OP_CONSTANT_FALSE:
   case SPV_OP_SPEC_CONSTANT_TRUE:
   case SPV_OP_SPEC_CONSTANT_FALSE:
      c = hd_spirv_new_constant(s, t);
      read_bool(s, i, c);
      break;
   case SPV_OP_CONSTANT:
   case SPV_OP_SPEC_CONSTANT:
      c = hd_spirv_new_constant(s, t);
      read_number(s, i, c);
      break;
   case SPV_OP_CONSTANT_COMPOSITE:
   case SPV_OP_SPEC_CONSTANT_COMPOSITE:
      c = read_composite(s, i, t);
      break;
   case SPV_OP_SPEC_CONSTANT_OP:
      c = hd_spirv_fold(s, i, t);
      break;
   default:
      c = hd_spirv_new_constant(s, t);
      c->undef = i->opcode == SPV_OP_UNDEF;
      c->null = i->opcode == SPV_OP_CONSTANT_NULL;
      break;
   }
   hd_spirv_id(s, i->result)->constant = c;
}

/* Their values */

bool
hd_spirv_computes_addresses(uint32_t opcode)
{
   const uint8_t room = hd_spirv_opcode(opcode)->room;

   return room == SPIRV_ROOM_POINTER || room == SPIRV_ROOM_ALU || opcode == SPV_OP_SELECT;
}

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
   if (i.opcode == SPV_OP_SELECT)
      hd_spirv_composite(s, &i);
   else if (hd_spirv_opcode(i.opcode)->room == SPIRV_ROOM_POINTER)
      hd_spirv_pointer_instr(s, &i);
   else
      hd_spirv_alu(s, &i);
   struct spirv_value *value = id->value;
   id->constant = constant;
   id->home = home;
   return value;
}

static struct spirv_value *
build_constant(struct spirv *s, struct spirv_constant *c)
{
   const struct spirv_type *t = c->type;

   if (c->value)
      return c->value;
   hd_heap_step(s->heap, 1);
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
