/* SPDX-License-Identifier: MIT */
/* pointer.c - access chains, and pointers as values. */
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "spirv/body.h"

/* Addresses */

static uint32_t
low_bit(uint64_t x)
{
   return x & 0x7fffffff ? (uint32_t)(x & -x) : 1u << 31;
}

/* `count` elements of `stride` bytes further on. */
void
hd_spirv_advance(struct spirv *s, struct spirv_pointer *p, hd_def *count, uint32_t stride)
{
   hd_builder *b = &s->b;
   unsigned bits = hd_spirv_is_wide(p) ? 64 : 32;
   hd_def *bytes;

   count = hd_spirv_resize(s, count, bits);
   if (stride == low_bit(stride)) {
      uint32_t shift = 0;
      while (stride >> shift > 1)
         shift++;
      bytes = shift ? hd_ishl(b, count, hd_imm_u32(b, shift)) : count;
   } else {
      bytes = hd_imul(b, count, hd_imm_uint(b, bits, stride));
   }
   p->base = p->base ? hd_iadd(b, p->base, bytes) : bytes;
   if (p->align > low_bit(stride))
      p->align = low_bit(stride);
}

/* A sign-extended integer of another size. */
hd_def *
hd_spirv_resize(struct spirv *s, hd_def *def, unsigned bits)
{
   return def->bit_size == bits ? def : hd_i2i(&s->b, def, bits);
}

/* Index n of an array whose elements are `stride` bytes, `length` of them. */
static void
index_elements(struct spirv *s, struct spirv_pointer *p, uint32_t length, uint32_t stride,
               uint32_t id)
{
   hd_builder *b = &s->b;
   uint64_t constant;
   bool known = hd_spirv_is_constant(s, id, &constant);

   if (p->place != PLACE_LOCAL) {
      if (known)
         p->offset += constant * stride;
      else
         hd_spirv_advance(s, p, hd_spirv_ssa(s, id), stride);
      return;
   }
   if (p->index)
      p->index = hd_imul(b, p->index, hd_imm_u32(b, length));
   p->index_offset *= length;
   if (known) {
      p->index_offset += (uint32_t)constant;
   } else {
      hd_def *n = hd_spirv_index32(s, id);
      p->index = p->index ? hd_iadd(b, p->index, n) : n;
   }
}

static void
index_descriptors(struct spirv *s, struct spirv_pointer *p, uint32_t id)
{
   hd_builder *b = &s->b;
   const struct spirv_type *t = p->type;
   hd_def *n = hd_spirv_index32(s, id);

   if (p->array_index) {
      if (t->kind == TYPE_RUNTIME_ARRAY)
         hd_spirv_unsupported(s, "an array of runtime arrays of descriptors");
      n = hd_iadd(b, hd_imul(b, p->array_index, hd_imm_u32(b, t->length)), n);
   }
   p->array_index = n;
   p->type = t->element;
   p->descriptors = t->element->kind == TYPE_ARRAY || t->element->kind == TYPE_RUNTIME_ARRAY;
   p->access |= hd_spirv_access(s, id, -1) & HD_ACCESS_NONUNIFORM;
}

static void
select_member(struct spirv *s, struct spirv_pointer *p, uint32_t id)
{
   uint64_t n;

   if (!hd_spirv_is_constant(s, id, &n))
      hd_spirv_invalid(s, "expected a constant member index");
   if (n >= p->type->length)
      hd_spirv_invalid(s, "member %lld of a struct of %u", (long long)n, p->type->length);
   const struct spirv_member *m = &p->type->members[n];
   p->first_var += m->first_var;
   p->offset += m->offset;
   p->access |= m->access;
   p->row_major = m->row_major;
   p->matrix_stride = m->matrix_stride;
   if (p->place == PLACE_INPUT)
      p->builtin = m->builtin;
   p->type = m->type;
}

