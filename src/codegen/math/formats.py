# SPDX-License-Identifier: MIT
"""Formats: what a function needs to know of the size that it is recorded for."""

import struct
from decimal import Decimal

from codegen.math.fit import LN2
from codegen.math.language import constant


class Format:
   """`bits` 0: any size, which only constants may depend on."""

   def __init__(self, bits, digits, max_exponent):
      self.bits, self.digits, self.max_exponent = bits, digits, max_exponent

   def __call__(self, value):
      """A constant with a point."""
      return constant('f', self.bits, value)

   def raw(self, value):
      """A constant of this size by its bits."""
      return constant('i', self.bits, value)

   def int32(self, value):
      return constant('i', 32, value)

   def raw64(self, value):
      return constant('i', 64, value)

   def all_ones(self):
      return constant('i', self.bits, -1)

   def round(self, value):
      """The nearest number of this format, as a Decimal."""
      letter = {32: 'f', 64: 'd'}[self.bits]
      return Decimal(struct.unpack(letter, struct.pack(letter, float(value)))[0])

   def split(self, value, parts=2, spare=0):
      """Numbers of this format whose sum is `value`; the first ones have `spare` zeros at the end."""
      out = []
      for n in range(parts):
         part = self.round(value)
         if spare and n < parts - 1 and value:
            unit = Decimal(2) ** (part.copy_abs().ln() / LN2).to_integral_value(rounding='ROUND_FLOOR')
            unit = unit / 2 ** (self.digits - 1 - spare)
            part = (value / unit).to_integral_value() * unit
         out.append(part)
         value -= part
      return out

   @property
   def sign_bit(self):
      return 1 << (self.bits - 1)

   @property
   def infinity_bits(self):
      return {16: 0x7c00, 32: 0x7f800000, 64: 0x7ff << 52}[self.bits]


FORMATS = {0: Format(0, 0, 0), 8: Format(8, 0, 0), 16: Format(16, 11, 15), 32: Format(32, 24, 127),
           64: Format(64, 53, 1023)}
INFINITY = float('inf')
NAN = float('nan')
