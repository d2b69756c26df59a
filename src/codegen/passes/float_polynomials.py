# SPDX-License-Identifier: MIT
"""The coefficients of src/passes/lower_float_polynomials.c, written to the file named.

Arguments have 32 bits after the point. Where all coefficients are positive, products are unsigned; of the logarithm they
alternate, and its argument is signed. How far a polynomial is from its function, and that no sum has a carry, is checked
here.
"""

import sys
from decimal import ROUND_HALF_EVEN, Decimal

from codegen.emit import opening, write
from codegen.ir.schema import TableError
from codegen.math import fit

# Each, with the units of the last place that the code adds, is a small part of a float's unit.
MOST = Decimal(2) ** -33


def exp2(x):
   """(2^x - 1) / x."""
   return fit.expm1(x * fit.LN2) / x if x else fit.LN2


def log2(u):
   """log2(1 + t) / t, t = u + 1/8."""
   t = u + Decimal('0.125')
   return fit.log1p(t) / t / fit.LN2 if t else 1 / fit.LN2


def angle(v):
   """Of a part s of a quarter turn: v = 1/2 - 2 s^2."""
   return fit.PI / 2 * (Decimal('0.25') - v / 2).sqrt()


def sin(v):
   """sin(s pi / 2) / s."""
   return fit.sin(angle(v)) / angle(v) * fit.PI / 2 if angle(v) else fit.PI / 2


def cos(v):
   return fit.cos(angle(v))


# Name, function, the range of its argument, coefficients, bits after their point.
POLYNOMIALS = [
   ('exp2', exp2, 0, 1, 8, 32),
   ('log2', log2, Decimal('-0.375'), Decimal('0.375'), 13, 31),
   ('sin', sin, 0, Decimal('0.5'), 5, 31),
   ('cos', cos, 0, Decimal('0.5'), 5, 31),
]


def evaluate(coefficients, x):
   """As the code does."""
   total = coefficients[-1]
   for c in reversed(coefficients[:-1]):
      total = (total * x >> 32) + c
   return total


def fixed(name, function, low, high, count, bits):
   exact = fit.fit(function, low, high, count)
   numbers = [int((c * 2**bits).quantize(Decimal(1), rounding=ROUND_HALF_EVEN)) for c in exact]
   if fit.error(function, low, high, exact) > MOST:
      raise TableError(f'{name}: too few coefficients')
   signed = low < 0
   # Sums are largest at an end. Only the last one, which is positive, may need the bit of the sign.
   tops = [evaluate(numbers, x) for x in (int(low * 2**32), min(int(high * 2**32), 2**32 - 1))]
   fits = max(tops) < 2**32 and (max(abs(n) for n in numbers[1:]) < 2**31 - 2**28 if signed else min(numbers) > 0)
   if not fits:
      raise TableError(f'{name}: a coefficient or a sum does not fit')
   return [n % 2**32 for n in numbers]


def main(output):
   lines = opening('float_polynomials.h', 'polynomials in fixed point.', 'passes/float_polynomials.py')
   lines += ['#include <stdint.h>', '']
   for row in POLYNOMIALS:
      name, numbers = row[0], fixed(*row)
      lines += [f'static const uint32_t {name}_polynomial[{len(numbers)}] = {{', *(f'   0x{n:08x},' for n in numbers), '};', '']
   write(output, lines)


if __name__ == '__main__':
   main(*sys.argv[1:])