static void
select_column(struct spirv *s, struct spirv_pointer *p, uint32_t id)
{
   const struct spirv_type *t = p->type;
   uint32_t stride = p->matrix_stride ? p->matrix_stride : t->stride;

   if (p->row_major && p->place != PLACE_LOCAL) {
      p->column_stride = stride;
      stride = t->bits / 8;
   }
   index_elements(s, p, t->length, stride, id);
   p->type = t->element;
}

static void
select_component(struct spirv *s, struct spirv_pointer *p, uint32_t id)
{
   const struct spirv_type *t = p->type;

   if (p->place == PLACE_LOCAL || p->place == PLACE_INPUT) {
      p->component = hd_spirv_index32(s, id);
      p->whole = t;
   } else {
      uint32_t bytes = t->bits < 8 ? 1 : t->bits / 8;
      index_elements(s, p, t->components, p->column_stride ? p->column_stride : bytes, id);
      p->column_stride = 0;
   }
   p->type = t->element;
}

static void
step(struct spirv *s, struct spirv_pointer *p, uint32_t id)
{
   const struct spirv_type *t = p->type;

   if (p->component)
      hd_spirv_invalid(s, "an index into a vector component, expected a composite");
   if (p->descriptors) {
      index_descriptors(s, p, id);
      return;
   }
   switch (t->kind) {
   case TYPE_STRUCT:
      select_member(s, p, id);
      return;
   case TYPE_RUNTIME_ARRAY:
      if (p->place == PLACE_LOCAL || p->place == PLACE_INPUT)
         hd_spirv_invalid(s, "a runtime array that is not in memory");
      index_elements(s, p, 0, t->stride, id);
      p->type = t->element;
      return;
   case TYPE_ARRAY:
      if (p->place == PLACE_INPUT)
         hd_spirv_unsupported(s, "an input that is an array");
      index_elements(s, p, t->length, t->stride, id);
      p->type = t->element;
      return;
   case TYPE_MATRIX:
      select_column(s, p, id);
      return;
   case TYPE_VECTOR:
      select_component(s, p, id);
      return;
   default:
      hd_spirv_invalid(
          s,
          "an index into a type that is not a composite, expected an array, struct, vector or matrix");
   }
}

/* Access chains */

static const struct spirv_type *
pointer_result(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);

   if (t->kind != TYPE_POINTER || !t->element)
      hd_spirv_invalid(s, "expected a pointer as result type");
   return t;
}

/* words: base, [element], indexes */
static void
access_chain(struct spirv *s, const struct spirv_instr *i, bool element)
{
   const struct spirv_type *t = pointer_result(s, i);
   struct spirv_value *base = hd_spirv_value(s, i->words[0]);
   struct spirv_pointer p = *hd_spirv_pointer(s, i->words[0]);
   uint32_t n = 1;

   if (element) {
      uint64_t zero;
      if (p.place == PLACE_LOCAL) {
         if (!hd_spirv_is_constant(s, i->words[1], &zero) || zero)
            index_elements(s, &p, 1, 0, i->words[1]);
      } else if (p.place == PLACE_INPUT || p.descriptors) {
         hd_spirv_invalid(s, "expected a pointer into an array in memory");
      } else {
         index_elements(s, &p, 0, base->type->stride, i->words[1]);
      }
      n = 2;
   }
   for (; n < i->num_words; n++)
      step(s, &p, i->words[n]);
   hd_spirv_expect_type(s, "what the access chain reaches", p.type, t->element);
   p.type = t->element;
   p.access |= hd_spirv_access(s, i->result, -1);
   hd_spirv_set(s, i, hd_spirv_make_pointer(s, t, &p));
}

struct spirv_pointer *
hd_spirv_pointer(struct spirv *s, uint32_t id)
{
   struct spirv_value *v = hd_spirv_value(s, id);

   if (v->type->kind != TYPE_POINTER)
      hd_spirv_invalid(s, "expected a pointer");
   if (v->kind == VALUE_DEF) {
      v = hd_spirv_pointer_from_bits(s, v->type, v->def);
      v->pointer->access |= hd_spirv_access(s, id, -1) & HD_ACCESS_NONUNIFORM;
   }
   return v->pointer;
}

