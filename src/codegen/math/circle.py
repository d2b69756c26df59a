# SPDX-License-Identifier: MIT
"""Circular functions and their inverses, as exact as OpenCL asks.

The machine's sine is exact to a part of 1, not of the result, and takes turns; so these are
polynomials. An angle becomes n quarter turns and a rest between -pi/4 and pi/4: by three parts of pi/2
up to LARGE, past that by the bits of 2/pi that matter, on a way of its own.
"""

from decimal import Decimal

from codegen.math import fit as fit
from codegen.math.exponential import divide, exact
from codegen.math.formats import INFINITY, NAN
from codegen.math.glsl import HALF_PI, arcsin_rest, arctan_over, horner
from codegen.math.language import (as_int, branch, f2i, fcopysign, fdiv, ffma, ffract, fldexp, fmax, fmin, frint,
                           fsqrt, funnel_shr, select, shared, u2f, u2u, ufind_msb, umul_wide)

LARGE = {32: 2.0**17, 64: 2.0**30}


# ---- sine and cosine of small angles ------------------------------------------------------------

def sin_rest(z):
   """(sin x - x) / x^3 for z = x^2."""
   total, term, k = Decimal(0), Decimal(-1) / 6, 3
   while abs(term) > fit.TINY:
      total += term
      term *= -z / ((k + 1) * (k + 2))
      k += 2
   return total


def cos_rest(z):
   """(cos x - 1 + x^2 / 2) / x^4 for z = x^2."""
   total, term, k = Decimal(0), Decimal(1) / 24, 4
   while abs(term) > fit.TINY:
      total += term
      term *= -z / ((k + 1) * (k + 2))
      k += 2
   return total


@shared
def sin_cos_series(fmt, r):
   z = r * r
   few = fmt.bits == 32
   s = fit.fit(sin_rest, 0, '0.617', 3 if few else 7)
   c = fit.fit(cos_rest, 0, '0.617', 3 if few else 7)
   sine = ffma(r * z, horner(fmt, z, s), r)
   # 1 - z / 2 loses a bit where it is rounded; what it loses is added to what is small.
   half = z * 0.5
   head = fmt(1.0) - half
   lost = (fmt(1.0) - head) - half
   cosine = head + ffma(z * z, horner(fmt, z, c), lost)
   return sine, cosine


# ---- quarter turns ------------------------------------------------------------------------------

def reduce_medium(fmt, a):
   n = frint(a * fmt(2 / fit.PI))
   r = a
   for part in fmt.split(HALF_PI, 3):
      r = ffma(n, fmt(-part), r)
   return f2i(n, bits=32), r


