# SPDX-License-Identifier: MIT
"""Quotients, roots and exponents of floats of 64 bits by integers of 32, each rounded once, to nearest even: see
machine/sequence.py. A value is its two dwords, the low one first, and so is a significand.

A number is taken apart to m * 2^(e - 63) with m from 2^63 to 2^64 - 1, denormals too. The result is put together from 54 or 55
bits and whatever is below them as one more bit ("sticky"). Estimates by floats, of which the last two bits may be wrong, are
made a bit less, so that no digit of 18 bits is too large; what is left says the rest.

   divide       three digits, each off by less than one and what is cut off: what is left stays below twice the divisor
   square root  three digits: with the root in front of them, n - s * s in 64 bits
   1 / root     the second order of Newton's step from 22 bits on, in 64 bits; whether it is above the middle between two
                numbers tells the product m (2r + 1)^2, of which 128 bits are enough
"""

from codegen.machine.sequence import (
   ashr, clz, eq, estimate, ftoi, ge, geu, gt, gtu, itof, lt, ltu, mulf, mulh, ne, pick, rsqrt, value, addf)
from codegen.machine.sequences_doubles import (
   INFINITE, MAGNITUDE, NAN, ONE, SIGN, choose, define, flag, is_nan, less, lesser, magnitude, plus, with_nan)

LEAST = -1022
MOST = 1023
# Powers of two, and a few units of the last place less.
LESS = 10
TO_18 = 0x48800000 - LESS
ROOT_TO_17 = 0x40b504f3 - LESS   # 2^2.5
DIGIT_OF_ROOT = 0x3fb504f3 - LESS  # 2^0.5
INVERSE_ROOT_TO_23 = 0x523504f3 - LESS  # 2^37.5


def minus(a, b):
   return a[0] - b[0], a[1] - b[1] - flag(ltu(a[0], b[0]))


def plus_word(a, b):
   return plus(a, (b, 0))


def up(a, by):
   """By a constant below 32."""
   return a[0] << by, a[1] << by | a[0] >> 32 - by


def down(a, by):
   return a[0] >> by | a[1] << 32 - by, a[1] >> by


def is_not_zero(a):
   return flag(ne(a[0] | a[1], 0))


def wide(a, b):
   """The product of two dwords."""
   return a * b, mulh(a, b)


def times(a, b):
   """With a dword: the lower 64 bits."""
   low, high = wide(a[0], b)
   return low, high + a[1] * b


def normalized(a):
   """Shifted up to its highest bit, and by how much."""
   none = eq(a[1], 0)
   low, high = pick(none, 0, a[0]), pick(none, a[0], a[1])
   n = clz(high)
   return (low << n, high << n | low >> (n ^ 31) >> 1), n + pick(none, 32, 0)


def significand(a):
   """The highest bit of a number that is not denormal is 63; and its biased exponent."""
   biased = (a[1] & MAGNITUDE) >> 20
   return (a[0] << 11, a[1] << 12 >> 1 | a[0] >> 21 | pick(eq(biased, 0), 0, SIGN)), biased


def take_apart(a):
   """m and e; of 0, infinities and NaN whatever comes out."""
   bits, biased = significand(a)
   m, n = normalized(bits)
   return m, pick(eq(biased, 0), 1, biased) - MOST - n


def shift_up(a, by):
   """By less than 64."""
   far = geu(by, 32)
   low, high = a[0] << by, a[1] << by | a[0] >> (by ^ 31) >> 1
   return pick(far, 0, low), pick(far, low, high)


def shift_down(a, by):
   """By less than 64; the lowest bit is set if a bit that went out was."""
   far = geu(by, 32)
   left = by ^ 31
   out = a[0] << left << 1, a[1] << left << 1
   low, high = a[0] >> by | out[1], a[1] >> by
   lost = pick(far, a[0] | out[1], out[0])
   return pick(far, high, low) | flag(ne(lost, 0)), pick(far, 0, high)


def put_together(sign, e, m, sticky):
   """`m` has its highest bit at 54, which stands for 2^e, or at 53. Rounded to nearest even; with the bit of the sign."""
   short = ltu(m[1], 1 << 22)
   m = choose(short, up(m, 1), m)
   m = m[0] | sticky, m[1]
   e = pick(short, e - 1, e)
   by = LEAST - e
   by = pick(lt(by, 0), 0, by)
   by = pick(lt(by, 63), by, 63)
   m = shift_down(m, by)
   # Two bits more than a float has.
   low, high = down(plus_word(m, (m[0] >> 2 & 1) + 1), 2)
   biased = pick(lt(e, LEAST), 0, e + MOST - 1)
   # The hidden bit, and a carry of rounding, count the exponent up.
   inf = gt(e, MOST)
   return pick(inf, 0, low), pick(inf, INFINITE, (biased << 20) + high) | sign


