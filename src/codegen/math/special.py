# SPDX-License-Identifier: MIT
"""Error and gamma functions, remainders, and lengths of vectors, as exact as OpenCL asks."""

from decimal import Decimal

from codegen.math import fit as fit
from codegen.math.circle import quadrant, reduce_pi, sin_cos_series
from codegen.math.exponential import (divide, exact, exp_sum, log_base, log_by_machine, log_in_parts, two_product,
                              two_sum)
from codegen.math.formats import INFINITY, NAN
from codegen.math.glsl import horner
from codegen.math.language import (dot, f2i, fceil, fcopysign, fdiv, ffloor, ffma, ffract, ffrexp_exp, ffrexp_sig,
                           fldexp, fmax, fmin, frcp, frint, frsq, fsqrt, imax, imin, largest, repeat, select,
                           shared)


# ---- error functions --------------------------------------------------------------------------

def erf_over(z):
   """erf(x) / x for z = x^2."""
   if z < Decimal('1e-30'):
      return 2 / fit.PI.sqrt() * (1 - z / 3)
   return fit.erf(z.sqrt()) / z.sqrt()


def erfcx_of_t(t):
   """(1 + 2 a) e^a^2 erfc(a) for a = 2 (1 + t) / (1 - t)."""
   a = 2 * (1 + t) / (1 - t)
   return (1 + 2 * a) * fit.erfcx(a)


@shared
def erfc_far(fmt, a):
   """Of a number from 1/2 on: e^-a^2 (what is left), which is smooth over (a - 2) / (a + 2)."""
   most = Decimal('10.1') if fmt.bits == 32 else Decimal('27.3')
   a = fmin(a, fmt(most))
   low_t, high_t = (Decimal('0.5') - 2) / Decimal('2.5'), (most - 2) / (most + 2)
   # (1 + 2 a) and the quotient need no more than one division.
   t = divide(fmt, a - 2.0, a + 2.0)
   c = fit.fit(erfcx_of_t, str(low_t), str(high_t), 11 if fmt.bits == 32 else 24)
   rest = divide(fmt, horner(fmt, t, c), ffma(a, fmt(2.0), fmt(1.0)))
   square, low = two_product(a, a)
   return exp_sum(fmt, -square, -low) * rest


@shared
def erf_near(fmt, x):
   z = x * x
   return x * horner(fmt, z, fit.fit(erf_over, 0, 1, 8 if fmt.bits == 32 else 16))


@exact('erf', 'f:N x')
def erf(fmt, x):
   a = abs(x)
   far = fcopysign(fmt(1.0) - erfc_far(fmt, a), x)
   return select(x.differs(x), x, select(a < 1.0, erf_near(fmt, x), far))


@exact('erfc', 'f:N x')
def erfc(fmt, x):
   far = erfc_far(fmt, abs(x))
   far = select(x < 0.0, fmt(2.0) - far, far)
   far = select(x > (10.1 if fmt.bits == 32 else 27.3), fmt(0.0), far)
   return select(x.differs(x), x, select(abs(x) < 0.5, fmt(1.0) - erf_near(fmt, x), far))


# ---- gamma functions --------------------------------------------------------------------------

def stirling_start(fmt):
   return 4 if fmt.bits == 32 else 9


def stirling_of_z(z):
   """x times Stirling's rest, for z = 1 / x^2."""
   if z < Decimal('1e-12'):
      return Decimal(1) / 12 - z / 360
   x = 1 / z.sqrt()
   return x * fit.stirling_rest(x)


@shared
def stirling_series(fmt, x):
   start = stirling_start(fmt)
   inverse = frcp(x)
   z = inverse * inverse
   c = fit.fit(stirling_of_z, 0, str(Decimal(1) / (start * start)), 4 if fmt.bits == 32 else 10)
   return inverse * horner(fmt, z, c)


@shared
def climb(fmt, y):
   """y + n, at least where Stirling's series begins, what rounding it lost, and
   y (y + 1) ... (y + n - 1)."""
   start = stirling_start(fmt)
   n = fmax(fceil(fmt(float(start)) - y), 0.0)
   product = y
   for k in range(1, start):
      product = product * select(n > float(k), y + float(k), fmt(1.0))
   up = y + n
   return up, y - (up - n), select(n > 0.0, product, fmt(1.0))


