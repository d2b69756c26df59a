# SPDX-License-Identifier: MIT
"""Ops of floats of 64 bits by their bits, for machines whose own instructions add, multiply, compare and convert them, and do
little else: see machine/sequence.py. A value is its two dwords, the low one first.
"""

from codegen.machine.sequence import ashr, eq, ge, geu, gtu, lt, ltu, ne, pick, sequence, shr

SIGN = 0x80000000
MAGNITUDE = 0x7fffffff
INFINITE = 0x7ff00000
ONE = 0x3ff00000
HALF = 0x3fe00000
NAN = (0, 0x7ff80000)


def choose(condition, a, b):
   return pick(condition, a[0], b[0]), pick(condition, a[1], b[1])


def flag(condition):
   return pick(condition, 1, 0)


def magnitude(a):
   """The upper dword, in whose lowest bit is what the lower one has besides: for compares with dwords that have none there."""
   return a[1] & MAGNITUDE | flag(ne(a[0], 0))


def is_nan(a):
   return gtu(magnitude(a), INFINITE)


def canonical(a):
   return choose(is_nan(a), NAN, a)


def less(a, b):
   """Of numbers, -0 below +0: where the sign is set, greater bits are less."""
   (a_low, a_high), (b_low, b_high) = ((x[0] ^ ashr(x[1], 31), x[1] ^ ashr(x[1], 31) & MAGNITUDE) for x in (a, b))
   return lt(a_high, b_high) | eq(a_high, b_high) & ltu(a_low, b_low)


def with_nan(a, b, number):
   """The other one where one is NaN."""
   return choose(is_nan(a), choose(is_nan(b), NAN, b), choose(is_nan(b), a, number))


def lesser(a, b):
   return with_nan(a, b, choose(less(a, b), a, b))


def greater(a, b):
   return with_nan(a, b, choose(less(a, b), b, a))


def saturated(a):
   return choose(is_nan(a) | lt(a[1], 0), (0, 0), choose(geu(a[1], ONE), (0, ONE), a))


def sign(a):
   zero = eq(a[0] | a[1] & MAGNITUDE, 0)
   return choose(is_nan(a), (0, 0), choose(zero, a, (0, a[1] & SIGN | ONE)))


# ---- integral numbers -------------------------------------------------------------------------


def fraction(a):
   """The exponent; and of a number of 1 or more the bits that are its fraction."""
   e = ((a[1] & MAGNITUDE) >> 20) - 1023
   low = pick(lt(e, 20), -1, pick(lt(e, 52), shr(-1, e - 20), 0))
   return e, (low, pick(lt(e, 20), shr(0xfffff, e), 0))


def plus(a, b):
   low = a[0] + b[0]
   return low, a[1] + b[1] + flag(ltu(low, a[0]))


def without(a, bits):
   return a[0] & ~bits[0], a[1] & ~bits[1]


def integral(a, e, number, small):
   """`small`: whether a number below 1 becomes 1."""
   below_one = 0, a[1] & SIGN | pick(small, ONE, 0)
   return canonical(choose(lt(e, 0), below_one, number))


def trunc(a):
   e, bits = fraction(a)
   return canonical(choose(lt(e, 0), (0, a[1] & SIGN), without(a, bits)))


def towards(is_away):
   """To the greater magnitude where the sign is as asked: the fraction is filled up."""
   def rounded(a):
      e, bits = fraction(a)
      away = is_away(a[1], 0)
      sum_ = plus(a, choose(away, bits, (0, 0)))
      return integral(a, e, without(sum_, bits), away & ne(magnitude(a), 0))
   return rounded


def rint(a):
   """Half of the last place is added; where the number is even, a bit less."""
   e, bits = fraction(a)
   unit = plus(bits, (1, 0))
   odd = flag(ne(a[0] & unit[0] | a[1] & unit[1], 0))
   almost_half = bits[0] >> 1 | bits[1] << 31, bits[1] >> 1
   number = without(plus(plus(a, almost_half), (odd, 0)), bits)
   return integral(a, e, choose(lt(e, 52), number, a), gtu(magnitude(a), HALF))


def define(ops, sizes, function):
   sequence(ops, sizes, function, needs='doubles')


define('fneg', '64', lambda a: (a[0], a[1] ^ SIGN))
define('fabs', '64', lambda a: (a[0], a[1] & MAGNITUDE))
define('fcopysign', '64', lambda a, b: (a[0], a[1] & MAGNITUDE | b[1] & SIGN))
define('fcanonicalize', '64', canonical)
define('f2f f2f_rne f2f_rtz f2f_ru f2f_rd', '64', canonical)
define('fmin', '64', lesser)
define('fmax', '64', greater)
define('fsat', '64', saturated)
define('fsign', '64', sign)
define('ftrunc', '64', trunc)
define('ffloor', '64', towards(lt))
define('fceil', '64', towards(ge))
define('frint', '64', rint)
define('b2f', '1>64', lambda a: (0, pick(a, ONE, 0)))