/* The same place seen as another type, or by a pointer of another class. */
static void
set_cast(struct spirv *s, const struct spirv_instr *i, const struct spirv_type *t,
         struct spirv_pointer p)
{
   p.type = t->element;
   p.storage = t->storage;
   hd_spirv_set(s, i, hd_spirv_make_pointer(s, t, &p));
}

/* Casts */

static void
bitcast(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   struct spirv_value *v = hd_spirv_value(s, i->words[0]);

   if (t->kind != TYPE_POINTER) {
      hd_def *bits = hd_spirv_pointer_bits(s, v);
      if (!hd_spirv_type_is_leaf(t) ||
          (unsigned)t->bits * t->components != (unsigned)bits->bit_size * bits->num_components)
         hd_spirv_unsupported(s, "a pointer of this class as a value of this type");
      hd_spirv_set_def(s, i, hd_spirv_bitcast(s, bits, t->components, t->bits));
      return;
   }
   if (v->type->kind != TYPE_POINTER) {
      hd_def *bits = hd_spirv_ssa(s, i->words[0]);
      unsigned components, size;
      hd_spirv_pointer_shape(s, t, &components, &size);
      if (components * size != (unsigned)bits->bit_size * bits->num_components)
         hd_spirv_invalid(s,
                          "the operand does not have the size of a pointer of this storage class");
      hd_spirv_set(s, i,
                   hd_spirv_pointer_from_bits(s, t, hd_spirv_bitcast(s, bits, components, size)));
      return;
   }
   if (v->type->storage != t->storage)
      hd_spirv_invalid(s, "a pointer cast must keep the storage class");
   if (!t->element)
      hd_spirv_invalid(s, "a pointer to an undefined forward type");
   set_cast(s, i, t, *hd_spirv_pointer(s, i->words[0]));
}

static uint8_t
place_of(uint32_t storage)
{
   switch (storage) {
   case SPV_STORAGE_CLASS_WORKGROUP:
      return PLACE_SHARED;
   case SPV_STORAGE_CLASS_FUNCTION:
   case SPV_STORAGE_CLASS_PRIVATE:
      return PLACE_SCRATCH;
   default:
      return PLACE_GLOBAL;
   }
}

/* `checked`: null where the pointer is to another class. */
static void
from_generic(struct spirv *s, const struct spirv_instr *i, bool checked)
{
   hd_builder *b = &s->b;
   const struct spirv_type *t = pointer_result(s, i);
   struct spirv_pointer p = *hd_spirv_pointer(s, i->words[0]);
   const uint8_t place = place_of(t->storage);

   if (p.place == place) {
      set_cast(s, i, t, p);
      return;
   }
   hd_def *bits = hd_spirv_place_bits(s, &p);
   hd_def *high = hd_u2u(b, hd_ushr(b, bits, hd_imm_u32(b, 32)), 32);
   hd_def *result = place == PLACE_GLOBAL ? bits : hd_u2u(b, bits, 32);
   if (checked) {
      hd_def *shared = hd_ieq(b, high, hd_imm_u32(b, SPIRV_APERTURE_SHARED));
      hd_def *scratch = hd_ieq(b, high, hd_imm_u32(b, SPIRV_APERTURE_SCRATCH));
      hd_def *fits = place == PLACE_SHARED    ? shared
                     : place == PLACE_SCRATCH ? scratch
                                              : hd_inot(b, hd_ior(b, shared, scratch));
      result = hd_select(b, fits, result, hd_imm_uint(b, result->bit_size, 0));
   }
   hd_spirv_set(s, i, hd_spirv_pointer_from_bits(s, t, result));
}

