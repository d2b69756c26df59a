/* SPDX-License-Identifier: MIT */
/* ext_operands.c - operands of extended instructions. */
#include <assert.h>

#include "spirv/ext.h"

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
