/* SPDX-License-Identifier: MIT */
/* alu_exact.c - floats that integers compute.
 *
 * A number is taken apart to m * 2^(e - 23) with m from 2^23 to 2^24 - 1, denormals too. The result
 * is put together from a magnitude of 26 bits and whatever is below them as one more bit ("sticky").
 *
 *    divide       two steps of 13 bits of the quotient of integers: an estimate by floats, which is
 *                 off by one at most, and its remainder in 32 bits, which says by how much
 *    fma          the product in 62 bits, the summand beside it, added in 64; what is shifted out at
 *                 the right stays as the lowest bit
 *    1 / root     the same way, by a product in 64 bits
 *    square root  an estimate of 24 bits by Newton steps, off by few, and n - s * s in 32 bits
 */
#include "backend/nyuzi/select/alu_exact.h"

#define SIGN      0x80000000u
#define MAGNITUDE 0x7fffffffu
#define INFINITE  0x7f800000u
#define NAN_BITS  0x7fc00000u
#define HIDDEN    0x00800000u

/* m in [2^23, 2^24) and e, the exponent of bit 23; of 0, infinities and NaN whatever comes out. */
typedef struct parts {
   val m, e;
} parts;

static parts
take_apart(sel *s, val a)
{
   const val magnitude = and(s, a, K(MAGNITUDE)), small = ltu(s, magnitude, K(HIDDEN));
   const val up = sub(s, clz(s, magnitude), K(8));
   const val normal = or (s, and(s, a, K(HIDDEN - 1)), K(HIDDEN));
   const val e = sub(s, shr(s, magnitude, K(23)), K(127));

   return (parts){ pick(s, small, shl(s, magnitude, up), normal),
                   pick(s, small, sub(s, K(-126), up), e) };
}

/* `m` has its highest bit at 26, or at 25, and is followed by `sticky`, 0 or 1; bit 26 stands for
 * 2^e. Rounded to nearest even; with the bit of the sign.
 */
static val
put_together(sel *s, val sign, val e, val m, val sticky)
{
   /* The highest bit to 26: m is (1.f) * 2^26. */
   const val low = ltu(s, m, K(1 << 26));
   m = or (s, pick(s, low, shl(s, m, K(1)), m), sticky);
   e = pick(s, low, sub(s, e, K(1)), e);
   /* Below the least exponent bits go out at the right. */
   val down = sub(s, K(-126), e);
   down = pick(s, lt(s, down, K(0)), K(0), down);
   down = pick(s, lt(s, down, K(31)), down, K(31));
   const val kept = shr(s, m, down);
   const val lost = pick(s, eq(s, shl(s, kept, down), m), K(0), K(1));
   m = or (s, kept, lost);
   /* Three bits more than a float has: guard, round and sticky. */
   const val odd = and(s, shr(s, m, K(3)), K(1));
   const val rounded = shr(s, add(s, m, add(s, K(3), odd)), K(3));
   const val biased = pick(s, lt(s, e, K(-126)), K(0), add(s, e, K(126)));
   /* The hidden bit, and a carry of rounding, count the exponent up. */
   val r = add(s, shl(s, biased, K(23)), rounded);
   r = pick(s, gt(s, e, K(127)), K(INFINITE), r);
   return or (s, r, sign);
}

/* [r * 2^13 / m] and what is left, for r < m; `inverse` is 2^13 / m as a float. */
static val
quotient_step(sel *s, val *r, val m, val inverse)
{
   val q = ftoi(s, mulf(s, itof(s, *r), inverse));
   val rest = sub(s, shl(s, *r, K(13)), mul(s, q, m));
   const val too_large = lt(s, rest, K(0));

   q = pick(s, too_large, add(s, q, K(-1)), q);
   rest = pick(s, too_large, add(s, rest, m), rest);
   const val too_small = geu(s, rest, m);
   q = pick(s, too_small, add(s, q, K(1)), q);
   *r = pick(s, too_small, sub(s, rest, m), rest);
   return q;
}

/* Newton's steps on the estimate: 6, 12, 24 bits. */
static val
inverse_of(sel *s, val a)
{
   val r = estimate(s, a);

   for (unsigned n = 0; n < 3; n++)
      r = mulf(s, r, subf(s, K(0x40000000), mulf(s, a, r)));
   return r;
}

