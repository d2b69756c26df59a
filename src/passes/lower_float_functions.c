/* SPDX-License-Identifier: MIT */
/* lower_float_functions.c - expand float division, reciprocals and square roots to integer arithmetic and
 * Newton-Raphson steps, correctly rounded; exponentials, logarithms, sines and cosines to polynomials.
 *
 *    fdiv, frcp       two steps of 13 bits of the quotient of the significands: an estimate by floats,
 *                     off by one at most, and its remainder in 32 bits, which says by how much
 *    fsqrt            24 bits by Newton steps, off by few, and n - s * s in 32 bits
 *    frsq             the same, with a product of 64 bits
 *    fexp2, flog2, fsin, fcos     polynomials in fixed point: lower_float_polynomials.c
 *
 * Quotients and roots are correctly rounded, as the ops are defined: to nearest, or to zero if the
 * shader asks for that. So every result is bit-identical to the op's. So are polynomials in 16 bits; in
 * 32 bits their error is at most 0.52 ulp, so a pass list has to ask for them. Denormals are kept or
 * flushed. The code needs only float addition, multiplication, fused multiply-add, and 32-bit
 * integers. 16 bits are computed in 32, whose results are exact enough, or rounded to odd, that
 * rounding twice is rounding once. 64 bits are kept.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    constants that are there twice to opt_cse.
 * Tests:     tests/passes/lower_float_functions.hd, tests/passes/lower_float_functions.polynomials.hd,
 *            tests/passes/test_float_functions.c, tests/passes/test_float_polynomials.py
 */
#include "heddle/build_ops.h"
#include "passes/lower_float.h"

/* 1 / y of a float that is an integer below 2^25, to about 22 bits. */
static hd_def *
inverse_of(const float_code *c, hd_def *y)
{
   hd_builder *b = c->b;
   hd_def *start = imm(c, 0x7ef311c7), *r = hd_isub(b, start, y), *minus = hd_fneg(b, y);
   hd_def *one = imm(c, 0x3f800000);

   for (unsigned n = 0; n < 4; n++)
      r = hd_ffma(b, hd_ffma(b, minus, r, one), r, r);
   return r;
}

/* 1 / sqrt, likewise. */
static hd_def *
inverse_root_of(const float_code *c, hd_def *x)
{
   hd_builder *b = c->b;
   hd_def *start = imm(c, 0x5f3759df), *r = hd_isub(b, start, hd_ushr(b, x, imm(c, 1)));
   hd_def *minus = mul_imm(c, x, 0xbf000000), *one_and_a_half = imm(c, 0x3fc00000);

   for (unsigned n = 0; n < 4; n++) {
      hd_def *square = hd_fmul(b, r, r), *step = hd_ffma(b, minus, square, one_and_a_half);
      r = hd_fmul(b, r, step);
   }
   return r;
}

/* 13 more bits of a quotient, and what is left, for r < m; `inverse` is 2^13 / m. */
static hd_def *
quotient_step(const float_code *c, hd_def **r, hd_def *m, hd_def *inverse)
{
   hd_builder *b = c->b;
   hd_def *q = hd_f2i(b, hd_fmul(b, hd_u2f(b, *r, 32), inverse), 32);
   hd_def *product = hd_imul(b, q, m), *rest = hd_isub(b, shl_imm(c, *r, 13), product);
   hd_def *too_large = hd_ilt(b, rest, imm(c, 0));

   set_if(c, too_large, add_imm(c, q, -1u), &q);
   set_if(c, too_large, hd_iadd(b, rest, m), &rest);
   hd_def *too_small = hd_ule(b, m, rest);
   set_if(c, too_small, add_imm(c, q, 1), &q);
   set_if(c, too_small, hd_isub(b, rest, m), &rest);
   *r = rest;
   return q;
}

