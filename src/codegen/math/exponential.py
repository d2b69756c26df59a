# SPDX-License-Identifier: MIT
"""Powers, exponentials, logarithms and hyperbolic functions, as exact as OpenCL asks.

32 bits take 2^x and log2 x of the machine, to within a unit of the last place each; 64 bits, and what
needs more, take polynomials. x = m 2^k with m between 1/sqrt 2 and sqrt 2 is where logarithms begin.
"""

from decimal import Decimal

from codegen.math import fit as fit
from codegen.math.formats import INFINITY, NAN
from codegen.math.glsl import horner
from codegen.math.language import (f2f, f2i, fcopysign, fdiv, fexp2, ffma, ffract, ffrexp_exp, ffrexp_sig, fldexp,
                           flog2, fmax, fmed3, fmin, frcp, frint, fsqrt, ftrunc, function, i2f, select,
                           shared)

BOTH = (32, 64)


def exact(name, parameters, sizes=BOTH):
   return function(name, parameters, sizes, exact=True)


# ---- sums and products in two parts -----------------------------------------------------------

def two_product(x, y):
   high = x * y
   return high, ffma(x, y, -high)


def two_sum(x, y):
   """x is the larger, or 0."""
   high = x + y
   return high, y - (high - x)


def divide(fmt, x, y):
   """To within two units or so; what is next to the ends of the range is left to fdiv."""
   return fdiv(x, y) if fmt.bits == 64 else x * frcp(y)


# ---- exponentials -----------------------------------------------------------------------------

def exp_limit(fmt):
   """Past this e^x is infinite, and e^-x is 0."""
   return 104.0 if fmt.bits == 32 else 746.0


def exp_rest(r):
   """(e^r - 1 - r) / r^2."""
   if abs(r) < Decimal('1e-20'):
      return Decimal('0.5') + r / 6
   return (fit.expm1(r) - r) / (r * r)


@shared
def reduce_exp(fmt, x):
   """x = n ln 2 + r, n as a number; |r| up to a bit more than ln 2 / 2."""
   n = frint(x * fmt(fit.LOG2_E))
   high, low = fmt.split(fit.LN2)
   return n, ffma(n, fmt(-low), ffma(n, fmt(-high), x))


@shared
def exp_series(fmt, r):
   """e^r - 1 for small r."""
   c = fit.fit(exp_rest, '-0.35', '0.35', 6 if fmt.bits == 32 else 12)
   return ffma(r * r, horner(fmt, r, c), r)


@shared
def exp_sum(fmt, high, low, shift=0, most=1):
   """2^shift e^(high + low), low being a correction; |shift| is `most` at most."""
   limit = exp_limit(fmt) + most
   held = fmed3(high, fmt(-limit), fmt(limit))
   n, r = reduce_exp(fmt, held)
   r = r + select(abs(high) < limit, low, fmt(0.0))
   p = exp_series(fmt, r) + 1.0
   count = f2i(n, bits=32)
   result = fldexp(p, count if isinstance(shift, int) and not shift else count + shift)
   return select(high.differs(high), high, result)


def exp_of_base(fmt, x, log2_base, limit):
   """32 bits: 2^(h + l), with the product in two parts."""
   h = fmed3(x, fmt(-limit), fmt(limit))
   first, second = fmt.split(log2_base)
   high, low = two_product(h, fmt(first))
   low = ffma(h, fmt(second), low)
   n = frint(high)
   result = fldexp(fexp2((high - n) + low), f2i(n, bits=32))
   return select(x.differs(x), x, result)


@exact('exp', 'f:N x')
def exp(fmt, x):
   if fmt.bits == 32:
      return exp_of_base(fmt, x, fit.LOG2_E, 105)
   n, r = reduce_exp(fmt, fmed3(x, fmt(-746.0), fmt(746.0)))
   return select(x.differs(x), x, fldexp(exp_series(fmt, r) + 1.0, f2i(n, bits=32)))


