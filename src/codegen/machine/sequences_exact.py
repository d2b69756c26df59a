# SPDX-License-Identifier: MIT
"""Floats that integers compute, rounded once, to nearest even, as the ops are defined: see machine/sequence.py.

A number is taken apart to m * 2^(e - 23) with m from 2^23 to 2^24 - 1, denormals too. The result is put together from
a magnitude of 26 bits and whatever is below them as one more bit ("sticky").

   divide       two steps of 13 bits of the quotient of integers: an estimate by floats, which is off by one at most,
                and its remainder in 32 bits, which says by how much
   fma          the product in 62 bits, the summand beside it, added in 64; what is shifted out at the right stays as
                the lowest bit
   1 / root     the same way, by a product in 64 bits
   square root  an estimate of 24 bits by Newton steps, off by few, and n - s * s in 32 bits
"""

from codegen.machine.sequence import (
   ashr, clz, eq, estimate, ftoi, geu, gt, gtu, itof, lt, ltu, mulf, mulh, ne, pick, sequence, subf, value)

SIGN = 0x80000000
MAGNITUDE = 0x7fffffff
INFINITE = 0x7f800000
NAN = 0x7fc00000
HIDDEN = 0x00800000


def take_apart(a):
   """m in [2^23, 2^24) and e, the exponent of bit 23; of 0, infinities and NaN whatever comes out."""
   magnitude = a & MAGNITUDE
   small = ltu(magnitude, HIDDEN)
   up = clz(magnitude) - 8
   normal = a & HIDDEN - 1 | HIDDEN
   e = (magnitude >> 23) - 127
   return pick(small, magnitude << up, normal), pick(small, -126 - up, e)


def is_not_zero(a):
   return pick(eq(a, 0), 0, 1)


def put_together(sign, e, m, sticky):
   """`m` has its highest bit at 26, or at 25, and is followed by `sticky`, 0 or 1; bit 26 stands for 2^e. Rounded to
   nearest even; with the bit of the sign."""
   # The highest bit to 26: m is (1.f) * 2^26.
   low = ltu(m, 1 << 26)
   m = pick(low, m << 1, m) | sticky
   e = pick(low, e - 1, e)
   # Below the least exponent bits go out at the right.
   down = -126 - e
   down = pick(lt(down, 0), 0, down)
   down = pick(lt(down, 31), down, 31)
   kept = m >> down
   m = kept | pick(eq(kept << down, m), 0, 1)
   # Three bits more than a float has: guard, round and sticky.
   odd = m >> 3 & 1
   rounded = m + (odd + 3) >> 3
   biased = pick(lt(e, -126), 0, e + 126)
   # The hidden bit, and a carry of rounding, count the exponent up.
   r = (biased << 23) + rounded
   return pick(gt(e, 127), INFINITE, r) | sign


def unless_special(a, result):
   """Zero, an infinity, or, canonical, NaN: as it is."""
   magnitude = a & MAGNITUDE
   result = pick(eq(magnitude, 0), a, result)
   result = pick(eq(magnitude, INFINITE), a, result)
   return pick(gtu(magnitude, INFINITE), NAN, result)


# ---- quotients --------------------------------------------------------------------------------


def quotient_step(r, m, inverse):
   """[r * 2^13 / m] and what is left, for r < m; `inverse` is 2^13 / m as a float."""
   q = ftoi(mulf(itof(r), inverse))
   rest = (r << 13) - q * m
   too_large = lt(rest, 0)
   q = pick(too_large, q + -1, q)
   rest = pick(too_large, rest + m, rest)
   too_small = geu(rest, m)
   return pick(too_small, q + 1, q), pick(too_small, rest - m, rest)


def inverse_of(a):
   """Newton's steps on the estimate: 6, 12, 24 bits."""
   r = estimate(a)
   for _ in range(3):
      r = mulf(r, subf(0x40000000, mulf(a, r)))
   return r