/* The MemorySemantics bit of the class that a generic pointer has. */
static void
generic_semantics(struct spirv *s, const struct spirv_instr *i)
{
   enum { SUBGROUP = 0x80, WORKGROUP = 0x100, CROSS_WORKGROUP = 0x200 };
   hd_builder *b = &s->b;
   hd_def *bits = hd_spirv_place_bits(s, hd_spirv_pointer(s, i->words[0]));
   hd_def *high = hd_u2u(b, hd_ushr(b, bits, hd_imm_u32(b, 32)), 32);
   hd_def *shared = hd_ieq(b, high, hd_imm_u32(b, SPIRV_APERTURE_SHARED));
   hd_def *scratch = hd_ieq(b, high, hd_imm_u32(b, SPIRV_APERTURE_SCRATCH));

   hd_def *global = hd_imm_u32(b, CROSS_WORKGROUP);
   hd_def *other = hd_select(b, scratch, hd_imm_u32(b, SUBGROUP), global);
   hd_spirv_set_def(s, i, hd_select(b, shared, hd_imm_u32(b, WORKGROUP), other));
}

/* Comparison */

static void
compare(struct spirv *s, const struct spirv_instr *i, bool equal)
{
   hd_builder *b = &s->b;
   hd_def *x = hd_spirv_pointer_bits(s, hd_spirv_value(s, i->words[0]));
   hd_def *y = hd_spirv_pointer_bits(s, hd_spirv_value(s, i->words[1]));
   hd_def *same = NULL;

   if (x->num_components != y->num_components || x->bit_size != y->bit_size)
      hd_spirv_invalid(s, "the pointers have different storage classes");
   for (unsigned n = 0; n < x->num_components; n++) {
      hd_def *other = hd_build_channel(b, y, n);
      hd_def *part = hd_ieq(b, hd_build_channel(b, x, n), other);
      same = same ? hd_iand(b, same, part) : part;
   }
   hd_spirv_set_def(s, i, equal ? same : hd_inot(b, same));
}

static void
difference(struct spirv *s, const struct spirv_instr *i)
{
   hd_builder *b = &s->b;
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   struct spirv_value *v = hd_spirv_value(s, i->words[0]);
   hd_def *x = hd_spirv_pointer_bits(s, v);
   hd_def *y = hd_spirv_pointer_bits(s, hd_spirv_value(s, i->words[1]));

   if (x->num_components != y->num_components || x->bit_size != y->bit_size)
      hd_spirv_invalid(s, "the pointers have different storage classes");
   if (t->kind != TYPE_INT)
      hd_spirv_invalid(s, "expected an integer result");
   const unsigned last = x->num_components - 1u;
   hd_def *other = hd_build_channel(b, y, last);
   hd_def *bytes = hd_isub(b, hd_build_channel(b, x, last), other);
   uint32_t stride = v->type->stride ? v->type->stride : 1;
   hd_def *elements =
       stride == 1 ? bytes : hd_idiv(b, bytes, hd_imm_uint(b, bytes->bit_size, stride));
   hd_spirv_set_def(s, i, hd_spirv_resize(s, elements, t->bits));
}

/* Lengths */

struct length {
   uint32_t offset, stride;
};

static hd_def *
length_at(struct spirv *s, const struct spirv_pointer *p, void *user)
{
   hd_builder *b = &s->b;
   const struct length *length = user;
   hd_def *srcs[2];
   uint32_t indices[HD_MAX_INDICES];

   hd_spirv_address(s, p, srcs);
   hd_spirv_indices(p, HD_INTRINSIC_BUFFER_SIZE, 0, 0, indices);
   hd_def *size = hd_spirv_build_at(s, p, HD_INTRINSIC_BUFFER_SIZE, 0, 0, 1, srcs, indices);
   hd_def *bytes = hd_usub_sat(b, size, hd_imm_u32(b, length->offset));
   return hd_udiv(b, bytes, hd_imm_u32(b, length->stride));
}

