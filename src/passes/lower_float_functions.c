/* SPDX-License-Identifier: MIT */
/* lower_float_functions.c - expand float division, reciprocals and square roots to integer arithmetic and
 * Newton-Raphson steps, correctly rounded.
 *
 *    fdiv, frcp       two steps of 13 bits of the quotient of the significands: an estimate by floats,
 *                     off by one at most, and its remainder in 32 bits, which says by how much
 *    fsqrt            24 bits by Newton steps, off by few, and n - s * s in 32 bits
 *    frsq             the same, with a product of 64 bits
 *
 * The ops are defined as correctly rounded: to nearest, or to zero if the shader asks for that;
 * denormals are kept or flushed. So every result is bit-identical to the op's, and the code needs only
 * float addition, multiplication, fused multiply-add, and 32-bit integers. 16 bits are computed
 * in 32, whose results are exact enough that rounding twice is rounding once. 64 bits are kept.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    constants that are there twice to opt_cse.
 * Tests:     tests/passes/lower_float_functions.hd, tests/passes/test_float_functions.c
 */
#include "heddle/build_ops.h"
#include "passes/lower.h"

#define SIGN      0x80000000u
#define MAGNITUDE 0x7fffffffu
#define INFINITE  0x7f800000u
#define NOT_A_NUM 0x7fc00000u
#define HIDDEN    0x00800000u

struct code {
   hd_builder *b;
   unsigned n; /* components */
   bool to_zero, flush;
};

static hd_def *
imm(const struct code *c, uint32_t value)
{
   return hd_lower_imm(c->b, c->n, 32, value);
}

static hd_def *
and_imm(const struct code *c, hd_def *x, uint32_t mask)
{
   return hd_iand(c->b, x, imm(c, mask));
}

static hd_def *
or_imm(const struct code *c, hd_def *x, uint32_t bits)
{
   return hd_ior(c->b, x, imm(c, bits));
}

static hd_def *
add_imm(const struct code *c, hd_def *x, uint32_t value)
{
   return hd_iadd(c->b, x, imm(c, value));
}

static hd_def *
shl_imm(const struct code *c, hd_def *x, unsigned count)
{
   return hd_ishl(c->b, x, imm(c, count));
}

static hd_def *
mul_imm(const struct code *c, hd_def *x, uint32_t factor)
{
   return hd_fmul(c->b, x, imm(c, factor));
}

/* x where the condition holds, else as it was. */
static void
set_if(const struct code *c, hd_def *condition, hd_def *x, hd_def **value)
{
   *value = hd_select(c->b, condition, x, *value);
}

/* A significand from 2^23 to 2^24 - 1, and the exponent of its bit 23: of numbers, but not of 0. */
struct parts {
   hd_def *m, *e;
};

static struct parts
take_apart(const struct code *c, hd_def *a)
{
   hd_builder *b = c->b;
   hd_def *size = and_imm(c, a, MAGNITUDE), *small = hd_ult(b, size, imm(c, HIDDEN));
   hd_def *top = hd_ufind_msb(b, size), *most = imm(c, 23), *up = hd_isub(b, most, top);
   hd_def *normal = or_imm(c, and_imm(c, a, HIDDEN - 1), HIDDEN);
   hd_def *exponent = hd_ushr(b, size, most), *e = add_imm(c, exponent, -127u);
   hd_def *least = imm(c, -126u);
   hd_def *moved = hd_ishl(b, size, up), *lower = hd_isub(b, least, up);

   hd_def *m = hd_select(b, small, moved, normal);
   return (struct parts){ .m = m, .e = hd_select(b, small, lower, e) };
}

/* 0 or 1. */
static hd_def *
differs(const struct code *c, hd_def *x, hd_def *y)
{
   return hd_b2i(c->b, hd_ine(c->b, x, y), 32);
}

/* Denormals as the shader wants them. */
static hd_def *
flushed(const struct code *c, hd_def *x)
{
   if (!c->flush)
      return x;
   hd_def *sign = and_imm(c, x, SIGN), *size = and_imm(c, x, MAGNITUDE);
   return hd_select(c->b, hd_ult(c->b, size, imm(c, HIDDEN)), sign, x);
}

/* Round `m`, whose highest bit is 26 or 25 and of which bit 26 stands for 2^e; `sticky` is 1 if there
 * is more below.
 */
