/* SPDX-License-Identifier: MIT */
/* lower_float_polynomials.c - 2^x, log2 x, sines and cosines of turns, in fixed point.
 *
 *    fexp2        x = n + f, f from 0 to 1: 2^n (1 + f P(f))
 *    flog2        x = 2^n (1 + t), t from -1/4 to 1/2: n + t P(t)
 *    fsin, fcos   x = n quarters and s of the next, s from 0 to 1/2, or 1 - s: s P(s^2), or P(s^2)
 *
 * Operands are reduced without any error, but for bits that stand for less than 2^-32 of the result. "Qn" is a
 * number with n bits after the point. A polynomial of m coefficients in Q31 or Q32 is off by less than m
 * units, as each product is cut off. All results are rounded to nearest once, from 27 bits: at most
 * 0.52 units of the last place from the exact result. Where that is a number of the format, it is the result.
 *
 * Tests: those of lower_float_functions.c.
 */
#include "float_polynomials.h"
#include "passes/lower_float.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The significand of a float as a Q31 from 1 to 2; 0 of zeros. */
static float_split
normalized(const float_code *c, hd_def *a)
{
   const float_split p = hd_lower_float_split(c, a);

   return (float_split){ .m = shl_imm(c, p.m, 8), .e = p.e };
}

/* Bit 31 or 30 of `m` is the highest, and bit 31 stands for 2^e. */
static hd_def *
rounded(const float_code *c, hd_def *sign, hd_def *e, hd_def *m)
{
   hd_def *sticky = differs(c, and_imm(c, m, 31), imm(c, 0)), *high = shr_imm(c, m, 5);

   return hd_lower_float_join(c, sign, e, high, sticky);
}

static hd_def *
negated(const float_code *c, hd_def *x)
{
   return hd_isub(c->b, imm(c, 0), x);
}

/* The bits of x from the highest 1 on; `count` is how many zeros were above. 0 stays. */
static hd_def *
without_zeros(const float_code *c, hd_def *x, hd_def **count)
{
   hd_builder *b = c->b;
   hd_def *top = hd_ufind_msb(b, x);

   *count = hd_isub(b, imm(c, 31), top);
   return hd_ishl(b, x, *count);
}

/* NaN where `a` is one. */
static hd_def *
with_nan(const float_code *c, hd_def *a, hd_def *r)
{
   hd_builder *b = c->b;
   hd_def *size = and_imm(c, a, MAGNITUDE), *inf = imm(c, INFINITE), *nan = imm(c, NOT_A_NUM);

   return hd_select(b, hd_ult(b, inf, size), nan, r);
}

hd_def *
hd_lower_float_exp2(const float_code *c, hd_def *a)
{
   hd_builder *b = c->b;
   const float_split x = normalized(c, a);
   hd_def *zero = imm(c, 0), *up = add_imm(c, x.e, 1);

   /* The parts before and after the point; of what lies below 2^-32 a unit is the most that is kept. */
   hd_def *is_large = hd_ilt(b, zero, up), *down = hd_imin(b, negated(c, up), imm(c, 31));
   hd_def *whole = hd_ushr(b, x.m, hd_isub(b, imm(c, 31), x.e));
   whole = hd_select(b, is_large, whole, zero);
   hd_def *left = hd_ishl(b, x.m, up), *right = hd_ushr(b, x.m, down);
   hd_def *f = hd_select(b, is_large, left, right), *is_negative = hd_ilt(b, a, zero);
   hd_def *borrow = differs(c, f, zero), *minus = negated(c, whole);
   set_if(c, is_negative, hd_isub(b, minus, borrow), &whole);
   set_if(c, is_negative, negated(c, f), &f);

   hd_def *p = imm(c, exp2_polynomial[COUNT(exp2_polynomial) - 1]);
   for (size_t n = COUNT(exp2_polynomial) - 1; n--;)
      p = add_imm(c, hd_umulhi(b, f, p), exp2_polynomial[n]);
   hd_def *more = hd_umulhi(b, f, p), *one_and_more = or_imm(c, shr_imm(c, more, 1), SIGN);
   hd_def *r = rounded(c, zero, whole, one_and_more);

   hd_def *limit = hd_select(b, is_negative, zero, imm(c, INFINITE)), *last = imm(c, 7);
   set_if(c, hd_ilt(b, last, x.e), limit, &r);
   return with_nan(c, a, r);
}

/* n + log2(1 + t), n not 0, as its sign, exponent and significand; `part` is the size of the
 * logarithm in Q32 and k has the sign of t.
 */
static hd_def *
sum_of_logarithm(const float_code *c, hd_def *n, hd_def *k, hd_def *part, hd_def **e)
{
   hd_builder *b = c->b;
   hd_def *zero = imm(c, 0), *opposed = hd_ilt(b, hd_ixor(b, n, k), zero);
   hd_def *lo = hd_select(b, opposed, negated(c, part), part), *size = hd_iabs(b, n);
   hd_def *borrow = hd_select(b, opposed, differs(c, part, zero), zero);
   hd_def *hi = hd_isub(b, size, borrow), *hi_zeros, *lo_zeros;

   hd_def *hi_bits = without_zeros(c, hi, &hi_zeros), *lo_bits = without_zeros(c, lo, &lo_zeros);
   hd_def *msb = hd_isub(b, imm(c, 31), hi_zeros), *rest = hd_ushr(b, lo, add_imm(c, msb, 1));
   hd_def *both = hd_ior(b, hi_bits, rest), *alone = hd_ieq(b, hi, zero);
   hd_def *lo_e = hd_isub(b, imm(c, -1u), lo_zeros);
   *e = hd_select(b, alone, lo_e, msb);
   return hd_select(b, alone, lo_bits, both);
}