val
hd_nyuzi_divide(sel *s, val a, val b)
{
   const val sign = and(s, xor(s, a, b), K(SIGN));
   const val abs_a = and(s, a, K(MAGNITUDE)), abs_b = and(s, b, K(MAGNITUDE));
   const parts x = take_apart(s, a), y = take_apart(s, b);
   const val inverse = mulf(s, inverse_of(s, itof(s, y.m)), K(0x46000000)); /* 2^13 */
   /* Both magnitudes are below twice the other: half of the first is below the second. */
   val r = x.m, bits;

   /* The first bit by hand, so that the rest is below the divisor. */
   const val first = geu(s, r, y.m);
   r = pick(s, first, sub(s, r, y.m), r);
   bits = pick(s, first, K(1), K(0));
   bits = or (s, shl(s, bits, K(13)), quotient_step(s, &r, y.m, inverse));
   bits = or (s, shl(s, bits, K(13)), quotient_step(s, &r, y.m, inverse));
   const val sticky = pick(s, eq(s, r, K(0)), K(0), K(1));
   val q = put_together(s, sign, sub(s, x.e, y.e), bits, sticky);

   const val zero_a = eq(s, abs_a, K(0)), zero_b = eq(s, abs_b, K(0));
   const val inf_a = eq(s, abs_a, K(INFINITE)), inf_b = eq(s, abs_b, K(INFINITE));
   q = pick(s, hd_nyuzi_logic(s, HD_NYUZI_OR, zero_a, inf_b), sign, q);
   q = pick(s, hd_nyuzi_logic(s, HD_NYUZI_OR, inf_a, zero_b), or (s, sign, K(INFINITE)), q);
   const val both_inf = hd_nyuzi_logic(s, HD_NYUZI_AND, inf_a, inf_b);
   const val both_zero = hd_nyuzi_logic(s, HD_NYUZI_AND, zero_a, zero_b);
   const val none = hd_nyuzi_logic(s, HD_NYUZI_OR, both_zero, both_inf);
   const val nan =
       hd_nyuzi_logic(s, HD_NYUZI_OR, gtu(s, abs_a, K(INFINITE)), gtu(s, abs_b, K(INFINITE)));
   return pick(s, hd_nyuzi_logic(s, HD_NYUZI_OR, none, nan), K(NAN_BITS), q);
}

/* 1 / sqrt by the exponent's half, then four Newton steps. */
static val
inverse_root_of(sel *s, val number)
{
   const val half = mulf(s, number, K(0x3f000000));
   val r = sub(s, K(0x5f3759df), shr(s, number, K(1)));

   for (unsigned n = 0; n < 4; n++)
      r = mulf(s, r, subf(s, K(0x3fc00000), mulf(s, half, mulf(s, r, r))));
   return r;
}

/* The root of n = m * 2^23 or 2^24, so that the exponent is even: 24 bits, and the rest, which
 * decides how it is rounded: it is at most twice the root, and nothing lies halfway.
 */
val
hd_nyuzi_square_root(sel *s, val a)
{
   const parts x = take_apart(s, a);
   const val odd = and(s, x.e, K(1));
   const val m = shl(s, x.m, odd); /* 2^23 to 2^25 */
   const val number = itof(s, m);
   const val r = inverse_root_of(s, number);
   /* sqrt(m * 2^23) = m * r * sqrt(2^23) */
   val root = ftoi(s, mulf(s, mulf(s, number, r), K(0x453504f3)));
   val rest = sub(s, shl(s, m, K(23)), mul(s, root, root));
   for (unsigned n = 0; n < 4; n++) {
      const val large = lt(s, rest, K(0));
      root = pick(s, large, add(s, root, K(-1)), root);
      rest = pick(s, large, add(s, rest, add(s, add(s, root, root), K(1))), rest);
   }
   for (unsigned n = 0; n < 4; n++) {
      const val more = add(s, root, root), small = gt(s, rest, more);
      rest = pick(s, small, sub(s, rest, add(s, more, K(1))), rest);
      root = pick(s, small, add(s, root, K(1)), root);
   }
   root = pick(s, gt(s, rest, root), add(s, root, K(1)), root);
   const val e = ashr(s, sub(s, x.e, odd), K(1));
   val result = add(s, shl(s, add(s, e, K(126)), K(23)), root);

   result = pick(s, lt(s, a, K(0)), K(NAN_BITS), result);
   result = pick(s, eq(s, and(s, a, K(MAGNITUDE)), K(0)), a, result);
   result = pick(s, eq(s, a, K(INFINITE)), a, result);
   return pick(s, gtu(s, and(s, a, K(MAGNITUDE)), K(INFINITE)), K(NAN_BITS), result);
}