@exact('exp2', 'f:N x')
def exp2(fmt, x):
   if fmt.bits == 32:
      return fexp2(x)
   held = fmed3(x, fmt(-1080.0), fmt(1080.0))
   n = frint(held)
   high, low = fmt.split(fit.LN2)
   part = held - n
   r, rest = two_product(part, fmt(high))
   series = exp_series(fmt, r) + ffma(part, fmt(low), rest)
   return select(x.differs(x), x, fldexp(series + 1.0, f2i(n, bits=32)))


@exact('exp10', 'f:N x')
def exp10(fmt, x):
   if fmt.bits == 32:
      return exp_of_base(fmt, x, fit.LOG2_10, 46)
   held = fmed3(x, fmt(-325.0), fmt(325.0))
   n = frint(held * fmt(fit.LOG2_10))
   high, low = fmt.split(1 / fit.LOG2_10)
   part = ffma(n, fmt(-low), ffma(n, fmt(-high), held))
   high, low = fmt.split(fit.LN10)
   r, rest = two_product(part, fmt(high))
   series = exp_series(fmt, r) + ffma(part, fmt(low), rest)
   return select(x.differs(x), x, fldexp(series + 1.0, f2i(n, bits=32)))


@shared
def expm1_of(fmt, x):
   """Twice what is half as large, so that nothing overflows too early."""
   limit = 89.0 if fmt.bits == 32 else 710.0
   n, r = reduce_exp(fmt, fmed3(x, fmt(-limit), fmt(limit)))
   half = fldexp(fmt(0.5), f2i(n, bits=32))
   result = ffma(exp_series(fmt, r), half, half - 0.5)
   result = result + result
   return select(x.differs(x), x, result)


@exact('expm1', 'f:N x')
def expm1(fmt, x):
   # It is x itself where it is small, with its sign.
   return select(abs(x) < (1e-20 if fmt.bits == 64 else 1e-10), x, expm1_of(fmt, x))


# ---- logarithms -------------------------------------------------------------------------------

def log_rest(z):
   """(ln m - 2 s) / s^3 with s = (m - 1) / (m + 1), z = s^2."""
   total, power, k = Decimal(0), Decimal(1), 3
   while power > fit.TINY or k == 3:
      total += 2 * power / k
      power *= z
      k += 2
   return total


@shared
def split_number(fmt, x):
   """x = m 2^k, m between 1/sqrt 2 and sqrt 2; k as an integer."""
   m, k = ffrexp_sig(x), ffrexp_exp(x)
   small = m < 0.70710678
   return select(small, m + m, m), select(small, k - 1, k)


@shared
def log1p_series(fmt, f):
   """ln(1 + f) = f - rest, for 1 + f between 1/sqrt 2 and sqrt 2: rest."""
   s = f * frcp(f + 2.0)
   z = s * s
   c = fit.fit(log_rest, 0, '0.0296', 4 if fmt.bits == 32 else 9)
   half = f * f * 0.5
   return half - s * ffma(z, horner(fmt, z, c), half)


@shared
def log_edges(fmt, x, result):
   result = select(x < INFINITY, result, x)
   result = select(x.equals(0.0), fmt(-INFINITY), result)
   return select(x < 0.0, fmt(NAN), result)


@shared
def log_base(fmt, x, per_octave, factor):
   """k per_octave + factor ln m, each in two parts."""
   m, k = split_number(fmt, x)
   f = m - 1.0
   rest = log1p_series(fmt, f)
   k = i2f(k, bits=fmt.bits)
   k_high, k_low = fmt.split(per_octave, spare=12)
   if factor == 1:
      high, low = f, -rest
   else:
      first, second = fmt.split(factor)
      high, low = two_product(f, fmt(first))
      low = low + ffma(f, fmt(second), -rest * fmt(first))
   total, error = two_sum(k * fmt(k_high), high)
   return log_edges(fmt, x, total + (error + ffma(k, fmt(k_low), low)))


