# SPDX-License-Identifier: MIT
"""Functions that take numbers apart, or choose: all are exact."""

from codegen.math.formats import INFINITY
from codegen.math.language import (as_float, as_int, fcopysign, ffloor, ffract, ffrexp_exp, fmax, fmin, function,
                           ftrunc, i2f, select)

ALL = (16, 32, 64)


@function('fdim', 'f:N x, f:N y')
def fdim(fmt, x, y):
   return select(x <= y, fmt(0.0), x - y)


@function('maxmag', 'f:N x, f:N y')
def maxmag(fmt, x, y):
   ax, ay = abs(x), abs(y)
   return select(ax > ay, x, select(ay > ax, y, fmax(x, y)))


@function('minmag', 'f:N x, f:N y')
def minmag(fmt, x, y):
   ax, ay = abs(x), abs(y)
   return select(ax < ay, x, select(ay < ax, y, fmin(x, y)))


@function('round', 'f:N x')
def round_(fmt, x):
   """Halves go away from zero."""
   whole = ftrunc(x)
   up = select(abs(x - whole) >= 0.5, fmt(1.0), fmt(0.0))
   return fcopysign(whole + fcopysign(up, x), x)


@function('fract', 'f:N x')
def fract(fmt, x):
   """What is above the floor, and the floor."""
   floor = ffloor(x)
   return select(x.equals(floor), fcopysign(fmt(0.0), x), ffract(x)), floor


@function('ilogb', 'f:N x')
def ilogb(fmt, x):
   most, least = fmt.int32(0x7fffffff), fmt.int32(-0x80000000)
   exponent = ffrexp_exp(x) - 1
   exponent = select(abs(x) < INFINITY, exponent, most)
   return select(x.equals(0.0), least, exponent)


@function('logb', 'f:N x')
def logb(fmt, x):
   a = abs(x)
   exponent = i2f(ffrexp_exp(x) - 1, bits=0)
   return select(x.equals(0.0), fmt(-INFINITY), select(a < INFINITY, exponent, a))


@function('nan', 'u:N code', ALL)
def nan(fmt, code):
   quiet = fmt.infinity_bits | fmt.infinity_bits >> 1 & ~fmt.infinity_bits
   return as_float(code & ((1 << fmt.bits - 1) - 1) | quiet)


@function('nextafter', 'f:N x, f:N y', ALL)
def nextafter(fmt, x, y):
   bits = as_int(x)
   away = (x < y) ^ (bits < 0)
   near = select(away, bits + 1, bits - 1)
   least = as_int(fcopysign(as_float(fmt.raw(1)), y))
   result = as_float(select(x.equals(0.0), least, near))
   result = select(x.equals(y), y, result)
   return select(x.differs(x) | y.differs(y), x + y, result)
