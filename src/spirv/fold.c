/* SPDX-License-Identifier: MIT */
/* fold.c - constant evaluation of OpSpecConstantOp. */
#include "heddle/op_enum.h"
#include "spirv/constants.h"

#include <assert.h>

#define MAX_SRCS 4

/* A leaf constant as an operand of hd_fold_op. */
struct operand {
   hd_const_value values[HD_MAX_COMPONENTS];
   hd_shape shape;
};

static void
set_operand(struct spirv *s, struct operand *o, const struct spirv_constant *c)
{
   if (!hd_spirv_type_is_leaf(c->type) || c->addresses)
      hd_spirv_unsupported(s, "constant expressions of type %u", c->type->id);
   o->shape = (hd_shape){ c->type->components, c->type->bits };
   for (unsigned n = 0; n < c->type->components; n++)
      hd_const_set(&o->values[n], c->type->bits,
                   c->type->components == 1 ? c->bits[0]
                                            : hd_spirv_constant_part(s, c, n)->bits[0]);
}

static struct spirv_constant *
from_values(struct spirv *s, const struct spirv_type *t, const hd_const_value *values)
{
   const struct spirv_constant **parts;

   if (hd_spirv_has_bits(t)) {
      struct spirv_constant *c = hd_spirv_new_constant(s, t);
      for (unsigned n = 0; n < t->components; n++)
         c->bits[n] = hd_const_get(&values[n], t->bits);
      return c;
   }
   parts = hd_spirv_alloc(s, t->components * sizeof(const struct spirv_constant *));
   for (unsigned n = 0; n < t->components; n++) {
      struct spirv_constant *part = hd_spirv_new_constant(s, t->element);
      part->bits[0] = hd_const_get(&values[n], t->bits);
      parts[n] = part;
   }
   return hd_spirv_make_constant(s, t, parts);
}

static struct spirv_constant *
fold_op(struct spirv *s, hd_op op, const struct spirv_type *t, struct operand *operands,
        unsigned num, uint8_t flags)
{
   hd_fold_src srcs[MAX_SRCS];
   hd_const_value result[HD_MAX_COMPONENTS] = { { 0 } };

   if (!hd_spirv_type_is_leaf(t))
      hd_spirv_invalid(s, "type %u is not the result type of the operation", t->id);
   for (unsigned n = 0; n < num; n++) {
      unsigned from = n < 2 && flags & SPIRV_ALU_SWAP ? 1 - n : n;
      srcs[n] = (hd_fold_src){ operands[from].values, operands[from].shape };
   }
   if (!hd_fold_op(op, num, srcs, t->bits, 0, result))
      hd_spirv_invalid(s, "its operands do not have the types that result type %u asks for", t->id);
   for (unsigned n = 0; n < t->components && flags & SPIRV_ALU_NOT; n++)
      result[n].b = !result[n].b;
   return from_values(s, t, result);
}

/* A count of a shift may have any size, and counts past the end are undefined. */
static struct spirv_constant *
fold_shift(struct spirv *s, uint32_t opcode, const struct spirv_type *t, struct operand *operands)
{
   hd_op op = opcode == SPV_OP_SHIFT_LEFT_LOGICAL    ? HD_OP_ISHL
              : opcode == SPV_OP_SHIFT_RIGHT_LOGICAL ? HD_OP_USHR
                                                     : HD_OP_ISHR;
   struct operand *count = &operands[1];

   for (unsigned n = 0; n < count->shape.num_components; n++)
      hd_const_set(&count->values[n], 32, hd_const_get(&count->values[n], count->shape.bit_size));
   count->shape.bit_size = 32;
   return fold_op(s, op, t, operands, 2, 0);
}

static struct spirv_constant *
fold_bitcast(struct spirv *s, const struct spirv_type *t, const struct operand *from)
{
   hd_const_value values[HD_MAX_COMPONENTS] = { { 0 } };
   unsigned bits = from->shape.bit_size, total = bits * from->shape.num_components;

   if (!hd_spirv_type_is_leaf(t) || t->bits * t->components != total)
      hd_spirv_invalid(s, "type %u has a size other than the operand", t->id);
   for (unsigned bit = 0; bit < total; bit++) {
      uint64_t value = hd_const_get(&from->values[bit / bits], bits) >> bit % bits & 1;
      values[bit / t->bits].u64 |= value << bit % t->bits;
   }
   for (unsigned n = 0; n < t->components; n++)
      hd_const_set(&values[n], t->bits, values[n].u64);
   return from_values(s, t, values);
}