@shared
def log_by_machine(fmt, x, factor):
   y = flog2(x)
   first, second = fmt.split(factor)
   high, low = two_product(y, fmt(first))
   result = high + ffma(y, fmt(second), low)
   return select(abs(y) < INFINITY, result, y)


@exact('log', 'f:N x')
def log(fmt, x):
   if fmt.bits == 32:
      return log_by_machine(fmt, x, fit.LN2)
   return log_base(fmt, x, fit.LN2, 1)


@exact('log2', 'f:N x')
def log2(fmt, x):
   if fmt.bits == 32:
      return flog2(x)
   return log_base(fmt, x, Decimal(1), fit.LOG2_E)


@exact('log10', 'f:N x')
def log10(fmt, x):
   if fmt.bits == 32:
      return log_by_machine(fmt, x, 1 / fit.LOG2_10)
   return log_base(fmt, x, 1 / fit.LOG2_10, 1 / fit.LN10)


@shared
def log1p_of(fmt, x):
   """Of a number from -1 on; what is smaller, or infinite, is nobody's business."""
   _, k = split_number(fmt, x + 1.0)
   # (1 + x) / 2^k - 1: one rounding that matters.
   f = fldexp(x, -k) + (fldexp(fmt(1.0), -k) - 1.0)
   k = i2f(k, bits=fmt.bits)
   high, low = fmt.split(fit.LN2, spare=12)
   total, error = two_sum(k * fmt(high), f)
   return total + (error + ffma(k, fmt(low), -log1p_series(fmt, f)))


@exact('log1p', 'f:N x')
def log1p(fmt, x):
   result = select(x < INFINITY, log1p_of(fmt, x), x)
   result = select(abs(x) < (1e-20 if fmt.bits == 64 else 1e-10), x, result)
   result = select(x.equals(-1.0), fmt(-INFINITY), result)
   return select(x < -1.0, fmt(NAN), result)


# ---- powers -----------------------------------------------------------------------------------

@shared
def log_in_parts(fmt, x):
   """ln x of a positive number, in two parts with some ten bits more than one has."""
   m, k = split_number(fmt, x)
   f = m - 1.0
   # s = f / (m + 1), whose second part makes up for what the first one lost.
   d = m + 1.0
   d_low = select(m < 1.0, m - (d - 1.0), (fmt(1.0) - (d - m)))
   inverse = frcp(d)
   s = f * inverse
   s_low = ffma(-s, d_low, ffma(-s, d, f)) * inverse
   z, z_low = two_product(s, s)
   z_low = ffma(s + s, s_low, z_low)
   c = fit.fit(log_rest, 0, '0.0296', 5 if fmt.bits == 32 else 10)
   first, second = fmt.split(c[0])
   inner, inner_low = two_sum(fmt(first), z * horner(fmt, z, c[1:]))
   inner_low = inner_low + fmt(second)
   r, r_low = two_product(z, inner)
   r_low = ffma(z, inner_low, ffma(z_low, inner, r_low))
   # ln m = s (2 + r)
   t, t_low = two_sum(fmt(2.0), r)
   t_low = t_low + r_low
   high, low = two_product(s, t)
   low = ffma(s, t_low, ffma(s_low, t, low))
   k = i2f(k, bits=fmt.bits)
   k_high, k_low = fmt.split(fit.LN2, spare=12)
   total, error = two_sum(k * fmt(k_high), high)
   low = error + ffma(k, fmt(k_low), low)
   return two_sum(total, low)


@shared
def power(fmt, x, y, y_low=None):
   """x^(y + y_low) for positive x."""
   high, low = log_in_parts(fmt, x)
   p, p_low = two_product(y, high)
   p_low = ffma(y, low, p_low)
   if y_low is not None:
      p_low = ffma(y_low, high, p_low)
   return exp_sum(fmt, p, p_low)


@shared
def power_edges(fmt, a, y, result):
   """|x|^y where one of them is 0 or infinite: 0, 1 or infinity."""
   extreme = select((a < 1.0) ^ (y < 0.0), fmt(0.0), fmt(INFINITY))
   extreme = select(a.equals(1.0), fmt(1.0), extreme)
   at_edge = a.equals(0.0) | a.equals(INFINITY) | abs(y).equals(INFINITY)
   return select(at_edge, extreme, result)