@exact('tgamma', 'f:N x')
def tgamma(fmt, x):
   """gamma(x) gamma(1 - x) = pi / sin(pi x) for what is below 1/2. gamma is e^(ln gamma), which is
   needed in two parts; of 1 - x its inverse is taken, so that it is small where the result is."""
   below = x < 0.5
   y = select(below, fmt(1.0) - x, x)
   most = 200.0 if fmt.bits == 64 else 60.0
   lost = select(below, (fmt(1.0) - y) - x, fmt(0.0))
   y, lost_above, product = climb(fmt, fmin(y, fmt(most)))
   lost = lost + lost_above
   high, low = log_in_parts(fmt, y)
   # (y - 1/2) ln y - y + ln(2 pi) / 2 + the series; the first is the largest but for small y, where
   # the sum is small too.
   h = y - 0.5
   p, p_low = two_product(h, high)
   p_low = ffma(h, low, p_low)
   first, second = fmt.split((2 * fit.PI).ln() / 2)
   e, error = two_sum(p, -y)
   total, error2 = two_sum(e, fmt(first))
   # What y lost counts as often as ln gamma rises, which is about ln y.
   rest = stirling_series(fmt, y) + (error + error2 + ffma(lost, high, p_low) + fmt(second))
   # Out of the way of both ends of the range: of what is small here, the sine may be small too.
   sign = select(below, fmt(-1.0), fmt(1.0))
   power = exp_sum(fmt, total * sign, rest * sign, select(below, fmt.int32(64), fmt.int32(-32)), 64)
   n, r = reduce_pi(fmt, abs(x))
   sine = quadrant(*sin_cos_series(fmt, r), n)
   sine = select(x < 0.0, -sine, sine)
   reflected = power * product * fmt(fit.PI)
   result = divide(fmt, select(below, reflected, power), select(below, sine, product))
   result = fldexp(result, select(below, fmt.int32(-64), fmt.int32(32)))
   tiny = abs(x) < (1e-7 if fmt.bits == 32 else 1e-15)
   result = select(tiny, fdiv(fmt(1.0), x), result)
   result = select(x < (-45.0 if fmt.bits == 32 else -190.0), fcopysign(fmt(0.0), sine), result)
   result = select((x < 0.0) & ffloor(x).equals(x), fmt(NAN), result)
   return select(abs(x) < INFINITY, result, select(x > 0.0, x, fmt(NAN)))


@shared
def plain_log(fmt, x):
   return log_base(fmt, x, fit.LN2, 1) if fmt.bits == 64 else log_by_machine(fmt, x, fit.LN2)


def log_gamma_middle(w):
   """ln gamma(2 + w) / w / (1 + w), smooth from -1 to 2: its zeros are at 1 and 2."""
   if abs(w) < Decimal('1e-20'):
      w = Decimal('1e-20')
   if abs(w + 1) < Decimal('1e-20'):
      w = Decimal('1e-20') - 1
   return fit.log_gamma(2 + w) / (w * (1 + w))


@exact('lgamma', 'f:N x')
def lgamma(fmt, x):
   """And the sign of gamma."""
   a = abs(x)
   below = x < 0.5
   y = select(below, fmt(1.0) - x, x)
   # From 1/2 on: near its zeros, and far from them.
   w = y - 2.0
   middle = w * (y - 1.0) * horner(fmt, w, fit.fit(log_gamma_middle, '-1.5', 1, 14 if fmt.bits == 32 else 36))
   up, _, product = climb(fmt, y)
   far = ffma(up - 0.5, plain_log(fmt, up), fmt((2 * fit.PI).ln() / 2) - up) + stirling_series(fmt, up)
   far = far - plain_log(fmt, product)
   above = select(y < 3.0, middle, far)
   n, r = reduce_pi(fmt, a)
   sine = quadrant(*sin_cos_series(fmt, r), n)
   sine = select(x < 0.0, -sine, sine)
   reflected = plain_log(fmt, fdiv(fmt(fit.PI), abs(sine))) - above
   result = select(below, reflected, above)
   result = select(a < 1e-18, -plain_log(fmt, a), result)
   pole = ffloor(x).equals(x) & (x <= 0.0)
   result = select(pole | a.equals(INFINITY), fmt(INFINITY), result)
   result = select(x > (1e36 if fmt.bits == 32 else 1e305), x * (plain_log(fmt, x) - 1.0), result)
   sign = select(below & (sine < 0.0), fmt.int32(-1), fmt.int32(1))
   sign = select(x.equals(0.0) & (fcopysign(fmt(1.0), x) < 0.0), fmt.int32(-1), sign)
   sign = select((x < 0.0) & pole | x.differs(x), fmt.int32(0), sign)
   return select(x.differs(x), x, result), sign


# ---- remainders -------------------------------------------------------------------------------

def steps_bits(fmt):
   """Bits of the quotient that one step finds: few enough that its error is below one."""
   return 20 if fmt.bits == 32 else 48


