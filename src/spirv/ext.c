/* SPDX-License-Identifier: MIT */
/* ext.c - extended instructions, by the rows of ext.py. */
#include "spirv/ext.h"
#include "heddle/op_enum.h"

#include "spirv/spirv_ext_tables.h"

#include <assert.h>

hd_def *
hd_spirv_ext_operand(struct spirv *s, const struct spirv_ext *x, uint32_t n)
{
   if (n >= x->num_operands)
      hd_spirv_invalid(s, "operand %u is missing", n + 1);
   return hd_spirv_ssa(s, x->operands[n]);
}

void
hd_spirv_ext_store(struct spirv *s, const struct spirv_ext *x, uint32_t n, hd_def *value)
{
   if (n >= x->num_operands)
      hd_spirv_invalid(s, "operand %u is missing", n + 1);
   const struct spirv_pointer *p = hd_spirv_pointer(s, x->operands[n]);
   const struct spirv_type *t = p->type;

   if (!t || !hd_spirv_type_is_leaf(t) || t->components != value->num_components)
      hd_spirv_invalid(s, "operand %u must point to a value of the result type", n + 1);
   if (t->kind == TYPE_INT || !t->is_float)
      value = hd_spirv_resize(s, value, t->bits);
   if (s->b.result == HD_OK && value->bit_size != t->bits)
      hd_spirv_invalid(s, "operand %u must point to a value of the result type", n + 1);
   hd_spirv_store(s, p, hd_spirv_make_def(s, t, value), 0);
}

void
hd_spirv_ext_math(struct spirv *s, const struct spirv_ext *x, enum hd_math function,
                  hd_def **results)
{
   const unsigned num = hd_math_num_params(function);
   hd_def *params[HD_MATH_MAX_PARAMS] = { NULL };
   unsigned components = 1;

   assert(num > 0);
   for (unsigned n = 0; n < num; n++) {
      params[n] = hd_spirv_ext_operand(s, x, n);
      if (params[n]->num_components > components)
         components = params[n]->num_components;
   }
   const unsigned bits = params[0]->bit_size;
   if (!hd_math_has(function, bits))
      hd_spirv_unsupported(s, "the function for operands of %u bits", bits);
   for (unsigned n = 0; n < num; n++) {
      const unsigned wanted = hd_math_param_bits(function, n, bits);
      if (params[n]->num_components != 1 && params[n]->num_components != components)
         hd_spirv_invalid(s, "operand %u has %u components, others have %u", n + 1,
                          params[n]->num_components, components);
      if (wanted == 32 && bits != 32 && wanted != params[n]->bit_size && params[n]->bit_size != 1)
         params[n] = hd_spirv_resize(s, params[n], wanted);
      if (params[n]->bit_size != wanted)
         hd_spirv_invalid(s, "operand %u has %u bits, expected %u", n + 1, params[n]->bit_size,
                          wanted);
   }
   hd_math_build(&s->b, function, params, results);
}

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

/* Of vloadn to vstorea_halfn_r; NULL for others. */
static const struct spirv_vector_access *
vector_access(unsigned special)
{
   static const struct {
      uint8_t special;
      struct spirv_vector_access access;
   } accesses[] = {
      { SPECIAL_VLOADN, { .load = true } },
      { SPECIAL_VSTOREN, { .load = false } },
      { SPECIAL_VLOAD_HALF, { .load = true, .half = true } },
      { SPECIAL_VLOAD_HALFN, { .load = true, .half = true } },
      { SPECIAL_VLOADA_HALFN, { .load = true, .half = true, .aligned = true } },
      { SPECIAL_VSTORE_HALF, { .half = true } },
      { SPECIAL_VSTORE_HALF_R, { .half = true, .rounds = true } },
      { SPECIAL_VSTORE_HALFN, { .half = true } },
      { SPECIAL_VSTORE_HALFN_R, { .half = true, .rounds = true } },
      { SPECIAL_VSTOREA_HALFN, { .half = true, .aligned = true } },
      { SPECIAL_VSTOREA_HALFN_R, { .half = true, .rounds = true, .aligned = true } },
   };

   for (unsigned n = 0; n < sizeof(accesses) / sizeof(accesses[0]); n++) {
      if (accesses[n].special == special)
         return &accesses[n].access;
   }
   return NULL;
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
      hd_spirv_vector_memory(s, x, vector_access(which));
   }
}

static void
translate(struct spirv *s, const struct spirv_ext *x, const struct spirv_ext_row *row)
{
   const uint8_t flags = s->b.flags;

   if (row->num_operands != 255 && x->num_operands != row->num_operands)
      hd_spirv_invalid(s, "%s has %u operands, expected %u", spirv_ext_names + row->name,
                       x->num_operands, row->num_operands);
   if (row->how == EXT_UNSUPPORTED)
      hd_spirv_unsupported(s, "%s: %s", spirv_ext_names + row->name, spirv_ext_reasons[row->which]);
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

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

void
hd_spirv_ext_glsl(struct spirv *s, const struct spirv_instr *i, uint32_t number,
                  const uint32_t *operands, uint32_t num_operands)
{
   translate_number(s, i, spirv_glsl_rows, COUNT(spirv_glsl_rows), number, operands, num_operands);
}

void
hd_spirv_ext_opencl(struct spirv *s, const struct spirv_instr *i, uint32_t number,
                    const uint32_t *operands, uint32_t num_operands)
{
   translate_number(s, i, spirv_opencl_rows, COUNT(spirv_opencl_rows), number, operands,
                    num_operands);
}

/* vloada_halfn: offset, pointer, n. vstorea_halfn: data, offset, pointer. */
uint32_t
hd_spirv_ext_align(struct spirv *s, uint32_t ext_set, const struct spirv_instr *i, uint32_t n)
{
   if (ext_set != EXT_OPENCL || i->words[1] >= COUNT(spirv_opencl_rows))
      return 0;
   const struct spirv_ext_row *row = &spirv_opencl_rows[i->words[1]];
   const struct spirv_vector_access *access =
       row->name && row->how == EXT_SPECIAL ? vector_access(row->which) : NULL;
   if (!access || !access->aligned || n != (access->load ? 1u : 2u))
      return 0;
   const uint32_t value = access->load ? i->type : hd_spirv_id(s, i->words[2])->type;
   const struct spirv_type *t = value ? hd_spirv_type(s, value) : NULL;
   return t && hd_spirv_type_is_leaf(t) ? 2u * (t->components == 3 ? 4 : t->components) : 0;
}

bool
hd_spirv_ext_needs_address(uint32_t ext_set, uint32_t number)
{
   if (ext_set != EXT_OPENCL || number >= COUNT(spirv_opencl_rows))
      return false;
   const struct spirv_ext_row *row = &spirv_opencl_rows[number];
   return row->name && row->how == EXT_SPECIAL && vector_access(row->which);
}