@exact('pow', 'f:N x, f:N y')
def pow_(fmt, x, y):
   a = abs(x)
   result = power_edges(fmt, a, y, power(fmt, a, y))
   whole = ftrunc(y).equals(y)
   odd = whole & ffract(y * 0.5).differs(0.0) & (abs(y) < INFINITY)
   result = select(odd, fcopysign(result, x), result)
   result = select((x < 0.0) & ~whole & (a < INFINITY), fmt(NAN), result)
   result = select(x.differs(x) | y.differs(y), x + y, result)
   return select(y.equals(0.0) | x.equals(1.0), fmt(1.0), result)


@exact('powr', 'f:N x, f:N y')
def powr(fmt, x, y):
   result = power_edges(fmt, abs(x), y, power(fmt, abs(x), y))
   result = select(y.equals(0.0), fmt(1.0), result)
   # 0^0, inf^0, 1^inf, and what is below 0.
   edge = x.equals(0.0) | x.equals(INFINITY)
   bad = (edge & y.equals(0.0)) | (x.equals(1.0) & abs(y).equals(INFINITY)) | (x < 0.0)
   result = select(bad, fmt(NAN), result)
   return select(x.differs(x) | y.differs(y), x + y, result)


def whole_parts(fmt, n):
   """An integer of 32 bits in two parts."""
   high = i2f(n, bits=fmt.bits)
   if fmt.bits == 64:
      return high, None
   upper = i2f(n & -0x10000, bits=32)
   lower = i2f(n & 0xffff, bits=32)
   high = upper + lower
   return high, lower - (high - upper)


@exact('pown', 'f:N x, i:32 n')
def pown(fmt, x, n):
   a = abs(x)
   y, y_low = whole_parts(fmt, n)
   result = power_edges(fmt, a, y, power(fmt, a, y, y_low))
   result = select((n & 1).equals(0), result, fcopysign(result, x))
   result = select(x.differs(x), x, result)
   return select(n.equals(0), fmt(1.0), result)


@exact('rootn', 'f:N x, i:32 n')
def rootn(fmt, x, n):
   a = abs(x)
   y, _ = whole_parts(fmt, n)
   inverse = frcp(y)
   inverse_low = ffma(-inverse, y, fmt(1.0)) * inverse
   even = (n & 1).equals(0)
   result = power_edges(fmt, a, y, power(fmt, a, inverse, inverse_low))
   result = select(even, result, fcopysign(result, x))
   bad = n.equals(0) | (even & (x < 0.0))
   result = select(bad, fmt(NAN), result)
   return select(x.differs(x), x, result)


@exact('cbrt', 'f:N x')
def cbrt(fmt, x):
   """A root of 32 bits to begin with, made better by what its cube is off."""
   m, k = ffrexp_sig(abs(x)), ffrexp_exp(x)
   # k = 3 q + r, r from 0 to 2; k + 1536 is positive.
   q = ((k + 1536) * 43691 >> 17) - 512
   m = fldexp(m, k - q * 3)
   narrow = m if fmt.bits == 32 else f2f(m, bits=32)
   y = fexp2(flog2(narrow) * (1 / 3.0))
   if fmt.bits == 64:
      y = f2f(y, bits=64)
      # 24 bits, 48 bits.
      y = y + divide(fmt, ffma(-(y * y), y, m), (y * y) * 3.0)
   square, low = two_product(y, y)
   off = ffma(-low, y, ffma(-square, y, m))
   y = ffma(off, frcp(square * 3.0), y)
   # Zeros, infinities and NaN are their own roots.
   plain = (abs(x) < INFINITY) & x.differs(0.0)
   return select(plain, fcopysign(fldexp(y, q), x), x)