@shared
def remainder_steps(fmt, x, y, want_quotient):
   """Of x = a 2^k, y = b 2^l with a and b from 1/2 to 1: a 2^(k - l) modulo b, somewhere in -b to b,
   and the lowest bits of the quotient. All is exact: remainders are multiples of the last place of a
   and b, and less than one."""
   bits = steps_bits(fmt)
   a, b = ffrexp_sig(abs(x)), ffrexp_sig(abs(y))
   left = imax(ffrexp_exp(x) - ffrexp_exp(y), -2)
   inverse = frcp(b)

   def step(a, left, quotient):
      count = imin(left, bits)
      a = fldexp(a, count)
      q = frint(a * inverse)
      a = ffma(-q, b, a)
      if want_quotient:
         quotient = shift_in(quotient, count, q)
      return a, left - count, quotient

   def shift_in(quotient, count, q):
      # Only the lowest eight bits are kept; those of q are exact.
      low = f2i(ffract(q * fmt(2.0**-8)) * fmt(2.0**8), bits=32)
      shifted = select(count > 7, fmt.int32(0), quotient << imax(count, 0))
      return shifted + low

   state = step(a, left, fmt.int32(0))
   a, _, quotient = repeat(state, lambda a, left, q: left > 0, step)
   return a, b, quotient


@shared
def remainder_edges(fmt, x, y, result):
   result = select(abs(y) < INFINITY, result, x)
   bad = ~(abs(x) < INFINITY) | y.equals(0.0) | y.differs(y)
   return select(bad, fmt(NAN), result)


@exact('fmod', 'f:N x, f:N y')
def fmod(fmt, x, y):
   a, b, _ = remainder_steps(fmt, x, y, False)
   a = select(a < 0.0, a + b, a)
   result = fldexp(a, ffrexp_exp(y))
   result = select(abs(x) < abs(y), abs(x), result)
   return remainder_edges(fmt, x, y, fcopysign(result, x))


@shared
def nearest(fmt, x, y):
   """The remainder of the nearest quotient, the even one of two, and that quotient's low bits."""
   a, b, quotient = remainder_steps(fmt, x, y, True)
   half = b * 0.5
   odd = (quotient & 1).differs(0)
   up = (a > half) | (a.equals(half) & odd)
   down = (a < -half) | (a.equals(-half) & odd)
   a = select(up, a - b, select(down, a + b, a))
   quotient = select(up, quotient + 1, select(down, quotient - 1, quotient))
   result = fldexp(a, ffrexp_exp(y))
   # Less than a quarter: nothing is taken away.
   small = ffrexp_exp(y) - ffrexp_exp(x) > 2
   small = small | x.equals(0.0) | abs(y).equals(INFINITY)
   result = select(small, abs(x), result)
   quotient = select(small, fmt.int32(0), quotient)
   # The sign of x turns the remainder over; a zero has the sign of x.
   negative = fcopysign(fmt(1.0), x) < 0.0
   result = select(negative, -result, result)
   result = select(result.equals(0.0), fcopysign(fmt(0.0), x), result)
   return remainder_edges(fmt, x, y, result), quotient


@exact('remainder', 'f:N x, f:N y')
def remainder(fmt, x, y):
   return nearest(fmt, x, y)[0]


@exact('remquo', 'f:N x, f:N y')
def remquo(fmt, x, y):
   result, quotient = nearest(fmt, x, y)
   quotient = quotient & 0x7f
   negative = (fcopysign(fmt(1.0), x) < 0.0) ^ (fcopysign(fmt(1.0), y) < 0.0)
   quotient = select(negative, -quotient, quotient)
   return result, select(result.differs(result), fmt.int32(0), quotient)


# ---- lengths ----------------------------------------------------------------------------------

@shared
def scaled(fmt, x):
   """x 2^-k, so that its square stays in the range; the largest component; k."""
   top = largest(abs(x))
   k = ffrexp_exp(top)
   return fldexp(x, -k), top, k


@exact('exact_length', 'f:N x', (0,))
def exact_length(fmt, x):
   part, _, k = scaled(fmt, x)
   return fldexp(fsqrt(dot(part, part)), k)


@exact('exact_distance', 'f:N x, f:N y', (0,))
def exact_distance(fmt, x, y):
   part, _, k = scaled(fmt, x - y)
   return fldexp(fsqrt(dot(part, part)), k)


@exact('exact_normalize', 'f:N x', (0,))
def exact_normalize(fmt, x):
   part, top, _ = scaled(fmt, x)
   # Infinite components count, others do not.
   ones = select(abs(x).equals(INFINITY), fmt(1.0), fmt(0.0))
   part = select(top.equals(INFINITY), fcopysign(ones, x), part)
   return select(top.equals(0.0), x, part * frsq(dot(part, part)))
