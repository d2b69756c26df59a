/* SPDX-License-Identifier: MIT */
/* lower_idiv_const.c - division by a constant, as a multiplication by its reciprocal.
 *
 * The method is that of Granlund and Montgomery (Division by Invariant Integers using
 * Multiplication, 1994); the case `down` is Robison's (N-Bit Unsigned Division via N-Bit
 * Multiply-Add, 2005).
 *
 * N is the size, n the dividend, d the divisor, both as mathematical integers; [x] is x rounded
 * down. Divisors 0, 1, -1, powers of two, and those for which the quotient is a comparison are
 * special cases. For all others:
 *
 * Unsigned. Let P = N + s.
 *   up    m = [2^P / d] + 1, so m d = 2^P + e with 0 < e <= d. If e <= 2^s, [n m / 2^P] = [n / d]:
 *         n m / 2^P = n / d + n e / (d 2^P), where n e < 2^N 2^s, so that less than 1 / d is added,
 *         which does not take n / d to the next integer.
 *   down  m = [2^P / d], so m d = 2^P - e with 0 < e < d (d is no power of two). If e <= 2^s,
 *         [(n + 1) m / 2^P] = [n / d]: that is (n + 1) / d - (n + 1) e / (d 2^P), where
 *         0 < (n + 1) e <= 2^N 2^s, so that less than n / d + 1 / d and at least n / d comes out.
 *   For s = [log2 d] the two e add up to d < 2^(s+1), so one is at most 2^s, and both m are below
 *   2^N. n + 1 must not wrap: it is uadd_sat, which for n = 2^N - 1 gives the quotient of n - 1.
 *   That is the same, unless d divides 2^N - 1; but then 2^P leaves the remainder 2^s mod d when
 *   divided by d, which for s = [log2 d] is 2^s itself, so e = d - 2^s < 2^s, and `up` serves.
 *
 * Signed, d > 0 (else the quotient of -d, negated). m = [2^P / d] + 1 as above, with e <= 2^(s+1).
 *   For n >= 0, n e < 2^(N-1) 2^(s+1) = 2^P as above. For n < 0, |n| / d + |n| e / (d 2^P) is
 *   greater than |n| / d and by at most 1 / d, as |n| e <= 2^P; so minus that, rounded down, is
 *   -[|n| / d] - 1, and 1 is added. s = [log2 d] does, as e <= d < 2^(s+1), and m < 2^N; where
 *   m >= 2^(N-1) it is multiplied as m - 2^N, and n is added to the upper half.
 *
 * Sizes 8 and 16 are widened to 32. At 8 bits P = 16: n e < 2^8 2^8, and the product has 24 bits.
 * At 16 bits P = 32, and the upper half of a product is the quotient.
 */
#include "heddle/build_ops.h"
#include "passes/lower_idiv.h"

typedef struct division {
   hd_builder *b;
   hd_def *x;
   unsigned bits;
} division;

static bool
is_power_of_two(uint64_t x)
{
   return x && !(x & (x - 1));
}

static unsigned
log2_of(uint64_t x)
{
   unsigned n = 0;

   while (x >>= 1)
      n++;
   return n;
}

static hd_def *
imm(const division *v, uint64_t value)
{
   return hd_lower_imm_like(v->b, v->x, value);
}

static hd_def *
count(const division *v, unsigned value)
{
   return hd_lower_imm(v->b, v->x->num_components, 32, value);
}

static hd_def *
shift(hd_builder *b, hd_op op, hd_def *x, unsigned by)
{
   hd_def *const srcs[] = { x, hd_lower_imm(b, x->num_components, 32, by) };

   return by ? hd_build_alu(b, op, 2, srcs, 0) : x;
}

/* 2^P / d and its remainder, for P = bits, bits + 1, ... */
typedef struct reciprocal {
   uint64_t d, quotient, remainder;
   unsigned s;
} reciprocal;

static void
double_reciprocal(reciprocal *r)
{
   bool carry = r->remainder >= r->d - r->remainder;

   r->remainder = carry ? r->remainder - (r->d - r->remainder) : r->remainder * 2;
   r->quotient = r->quotient * 2 + carry;
}

