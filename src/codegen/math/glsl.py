# SPDX-License-Identifier: MIT
"""Functions as exact as Vulkan asks, and as short: what the machine has, and small polynomials.

What Vulkan defines by other functions is allowed their errors. The native_ functions of OpenCL are
these too.
"""

from decimal import Decimal

from codegen.math import fit as fit
from codegen.math.language import (dot, fcopysign, fcos, fexp2, ffma, ffrexp_exp,
                           ffrexp_sig, fldexp, flog2, fmax, fmin, frcp, frsq, fsat, fsin, fsqrt, ftrunc,
                           function, select)

SMALL = (16, 32)
HALF_PI = fit.PI / 2


def horner(fmt, x, coefficients):
   """A polynomial, coefficients from the lowest."""
   total = fmt(coefficients[-1])
   for c in reversed(coefficients[:-1]):
      total = ffma(total, x, fmt(c))
   return total


# ---- angles ---------------------------------------------------------------------------------

@function('radians', 'f:N degrees')
def radians(fmt, x):
   return x * fmt(fit.PI / 180)


@function('degrees', 'f:N radians')
def degrees(fmt, x):
   return x * fmt(180 / fit.PI)


@function('fast_sin', 'f:N x', SMALL)
def fast_sin(fmt, x):
   return fsin(x * fmt(1 / (2 * fit.PI)))


@function('fast_cos', 'f:N x', SMALL)
def fast_cos(fmt, x):
   return fcos(x * fmt(1 / (2 * fit.PI)))


@function('fast_tan', 'f:N x', SMALL)
def fast_tan(fmt, x):
   turns = x * fmt(1 / (2 * fit.PI))
   return fsin(turns) * frcp(fcos(turns))


def arccos_over_root(x):
   """arccos(x) / sqrt(1 - x)."""
   if 1 - x < Decimal('1e-20'):
      return Decimal(2).sqrt()
   return (HALF_PI - fit.arcsin(x)) / (1 - x).sqrt()


def arcsin_rest(z):
   """(arcsin(x) - x) / x^3 for z = x^2, by its series."""
   total, term, k = Decimal(0), Decimal(1), 0
   while abs(term) > fit.TINY:
      term *= Decimal(2 * k + 1) * (2 * k + 1) / ((2 * k + 2) * (2 * k + 3))
      total += term
      term *= z
      k += 1
   return total


def fast_arccos(fmt, a):
   """Of a number from 0 to 1."""
   return fsqrt(fmt(1.0) - a) * horner(fmt, a, fit.fit(arccos_over_root, 0, 1, 5))


@function('fast_acos', 'f:N x', (32,))
def fast_acos(fmt, x):
   r = fast_arccos(fmt, abs(x))
   return select(x < 0.0, fmt(fit.PI) - r, r)


@function('fast_asin', 'f:N x', (32,))
def fast_asin(fmt, x):
   a, z = abs(x), x * x
   near = ffma(a * z, horner(fmt, z, fit.fit(arcsin_rest, 0, '0.25', 3)), a)
   return fcopysign(select(a < 0.5, near, fmt(HALF_PI) - fast_arccos(fmt, a)), x)


def arctan_over(z):
   """arctan(x) / x for z = x^2."""
   return fit.arctan(z.sqrt()) / z.sqrt() if z > Decimal('1e-40') else 1 - z / 3


def fast_arctan(fmt, t):
   """Of a number from 0 to 1."""
   return t * horner(fmt, t * t, fit.fit(arctan_over, 0, 1, 7))


@function('fast_atan', 'f:N x', (32,))
def fast_atan(fmt, x):
   a = abs(x)
   r = fast_arctan(fmt, fmin(a, 1.0) * frcp(fmax(a, 1.0)))
   return fcopysign(select(a > 1.0, fmt(HALF_PI) - r, r), x)


@function('fast_atan2', 'f:N y, f:N x', (32,))
def fast_atan2(fmt, y, x):
   ax, ay = abs(x), abs(y)
   large, small = fmax(ax, ay), fmin(ax, ay)
   # What is too large has a reciprocal that machines make 0.
   scale = select(large > 2.0**100, fmt(2.0**-60), fmt(1.0))
   quotient = (small * scale) * frcp(large * scale)
   # Infinities, and a pair of zeros.
   t = select(ax.equals(ay), select(large.equals(0.0), fmt(0.0), fmt(1.0)), quotient)
   r = fast_arctan(fmt, t)
   r = select(ay > ax, fmt(HALF_PI) - r, r)
   # A quotient that is too small is 0, and so is its difference from pi.
   r = select(fcopysign(fmt(1.0), x) < 0.0, fmt(fit.PI) - r, r)
   return fcopysign(r, y)


# ---- powers ---------------------------------------------------------------------------------