static void
array_length(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_pointer *p = hd_spirv_pointer(s, i->words[0]);
   const uint32_t member = i->words[1];

   if (p->type->kind != TYPE_STRUCT || member >= p->type->length || p->descriptors ||
       p->type->members[member].type->kind != TYPE_RUNTIME_ARRAY)
      hd_spirv_invalid(s, "expected a runtime array");
   if (p->place != PLACE_BUFFER)
      hd_spirv_invalid(s, "expected an array in a buffer");
   const struct spirv_member *m = &p->type->members[member];
   struct length length = { m->offset, m->type->stride ? m->type->stride : 1 };
   hd_spirv_set_def(s, i, hd_spirv_at_place(s, p, length_at, &length));
}

void
hd_spirv_pointer_instr(struct spirv *s, const struct spirv_instr *i)
{
   switch (i->opcode) {
   case SPV_OP_ACCESS_CHAIN:
   case SPV_OP_IN_BOUNDS_ACCESS_CHAIN:
      access_chain(s, i, false);
      return;
   case SPV_OP_PTR_ACCESS_CHAIN:
   case SPV_OP_IN_BOUNDS_PTR_ACCESS_CHAIN:
      access_chain(s, i, true);
      return;
   case SPV_OP_PTR_EQUAL:
   case SPV_OP_PTR_NOT_EQUAL:
      compare(s, i, i->opcode == SPV_OP_PTR_EQUAL);
      return;
   case SPV_OP_PTR_DIFF:
      difference(s, i);
      return;
   case SPV_OP_CONVERT_PTR_TO_U: {
      const struct spirv_type *t = hd_spirv_result_type(s, i);
      hd_def *bits = hd_spirv_pointer_bits(s, hd_spirv_value(s, i->words[0]));
      if (t->kind != TYPE_INT || bits->num_components != 1)
         hd_spirv_invalid(s, "this pointer cannot be converted to an integer");
      hd_spirv_set_def(s, i, bits->bit_size == t->bits ? bits : hd_u2u(&s->b, bits, t->bits));
      return;
   }
   case SPV_OP_CONVERT_UTO_PTR: {
      const struct spirv_type *t = pointer_result(s, i);
      hd_def *bits = hd_spirv_ssa(s, i->words[0]);
      unsigned components, size;
      hd_spirv_pointer_shape(s, t, &components, &size);
      if (components != 1 || bits->num_components != 1)
         hd_spirv_invalid(s, "a pointer of this storage class cannot be converted to an integer");
      hd_spirv_set(s, i,
                   hd_spirv_pointer_from_bits(
                       s, t, bits->bit_size == size ? bits : hd_u2u(&s->b, bits, size)));
      return;
   }
   case SPV_OP_BITCAST:
      bitcast(s, i);
      return;
   case SPV_OP_PTR_CAST_TO_GENERIC: {
      const struct spirv_pointer *from = hd_spirv_pointer(s, i->words[0]);
      set_cast(s, i, pointer_result(s, i), *from);
      return;
   }
   case SPV_OP_GENERIC_CAST_TO_PTR:
   case SPV_OP_GENERIC_CAST_TO_PTR_EXPLICIT:
      from_generic(s, i, i->opcode == SPV_OP_GENERIC_CAST_TO_PTR_EXPLICIT);
      return;
   case SPV_OP_GENERIC_PTR_MEM_SEMANTICS:
      generic_semantics(s, i);
      return;
   case SPV_OP_ARRAY_LENGTH:
      array_length(s, i);
      return;
   case SPV_OP_SIZE_OF: {
      const struct spirv_type *t = hd_spirv_pointer(s, i->words[0])->type;
      if (t->flat || t->kind == TYPE_RUNTIME_ARRAY || t->size > UINT32_MAX)
         hd_spirv_invalid(s, "a type without a size");
      hd_spirv_set_def(s, i, hd_imm_u32(&s->b, (uint32_t)t->size));
      return;
   }
   default:
      hd_spirv_unsupported(s, "this use of a pointer");
   }
}