def divide(a, b):
   sign = (a ^ b) & SIGN
   abs_a, abs_b = a & MAGNITUDE, b & MAGNITUDE
   (r, x_e), (m, y_e) = take_apart(a), take_apart(b)
   inverse = mulf(inverse_of(itof(m)), 0x46000000)  # 2^13
   # Both magnitudes are below twice the other. The first bit by hand, so that the rest is below the divisor.
   first = geu(r, m)
   r = pick(first, r - m, r)
   bits = pick(first, 1, 0)
   for _ in range(2):
      q, r = quotient_step(r, m, inverse)
      bits = bits << 13 | q
   q = put_together(sign, x_e - y_e, bits, is_not_zero(r))

   zero_a, zero_b = eq(abs_a, 0), eq(abs_b, 0)
   inf_a, inf_b = eq(abs_a, INFINITE), eq(abs_b, INFINITE)
   q = pick(zero_a | inf_b, sign, q)
   q = pick(inf_a | zero_b, sign | INFINITE, q)
   nan = gtu(abs_a, INFINITE) | gtu(abs_b, INFINITE)
   return pick(zero_a & zero_b | inf_a & inf_b | nan, NAN, q)


# ---- roots ------------------------------------------------------------------------------------


def inverse_root_of(number):
   """1 / sqrt by the exponent's half, then four Newton steps."""
   half = mulf(number, 0x3f000000)
   r = 0x5f3759df - (number >> 1)
   for _ in range(4):
      r = mulf(r, subf(0x3fc00000, mulf(half, mulf(r, r))))
   return r


def square_root(a):
   """The root of n = m * 2^23 or 2^24, so that the exponent is even: 24 bits, and the rest, which decides how it is
   rounded: it is at most twice the root, and nothing lies halfway."""
   m, e = take_apart(a)
   odd = e & 1
   m = m << odd  # 2^23 to 2^25
   number = itof(m)
   # sqrt(m * 2^23) = m * (1 / sqrt(m)) * sqrt(2^23)
   root = ftoi(mulf(mulf(number, inverse_root_of(number)), 0x453504f3))
   rest = (m << 23) - root * root
   for _ in range(4):
      large = lt(rest, 0)
      root = pick(large, root + -1, root)
      rest = pick(large, rest + (root + root + 1), rest)
   for _ in range(4):
      more = root + root
      small = gt(rest, more)
      rest = pick(small, rest - (more + 1), rest)
      root = pick(small, root + 1, root)
   root = pick(gt(rest, root), root + 1, root)
   result = (ashr(e - odd, 1) + 126 << 23) + root
   # What is less than -0, NaN too.
   return pick(gtu(a, SIGN), NAN, unless_special(a, result))


def inverse_root(a):
   """With m as for the root, r = 2^35.5 / sqrt(m) has 24 bits. The nearest integer is the least one with
   m (2r + 1)^2 >= 2^73: of the product 64 bits are enough, as the estimate is off by few."""
   m, e = take_apart(a)
   odd = e & 1
   m = m << odd
   r = ftoi(mulf(inverse_root_of(itof(m)), 0x513504f3)) + -3
   for _ in range(7):
      q = r + r + 1
      top = mulh(q * q, m) + mulh(q, q) * m
      r = pick(lt(top, 0), r + 1, r)
   magnitude = a & MAGNITUDE
   result = (125 - ashr(e - odd, 1) << 23) + r
   result = pick(lt(a, 0), NAN, result)
   result = pick(eq(magnitude, 0), a | INFINITE, result)
   result = pick(eq(a, INFINITE), 0, result)
   return pick(gtu(magnitude, INFINITE), NAN, result)


# ---- fma: numbers of 64 bits are pairs (high, low) --------------------------------------------


def pick_wide(condition, a, b):
   return pick(condition, a[0], b[0]), pick(condition, a[1], b[1])


def shift_down(a, by):
   """By less than 64; the lowest bit is set if a bit that went out was."""
   far = geu(by, 32)
   out = (1 << by) + -1
   high = a[0] >> by
   low = a[1] >> by | a[0] << (by ^ 31) << 1
   lost = pick(far, a[1] | a[0] & out, a[1] & out)
   return pick(far, 0, high), pick(far, high, low) | is_not_zero(lost)