static hd_def *
divide(const float_code *c, hd_def *x, hd_def *y)
{
   hd_builder *b = c->b;
   hd_def *sign = and_imm(c, hd_ixor(b, x, y), SIGN);
   hd_def *size_x = and_imm(c, x, MAGNITUDE), *size_y = and_imm(c, y, MAGNITUDE);
   const float_split px = hd_lower_float_split(c, x), py = hd_lower_float_split(c, y);
   hd_def *m = py.m, *r = px.m;
   hd_def *inverse = mul_imm(c, inverse_of(c, hd_u2f(b, m, 32)), 0x46000000);

   /* The first bit by hand, so that what is left is below the divisor. */
   hd_def *first = hd_ule(b, m, r), *bits = hd_b2i(b, first, 32);
   set_if(c, first, hd_isub(b, r, m), &r);
   for (unsigned n = 0; n < 2; n++) {
      hd_def *q = quotient_step(c, &r, m, inverse);
      bits = hd_ior(b, shl_imm(c, bits, 13), q);
   }
   hd_def *zero = imm(c, 0), *inf = imm(c, INFINITE), *e = hd_isub(b, px.e, py.e);
   hd_def *sticky = differs(c, r, zero), *q = hd_lower_float_join(c, sign, e, bits, sticky);

   hd_def *zero_x = hd_ieq(b, size_x, zero), *zero_y = hd_ieq(b, size_y, zero);
   hd_def *inf_x = hd_ieq(b, size_x, inf), *inf_y = hd_ieq(b, size_y, inf);
   set_if(c, hd_ior(b, zero_x, inf_y), sign, &q);
   hd_def *too_far = hd_ior(b, inf_x, zero_y), *signed_inf = hd_ior(b, sign, inf);
   set_if(c, too_far, signed_inf, &q);
   hd_def *zeros = hd_iand(b, zero_x, zero_y), *infs = hd_iand(b, inf_x, inf_y);
   hd_def *nan_x = hd_ult(b, inf, size_x), *nan_y = hd_ult(b, inf, size_y);
   hd_def *nan = hd_ior(b, nan_x, nan_y), *none = hd_ior(b, zeros, infs);
   hd_def *not_a_number = imm(c, NOT_A_NUM);
   set_if(c, hd_ior(b, nan, none), not_a_number, &q);
   return q;
}

/* The significand with an even exponent, from 2^23 to 2^25 - 1, and half of the exponent. */
static float_split
halved(const float_code *c, hd_def *a)
{
   hd_builder *b = c->b;
   const float_split p = hd_lower_float_split(c, a);
   hd_def *odd = and_imm(c, p.e, 1), *even = hd_isub(b, p.e, odd);

   hd_def *m = hd_ishl(b, p.m, odd);
   return (float_split){ .m = m, .e = hd_ishr(b, even, imm(c, 1)) };
}

/* The root of m * 2^23: what is left of it is at most twice the root, and nothing lies halfway. */
static hd_def *
square_root(const float_code *c, hd_def *a)
{
   hd_builder *b = c->b;
   const float_split p = halved(c, a);
   hd_def *number = hd_u2f(b, p.m, 32), *zero = imm(c, 0);
   hd_def *estimate = hd_fmul(b, number, inverse_root_of(c, number));
   hd_def *root = hd_f2i(b, mul_imm(c, estimate, 0x453504f3), 32);
   hd_def *square = hd_imul(b, root, root), *rest = hd_isub(b, shl_imm(c, p.m, 23), square);

   for (unsigned n = 0; n < 4; n++) {
      hd_def *large = hd_ilt(b, rest, zero), *less = add_imm(c, root, -1u);
      hd_def *more = hd_iadd(b, rest, hd_iadd(b, root, less));
      set_if(c, large, more, &rest);
      set_if(c, large, less, &root);
   }
   for (unsigned n = 0; n < 4; n++) {
      hd_def *twice = hd_iadd(b, root, root), *small = hd_ilt(b, twice, rest);
      set_if(c, small, hd_isub(b, rest, add_imm(c, twice, 1)), &rest);
      set_if(c, small, add_imm(c, root, 1), &root);
   }
   if (!c->to_zero) {
      hd_def *up = hd_ilt(b, root, rest), *next = add_imm(c, root, 1);
      set_if(c, up, next, &root);
   }
   hd_def *exponent = shl_imm(c, add_imm(c, p.e, 126), 23), *r = hd_iadd(b, exponent, root);
   hd_def *size = and_imm(c, a, MAGNITUDE), *inf = imm(c, INFINITE), *minus = imm(c, SIGN);
   set_if(c, hd_ieq(b, size, zero), a, &r);
   set_if(c, hd_ieq(b, size, inf), a, &r);
   /* What is less than -0, and NaN. */
   hd_def *less = hd_ult(b, minus, a), *nan = hd_ult(b, inf, size);
   hd_def *not_a_number = imm(c, NOT_A_NUM);
   set_if(c, hd_ior(b, less, nan), not_a_number, &r);
   return r;
}

/* r = 2^35.5 / sqrt(m) has 24 bits: the nearest integer is the least one with m (2r + 1)^2 >= 2^73. Of
 * the product 64 bits are enough, as the estimate is off by few.
 */