@exact('hypot', 'f:N x, f:N y')
def hypot(fmt, x, y):
   ax, ay = abs(x), abs(y)
   large, small = fmax(ax, ay), fmin(ax, ay)
   k = ffrexp_exp(large)
   # Scaled one by one: both may be denormal, or next to the largest.
   large, small = fldexp(large, -k), fldexp(small, -k)
   result = fldexp(fsqrt(ffma(large, large, small * small)), k)
   result = select(x.differs(x) | y.differs(y), x + y, result)
   return select(ax.equals(INFINITY) | ay.equals(INFINITY), fmt(INFINITY), result)


# ---- hyperbolic functions -----------------------------------------------------------------------

def sinh_rest(z):
   """(sinh x - x) / x^3 for z = x^2."""
   total, term, k = Decimal(0), Decimal(1) / 6, 3
   while term > fit.TINY:
      total += term
      term *= z / ((k + 1) * (k + 2))
      k += 2
   return total


def tanh_rest(z):
   """(tanh x - x) / x^3 for z = x^2."""
   if z < Decimal('1e-15'):
      return Decimal(-1) / 3 + 2 * z / 15
   x = z.sqrt()
   e = fit.expm1(2 * x)
   return (e / (e + 2) - x) / (x * z)


@shared
def half_exp(fmt, a):
   """e^a / 2, which does not overflow where its double does."""
   return exp_sum(fmt, a, fmt(0.0), -1)


@exact('sinh', 'f:N x')
def sinh(fmt, x):
   a, z = abs(x), x * x
   near = ffma(a * z, horner(fmt, z, fit.fit(sinh_rest, 0, 1, 4 if fmt.bits == 32 else 8)), a)
   e = half_exp(fmt, a)
   return fcopysign(select(a < 1.0, near, e - divide(fmt, fmt(0.25), e)), x)


@exact('cosh', 'f:N x')
def cosh(fmt, x):
   e = half_exp(fmt, abs(x))
   return e + divide(fmt, fmt(0.25), e)


@exact('tanh', 'f:N x')
def tanh(fmt, x):
   a, z = abs(x), x * x
   near = ffma(a * z, horner(fmt, z, fit.fit(tanh_rest, 0, '0.36', 5 if fmt.bits == 32 else 10)), a)
   e = half_exp(fmt, a + a)
   far = fmt(1.0) - divide(fmt, fmt(1.0), e + 0.5)
   return fcopysign(select(a < 0.6, near, far), x)


@shared
def large_log(fmt, a):
   """ln 2a of a large number."""
   result = log_base(fmt, a, fit.LN2, 1) if fmt.bits == 64 else log_by_machine(fmt, a, fit.LN2)
   return result + fmt(fit.LN2)


@exact('asinh', 'f:N x')
def asinh(fmt, x):
   a = abs(x)
   big = a > (1e9 if fmt.bits == 64 else 1e5)
   held = select(big, fmt(1.0), a)
   z = held * held
   near = log1p_of(fmt, held + divide(fmt, z, fsqrt(z + 1.0) + 1.0))
   near = select(a < (1e-10 if fmt.bits == 64 else 1e-5), a, near)
   return fcopysign(select(big, large_log(fmt, a), select(a.differs(a), a, near)), x)


@exact('acosh', 'f:N x')
def acosh(fmt, x):
   big = x > (1e9 if fmt.bits == 64 else 1e5)
   t = select(big, fmt(1.0), x - 1.0)
   near = log1p_of(fmt, t + fsqrt(ffma(t, t, t + t)))
   result = select(big, large_log(fmt, x), near)
   return select(x >= 1.0, result, fmt(NAN))


@exact('atanh', 'f:N x')
def atanh(fmt, x):
   a = abs(x)
   t = a + a
   near = log1p_of(fmt, t + divide(fmt, t * a, fmt(1.0) - a)) * 0.5
   near = select(a < (1e-10 if fmt.bits == 64 else 1e-5), a, near)
   near = select(a.equals(1.0), fmt(INFINITY), near)
   return fcopysign(select(a <= 1.0, near, fmt(NAN)), x)