/* d is not 1, so that the quotient has at most `bits` bits. */
static reciprocal
reciprocal_of(unsigned bits, uint64_t d)
{
   reciprocal r = { d, 0, 1, 0 };

   for (unsigned n = 0; n < bits; n++)
      double_reciprocal(&r);
   return r;
}

/* p - q, negated if `negative`. */
static hd_def *
difference(hd_builder *b, hd_def *p, hd_def *q, bool negative)
{
   return negative ? hd_isub(b, q, p) : hd_isub(b, p, q);
}

/* Sizes 8 and 16: the quotient in 32 bits, of the dividend in 32 bits. */
static hd_def *
narrow_quotient(const division *v, hd_def *x32, uint64_t d, bool is_signed, bool negative)
{
   hd_builder *b = v->b;
   unsigned p = v->bits == 8 ? 16 : 32;
   hd_def *m = hd_lower_imm(b, x32->num_components, 32, (UINT64_C(1) << p) / d + 1);
   hd_def *q;

   if (is_signed) {
      q = p == 16 ? shift(b, HD_OP_ISHR, hd_imul24(b, x32, m), p) : hd_imulhi(b, x32, m);
      return difference(b, q, shift(b, HD_OP_ISHR, x32, 31), negative);
   }
   return p == 16 ? shift(b, HD_OP_USHR, hd_umul24(b, x32, m), p) : hd_umulhi(b, x32, m);
}

/* Sizes 32 and 64. */
static hd_def *
wide_unsigned_quotient(const division *v, uint64_t d)
{
   hd_builder *b = v->b;
   reciprocal r = reciprocal_of(v->bits, d);
   const unsigned most = log2_of(d);

   while (r.d - r.remainder > UINT64_C(1) << r.s && r.s < most) {
      double_reciprocal(&r);
      r.s++;
   }
   if (r.d - r.remainder <= UINT64_C(1) << r.s)
      return shift(b, HD_OP_USHR, hd_umulhi(b, v->x, imm(v, r.quotient + 1)), r.s);
   /* The other way, with the least s that serves: an even factor says that one less does too. */
   uint64_t m = r.quotient;
   while (!(m & 1) && r.s) {
      m >>= 1;
      r.s--;
   }
   hd_def *n = hd_uadd_sat(b, v->x, imm(v, 1));
   return shift(b, HD_OP_USHR, hd_umulhi(b, n, imm(v, m)), r.s);
}

static hd_def *
wide_signed_quotient(const division *v, uint64_t d, bool negative)
{
   hd_builder *b = v->b;
   reciprocal r = reciprocal_of(v->bits, d);

   while (r.d - r.remainder > UINT64_C(2) << r.s) {
      double_reciprocal(&r);
      r.s++;
   }
   uint64_t m = r.quotient + 1;
   hd_def *q = hd_imulhi(b, v->x, imm(v, m));
   if (m >> (v->bits - 1))
      q = hd_iadd(b, q, v->x);
   q = shift(b, HD_OP_ISHR, q, r.s);
   return difference(b, q, shift(b, HD_OP_ISHR, v->x, v->bits - 1), negative);
}

/* For d no power of two: the quotient, negated if `negative`, or the remainder n - q d. */
static hd_def *
by_reciprocal(const division *v, uint64_t d, bool is_signed, bool negative, bool remainder)
{
   hd_builder *b = v->b;
   bool narrow = v->bits < 32;
   hd_def *x = v->x, *result;

   if (narrow) {
      x = is_signed ? hd_i2i(b, x, 32) : hd_u2u(b, x, 32);
      result = narrow_quotient(v, x, d, is_signed, negative);
   } else {
      result = is_signed ? wide_signed_quotient(v, d, negative) : wide_unsigned_quotient(v, d);
   }
   if (remainder)
      result = hd_isub(b, x, hd_imul(b, result, hd_lower_imm_like(b, x, d)));
   return narrow ? hd_u2u(b, result, v->bits) : result;
}

