# SPDX-License-Identifier: MIT
"""srgb.h: what the 256 numbers of an sRGB component mean, and where one ends and the next begins.

The curve of IEC 61966-2-1, rounded to floats of 32 bits: of n / 255, and of (n + 1/2) / 255, from where on n + 1 is
nearer.
"""

import decimal
import fractions
import struct

from codegen.emit import opening, run, write

SOURCE = 'wave/gen_srgb.py'


def linear(c):
   if c <= decimal.Decimal('0.04045'):
      return c / decimal.Decimal('12.92')
   return ((c + decimal.Decimal('0.055')) / decimal.Decimal('1.055')) ** decimal.Decimal('2.4')


def float_bits(x):
   """Of the nearest one; x is 0 or a normal number. Ties do not come up."""
   exact = fractions.Fraction(x)
   near = struct.unpack('<I', struct.pack('<f', float(x)))[0]
   candidates = [n for n in (near - 1, near, near + 1) if n >= 0]
   return min(candidates, key=lambda n: abs(fractions.Fraction(struct.unpack('<f', struct.pack('<I', n))[0]) - exact))


def table(name, values):
   lines = [f'static const uint32_t {name}[] = {{']
   for n in range(0, len(values), 8):
      lines.append('   ' + ' '.join(f'{v:#010x},' for v in values[n:n + 8]))
   return lines + ['};', '']


def main(output):
   decimal.getcontext().prec = 40
   lines = opening('srgb.h', 'the numbers of sRGB as floats.', SOURCE)
   lines += ['#include <stdint.h>', '']
   lines += table('srgb_values', [float_bits(linear(decimal.Decimal(n) / 255)) for n in range(256)])
   lines += table('srgb_ends', [float_bits(linear(decimal.Decimal(2 * n + 1) / 510)) for n in range(255)])
   write(output, lines)


run(main, 1)