static hd_def *
inverse_root(const float_code *c, hd_def *a)
{
   hd_builder *b = c->b;
   const float_split p = halved(c, a);
   hd_def *estimate = inverse_root_of(c, hd_u2f(b, p.m, 32)), *zero = imm(c, 0);
   hd_def *r = add_imm(c, hd_f2i(b, mul_imm(c, estimate, 0x513504f3), 32), -3u);

   for (unsigned n = 0; n < 7; n++) {
      hd_def *q = add_imm(c, hd_iadd(b, r, r), 1), *low = hd_imul(b, q, q);
      hd_def *high = hd_imul(b, hd_umulhi(b, q, q), p.m), *carry = hd_umulhi(b, low, p.m);
      hd_def *top = hd_iadd(b, carry, high);
      hd_def *is_below = hd_ilt(b, top, zero), *next = add_imm(c, r, 1);
      set_if(c, is_below, next, &r);
   }
   hd_def *bias = imm(c, 125), *exponent = shl_imm(c, hd_isub(b, bias, p.e), 23);
   hd_def *result = hd_iadd(b, exponent, r), *size = and_imm(c, a, MAGNITUDE);
   hd_def *inf = imm(c, INFINITE), *nan = imm(c, NOT_A_NUM);
   set_if(c, hd_ilt(b, a, zero), nan, &result);
   hd_def *is_zero = hd_ieq(b, size, zero), *pole = hd_ior(b, a, inf);
   set_if(c, is_zero, pole, &result);
   set_if(c, hd_ieq(b, a, inf), zero, &result);
   set_if(c, hd_ult(b, inf, size), nan, &result);
   return result;
}

static bool
is_wanted(hd_op op, const lower_float_functions_options *o)
{
   switch (op) {
   case HD_OP_FDIV:
      return o->div;
   case HD_OP_FRCP:
      return o->rcp;
   case HD_OP_FSQRT:
      return o->sqrt;
   case HD_OP_FRSQ:
      return o->rsq;
   case HD_OP_FEXP2:
      return o->exp2;
   case HD_OP_FLOG2:
      return o->log2;
   case HD_OP_FSIN:
      return o->sin;
   case HD_OP_FCOS:
      return o->cos;
   default:
      return false;
   }
}

static bool
is_polynomial(hd_op op)
{
   return op == HD_OP_FEXP2 || op == HD_OP_FLOG2 || op == HD_OP_FSIN || op == HD_OP_FCOS;
}

static hd_def *
in_32_bits(const float_code *c, hd_op op, hd_def *const srcs[2])
{
   switch (op) {
   case HD_OP_FDIV:
      return divide(c, srcs[0], srcs[1]);
   case HD_OP_FRCP:
      return divide(c, imm(c, 0x3f800000), srcs[0]);
   case HD_OP_FSQRT:
      return square_root(c, srcs[0]);
   case HD_OP_FRSQ:
      return inverse_root(c, srcs[0]);
   case HD_OP_FEXP2:
      return hd_lower_float_exp2(c, srcs[0]);
   case HD_OP_FLOG2:
      return hd_lower_float_log2(c, srcs[0]);
   default:
      return hd_lower_float_sin(c, srcs[0], op == HD_OP_FCOS);
   }
}

static hd_def *
lower(hd_builder *b, hd_instr *i, void *data)
{
   if (i->kind != HD_INSTR_ALU || i->def.bit_size > 32 || !is_wanted((hd_op)i->op, data))
      return NULL;
   const bool half = i->def.bit_size == 16;
   const uint32_t controls = b->shader->float_controls;
   /* All others are rounded to nearest in any case. */
   const bool modes = i->op == HD_OP_FDIV || i->op == HD_OP_FSQRT;
   const float_code c = {
      .b = b,
      .n = i->def.num_components,
      .to_odd = half && is_polynomial((hd_op)i->op),
      .to_zero = modes && controls & (half ? HD_FLOAT_RTZ_16 : HD_FLOAT_RTZ_32),
      .flush = !half && controls & HD_FLOAT_FLUSH_32,
   };
   hd_def *srcs[2] = { NULL, NULL };

   b->flags = HD_FP_EXACT;
   for (unsigned n = 0; n < i->num_srcs; n++) {
      hd_def *src = hd_instr_src(i, n)->def;
      srcs[n] = hd_lower_float_flushed(&c, half ? hd_f2f_rne(b, src, 32) : src);
   }
   hd_def *r = in_32_bits(&c, (hd_op)i->op, srcs);
   if (!half)
      return r;
   return c.to_zero ? hd_f2f_rtz(b, r, 16) : hd_f2f_rne(b, r, 16);
}

bool
hd_lower_float_functions(hd_function *f, const lower_float_functions_options *o)
{
   lower_float_functions_options options = *o;

   return hd_progress(f, hd_lower_instrs(f, lower, &options), LOWER_FLOAT_FUNCTIONS_KEEPS);
}