# ---- quotients --------------------------------------------------------------------------------


def quotient_digit(r, m, inverse):
   """[r * 2^18 / m], or one less, and what is left, for r < 2m; `inverse` is 2^18 / m as a float, of the upper dwords."""
   q = ftoi(mulf(itof(r[1]), inverse))
   return q, minus(up(r, 18), times(m, q))


def divide(a, b):
   sign = (a[1] ^ b[1]) & SIGN
   (r, x_e), (m, y_e) = take_apart(a), take_apart(b)
   r, m = down(r, 2), down(m, 2)
   inverse = mulf(estimate(itof(m[1])), TO_18)
   first, r = quotient_digit(r, m, inverse)
   second, r = quotient_digit(r, m, inverse)
   third, r = quotient_digit(r, m, inverse)
   beyond = minus(r, m)
   enough = ge(beyond[1], 0)
   bits = plus_word((second << 18, (first << 4) + (second >> 14)), third + flag(enough))
   q = put_together(sign, x_e - y_e, bits, is_not_zero(choose(enough, beyond, r)))

   size_a, size_b = magnitude(a), magnitude(b)
   zero_a, zero_b = eq(size_a, 0), eq(size_b, 0)
   inf_a, inf_b = eq(size_a, INFINITE), eq(size_b, INFINITE)
   q = choose(zero_a | inf_b, (0, sign), q)
   q = choose(inf_a | zero_b, (0, sign | INFINITE), q)
   nan = gtu(size_a, INFINITE) | gtu(size_b, INFINITE)
   return choose(zero_a & zero_b | inf_a & inf_b | nan, NAN, q)


def one():
   return value(0), value(ONE)


# ---- roots ------------------------------------------------------------------------------------


def halved(a):
   """m from 2^62 to 2^64 - 1, of which 2^62 stands for 1, with an even exponent; half of that; an estimate of 1 / root of the
   upper dword's half, and that half."""
   m, e = take_apart(a)
   odd = e & 1
   m = choose(eq(odd, 0), down(m, 1), m)
   number = itof(m[1] >> 1)
   return m, ashr(e, 1), rsqrt(number), number


def square_root(a):
   """54 bits; the last one says how the root is rounded: nothing lies halfway."""
   m, half, inverse, number = halved(a)
   root = ftoi(mulf(mulf(number, inverse), ROOT_TO_17))
   rest = (m[1] << 4 | m[0] >> 28) - root * root
   step = mulf(inverse, DIGIT_OF_ROOT)
   next_bits = m[0] >> 10 & 0x3ffff

   # rest * 2^18 + next_bits over twice the root
   digit = ftoi(mulf(addf(mulf(itof(rest), 0x48800000), itof(next_bits)), mulf(step, 0x3d800000)))
   left = (rest << 18 | next_bits) - (root + root) * digit
   rest = minus((left << 18, left >> 14), wide(digit, digit))
   root = plus_word((root << 18, root >> 14), digit)

   digit = ftoi(mulf(itof(rest[0] >> 8 | rest[1] << 24), mulf(step, 0x41800000)))
   left = minus(up(rest, 18), times(up(root, 1), digit))
   rest = minus(up(left, 18), wide(digit, digit))
   root = plus_word(up(root, 18), digit)

   # Less than 2 * root + 1 may be left.
   beyond = minus(rest, plus_word(up(root, 1), 1))
   root = plus_word(root, flag(ge(beyond[1], 0)) + 1)
   low, high = down(root, 1)
   result = low, high + (half + MOST - 1 << 20)
   size = magnitude(a)
   result = choose(eq(size, 0) | eq(size, INFINITE), (a[0], a[1]), result)
   return choose(gtu(size, INFINITE) | lt(a[1], 0) & ne(size, 0), NAN, result)


def words(*columns):
   """The sums of dwords, of which each column has those of one place; what is carried out of the last one is lost."""
   result, carries = [], []
   for n, column in enumerate(columns):
      total, *others = [*column, *carries]
      carries = []
      for other in others:
         total = total + other
         if n + 1 < len(columns):
            carries.append(flag(ltu(total, other)))
      result.append(total)
   return result


