# SPDX-License-Identifier: MIT
"""Numbers to 60 digits, and polynomials fitted to functions.

A polynomial goes through the function at the zeros of a Chebyshev polynomial: within a few percent of
the best one. Where the error matters relative to the function, what is fitted is a quotient that stays
away from zero; `fit` says how large the error is, and math_*.py say how large it may be.
"""

from decimal import Decimal, getcontext
from functools import lru_cache

getcontext().prec = 60

TINY = Decimal(10) ** -58
LN2 = Decimal(2).ln()
LN10 = Decimal(10).ln()
LOG2_E = 1 / LN2
LOG2_10 = LN10 / LN2


def arctan(x):
   """Halved until the series is short."""
   x, doublings = Decimal(x), 0
   while abs(x) > Decimal('0.05'):
      x = x / (1 + (1 + x * x).sqrt())
      doublings += 1
   total, power, k = Decimal(0), x, 1
   while abs(power) > TINY:
      total += power / k
      power *= -x * x
      k += 2
   return total * 2 ** doublings


PI = 4 * arctan(1)


def expm1(x):
   x = Decimal(x)
   if abs(x) > 1:
      return x.exp() - 1
   total, term, k = Decimal(0), x, 1
   while abs(term) > TINY * abs(x):
      total += term
      k += 1
      term *= x / k
   return total


def log1p(x):
   """2 artanh(x / (2 + x))."""
   x = Decimal(x)
   s = x / (2 + x)
   if abs(s) > Decimal('0.3'):
      return (1 + x).ln()
   total, power, k = Decimal(0), s, 1
   while abs(power) > TINY * abs(s):
      total += power / k
      power *= s * s
      k += 2
   return 2 * total


def sin(x):
   total, term, k = Decimal(0), Decimal(x), 1
   while abs(term) > TINY:
      total += term
      term *= -Decimal(x) * x / ((k + 1) * (k + 2))
      k += 2
   return total


def cos(x):
   total, term, k = Decimal(0), Decimal(1), 0
   while abs(term) > TINY:
      total += term
      term *= -Decimal(x) * x / ((k + 1) * (k + 2))
      k += 2
   return total


def arcsin(x):
   x = Decimal(x)
   return arctan(x / (1 - x * x).sqrt())


def erf(x):
   """2 / sqrt(pi) e^-x^2 sum (2 x^2)^k x / (1 3 5 ... (2 k + 1)): all terms are positive."""
   x = Decimal(x)
   total, term, k = Decimal(0), x, 0
   while abs(term) > TINY * abs(total) or not k:
      total += term
      term *= 2 * x * x / (2 * k + 3)
      k += 1
   return total * 2 / PI.sqrt() * (-x * x).exp()


def erfcx(x):
   """e^x^2 erfc(x): by erf while enough digits are left, then by a continued fraction."""
   x = Decimal(x)
   if x < 3:
      return (x * x).exp() * (1 - erf(x))
   total = x
   for k in range(1200, 0, -1):
      total = x + Decimal(k) / 2 / total
   return 1 / (total * PI.sqrt())


BERNOULLI = [Decimal(n) / d for n, d in (
   (1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510), (43867, 798),
   (-174611, 330), (854513, 138), (-236364091, 2730), (8553103, 6), (-23749461029, 870),
   (8615841276005, 14322), (-7709321041217, 510))]


def stirling_rest(x):
   """ln gamma(x) - (x - 1/2) ln x + x - ln(2 pi) / 2, for x above 0."""
   x, shift = Decimal(x), Decimal(0)
   if x < 40:
      # From x to x + 1 it falls by (x + 1/2) ln(1 + 1 / x) - 1.
      shift = (x + Decimal('0.5')) * (1 + 1 / x).ln() - 1
      return shift + stirling_rest(x + 1)
   total, power = Decimal(0), 1 / x
   for k, b in enumerate(BERNOULLI, 1):
      total += b * power / (2 * k * (2 * k - 1))
      power /= x * x
   return total


def log_gamma(x):
   x = Decimal(x)
   return (x - Decimal('0.5')) * x.ln() - x + (2 * PI).ln() / 2 + stirling_rest(x)


@lru_cache(maxsize=None)
def fit(f, low, high, count):
   """`count` coefficients, lowest first, for `f` between `low` and `high`."""
   low, high = Decimal(low), Decimal(high)
   middle, half = (low + high) / 2, (high - low) / 2
   nodes = [middle + half * cos(PI * (2 * k + 1) / (2 * count)) for k in range(count)]
   # Newton's divided differences, then the powers.
   values = [f(x) for x in nodes]
   for step in range(1, count):
      for k in range(count - 1, step - 1, -1):
         values[k] = (values[k] - values[k - 1]) / (nodes[k] - nodes[k - step])
   powers = [Decimal(0)] * count
   for k in range(count - 1, -1, -1):
      powers = [Decimal(0)] + powers[:-1]
      for n in range(count - 1):
         powers[n] -= powers[n + 1] * nodes[k]
      powers[0] += values[k]
   return tuple(powers)


def error(f, low, high, coefficients, samples=33):
   """The largest difference, relative to f, near where it is expected."""
   low, high = Decimal(low), Decimal(high)
   worst = Decimal(0)
   for k in range(samples):
      x = low + (high - low) * k / (samples - 1)
      total = Decimal(0)
      for c in reversed(coefficients):
         total = total * x + c
      worst = max(worst, abs(total / f(x) - 1))
   return worst