hd_def *
hd_lower_float_log2(const float_code *c, hd_def *a)
{
   hd_builder *b = c->b;
   const float_split x = hd_lower_float_split(c, a);
   hd_def *zero = imm(c, 0);

   /* t in Q24: of significands from 3/2 on half is taken, and one more of the exponent. */
   hd_def *half = hd_ushr(b, x.m, imm(c, 22)), *is_high = hd_ieq(b, half, imm(c, 3));
   hd_def *n = hd_iadd(b, x.e, hd_b2i(b, is_high, 32)), *twice = shl_imm(c, x.m, 1);
   hd_def *k = add_imm(c, hd_select(b, is_high, x.m, twice), -(1u << 24));

   /* The polynomial is in t - 1/8, in Q32. */
   hd_def *u = shl_imm(c, add_imm(c, k, -(1u << 21)), 8);
   hd_def *p = imm(c, log2_polynomial[COUNT(log2_polynomial) - 1]);
   for (size_t i = COUNT(log2_polynomial) - 1; i--;)
      p = add_imm(c, hd_imulhi(b, u, p), log2_polynomial[i]);

   /* With all bits of t, as the logarithm is as small as t where the exponent is 0. */
   hd_def *zeros, *bits = without_zeros(c, hd_iabs(b, k), &zeros);
   hd_def *product = hd_umulhi(b, bits, p), *part = hd_ushr(b, product, add_imm(c, zeros, -9u));
   hd_def *e = hd_isub(b, imm(c, 8), zeros), *sum_e;
   hd_def *sum = sum_of_logarithm(c, n, k, part, &sum_e), *is_sum = hd_ine(b, n, zero);
   hd_def *sign = and_imm(c, hd_select(b, is_sum, n, k), SIGN);
   set_if(c, is_sum, sum_e, &e);
   hd_def *r = rounded(c, sign, e, hd_select(b, is_sum, sum, product));

   hd_def *one = imm(c, 0x3f800000), *inf = imm(c, INFINITE), *nan = imm(c, NOT_A_NUM);
   set_if(c, hd_ieq(b, a, one), zero, &r);
   set_if(c, hd_ieq(b, a, inf), inf, &r);
   set_if(c, hd_ilt(b, a, zero), nan, &r);
   hd_def *size = and_imm(c, a, MAGNITUDE), *pole = imm(c, SIGN | INFINITE);
   set_if(c, hd_ieq(b, size, zero), pole, &r);
   return with_nan(c, a, r);
}

hd_def *
hd_lower_float_sin(const float_code *c, hd_def *a, bool is_cosine)
{
   hd_builder *b = c->b;
   const float_split x = normalized(c, a);
   hd_def *zero = imm(c, 0), *thirty_one = imm(c, 31), *up = add_imm(c, x.e, 1);

   /* The fraction of a turn in Q32: exact, but of what is below 2^-9, which is in the first quarter and has
    * its bits in the significand already. */
   hd_def *is_tiny = hd_ilt(b, x.e, imm(c, -9u)), *right = hd_ushr(b, x.m, negated(c, up));
   hd_def *turn = hd_ishl(b, x.m, up);
   set_if(c, hd_ilt(b, up, zero), right, &turn);
   set_if(c, hd_ilt(b, thirty_one, up), zero, &turn);
   set_if(c, is_tiny, zero, &turn);
   hd_def *quarter = add_imm(c, shr_imm(c, turn, 30), is_cosine), *s = shl_imm(c, turn, 2);
   hd_def *is_behind = hd_ult(b, imm(c, SIGN), s), *swaps = hd_b2i(b, is_behind, 32);
   set_if(c, is_behind, negated(c, s), &s);
   hd_def *is_cos = hd_ine(b, and_imm(c, hd_ixor(b, quarter, swaps), 1), zero);

   hd_def *zeros, *bits = without_zeros(c, s, &zeros), *e = hd_isub(b, imm(c, -1u), zeros);
   set_if(c, is_tiny, x.m, &bits);
   set_if(c, is_tiny, add_imm(c, x.e, 2), &e);

   /* s^2 in Q32, and from it 1/2 - 2 s^2: of that all coefficients are positive. */
   hd_def *down = hd_imin(b, hd_isub(b, imm(c, -1u), e), thirty_one);
   hd_def *part = hd_ushr(b, bits, down), *square = hd_umulhi(b, part, part);
   hd_def *v = shl_imm(c, hd_isub(b, imm(c, 1u << 30), square), 1), *p = NULL;
   for (size_t n = COUNT(sin_polynomial); n--;) {
      hd_def *of_cos = imm(c, cos_polynomial[n]), *of_sin = imm(c, sin_polynomial[n]);
      hd_def *k = hd_select(b, is_cos, of_cos, of_sin);
      p = p ? hd_iadd(b, hd_umulhi(b, v, p), k) : k;
   }
   hd_def *sine = hd_umulhi(b, bits, p), *more = add_imm(c, e, 1);
   hd_def *m = hd_select(b, is_cos, p, sine), *own = hd_select(b, is_cos, zero, more);
   hd_def *first = is_cosine ? zero : and_imm(c, a, SIGN);
   hd_def *sign = hd_ixor(b, shl_imm(c, and_imm(c, quarter, 2), 30), first);
   hd_def *r = rounded(c, sign, own, m);

   hd_def *root = hd_select(b, is_cos, r, first), *size = and_imm(c, a, MAGNITUDE);
   hd_def *last = imm(c, INFINITE - 1), *nan = imm(c, NOT_A_NUM);
   set_if(c, hd_ieq(b, bits, zero), root, &r);
   return hd_select(b, hd_ult(b, last, size), nan, r);
}
