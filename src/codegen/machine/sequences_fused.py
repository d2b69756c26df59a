# SPDX-License-Identifier: MIT
"""Quotients and roots for machines that have a fused multiply-add and estimates of 1 / x and 1 / sqrt(x), of which the last
two bits may be wrong: see machine/sequence.py. All are rounded once, to nearest even, denormals too.

Operands are multiplied by a power of two that brings them near 1 and keeps zeros, infinities and NaN. A remainder by a fused
multiply-add is exact, so that a step of Newton's from there leaves less than half of the last bit to decide.

   divide         1 / b with its lowest bit set: else that of a b of ones alone is too small to tell what lies just above
                  halfway. A denormal quotient is rounded where it will be by adding a power of two first, and the rest
                  to it, so that it is rounded once; its bits are then the result's
   square root    a root is never halfway: Newton's step on root and inverse root, and a remainder
   1 / root       the square of the estimate in two floats, and the second order of Newton's step
"""

from codegen.machine.sequence import (
   addf, eqf, estimate, fma, gtf, ltf, ltu, mulf, pick, rsqrt, sequence, subf)
from codegen.machine.sequences_float import unpack_norm

SIGN = 0x80000000
MAGNITUDE = 0x7fffffff
INFINITE = 0x7f800000
LEAST_NORMAL = 0x00800000
ONE = 0x3f800000
FOUR = 0x40800000
MINUS_ONE = ONE | SIGN
HALF = 0x3f000000
MINUS_HALF = HALF | SIGN
MINUS_THREE_QUARTERS = 0xbf400000
# All but the lowest two bits of the exponent: a power of 2^4, so its root and the inverse of both are floats.
EXPONENT = 0x7e000000


def scaled(a):
   """a / 2^(e - 126), from 1/2 to 8 or a denormal's 2^-23, and e in the bits of the exponent."""
   e = a & EXPONENT
   return mulf(a, EXPONENT + LEAST_NORMAL - e), e


def quotient(a, a_e, b, b_e):
   """a / b * 2^(a_e - b_e) of scaled numbers."""
   inverse = estimate(b)
   special = mulf(a, inverse)
   inverse = inverse & MAGNITUDE
   a, minus_b = a & MAGNITUDE, b | SIGN
   inverse = fma(inverse, fma(minus_b, inverse, ONE), inverse) | 1
   q = mulf(a, inverse)
   q = fma(fma(minus_b, q, a), inverse, q)

   # What is the least normal number in the result: from there to its double floats are as dense as denormals.
   down = b_e - a_e
   least = down + LEAST_NORMAL
   denormal = ltf(q, least)
   bias = pick(denormal, least, 0)
   total = addf(q, bias)
   rest = fma(minus_b, subf(total, bias), a)
   more = mulf(rest, inverse)
   more = fma(fma(minus_b, more, rest), inverse, more)
   bits = addf(total, more) - pick(denormal, least, down)
   bits = pick(ltu(bits, INFINITE), bits, INFINITE)
   # Of zeros, infinities and NaN the steps give zero or NaN.
   return pick(gtf(q, 0), special & SIGN | bits, special)


def divide(a, b):
   (a, a_e), (b, b_e) = scaled(a), scaled(b)
   return quotient(a, a_e, b, b_e)


def reciprocal(b):
   b, b_e = scaled(b)
   # 1 scaled: 4 * 2^(124 - 126).
   return quotient(FOUR, ONE & EXPONENT, b, b_e)


def is_zero_or_infinite(inverse):
   return eqf(addf(inverse, inverse), inverse)


def square_root(a):
   m, e = scaled(a)
   inverse = rsqrt(m)
   root, minus_half = mulf(m, inverse), mulf(inverse, MINUS_HALF)
   error = fma(minus_half, root, HALF)
   root, minus_half = fma(root, error, root), fma(minus_half, error, minus_half)
   beyond = fma(root, root, m ^ SIGN)
   root = fma(beyond, minus_half, root)
   # 2^((e - 126) / 2)
   return pick(is_zero_or_infinite(inverse), a, mulf(root, (e >> 1) + 0x20000000))


def reciprocal_root(a):
   m, e = scaled(a)
   estimated = rsqrt(m)
   error = fma(m, mulf(estimated, estimated), MINUS_ONE)
   inverse = fma(mulf(estimated, MINUS_HALF), error, estimated)
   square = mulf(inverse, inverse)
   rest = fma(inverse, inverse, square ^ SIGN)
   error = fma(m, rest, fma(m, square, MINUS_ONE))
   error = fma(mulf(error, MINUS_THREE_QUARTERS), error, error)
   inverse = fma(mulf(inverse, MINUS_HALF), error, inverse)
   return pick(is_zero_or_infinite(estimated), estimated, mulf(inverse, 0x5f000000 - (e >> 1)))


sequence('fdiv', '32', divide)
sequence('frcp', '32', reciprocal)
sequence('fsqrt', '32', square_root)
sequence('frsq', '32', reciprocal_root)
for bits in (8, 16):
   for sign in 'us':
      sequence(f'unpack_{sign}norm_{32 // bits}x{bits}', '32', unpack_norm(bits, sign == 's', divide))
