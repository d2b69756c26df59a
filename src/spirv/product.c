/* SPDX-License-Identifier: MIT */
/* product.c - matrix and vector products, dot products. */
#include "heddle/build_ops.h"
#include "spirv/body.h"

static struct spirv_value *
matrix(struct spirv *s, uint32_t id)
{
   struct spirv_value *v = hd_spirv_value(s, id);

   if (v->type->kind != TYPE_MATRIX)
      hd_spirv_invalid(s, "%%%u is not a matrix", id);
   return v;
}

static hd_def *
column(struct spirv *s, struct spirv_value *m, uint32_t n)
{
   return hd_spirv_leaf(s, hd_spirv_part(s, m, n));
}

static hd_def *
dot(struct spirv *s, hd_def *x, hd_def *y)
{
   hd_builder *b = &s->b;
   hd_def *products = hd_fmul(b, x, y), *sum = hd_build_channel(b, products, 0);

   for (unsigned c = 1; c < x->num_components; c++)
      sum = hd_fadd(b, sum, hd_build_channel(b, products, c));
   return sum;
}

/* The columns of `m` times the components of `v`, added up from the last: its factor is often 1, and a product is
 * fused with what is added to it.
 */
static hd_def *
times_vector(struct spirv *s, struct spirv_value *m, hd_def *v)
{
   hd_builder *b = &s->b;
   hd_def *sum = NULL;

   if (v->num_components != m->type->length)
      hd_spirv_invalid(s, "%u columns do not fit %u components", m->type->length,
                       v->num_components);
   for (uint32_t n = m->type->length; n-- > 0;) {
      hd_def *x = column(s, m, n);
      hd_def *part = hd_fmul(b, x, hd_spirv_splat(s, hd_build_channel(b, v, n), x->num_components));
      sum = sum ? hd_fadd(b, sum, part) : part;
   }
   return sum;
}

/* A matrix whose column n is made from what the operands are. */
static void
set_matrix(struct spirv *s, const struct spirv_instr *i,
           hd_def *(*make)(struct spirv *s, struct spirv_value *const *values, uint32_t n))
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   struct spirv_value *values[2] = { hd_spirv_value(s, i->words[0]),
                                     hd_spirv_value(s, i->words[1]) };

   if (t->kind != TYPE_MATRIX)
      hd_spirv_invalid(s, "expected a matrix as result");
   struct spirv_value *v = hd_spirv_make_composite(s, t);
   for (uint32_t n = 0; n < t->length; n++) {
      hd_def *def = make(s, values, n);
      if (def->num_components != t->components || def->bit_size != t->bits)
         hd_spirv_invalid(s, "the columns have %u x %u bits, expected %u x %u", def->num_components,
                          def->bit_size, t->components, t->bits);
      v->elements[n] = hd_spirv_make_def(s, hd_spirv_part_type(s, t, n), def);
   }
   hd_spirv_set(s, i, v);
}

static hd_def *
scaled_column(struct spirv *s, struct spirv_value *const *values, uint32_t n)
{
   hd_def *x = column(s, values[0], n);

   return hd_fmul(&s->b, x, hd_spirv_splat(s, hd_spirv_leaf(s, values[1]), x->num_components));
}

static hd_def *
product_column(struct spirv *s, struct spirv_value *const *values, uint32_t n)
{
   return times_vector(s, values[0], column(s, values[1], n));
}

static hd_def *
outer_column(struct spirv *s, struct spirv_value *const *values, uint32_t n)
{
   hd_def *x = hd_spirv_leaf(s, values[0]), *y = hd_spirv_leaf(s, hd_spirv_part(s, values[1], n));

   return hd_fmul(&s->b, x, hd_spirv_splat(s, y, x->num_components));
}

static void
vector_times_matrix(struct spirv *s, const struct spirv_instr *i)
{
   hd_def *v = hd_spirv_ssa(s, i->words[0]), *sums[HD_MAX_COMPONENTS];
   struct spirv_value *m = matrix(s, i->words[1]);

   for (uint32_t n = 0; n < m->type->length; n++)
      sums[n] = dot(s, v, column(s, m, n));
   hd_spirv_set_def(s, i, hd_build_vec(&s->b, m->type->length, sums));
}

static void
vector_times_scalar(struct spirv *s, const struct spirv_instr *i)
{
   hd_def *v = hd_spirv_ssa(s, i->words[0]);
   hd_def *scalar = hd_spirv_splat(s, hd_spirv_ssa(s, i->words[1]), v->num_components);

   hd_spirv_set_def(s, i, hd_fmul(&s->b, v, scalar));
}

/* Dot products of integers */

struct dot {
   bool x_signed, y_signed, saturates;
};

static struct dot
dot_kind(uint32_t opcode)
{
   switch (opcode) {
   case SPV_OP_SDOT:
      return (struct dot){ true, true, false };
   case SPV_OP_UDOT:
      return (struct dot){ false, false, false };
   case SPV_OP_SUDOT:
      return (struct dot){ true, false, false };
   case SPV_OP_SDOT_ACC_SAT:
      return (struct dot){ true, true, true };
   case SPV_OP_UDOT_ACC_SAT:
      return (struct dot){ false, false, true };
   default:
      return (struct dot){ true, false, true };
   }
}