def inverse_root(a):
   m, half, inverse, _ = halved(a)
   y = ftoi(mulf(inverse, INVERSE_ROOT_TO_23))
   # 1 - m y^2 is 2^108 less the product: bits 32 to 95 of it, which are e in units of 2^-76.
   square = wide(y, y)
   low, middle, high = wide(square[0], m[0]), wide(square[0], m[1]), wide(square[1], m[0])
   e = minus((0, 0), words((low[1], middle[0], high[0]), (middle[1], high[1], square[1] * m[1])))
   # e / 2 + 3/8 e^2, in units of 2^-62.
   z = e[1] << 6
   second = mulh(z, z)
   c = plus_word(down(e, 15), second - (second >> 2) >> 7)
   r = plus_word(plus(wide(y, c[1]), (y << 30, y >> 2)), mulh(y, c[0]))

   q = plus_word(up(r, 1), 1)
   ends, between, top = wide(q[0], q[0]), up(wide(q[0], q[1]), 1), wide(q[1], q[1])
   s = words((ends[0],), (ends[1], between[0]), (between[1], top[0]), (top[1],))
   products = [[wide(x, k) for k in m] for x in s[:3]]
   (a0, a1), (b0, b1), (c0, c1) = products
   top = words((a0[1], a1[0], b0[0]), (a1[1], b0[1], b1[0], c0[0]), (b1[1], c0[1], c1[0], s[3] * m[0]))[2]
   low, high = plus_word(r, top >> 31)
   result = low, high + (MOST - 2 - half << 20)
   size = magnitude(a)
   result = choose(eq(size, INFINITE), (0, 0), result)
   result = choose(gtu(size, INFINITE) | lt(a[1], 0), NAN, result)
   return choose(eq(size, 0), (0, a[1] | INFINITE), result)


# ---- exponents --------------------------------------------------------------------------------


def unless_special(a, result):
   """Zero, an infinity, or, canonical, NaN: as it is."""
   size = magnitude(a)
   return choose(gtu(size, INFINITE), NAN, choose(eq(size, 0) | eq(size, INFINITE), (a[0], a[1]), result))


def ldexp(a, exponent):
   m, e = take_apart(a)
   exponent = pick(lt(exponent, 5000), exponent, 5000)
   exponent = pick(gt(exponent, -5000), exponent, -5000)
   return unless_special(a, put_together(a[1] & SIGN, e + exponent, down(m, 9), 0))


def frexp_sig(a):
   low, high = down(take_apart(a)[0], 11)
   return unless_special(a, (low, high ^ ONE | a[1] & SIGN))


def frexp_exp(a):
   size = magnitude(a)
   return pick(eq(size, 0) | geu(size, INFINITE), 0, take_apart(a)[1] + 1)


# ---- fractions --------------------------------------------------------------------------------


def fract(a):
   """In 64 bits below the point, of which the last one says whether there is more; less than 1."""
   m, e = take_apart(a)
   below = e ^ -1
   far = pick(lt(below, 63), below, 63)
   bits = choose(lt(e, 0), shift_down(m, far), shift_up(m, pick(lt(e, 62), e + 1, 63)))
   negative = lt(a[1], 0)
   bits, n = normalized(choose(negative, minus((0, 0), bits), bits))
   odd = bits[0] >> 11 & 1
   low, high = down(plus_word(down((bits[0] | bits[0] << 1 & 2, bits[1]), 1), odd + 0x1ff), 10)
   high = high + (MOST - 2 - n << 20)
   whole = geu(high, ONE)
   result = pick(whole, -1, low), pick(whole, ONE - 1, high)
   result = choose(ne(bits[1], 0), result, (0, 0))
   result = choose(lt(e, 0) & ~negative, (a[0], a[1]), result)
   return choose(geu(magnitude(a), INFINITE), NAN, result)


def middle(a, b, c):
   first = less(a, b)
   low, high = choose(first, a, b), choose(first, b, a)
   lower = choose(less(high, c), high, c)
   number = choose(less(low, lower), lower, low)
   return choose(is_nan(a) | is_nan(b) | is_nan(c), lesser(with_nan(a, b, low), c), number)


define('fdiv', '64', divide)
define('frcp', '64', lambda a: divide(one(), a))
define('fsqrt', '64', square_root)
define('frsq', '64', inverse_root)
define('fldexp', '64', ldexp)
define('ffrexp_sig', '64', frexp_sig)
define('ffrexp_exp', '64>32', frexp_exp)
define('ffract', '64', fract)
define('fmed3', '64', middle)
