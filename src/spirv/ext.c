/* SPDX-License-Identifier: MIT */
/* ext.c - extended instructions, by the rows of ext.py. */
#include "spirv/ext.h"
#include "heddle/op_enum.h"

#include "spirv/spirv_ext_tables.h"

/* A result in the size that the instruction says, where that is an integer. */
static void
set(struct spirv *s, const struct spirv_ext *x, hd_def *result)
{
   const struct spirv_type *t = hd_spirv_result_type(s, x->instr);

   if ((t->kind == TYPE_INT || (t->kind == TYPE_VECTOR && !t->is_float)) && t->bits > 1 &&
       result->bit_size > 1 && result->bit_size != t->bits)
      result = hd_spirv_resize(s, result, t->bits);
   hd_spirv_set_def(s, x->instr, result);
}

static void
one_op(struct spirv *s, const struct spirv_ext *x, hd_op op)
{
   const hd_op_info *info = hd_op_get_info(op);
   hd_def *srcs[HD_MAX_OP_SRCS];
   hd_shape shapes[HD_MAX_OP_SRCS], result;
   unsigned at;

   for (unsigned n = 0; n < info->num_srcs; n++) {
      srcs[n] = hd_spirv_ext_operand(s, x, n);
      shapes[n] = (hd_shape){ srcs[n]->num_components, srcs[n]->bit_size };
   }
   const hd_shape_fault fault = hd_op_infer_shape(op, info->num_srcs, shapes, 0, &result, &at);
   if (fault != HD_SHAPE_FITS)
      hd_spirv_invalid(s, "operand %u %s", at + 1, hd_shape_fault_text(fault));
   set(s, x, hd_build_alu(&s->b, op, info->num_srcs, srcs, 0));
}

/* The first result is the instruction's, the second goes where operand n points. */
static void
store_second(struct spirv *s, const struct spirv_ext *x, enum hd_math function, uint32_t n)
{
   hd_def *results[HD_MATH_MAX_RESULTS];

   hd_spirv_ext_math(s, x, function, results);
   hd_spirv_ext_store(s, x, n, results[1]);
   set(s, x, results[0]);
}

static void
special(struct spirv *s, const struct spirv_ext *x, unsigned which)
{
   switch (which) {
   case SPECIAL_DETERMINANT:
      hd_spirv_determinant(s, x);
      break;
   case SPECIAL_INVERSE:
      hd_spirv_inverse(s, x);
      break;
   case SPECIAL_AT_CENTROID:
   case SPECIAL_AT_SAMPLE:
   case SPECIAL_AT_OFFSET:
      hd_spirv_ext_interpolate(s, x,
                               which == SPECIAL_AT_CENTROID ? HD_SPIRV_AT_CENTROID
                               : which == SPECIAL_AT_SAMPLE ? HD_SPIRV_AT_SAMPLE
                                                            : HD_SPIRV_AT_OFFSET);
      break;
   case SPECIAL_CROSS:
      hd_spirv_cross(s, x);
      break;
   case SPECIAL_MODF:
      store_second(s, x, MATH_MODF, 1);
      break;
   case SPECIAL_FREXP:
      store_second(s, x, MATH_FREXP, 1);
      break;
   case SPECIAL_FRACT:
      store_second(s, x, MATH_FRACT, 1);
      break;
   case SPECIAL_SINCOS:
      store_second(s, x, MATH_SINCOS, 1);
      break;
   case SPECIAL_LGAMMA_R:
      store_second(s, x, MATH_LGAMMA, 1);
      break;
   case SPECIAL_REMQUO:
      store_second(s, x, MATH_REMQUO, 2);
      break;
   case SPECIAL_MODF_STRUCT:
      hd_spirv_ext_struct(s, x, MATH_MODF);
      break;
   case SPECIAL_FREXP_STRUCT:
      hd_spirv_ext_struct(s, x, MATH_FREXP);
      break;
   case SPECIAL_SHUFFLE:
      hd_spirv_shuffle(s, x, 1);
      break;
   case SPECIAL_SHUFFLE2:
      hd_spirv_shuffle(s, x, 2);
      break;
   case SPECIAL_SELECT:
      hd_spirv_opencl_select(s, x);
      break;
   case SPECIAL_PREFETCH:
      break;
   case SPECIAL_PRINTF: /* there is no output: it fails, which OpenCL allows */
      set(s, x, hd_imm_u32(&s->b, UINT32_MAX));
      break;
   default:
      hd_spirv_vector_memory(s, x, hd_spirv_vector_access(which));
   }
}

static void
translate(struct spirv *s, const struct spirv_ext *x, const struct spirv_ext_row *row)
{
   const uint8_t flags = s->b.flags;

   if (row->num_operands != 255 && x->num_operands != row->num_operands)
      hd_spirv_invalid(s, "%s has %u operands, expected %u", hd_spirv_ext_names + row->name,
                       x->num_operands, row->num_operands);
   if (row->how == EXT_UNSUPPORTED)
      hd_spirv_unsupported(s, "%s: %s", hd_spirv_ext_names + row->name,
                           hd_spirv_ext_reasons[row->which]);
   s->b.flags = hd_spirv_float_flags(s, x->instr->result);
   if (row->how == EXT_OP) {
      one_op(s, x, (hd_op)row->which);
   } else if (row->how == EXT_MATH) {
      hd_def *results[HD_MATH_MAX_RESULTS];
      hd_spirv_ext_math(s, x, (enum hd_math)row->which, results);
      set(s, x, results[0]);
   } else {
      special(s, x, row->which);
   }
   s->b.flags = flags;
}

static void
translate_number(struct spirv *s, const struct spirv_instr *i, const struct spirv_ext_row *rows,
                 uint32_t num_rows, uint32_t number, const uint32_t *operands, uint32_t num)
{
   const struct spirv_ext x = { i, operands, num };

   if (number >= num_rows || !rows[number].name)
      hd_spirv_invalid(s, "the set has no instruction %u", number);
   translate(s, &x, &rows[number]);
}

void
hd_spirv_ext_glsl(struct spirv *s, const struct spirv_instr *i, uint32_t number,
                  const uint32_t *operands, uint32_t num_operands)
{
   translate_number(s, i, hd_spirv_glsl_rows, SPIRV_NUM_GLSL_ROWS, number, operands, num_operands);
}

void
hd_spirv_ext_opencl(struct spirv *s, const struct spirv_instr *i, uint32_t number,
                    const uint32_t *operands, uint32_t num_operands)
{
   translate_number(s, i, hd_spirv_opencl_rows, SPIRV_NUM_OPENCL_ROWS, number, operands,
                    num_operands);
}