static hd_def *
extend(struct spirv *s, hd_def *x, bool is_signed, unsigned bits)
{
   if (x->bit_size == bits)
      return x;
   return is_signed ? hd_i2i(&s->b, x, bits) : hd_u2u(&s->b, x, bits);
}

/* Four bytes in a word; NULL if the operand is something else. */
static hd_def *
packed(struct spirv *s, hd_def *x)
{
   if (x->num_components == 1 && x->bit_size == 32)
      return x;
   return x->num_components == 4 && x->bit_size == 8 ? hd_pack_32_4x8(&s->b, x) : NULL;
}

static hd_def *
sum_of_products(struct spirv *s, struct dot kind, hd_def *x, hd_def *y, unsigned bits)
{
   hd_builder *b = &s->b;
   hd_def *factor = extend(s, y, kind.y_signed, bits);
   hd_def *products = hd_imul(b, extend(s, x, kind.x_signed, bits), factor);
   hd_def *sum = hd_build_channel(b, products, 0);

   for (unsigned c = 1; c < x->num_components; c++)
      sum = hd_iadd(b, sum, hd_build_channel(b, products, c));
   return sum;
}

/* Hold a number of more bits in the range of `bits`. */
static hd_def *
hold(struct spirv *s, hd_def *x, bool is_signed, unsigned bits)
{
   uint64_t most = (UINT64_C(1) << (is_signed ? bits - 1 : bits)) - 1;

   if (!is_signed)
      return hd_umin(&s->b, x, hd_imm_uint(&s->b, x->bit_size, most));
   x = hd_imin(&s->b, x, hd_imm_uint(&s->b, x->bit_size, most));
   return hd_imax(&s->b, x, hd_imm_uint(&s->b, x->bit_size, ~most));
}

static void
integer_dot(struct spirv *s, const struct spirv_instr *i)
{
   struct dot kind = dot_kind(i->opcode);
   hd_builder *b = &s->b;
   unsigned bits = hd_spirv_result_type(s, i)->bits;
   hd_def *x = hd_spirv_ssa(s, i->words[0]), *y = hd_spirv_ssa(s, i->words[1]);
   hd_def *acc = kind.saturates ? hd_spirv_ssa(s, i->words[2]) : NULL;
   hd_def *px = packed(s, x), *py = packed(s, y), *sum;

   if (acc && acc->bit_size != bits)
      hd_spirv_invalid(s, "the accumulator does not have %u bits", bits);
   if (px && py) {
      if (acc && bits == 32) {
         sum = !kind.x_signed  ? hd_udot4_acc_sat(b, px, py, acc)
               : kind.y_signed ? hd_idot4_acc_sat(b, px, py, acc)
                               : hd_iudot4_acc_sat(b, px, py, acc);
         hd_spirv_set_def(s, i, sum);
         return;
      }
      sum = !kind.x_signed  ? hd_udot4(b, px, py)
            : kind.y_signed ? hd_idot4(b, px, py)
                            : hd_iudot4(b, px, py);
   } else {
      if (x->num_components < 2 || x->num_components != y->num_components || bits < x->bit_size)
         hd_spirv_invalid(s, "expected integer vectors of one size, or four packed bytes");
      sum = sum_of_products(s, kind, x, y, acc ? 64 : bits);
   }
   if (acc && bits < 64 && sum->bit_size > bits) {
      sum = hd_iadd(b, sum, extend(s, acc, kind.x_signed, sum->bit_size));
      sum = hold(s, sum, kind.x_signed, bits);
      acc = NULL;
   }
   sum = extend(s, sum, kind.x_signed, bits);
   if (acc)
      sum = kind.x_signed ? hd_iadd_sat(b, sum, acc) : hd_uadd_sat(b, sum, acc);
   hd_spirv_set_def(s, i, sum);
}

void
hd_spirv_product(struct spirv *s, const struct spirv_instr *i)
{
   switch (i->opcode) {
   case SPV_OP_VECTOR_TIMES_SCALAR:
      vector_times_scalar(s, i);
      break;
   case SPV_OP_VECTOR_TIMES_MATRIX:
      vector_times_matrix(s, i);
      break;
   case SPV_OP_MATRIX_TIMES_VECTOR: {
      hd_def *vector = hd_spirv_ssa(s, i->words[1]);
      hd_spirv_set_def(s, i, times_vector(s, matrix(s, i->words[0]), vector));
      break;
   }
   case SPV_OP_MATRIX_TIMES_SCALAR:
      matrix(s, i->words[0]);
      set_matrix(s, i, scaled_column);
      break;
   case SPV_OP_MATRIX_TIMES_MATRIX:
      matrix(s, i->words[0]);
      matrix(s, i->words[1]);
      set_matrix(s, i, product_column);
      break;
   case SPV_OP_OUTER_PRODUCT:
      set_matrix(s, i, outer_column);
      break;
   case SPV_OP_DOT: {
      hd_def *y = hd_spirv_ssa(s, i->words[1]);
      hd_spirv_set_def(s, i, dot(s, hd_spirv_ssa(s, i->words[0]), y));
      break;
   }
   case SPV_OP_SDOT:
   case SPV_OP_UDOT:
   case SPV_OP_SUDOT:
   case SPV_OP_SDOT_ACC_SAT:
   case SPV_OP_UDOT_ACC_SAT:
   case SPV_OP_SUDOT_ACC_SAT:
      integer_dot(s, i);
      break;
   default:
      hd_spirv_unsupported(s, "this instruction is not supported");
   }
}