static hd_def *
put_together(const struct code *c, hd_def *sign, hd_def *e, hd_def *m, hd_def *sticky)
{
   hd_builder *b = c->b;
   hd_def *low = hd_ult(b, m, imm(c, 1u << 26)), *zero = imm(c, 0);

   set_if(c, low, shl_imm(c, m, 1), &m);
   set_if(c, low, add_imm(c, e, -1u), &e);
   m = hd_ior(b, m, sticky);
   /* Below the least exponent bits go out at the right. */
   hd_def *least = imm(c, -126u), *over = hd_isub(b, least, e), *positive = hd_imax(b, over, zero);
   hd_def *down = hd_imin(b, positive, imm(c, 31)), *kept = hd_ushr(b, m, down);
   hd_def *again = hd_ishl(b, kept, down), *lost = differs(c, again, m);
   m = hd_ior(b, kept, lost);
   /* Three bits more than a float has: guard, round and sticky. */
   hd_def *three = imm(c, 3);
   if (!c->to_zero) {
      hd_def *odd = and_imm(c, hd_ushr(b, m, three), 1), *up = add_imm(c, odd, 3);
      m = hd_iadd(b, m, up);
   }
   hd_def *rounded = hd_ushr(b, m, three), *biased = hd_imax(b, add_imm(c, e, 126), zero);
   /* The hidden bit, and a carry of rounding, count the exponent up. */
   hd_def *r = hd_iadd(b, shl_imm(c, biased, 23), rounded), *most = imm(c, 127);
   hd_def *limit = imm(c, c->to_zero ? INFINITE - 1 : INFINITE);
   set_if(c, hd_ilt(b, most, e), limit, &r);
   return flushed(c, hd_ior(b, r, sign));
}

/* 1 / y of a float that is an integer below 2^25, to about 22 bits. */
static hd_def *
inverse_of(const struct code *c, hd_def *y)
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
inverse_root_of(const struct code *c, hd_def *x)
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
quotient_step(const struct code *c, hd_def **r, hd_def *m, hd_def *inverse)
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
divide(const struct code *c, hd_def *x, hd_def *y)
{
   hd_builder *b = c->b;
   hd_def *sign = and_imm(c, hd_ixor(b, x, y), SIGN);
   hd_def *size_x = and_imm(c, x, MAGNITUDE), *size_y = and_imm(c, y, MAGNITUDE);
   const struct parts px = take_apart(c, x), py = take_apart(c, y);
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
   hd_def *sticky = differs(c, r, zero), *q = put_together(c, sign, e, bits, sticky);

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
static struct parts
halved(const struct code *c, hd_def *a)
{
   hd_builder *b = c->b;
   const struct parts p = take_apart(c, a);
   hd_def *odd = and_imm(c, p.e, 1), *even = hd_isub(b, p.e, odd);

   hd_def *m = hd_ishl(b, p.m, odd);
   return (struct parts){ .m = m, .e = hd_ishr(b, even, imm(c, 1)) };
}

/* The root of m * 2^23: what is left of it is at most twice the root, and nothing lies halfway. */
static hd_def *
square_root(const struct code *c, hd_def *a)
{
   hd_builder *b = c->b;
   const struct parts p = halved(c, a);
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
inverse_root(const struct code *c, hd_def *a)
{
   hd_builder *b = c->b;
   const struct parts p = halved(c, a);
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
   default:
      return false;
   }
}

static hd_def *
lower(hd_builder *b, hd_instr *i, void *data)
{
   if (i->kind != HD_INSTR_ALU || i->def.bit_size > 32 || !is_wanted((hd_op)i->op, data))
      return NULL;
   const bool half = i->def.bit_size == 16;
   const uint32_t controls = b->shader->float_controls;
   /* A reciprocal is rounded to nearest in any case. */
   const bool modes = i->op == HD_OP_FDIV || i->op == HD_OP_FSQRT;
   const struct code c = {
      .b = b,
      .n = i->def.num_components,
      .to_zero = modes && controls & (half ? HD_FLOAT_RTZ_16 : HD_FLOAT_RTZ_32),
      .flush = !half && controls & HD_FLOAT_FLUSH_32,
   };
   hd_def *srcs[2] = { NULL, NULL };

   b->flags = HD_FP_EXACT;
   for (unsigned n = 0; n < i->num_srcs; n++) {
      hd_def *src = hd_instr_src(i, n)->def;
      srcs[n] = flushed(&c, half ? hd_f2f_rne(b, src, 32) : src);
   }
   hd_def *r = i->op == HD_OP_FDIV    ? divide(&c, srcs[0], srcs[1])
               : i->op == HD_OP_FRCP  ? divide(&c, imm(&c, 0x3f800000), srcs[0])
               : i->op == HD_OP_FSQRT ? square_root(&c, srcs[0])
                                      : inverse_root(&c, srcs[0]);
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