/* 64 bits. */
typedef struct wide {
   val high, low;
} wide;

static wide
pick_wide(sel *s, val condition, wide a, wide b)
{
   return (wide){ pick(s, condition, a.high, b.high), pick(s, condition, a.low, b.low) };
}

/* By less than 64; the lowest bit is set if a bit that went out was. */
static wide
shift_down(sel *s, wide a, val by)
{
   const val far = geu(s, by, K(32)), out = add(s, shl(s, K(1), by), K(-1));
   const val high = shr(s, a.high, by);
   const val low = or (s, shr(s, a.low, by), shl(s, shl(s, a.high, xor(s, by, K(31))), K(1)));
   const val lost_far = or (s, a.low, and(s, a.high, out)), lost_near = and(s, a.low, out);
   const val lost = pick(s, far, lost_far, lost_near);
   const val sticky = pick(s, eq(s, lost, K(0)), K(0), K(1));

   return (wide){ pick(s, far, K(0), high), or (s, pick(s, far, high, low), sticky) };
}

static wide
shift_up(sel *s, wide a, val by)
{
   const val far = geu(s, by, K(32)), low = shl(s, a.low, by);
   const val high = or (s, shl(s, a.high, by), shr(s, shr(s, a.low, xor(s, by, K(31))), K(1)));

   return (wide){ pick(s, far, low, high), pick(s, far, K(0), low) };
}

static wide
sum(sel *s, wide a, wide b)
{
   const val low = add(s, a.low, b.low), carry = ltu(s, low, a.low);

   return (wide){ add(s, add(s, a.high, b.high), pick(s, carry, K(1), K(0))), low };
}

static wide
negated(sel *s, wide a)
{
   const val borrow = pick(s, eq(s, a.low, K(0)), K(0), K(1));

   return (wide){ sub(s, sub(s, K(0), a.high), borrow), sub(s, K(0), a.low) };
}

static val
either(sel *s, val a, val b)
{
   return hd_nyuzi_logic(s, HD_NYUZI_OR, a, b);
}

static val
both(sel *s, val a, val b)
{
   return hd_nyuzi_logic(s, HD_NYUZI_AND, a, b);
}

/* The sum of numbers of which bit 60 stands for 2^e: with the sign of the first, or the other one. */
static val
rounded_sum(sel *s, wide x, val e, wide y, val sign, val other_sign)
{
   const val differ = ne(s, sign, other_sign);
   wide total = sum(s, x, pick_wide(s, differ, negated(s, y), y));
   const val below = lt(s, total.high, K(0));

   total = pick_wide(s, below, negated(s, total), total);
   sign = pick(s, below, xor(s, sign, K(SIGN)), sign);
   const val none = eq(s, or (s, total.high, total.low), K(0));
   const val top = eq(s, total.high, K(0));
   const val zeros = pick(s, top, add(s, clz(s, total.low), K(32)), clz(s, total.high));
   total = shift_up(s, total, zeros);
   const val rest = or (s, and(s, total.high, K(31)), total.low);
   const val r = put_together(s, sign, sub(s, add(s, e, K(3)), zeros), shr(s, total.high, K(5)),
                              pick(s, eq(s, rest, K(0)), K(0), K(1)));

   return pick(s, none, pick(s, differ, K(0), sign), r);
}

/* With m as for the root, r = 2^35.5 / sqrt(m) has 24 bits. The nearest integer is the least one
 * with m (2r + 1)^2 >= 2^73: of the product 64 bits are enough, as the estimate is off by few.
 */
val
hd_nyuzi_inverse_root(sel *s, val a)
{
   const parts x = take_apart(s, a);
   const val odd = and(s, x.e, K(1)), m = shl(s, x.m, odd);
   const val number = mulf(s, inverse_root_of(s, itof(s, m)), K(0x513504f3));
   val r = add(s, ftoi(s, number), K(-3));

   for (unsigned n = 0; n < 7; n++) {
      const val q = add(s, add(s, r, r), K(1)), low = mul(s, q, q), high = mulh(s, q, q);
      const val top = add(s, mulh(s, low, m), mul(s, high, m));
      r = pick(s, lt(s, top, K(0)), add(s, r, K(1)), r);
   }
   const val e = ashr(s, sub(s, x.e, odd), K(1));
   val result = add(s, shl(s, sub(s, K(125), e), K(23)), r);

   result = pick(s, lt(s, a, K(0)), K(NAN_BITS), result);
   result = pick(s, eq(s, and(s, a, K(MAGNITUDE)), K(0)), or (s, a, K(INFINITE)), result);
   result = pick(s, eq(s, a, K(INFINITE)), K(0), result);
   return pick(s, gtu(s, and(s, a, K(MAGNITUDE)), K(INFINITE)), K(NAN_BITS), result);
}