def pi_digits(bits):
   """2/pi as an integer with so many bits after the point, by Machin's formula in integers."""
   def arctan_inverse(n, one):
      total, term, k, sign = 0, one // n, 1, 1
      while term:
         total += sign * (term // k)
         term //= n * n
         k += 2
         sign = -sign
      return total
   one = 1 << (bits + 64)
   pi = 4 * (4 * arctan_inverse(5, one) - arctan_inverse(239, one))
   return ((2 * one << bits) // pi)


def choose(shift, bit, words, keep):
   """The words from 0 on, or from 2^bit on where that bit of `shift` is set; `keep` of them."""
   step = 1 << bit
   there = (shift & step).differs(0)
   return [select(there, words[k + step], words[k]) if k + step < len(words) else words[k]
           for k in range(keep)]


def reduce_large(fmt, a):
   """a = m 2^e with an integer m: 2^e 2/pi modulo 2^32, times m.

   Words of 32 bits of 2/pi are chosen by e. What the words have that comes before is multiples of four
   quarter turns.
   """
   bits = as_int(a)
   if fmt.bits == 32:
      mantissa = [(bits & 0x7fffff) | 0x800000]
      # The product's lowest bit of m is worth 2^e; e is 0 or more for numbers that are large.
      e = (bits >> 23) - (127 + 23)
   else:
      low, high = u2u(bits, bits=32), u2u(bits >> 32, bits=32)
      mantissa = [low, (high & 0xfffff) | 0x100000]
      e = (high >> 20) - (1023 + 52)
   # Whole turns need no digits: the first word is where the product's units are, those after it its
   # fraction; as many as cancelling and the mantissa take away, and those that are kept.
   needed = 5 if fmt.bits == 32 else 8
   shift = e + 32
   places = (127 - 23 if fmt.bits == 32 else 1023 - 52) + 32 >> 5
   count = places + needed
   digits = pi_digits(count * 32 - 64)
   words = [fmt.int32(digits >> (32 * (count - 1 - k)) & 0xffffffff) for k in range(count)]
   place = shift >> 5
   for bit in range(places.bit_length() - 1, -1, -1):
      words = choose(place, bit, words, min(len(words), needed + (1 << bit) - 1))
   within = shift & 31
   words = [select(within.equals(0), words[k], funnel_shr(words[k], words[k + 1], fmt.int32(32) - within))
            for k in range(needed - 1)]
   return quarter_turns(fmt, multiply(fmt, words, mantissa))


def multiply(fmt, words, mantissa):
   """The upper words of (words, highest first) * mantissa (lowest first), what is above them cut off;
   of the same length, the last one with an error of a few units."""
   result = [fmt.int32(0)] * len(words)
   for shift, factor in enumerate(mantissa):
      carry = fmt.raw64(0)
      for k in range(len(words) - 1, -1, -1):
         place = k - shift
         wide = umul_wide(words[k], factor) + carry
         if place >= 0:
            if shift:
               wide = wide + u2u(result[place], bits=64)
            result[place] = u2u(wide, bits=32)
         carry = wide >> 32
   return result


def quarter_turns(fmt, words):
   """n and r from a fixed-point number of quarter turns: words[0] is whole ones."""
   # To the nearest whole one: what is left is signed.
   top = words[1]
   up = top >> 31
   n = words[0] + up
   flip = fmt.int32(0) - up
   fraction = [w ^ flip for w in words[1:]]
   # The sign is restored at the end; half a unit of the last word is nothing.
   if fmt.bits == 32:
      joined = u2u(fraction[0], bits=64) << 32 | u2u(fraction[1], bits=64)
      # 2^-64 of it; the nearest number of 32 bits is within half of its last place.
      value = u2f(joined, bits=32) * fmt(Decimal(2) ** -64)
      r = value * fmt(HALF_PI)
   else:
      joined = u2u(fraction[0], bits=64) << 32 | u2u(fraction[1], bits=64)
      rest = u2u(fraction[2], bits=64) << 32 | u2u(fraction[3], bits=64)
      # Leading zeros go, so that all digits count.
      zeros = fmt.int32(63) - ufind_msb(joined)
      zeros = select(zeros > 63, fmt.int32(63), zeros)
      joined = select(zeros.equals(0), joined, funnel_shr(joined, rest, fmt.int32(64) - zeros))
      value = fldexp(u2f(joined, bits=64), fmt.int32(-64) - zeros)
      r = value * fmt(HALF_PI)
   return n, select(up.equals(0), r, -r)


@shared
def reduce(fmt, a):
   """n (its two low bits count) and r, for a from 0 on."""
   return branch(a >= LARGE[fmt.bits], lambda: reduce_large(fmt, a), reduce_medium(fmt, a))


def quadrant(sine, cosine, n):
   """The sine of n quarter turns and what the others are of."""
   value = select((n & 1).differs(0), cosine, sine)
   return select((n & 2).differs(0), -value, value)


@exact('sin', 'f:N x')
def sin(fmt, x):
   a = abs(x)
   n, r = reduce(fmt, a)
   value = quadrant(*sin_cos_series(fmt, r), n)
   value = select(x < 0.0, -value, value)
   # Zeros keep their sign.
   value = select(x.equals(0.0), x, value)
   return select(a < INFINITY, value, fmt(NAN))


@exact('cos', 'f:N x')
def cos(fmt, x):
   a = abs(x)
   n, r = reduce(fmt, a)
   value = quadrant(*sin_cos_series(fmt, r), n + 1)
   return select(a < INFINITY, value, fmt(NAN))


@exact('sincos', 'f:N x')
def sincos(fmt, x):
   a = abs(x)
   n, r = reduce(fmt, a)
   sine, cosine = sin_cos_series(fmt, r)
   s, c = quadrant(sine, cosine, n), quadrant(sine, cosine, n + 1)
   s = select(x.equals(0.0), x, select(x < 0.0, -s, s))
   there = a < INFINITY
   return select(there, s, fmt(NAN)), select(there, c, fmt(NAN))


@shared
def tan_of(fmt, sine, cosine, n):
   odd = (n & 1).differs(0)
   return divide(fmt, select(odd, -cosine, sine), select(odd, sine, cosine))


@exact('tan', 'f:N x')
def tan(fmt, x):
   a = abs(x)
   n, r = reduce(fmt, a)
   value = tan_of(fmt, *sin_cos_series(fmt, r), n)
   value = select(x < 0.0, -value, value)
   value = select(x.equals(0.0), x, value)
   return select(a < INFINITY, value, fmt(NAN))


# ---- half turns ---------------------------------------------------------------------------------

@shared
def reduce_pi(fmt, a):
   """Exact: of a half turns, n quarter turns and the rest in radians."""
   turns = ffract(a * 0.5)
   n = frint(turns * 4.0)
   # Of denormals a half would lose a bit.
   rest = select(a < 0.25, a, ffma(n, fmt(-0.25), turns) * 2.0)
   high, low = fmt.split(fit.PI)
   return f2i(n, bits=32), ffma(rest, fmt(high), rest * fmt(low))


@exact('sinpi', 'f:N x')
def sinpi(fmt, x):
   a = abs(x)
   n, r = reduce_pi(fmt, a)
   # A zero is +0 here: all of them take the sign of x.
   value = quadrant(*sin_cos_series(fmt, r), n) + 0.0
   return select(fcopysign(fmt(1.0), x) < 0.0, -value, value)


@exact('cospi', 'f:N x')
def cospi(fmt, x):
   n, r = reduce_pi(fmt, abs(x))
   return quadrant(*sin_cos_series(fmt, r), n + 1) + 0.0


@exact('tanpi', 'f:N x')
def tanpi(fmt, x):
   a = abs(x)
   n, r = reduce_pi(fmt, a)
   value = tan_of(fmt, *sin_cos_series(fmt, r), n)
   # Even n: 0, odd n: -0; and so infinities.
   turned = (n & 2).differs(0)
   value = select(r.equals(0.0), fcopysign(value, select(turned, fmt(-1.0), fmt(1.0))), value)
   return select(fcopysign(fmt(1.0), x) < 0.0, -value, value)


# ---- inverses -----------------------------------------------------------------------------------

@shared
def arcsin_series(fmt, z):
   return horner(fmt, z, fit.fit(arcsin_rest, 0, '0.25', 5 if fmt.bits == 32 else 13))


def arcsin_near(fmt, x):
   z = x * x
   return ffma(x * z, arcsin_series(fmt, z), x)


@shared
def arcsin_far(fmt, a):
   """2 arcsin(sqrt((1 - a) / 2)), which is arccos(a)."""
   z = (fmt(1.0) - a) * 0.5
   s = fsqrt(z)
   half = ffma(s * z, arcsin_series(fmt, z), s)
   return half + half


@shared
def arcsin_of(fmt, x):
   a = abs(x)
   high, low = fmt.split(HALF_PI)
   far = fmt(high) - (arcsin_far(fmt, a) - fmt(low))
   return fcopysign(select(a < 0.5, arcsin_near(fmt, a), far), x)


@shared
def arccos_of(fmt, x):
   high, low = fmt.split(HALF_PI)
   near = fmt(high) - (arcsin_near(fmt, x) - fmt(low))
   far = arcsin_far(fmt, abs(x))
   high, low = fmt.split(fit.PI)
   far = select(x < 0.0, fmt(high) - (far - fmt(low)), far)
   return select(abs(x) < 0.5, near, far)


@shared
def over_pi(fmt, r):
   high, low = fmt.split(1 / fit.PI)
   return ffma(r, fmt(high), r * fmt(low))


@exact('asin', 'f:N x')
def asin(fmt, x):
   return arcsin_of(fmt, x)


@exact('acos', 'f:N x')
def acos(fmt, x):
   return arccos_of(fmt, x)


@exact('asinpi', 'f:N x')
def asinpi(fmt, x):
   return fcopysign(over_pi(fmt, arcsin_of(fmt, x)), x)


@exact('acospi', 'f:N x')
def acospi(fmt, x):
   return over_pi(fmt, arccos_of(fmt, x))


@shared
def arctan_unit(fmt, t):
   """Of a number from 0 to 1."""
   z = t * t
   c = fit.fit(arctan_rest, 0, 1, 9 if fmt.bits == 32 else 22)
   return ffma(t * z, horner(fmt, z, c), t)


def arctan_rest(z):
   """(arctan x - x) / x^3 for z = x^2."""
   if z < Decimal('1e-15'):
      return Decimal(-1) / 3 + z / 5
   return (arctan_over(z) - 1) / z


@shared
def arctan_of(fmt, x):
   a = abs(x)
   outside = a > 1.0
   t = select(outside, divide(fmt, fmt(1.0), a), a)
   r = arctan_unit(fmt, t)
   high, low = fmt.split(HALF_PI)
   r = select(outside, fmt(high) - (r - fmt(low)), r)
   return fcopysign(r, x)


@exact('atan', 'f:N x')
def atan(fmt, x):
   return arctan_of(fmt, x)


@exact('atanpi', 'f:N x')
def atanpi(fmt, x):
   return fcopysign(over_pi(fmt, arctan_of(fmt, x)), x)


def arctan2_of(fmt, y, x, unit):
   """In radians, or in half turns."""
   ax, ay = abs(x), abs(y)
   large, small = fmax(ax, ay), fmin(ax, ay)
   t = fdiv(small, large)
   # Two infinities, two zeros.
   t = select(ax.equals(ay), select(large.equals(0.0), fmt(0.0), fmt(1.0)), t)
   r = arctan_unit(fmt, t)
   if unit != 1:
      r = over_pi(fmt, r)
   high, low = fmt.split(HALF_PI * unit)
   r = select(ay > ax, fmt(high) - (r - fmt(low)), r)
   high, low = fmt.split(fit.PI * unit)
   r = select(fcopysign(fmt(1.0), x) < 0.0, fmt(high) - (r - fmt(low)), r)
   return select(x.differs(x) | y.differs(y), x + y, fcopysign(r, y))


@exact('atan2', 'f:N y, f:N x')
def atan2(fmt, y, x):
   return arctan2_of(fmt, y, x, 1)


@exact('atan2pi', 'f:N y, f:N x')
def atan2pi(fmt, y, x):
   return arctan2_of(fmt, y, x, 1 / fit.PI)