static hd_def *
unsigned_quotient(const division *v, uint64_t d)
{
   hd_builder *b = v->b;

   if (d == 0)
      return imm(v, UINT64_MAX);
   if (is_power_of_two(d))
      return shift(b, HD_OP_USHR, v->x, log2_of(d));
   if (d >> (v->bits - 1)) /* n < 2 d */
      return hd_b2i(b, hd_ule(b, imm(v, d), v->x), v->bits);
   return by_reciprocal(v, d, false, false, false);
}

static hd_def *
unsigned_remainder(const division *v, uint64_t d)
{
   hd_builder *b = v->b;

   if (d == 0)
      return v->x;
   if (is_power_of_two(d))
      return hd_iand(b, v->x, imm(v, d - 1));
   if (d >> (v->bits - 1)) /* n - d wraps to more than n where n < d */
      return hd_umin(b, v->x, hd_isub(b, v->x, imm(v, d)));
   return by_reciprocal(v, d, false, false, true);
}

/* n + 2^k - 1 where n is negative, else n: rounds a shift by k to zero. */
static hd_def *
biased(const division *v, unsigned k)
{
   hd_builder *b = v->b;
   hd_def *sign = k > 1 ? shift(b, HD_OP_ISHR, v->x, v->bits - 1) : v->x;

   return hd_iadd(b, v->x, shift(b, HD_OP_USHR, sign, v->bits - k));
}

/* `d` is the magnitude; not 0. */
static hd_def *
signed_quotient(const division *v, uint64_t d, bool negative)
{
   hd_builder *b = v->b;
   hd_def *q;

   if (d >> (v->bits - 1)) /* the least integer: nothing else is as large */
      return hd_b2i(b, hd_ieq(b, v->x, imm(v, d)), v->bits);
   if (d == 1)
      q = v->x;
   else if (is_power_of_two(d))
      q = shift(b, HD_OP_ISHR, biased(v, log2_of(d)), log2_of(d));
   else
      return by_reciprocal(v, d, true, negative, false);
   return negative ? hd_ineg(b, q) : q;
}

static hd_def *
signed_remainder(const division *v, uint64_t d)
{
   hd_builder *b = v->b;

   if (d == 1)
      return imm(v, 0);
   if (is_power_of_two(d)) {
      hd_def *sum = biased(v, log2_of(d));
      return hd_isub(b, v->x, hd_iand(b, sum, imm(v, 0 - d)));
   }
   return by_reciprocal(v, d, true, false, true);
}

static hd_def *
signed_modulus(const division *v, uint64_t d, bool negative)
{
   hd_builder *b = v->b;
   hd_def *r;

   if (is_power_of_two(d)) {
      r = negative ? hd_ineg(b, v->x) : v->x;
      r = hd_iand(b, r, imm(v, d - 1));
      return negative ? hd_ineg(b, r) : r;
   }
   /* The divisor is added where the remainder has the other sign. */
   r = signed_remainder(v, d);
   hd_def *sign = negative ? hd_ineg(b, r) : r;
   hd_def *all = hd_ishr(b, sign, count(v, v->bits - 1));
   return hd_iadd(b, r, hd_iand(b, all, imm(v, negative ? 0 - d : d)));
}

hd_def *
hd_divide_by_const(hd_builder *b, hd_op op, hd_def *x, uint64_t d)
{
   const division v = { b, x, x->bit_size };
   const uint64_t all = UINT64_MAX >> (64 - v.bits);
   const bool negative = d >> (v.bits - 1) & 1;

   if (op == HD_OP_UDIV)
      return unsigned_quotient(&v, d);
   if (op == HD_OP_UREM)
      return unsigned_remainder(&v, d);
   if (d == 0)
      return op == HD_OP_IDIV ? imm(&v, UINT64_MAX) : x;
   if (negative)
      d = (0 - d) & all;
   if (op == HD_OP_IDIV)
      return signed_quotient(&v, d, negative);
   return op == HD_OP_IREM ? signed_remainder(&v, d) : signed_modulus(&v, d, negative);
}