/* Each lane of a vector has its own condition, or all have one. */
static struct spirv_constant *
fold_select(struct spirv *s, const uint32_t *operands)
{
   const struct spirv_constant *if_false = hd_spirv_get_constant(s, operands[2]);
   const struct spirv_constant *if_true = hd_spirv_get_constant(s, operands[1]);
   const struct spirv_constant *condition = hd_spirv_get_constant(s, operands[0]);

   if (condition->type->kind == TYPE_BOOL) {
      struct spirv_constant *c = hd_spirv_new_constant(s, if_true->type);
      *c = condition->bits[0] ? *if_true : *if_false;
      return c;
   }
   const struct spirv_type *t = if_true->type;
   if (t->kind != TYPE_VECTOR || condition->type->components != t->components ||
       condition->type->bits != 1)
      hd_spirv_invalid(s, "the condition has type %u, the operands %u", condition->type->id, t->id);
   const struct spirv_constant **parts =
       hd_spirv_alloc(s, t->components * sizeof(const struct spirv_constant *));
   for (unsigned n = 0; n < t->components; n++)
      parts[n] = hd_spirv_constant_part(
          s, hd_spirv_constant_part(s, condition, n)->bits[0] ? if_true : if_false, n);
   return hd_spirv_make_constant(s, t, parts);
}

static struct spirv_constant *
fold_extract(struct spirv *s, const uint32_t *p, uint32_t num)
{
   const struct spirv_constant *part = hd_spirv_get_constant(s, p[0]);
   struct spirv_constant *c;

   for (uint32_t n = 1; n < num; n++)
      part = hd_spirv_constant_part(s, part, p[n]);
   c = hd_spirv_new_constant(s, part->type);
   *c = *part;
   return c;
}

/* The constant with part n replaced. */
static struct spirv_constant *
with_part(struct spirv *s, const struct spirv_constant *c, uint32_t n,
          const struct spirv_constant *part)
{
   const struct spirv_type *t = c->type;
   const struct spirv_constant **parts =
       hd_spirv_alloc(s, t->length * sizeof(const struct spirv_constant *));

   const struct spirv_type *expected = hd_spirv_part_type(s, t, n);
   if (part->type != expected || t->kind == TYPE_RUNTIME_ARRAY)
      hd_spirv_invalid(s, "the member has type %u, expected %u", part->type->id, expected->id);
   for (uint32_t k = 0; k < t->length; k++)
      parts[k] = k == n ? part : hd_spirv_constant_part(s, c, k);
   return hd_spirv_make_constant(s, t, parts);
}

/* From the inside out: each part around the place is made anew. */
static struct spirv_constant *
fold_insert(struct spirv *s, const uint32_t *p, uint32_t num)
{
   const struct spirv_constant *path[SPIRV_MAX_DEPTH + 2];
   const struct spirv_constant *part = hd_spirv_get_constant(s, p[0]);
   uint32_t depth = num - 2;

   if (!depth || depth > SPIRV_MAX_DEPTH + 1)
      hd_spirv_invalid(s, "found %u indices, which the type does not have", depth);
   path[0] = hd_spirv_get_constant(s, p[1]);
   for (uint32_t n = 1; n < depth; n++)
      path[n] = hd_spirv_constant_part(s, path[n - 1], p[n + 1]);
   struct spirv_constant *made = NULL;
   while (depth--)
      part = made = with_part(s, path[depth], p[depth + 2], part);
   return made;
}

static struct spirv_constant *
fold_shuffle(struct spirv *s, const struct spirv_type *t, const uint32_t *p, uint32_t num)
{
   const struct spirv_constant *a = hd_spirv_get_constant(s, p[0]),
                               *b = hd_spirv_get_constant(s, p[1]);

   if (a->type->kind != TYPE_VECTOR || b->type->kind != TYPE_VECTOR || t->kind != TYPE_VECTOR ||
       t->components != num - 2)
      hd_spirv_invalid(s,
                       "expected vectors and a vector of %u as result, found types %u, %u and %u",
                       num - 2, a->type->id, b->type->id, t->id);
   const struct spirv_constant **parts =
       hd_spirv_alloc(s, t->components * sizeof(const struct spirv_constant *));
   for (uint32_t n = 0; n < t->components; n++) {
      uint32_t from = p[n + 2], first = a->type->components;
      if (from == UINT32_MAX)
         from = 0;
      parts[n] = from < first ? hd_spirv_constant_part(s, a, from)
                              : hd_spirv_constant_part(s, b, from - first);
   }
   return hd_spirv_make_constant(s, t, parts);
}

