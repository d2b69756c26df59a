/* SPDX-License-Identifier: MIT */
/* ext_opencl.c - OpenCL.std: vectors in memory, and choosing components. */
#include "heddle/build_ops.h"
#include "spirv/body.h"
#include "spirv/ext.h"

/* The components of a vector stand without a gap, three of them too: vector number `index` begins
 * at so many bytes.
 */
static hd_def *
byte_offset(struct spirv *s, hd_def *index, unsigned bytes)
{
   return hd_imul(&s->b, index, hd_imm_uint(&s->b, index->bit_size, bytes));
}

static hd_def *
index_operand(struct spirv *s, const struct spirv_ext *x, uint32_t n)
{
   hd_def *index = hd_spirv_ext_operand(s, x, n);

   if (index->num_components != 1 || index->bit_size < 8)
      hd_spirv_invalid(s, "operand %u is not an integer", n + 1);
   return index;
}

/* The scalar that an operand points to. */
static const struct spirv_pointer *
element_pointer(struct spirv *s, const struct spirv_ext *x, uint32_t n, bool half)
{
   const struct spirv_pointer *p = hd_spirv_pointer(s, x->operands[n]);
   const struct spirv_type *t = p->type;

   if (!t || (t->kind != TYPE_INT && t->kind != TYPE_FLOAT) || (half && t->bits != 16))
      hd_spirv_invalid(s, "operand %u does not point to %s", n + 1,
                       half ? "a number of 16 bits" : "a number");
   return p;
}

static unsigned
stride_of(const struct spirv_vector_access *access, unsigned components, unsigned bytes)
{
   return (access->aligned && components == 3 ? 4 : components) * bytes;
}

static void
load_vector(struct spirv *s, const struct spirv_ext *x, const struct spirv_vector_access *access)
{
   const struct spirv_type *t = hd_spirv_result_type(s, x->instr);
   hd_def *index = index_operand(s, x, 0);
   const struct spirv_pointer *p = element_pointer(s, x, 1, access->half);
   const unsigned bytes = p->type->bits / 8;

   if (!hd_spirv_type_is_leaf(t) || t->bits < 8 || (!access->half && t->bits != p->type->bits) ||
       (access->half && !t->is_float))
      hd_spirv_invalid(s, "result type %u, the memory has type %u", t->id, p->type->id);
   const unsigned stride = stride_of(access, t->components, bytes);
   hd_def *value = hd_spirv_load_bytes(s, p, byte_offset(s, index, stride), t->components,
                                       p->type->bits, access->aligned ? stride : bytes, p->access);
   if (access->half && t->bits != 16)
      value = hd_f2f(&s->b, value, t->bits);
   hd_spirv_set_def(s, x->instr, value);
}

static hd_def *
to_half(struct spirv *s, hd_def *value, uint32_t mode)
{
   switch (mode) {
   case 0:
      return hd_f2f_rne(&s->b, value, 16);
   case 1:
      return hd_f2f_rtz(&s->b, value, 16);
   case 2:
      return hd_f2f_ru(&s->b, value, 16);
   case 3:
      return hd_f2f_rd(&s->b, value, 16);
   default:
      hd_spirv_invalid(s, "there is no rounding mode %u", mode);
   }
}

static void
store_vector(struct spirv *s, const struct spirv_ext *x, const struct spirv_vector_access *access)
{
   hd_def *value = hd_spirv_ext_operand(s, x, 0), *index = index_operand(s, x, 1);
   const struct spirv_pointer *p = element_pointer(s, x, 2, access->half);
   const unsigned bytes = p->type->bits / 8;

   if (access->half) {
      if (value->bit_size != 32 && value->bit_size != 64)
         hd_spirv_invalid(s, "operand 1 has %u bits, expected 32 or 64", value->bit_size);
      value = to_half(s, value, access->rounds ? x->operands[3] : 0);
   } else if (value->bit_size != p->type->bits) {
      hd_spirv_invalid(s, "operand 1 has %u bits, the memory %u", value->bit_size, p->type->bits);
   }
   const unsigned stride = stride_of(access, value->num_components, bytes);
   hd_spirv_store_bytes(s, p, byte_offset(s, index, stride), value,
                        access->aligned ? stride : bytes, p->access);
}

void
hd_spirv_vector_memory(struct spirv *s, const struct spirv_ext *x,
                       const struct spirv_vector_access *access)
{
   if (access->load)
      load_vector(s, x, access);
   else
      store_vector(s, x, access);
}

void
hd_spirv_shuffle(struct spirv *s, const struct spirv_ext *x, unsigned num_vectors)
{
   hd_builder *b = &s->b;
   hd_def *from[2] = { hd_spirv_ext_operand(s, x, 0), hd_spirv_ext_operand(s, x, num_vectors - 1) };
   hd_def *mask = hd_spirv_ext_operand(s, x, num_vectors), *chosen[HD_MAX_COMPONENTS];
   unsigned width = from[0]->num_components;

   if (from[0]->num_components != from[1]->num_components ||
       from[0]->bit_size != from[1]->bit_size || mask->bit_size < 8)
      hd_spirv_invalid(s, "expected vectors of one size, found %u x %u and %u x %u bits",
                       from[0]->num_components, from[0]->bit_size, from[1]->num_components,
                       from[1]->bit_size);
   /* Three components are chosen from as four are. */
   if (width == 3)
      width = 4;
   for (unsigned c = 0; c < mask->num_components; c++) {
      hd_def *index = hd_spirv_resize(s, hd_build_channel(b, mask, c), 32);
      hd_def *low = hd_iand(b, index, hd_imm_u32(b, width - 1));
      chosen[c] = hd_spirv_channel(s, from[0], low);
      if (num_vectors == 2) {
         hd_def *second = hd_iand(b, index, hd_imm_u32(b, width));
         hd_def *other = hd_spirv_channel(s, from[1], low);
         chosen[c] = hd_select(b, hd_ine(b, second, hd_imm_u32(b, 0)), other, chosen[c]);
      }
   }
   hd_spirv_set_def(s, x->instr, hd_build_vec(b, mask->num_components, chosen));
}

void
hd_spirv_opencl_select(struct spirv *s, const struct spirv_ext *x)
{
   hd_builder *b = &s->b;
   hd_def *zeros = hd_spirv_ext_operand(s, x, 0), *ones = hd_spirv_ext_operand(s, x, 1);
   hd_def *condition = hd_spirv_ext_operand(s, x, 2);
   const hd_const_value zero[HD_MAX_COMPONENTS] = { { .u64 = 0 } };

   if (zeros->num_components != ones->num_components || zeros->bit_size != ones->bit_size ||
       condition->num_components != zeros->num_components || condition->bit_size < 8)
      hd_spirv_invalid(s, "expected operands of one shape, found %u x %u, %u x %u and %u x %u bits",
                       zeros->num_components, zeros->bit_size, ones->num_components, ones->bit_size,
                       condition->num_components, condition->bit_size);
   hd_def *none = hd_imm(b, condition->num_components, condition->bit_size, zero);
   /* Of vectors the highest bit chooses. */
   condition =
       condition->num_components == 1 ? hd_ine(b, condition, none) : hd_ilt(b, condition, none);
   hd_spirv_set_def(s, x->instr, hd_select(b, condition, ones, zeros));
}