def shift_up(a, by):
   far = geu(by, 32)
   low = a[1] << by
   high = a[0] << by | a[1] >> (by ^ 31) >> 1
   return pick(far, low, high), pick(far, 0, low)


def total_of(a, b):
   low = a[1] + b[1]
   return a[0] + b[0] + pick(ltu(low, a[1]), 1, 0), low


def negated(a):
   return -a[0] - is_not_zero(a[1]), -a[1]


def rounded_sum(x, e, y, sign, other_sign):
   """The sum of numbers of which bit 60 stands for 2^e: with the sign of the first, or the other one."""
   differ = ne(sign, other_sign)
   total = total_of(x, pick_wide(differ, negated(y), y))
   below = lt(total[0], 0)
   total = pick_wide(below, negated(total), total)
   sign = pick(below, sign ^ SIGN, sign)
   none = eq(total[0] | total[1], 0)
   zeros = pick(eq(total[0], 0), clz(total[1]) + 32, clz(total[0]))
   high, low = shift_up(total, zeros)
   r = put_together(sign, e + 3 - zeros, high >> 5, is_not_zero(high & 31 | low))
   return pick(none, pick(differ, 0, sign), r)


def fma(a, b, c):
   (x_m, x_e), (y_m, y_e), (z_m, z_e) = take_apart(a), take_apart(b), take_apart(c)
   abs_a, abs_b, abs_c = a & MAGNITUDE, b & MAGNITUDE, c & MAGNITUDE
   sign, sign_c = (a ^ b) & SIGN, c & SIGN
   zero = eq(abs_a, 0) | eq(abs_b, 0)
   low, high = x_m * y_m, mulh(x_m, y_m)
   # Nothing is far below everything.
   e = pick(zero, -1000, x_e + y_e)
   e_c = pick(eq(abs_c, 0), -1000, z_e)
   product = high << 14 | low >> 18, low << 14
   summand = z_m << 5, 0
   swap = lt(e, e_c)
   by = pick(swap, e_c - e, e - e_c)
   by = pick(ltu(by, 63), by, 63)
   large = pick_wide(swap, summand, product)
   small = shift_down(pick_wide(swap, product, summand), by)
   r = rounded_sum(large, pick(swap, e_c, e), small, pick(swap, sign_c, sign), pick(swap, sign, sign_c))

   inf_c = eq(abs_c, INFINITE)
   inf = eq(abs_a, INFINITE) | eq(abs_b, INFINITE)
   r = pick(inf_c, c, r)
   r = pick(inf, sign | INFINITE, r)
   none = inf & inf_c & ne(sign, sign_c) | inf & zero
   nan = gtu(abs_a, INFINITE) | gtu(abs_b, INFINITE) | gtu(abs_c, INFINITE)
   return pick(none | nan, NAN, r)


# ---- exponents --------------------------------------------------------------------------------


def ldexp(a, exponent):
   m, e = take_apart(a)
   exponent = pick(lt(exponent, 600), exponent, 600)
   exponent = pick(gt(exponent, -600), exponent, -600)
   return unless_special(a, put_together(a & SIGN, e + exponent, m << 3, 0))


def frexp_sig(a):
   return unless_special(a, take_apart(a)[0] & HIDDEN - 1 | 0x3f000000 | a & SIGN)


def frexp_exp(a):
   magnitude = a & MAGNITUDE
   return pick(eq(magnitude, 0) | geu(magnitude, INFINITE), 0, take_apart(a)[1] + 1)


sequence('fdiv', '32', divide)
sequence('frcp', '32', lambda a: divide(value(0x3f800000), a))
sequence('fsqrt', '32', square_root)
sequence('frsq', '32', inverse_root)
sequence('ffma', '32', fma)
sequence('fldexp', '32', ldexp)
sequence('ffrexp_sig', '32', frexp_sig)
sequence('ffrexp_exp', '32', frexp_exp)