static struct spirv_constant *
fold_alu(struct spirv *s, uint32_t opcode, const struct spirv_type *t, const uint32_t *p,
         uint32_t num)
{
   const struct spirv_opcode *row = hd_spirv_opcode(opcode);
   struct operand operands[MAX_SRCS];

   if (num > MAX_SRCS)
      hd_spirv_invalid(s, "found %u operands, which the operation does not take", num);
   for (uint32_t n = 0; n < num; n++)
      set_operand(s, &operands[n], hd_spirv_get_constant(s, p[n]));
   switch (opcode) {
   case SPV_OP_SHIFT_LEFT_LOGICAL:
   case SPV_OP_SHIFT_RIGHT_LOGICAL:
   case SPV_OP_SHIFT_RIGHT_ARITHMETIC:
      assert(num == 2);
      return fold_shift(s, opcode, t, operands);
   case SPV_OP_BITCAST:
      assert(num == 1);
      return fold_bitcast(s, t, &operands[0]);
   default:
      break;
   }
   if (row->room != SPIRV_ROOM_ALU || row->extra == HD_OP_NONE)
      hd_spirv_unsupported(s, "%s of constants is not supported", hd_spirv_opcode_name(opcode));
   return fold_op(s, (hd_op)row->extra, t, operands, num, row->flags);
}

/* Its operands and its result are ids alone, and it works on addresses too. */
static bool
computes_addresses(uint32_t opcode)
{
   const uint8_t room = hd_spirv_opcode(opcode)->room;

   return room == SPIRV_ROOM_POINTER || room == SPIRV_ROOM_ALU || opcode == SPV_OP_SELECT;
}

/* What works on addresses is not known yet, or not as a number: NULL where it does not. */
static struct spirv_constant *
address(struct spirv *s, const struct spirv_instr *i, const struct spirv_type *t)
{
   bool found = hd_spirv_opcode(i->words[0])->room == SPIRV_ROOM_POINTER;
   unsigned depth = 0;

   if (!computes_addresses(i->words[0]))
      return NULL;
   for (uint32_t n = 1; n < i->num_words; n++) {
      const struct spirv_constant *operand = hd_spirv_get_constant(s, i->words[n]);
      found |= operand->addresses || operand->type->kind == TYPE_POINTER;
      if (operand->depth >= depth)
         depth = operand->depth + 1u;
   }
   if (!found)
      return NULL;
   if (depth > SPIRV_MAX_DEPTH)
      hd_spirv_unsupported(s, "constant expressions of more than %u levels", SPIRV_MAX_DEPTH);
   struct spirv_constant *c = hd_spirv_new_constant(s, t);
   c->addresses = true;
   c->computed = i->result;
   c->depth = (uint8_t)depth;
   return c;
}

struct spirv_constant *
hd_spirv_fold(struct spirv *s, const struct spirv_instr *i, const struct spirv_type *t)
{
   const uint32_t *p = i->words + 1;
   uint32_t num = i->num_words - 1;
   struct spirv_constant *c = address(s, i, t);

   if (c)
      return c;

   switch (i->words[0]) {
   case SPV_OP_SELECT:
      c = fold_select(s, p);
      break;
   case SPV_OP_COMPOSITE_EXTRACT:
      c = fold_extract(s, p, num);
      break;
   case SPV_OP_COMPOSITE_INSERT:
      c = fold_insert(s, p, num);
      break;
   case SPV_OP_VECTOR_SHUFFLE:
      c = fold_shuffle(s, t, p, num);
      break;
   case SPV_OP_COPY_OBJECT:
   case SPV_OP_COPY_LOGICAL:
      c = fold_extract(s, p, 1);
      break;
   default:
      c = fold_alu(s, i->words[0], t, p, num);
      break;
   }
   hd_spirv_expect_type(s, "the result", c->type, t);
   c->type = t;
   c->value = NULL;
   return c;
}