val
hd_nyuzi_fma(sel *s, val a, val b, val c)
{
   const parts x = take_apart(s, a), y = take_apart(s, b), z = take_apart(s, c);
   const val abs_a = and(s, a, K(MAGNITUDE)), abs_b = and(s, b, K(MAGNITUDE));
   const val abs_c = and(s, c, K(MAGNITUDE));
   const val sign = and(s, xor(s, a, b), K(SIGN)), sign_c = and(s, c, K(SIGN));
   const val zero = either(s, eq(s, abs_a, K(0)), eq(s, abs_b, K(0)));
   const val low = mul(s, x.m, y.m), high = mulh(s, x.m, y.m);
   /* Nothing is far below everything. */
   const val e = pick(s, zero, K(-1000), add(s, x.e, y.e));
   const val e_c = pick(s, eq(s, abs_c, K(0)), K(-1000), z.e);
   const wide product = { or (s, shl(s, high, K(14)), shr(s, low, K(18))), shl(s, low, K(14)) };
   const wide summand = { shl(s, z.m, K(5)), K(0) };
   const val swap = lt(s, e, e_c), distance = sub(s, e, e_c);
   val by = pick(s, swap, sub(s, K(0), distance), distance);
   by = pick(s, ltu(s, by, K(63)), by, K(63));
   const wide large = pick_wide(s, swap, summand, product);
   const wide small = shift_down(s, pick_wide(s, swap, product, summand), by);
   const val small_sign = pick(s, swap, sign, sign_c);
   const val large_sign = pick(s, swap, sign_c, sign);
   const val large_e = pick(s, swap, e_c, e);
   val r = rounded_sum(s, large, large_e, small, large_sign, small_sign);

   const val inf_c = eq(s, abs_c, K(INFINITE));
   const val inf = either(s, eq(s, abs_a, K(INFINITE)), eq(s, abs_b, K(INFINITE)));
   r = pick(s, inf_c, c, r);
   r = pick(s, inf, or (s, sign, K(INFINITE)), r);
   val none = both(s, both(s, inf, inf_c), ne(s, sign, sign_c));
   none = either(s, none, both(s, inf, zero));
   none = either(s, none, either(s, gtu(s, abs_a, K(INFINITE)), gtu(s, abs_b, K(INFINITE))));
   return pick(s, either(s, none, gtu(s, abs_c, K(INFINITE))), K(NAN_BITS), r);
}

/* Zero, an infinity, or, canonical, NaN: as it is. */
static val
unless_special(sel *s, val a, val result)
{
   const val abs = and(s, a, K(MAGNITUDE));

   result = pick(s, eq(s, abs, K(0)), a, result);
   result = pick(s, eq(s, abs, K(INFINITE)), a, result);
   return pick(s, gtu(s, abs, K(INFINITE)), K(NAN_BITS), result);
}

val
hd_nyuzi_ldexp(sel *s, val a, val exponent)
{
   const parts x = take_apart(s, a);

   exponent = pick(s, lt(s, exponent, K(600)), exponent, K(600));
   exponent = pick(s, gt(s, exponent, K(-600)), exponent, K(-600));
   return unless_special(
       s, a, put_together(s, and(s, a, K(SIGN)), add(s, x.e, exponent), shl(s, x.m, K(3)), K(0)));
}

val
hd_nyuzi_frexp_sig(sel *s, val a)
{
   const parts x = take_apart(s, a);
   const val sig = or (s, and(s, x.m, K(HIDDEN - 1)), K(0x3f000000));

   return unless_special(s, a, or (s, sig, and(s, a, K(SIGN))));
}

val
hd_nyuzi_frexp_exp(sel *s, val a)
{
   const val abs = and(s, a, K(MAGNITUDE));
   const val special = hd_nyuzi_logic(s, HD_NYUZI_OR, eq(s, abs, K(0)), geu(s, abs, K(INFINITE)));

   return pick(s, special, K(0), add(s, take_apart(s, a).e, K(1)));
}