@function('fast_exp', 'f:N x', SMALL)
def fast_exp(fmt, x):
   return fexp2(x * fmt(fit.LOG2_E))


@function('fast_exp10', 'f:N x', SMALL)
def fast_exp10(fmt, x):
   return fexp2(x * fmt(fit.LOG2_10))


@function('fast_log', 'f:N x', SMALL)
def fast_log(fmt, x):
   return flog2(x) * fmt(fit.LN2)


@function('fast_log10', 'f:N x', SMALL)
def fast_log10(fmt, x):
   return flog2(x) * fmt(1 / fit.LOG2_10)


@function('fast_pow', 'f:N x, f:N y', SMALL)
def fast_pow(fmt, x, y):
   return fexp2(y * flog2(x))


@function('fast_divide', 'f:N x, f:N y', SMALL)
def fast_divide(fmt, x, y):
   return x * frcp(y)


# 16 bits are too few for e^x in between.
@function('fast_sinh', 'f:N x', (32,))
def fast_sinh(fmt, x):
   e = fmt(fit.LOG2_E)
   return fexp2(ffma(x, e, fmt(-1.0))) - fexp2(ffma(-x, e, fmt(-1.0)))


@function('fast_cosh', 'f:N x', (32,))
def fast_cosh(fmt, x):
   e = fmt(fit.LOG2_E)
   return fexp2(ffma(x, e, fmt(-1.0))) + fexp2(ffma(-x, e, fmt(-1.0)))


@function('fast_tanh', 'f:N x', (32,))
def fast_tanh(fmt, x):
   return ffma(fmt(-2.0), frcp(fexp2(x * fmt(2 * fit.LOG2_E)) + 1.0), fmt(1.0))


@function('fast_asinh', 'f:N x', (32,))
def fast_asinh(fmt, x):
   a = abs(x)
   return fcopysign(flog2(a + fsqrt(ffma(a, a, fmt(1.0)))) * fmt(fit.LN2), x)


@function('fast_acosh', 'f:N x', (32,))
def fast_acosh(fmt, x):
   return flog2(x + fsqrt(ffma(x, x, fmt(-1.0)))) * fmt(fit.LN2)


@function('fast_atanh', 'f:N x', (32,))
def fast_atanh(fmt, x):
   return flog2((fmt(1.0) + x) * frcp(fmt(1.0) - x)) * fmt(fit.LN2 / 2)


# ---- common ---------------------------------------------------------------------------------

@function('fclamp', 'f:N x, f:N low, f:N high')
def fclamp(fmt, x, low, high):
   return fmin(fmax(x, low), high)


@function('mix', 'f:N x, f:N y, f:N a')
def mix(fmt, x, y, a):
   return ffma(a, y, ffma(-a, x, x))


@function('step', 'f:N edge, f:N x')
def step(fmt, edge, x):
   return select(x < edge, fmt(0.0), fmt(1.0))


@function('smoothstep', 'f:N low, f:N high, f:N x')
def smoothstep(fmt, low, high, x):
   t = fsat((x - low) * frcp(high - low))
   return (t * t) * ffma(t, fmt(-2.0), fmt(3.0))


@function('mix_straight', 'f:N x, f:N y, f:N a')
def mix_straight(fmt, x, y, a):
   return ffma(y - x, a, x)


@function('ldexp', 'f:N x, i:32 exponent')
def ldexp(fmt, x, exponent):
   return fldexp(x, exponent)


@function('modf', 'f:N x')
def modf(fmt, x):
   """What is behind the point, and the rest; both have the sign."""
   whole = ftrunc(x)
   part = select(x.equals(whole), fmt(0.0), x - whole)
   return fcopysign(part, x), whole


@function('frexp', 'f:N x')
def frexp(fmt, x):
   return ffrexp_sig(x), ffrexp_exp(x)


# ---- vectors --------------------------------------------------------------------------------

@function('length', 'f:N x')
def length(fmt, x):
   return fsqrt(dot(x, x))


@function('distance', 'f:N x, f:N y')
def distance(fmt, x, y):
   d = x - y
   return fsqrt(dot(d, d))


@function('normalize', 'f:N x')
def normalize(fmt, x):
   return x * frsq(dot(x, x))


@function('face_forward', 'f:N n, f:N i, f:N reference')
def face_forward(fmt, n, i, reference):
   return select(dot(reference, i) < 0.0, n, -n)


@function('reflect', 'f:N i, f:N n')
def reflect(fmt, i, n):
   return ffma(n, dot(n, i) * -2.0, i)


@function('refract', 'f:N i, f:N n, f:N eta')
def refract(fmt, i, n, eta):
   d = dot(n, i)
   k = ffma(-(eta * eta), ffma(-d, d, fmt(1.0)), fmt(1.0))
   bent = ffma(-ffma(eta, d, fsqrt(k)), n, eta * i)
   return select(k < 0.0, fmt(0.0), bent)
