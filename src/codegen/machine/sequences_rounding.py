# SPDX-License-Identifier: MIT
"""Conversions to integers for machines that round floats to integral ones, and whose conversions are held in the range and give
0 for NaN: see machine/sequence.py.
"""

from codegen.machine.sequence import ceil, f2i, f2u, floor, gef, gt, gtu, lt, pick, rint, sequence, subf

ONE = 0x3f800000


def held_i2i(a, bits):
   most = (1 << bits - 1) - 1
   a = pick(gt(a, most), most, a)
   return pick(lt(a, ~most), ~most, a)


def held_u2u(a, bits):
   most = (1 << bits) - 1
   return pick(gtu(a, most), most, a)


def fract(a):
   f = subf(a, floor(a))
   return pick(gef(f, ONE), ONE - 1, f)


for bits in (8, 16, 32):
   for mode, rounded in (('', lambda a: a), ('_rne', rint), ('_ru', ceil), ('_rd', floor)):
      sequence(f'f2i{mode}', f'32>{bits}', lambda a: f2i(rounded(a)) if bits == 32 else held_i2i(f2i(rounded(a)), bits))
      sequence(f'f2u{mode}', f'32>{bits}', lambda a: f2u(rounded(a)) if bits == 32 else held_u2u(f2u(rounded(a)), bits))
for op, function in (('ffloor', floor), ('fceil', ceil), ('frint', rint), ('ffract', fract)):
   sequence(op, '32', function)
