# SPDX-License-Identifier: MIT
"""Ops of floats of 16 bits: what is computed of floats of 32 bits, rounded to nearest even. See machine/sequence.py.
Results of 32 bits are exact, or have enough bits that rounding twice is rounding once.
"""

from codegen.machine import sequences_float, sequences_rounding
from codegen.machine.sequence import (
   addf, ceil, eq, f2h, f2i, f2u, floor, gtf, h2f, itof, lt, ltf, mulf, pick, rint, row, sequence, subf)
from codegen.machine.sequences import extended
from codegen.machine.sequences_float import of_integer
from codegen.machine.sequences_rounding import held_i2i, held_u2u

SIGN = 0x8000
ONE = 0x3c00


def of_floats(function):
   return lambda *args: f2h(function(*(h2f(a) for a in args)))


def fract(a):
   f = f2h(sequences_rounding.fract(h2f(a)))
   return pick(eq(f & 0xffff, ONE), ONE - 1, f)


def magnitude(a):
   return a & sequences_float.MAGNITUDE


def fma(a, b, c):
   """The product is exact. A sum that is not becomes the odd one of the two beside it, which no half lies between."""
   p = mulf(a, b)
   s = addf(p, c)
   summand = subf(s, p)
   error = addf(subf(p, subf(s, summand)), subf(c, summand))
   is_even = gtf(magnitude(error), 0) & eq(s & 1, 0)
   return pick(is_even, s + pick(lt(error ^ s, 0), -1, 1), s)


for op in 'fdiv frcp fsqrt frsq fmin fmax fmin3 fmax3 fmed3 fsat fsign ffrexp_sig'.split():
   sequence(op, '16', of_floats(row(op)))
for op, function in (('fadd', addf), ('fsub', subf), ('fmul', mulf), ('ffma', fma),
                     ('ffloor', floor), ('fceil', ceil), ('frint', rint),
                     ('ftrunc', sequences_float.trunc),
                     ('fcanonicalize f2f f2f_rne f2f_rtz f2f_ru f2f_rd', sequences_float.canonical)):
   sequence(op, '16', of_floats(function))
for op in 'feq fne flt fle fequ fneu fltu fleu ford funord'.split():
   compare = row(op, '32>1')
   sequence(op, '16>1', lambda a, b: compare(h2f(a), h2f(b)))
sequence('ffract', '16', fract)
sequence('fldexp', '16', lambda a, b: f2h(row('fldexp')(h2f(a), b)))
sequence('ffrexp_exp', '16>32', lambda a: row('ffrexp_exp')(h2f(a)))
for op, function in (('fneg', lambda a: a ^ SIGN), ('fabs', lambda a: a & SIGN - 1),
                     ('fcopysign', lambda a, b: a & SIGN - 1 | b & SIGN)):
   sequence(op, '16', function)

# ---- conversions ------------------------------------------------------------------------------

sequence('f2f f2f_rne f2f_rtz f2f_ru f2f_rd', '16>32', lambda a: sequences_float.canonical(h2f(a)))
sequence('unpack_half_2x16', '32', lambda a: [sequences_float.canonical(h2f(a >> 16 * n)) for n in range(2)])


def rounded_otherwise(is_wrong, step):
   """What is nearest, or the number beside it, on the side that the sign of `a` says."""
   def rounded(a):
      r = f2h(a)
      return pick(is_wrong(h2f(r), a), r + step(a), r)
   return rounded


def is_greater_in_magnitude(a, b):
   return gtf(magnitude(a), magnitude(b))


TO_HALF = {
   '': f2h,
   '_rne': f2h,
   '_rtz': rounded_otherwise(is_greater_in_magnitude, lambda a: -1),
   '_rd': rounded_otherwise(gtf, lambda a: pick(lt(a, 0), 1, -1)),
   '_ru': rounded_otherwise(ltf, lambda a: pick(lt(a, 0), -1, 1)),
}
for mode, function in TO_HALF.items():
   sequence(f'f2f{mode}', '32>16', function)
for mode in ('', '_rtz'):
   sequence(f'pack_half_2x16{mode}', '32', lambda a: TO_HALF[mode](a[0]) & 0xffff | TO_HALF[mode](a[1]) << 16)


def to_odd(bits, lost, negative):
   """So that rounding once more is rounding once."""
   return bits | pick(lost, 1, 0)


sequence('b2f', '1>16', lambda a: pick(a, ONE, 0))
for bits in (8, 16, 32):
   for mode, rounded in (('', lambda a: a), ('_rne', rint), ('_ru', ceil), ('_rd', floor)):
      sequence(f'f2i{mode}', f'16>{bits}', lambda a: held_i2i(f2i(rounded(h2f(a))), bits) if bits < 32
               else f2i(rounded(h2f(a))))
      sequence(f'f2u{mode}', f'16>{bits}', lambda a: held_u2u(f2u(rounded(h2f(a))), bits) if bits < 32
               else f2u(rounded(h2f(a))))
   # An integer that a float of 32 bits does not have is past the greatest one of 16.
   sequence('i2f i2f_rne', f'{bits}>16', lambda a: f2h(itof(extended(a, bits, True))))
   sequence('u2f u2f_rne', f'{bits}>16', lambda a: f2h(sequences_float.u2f(a) if bits == 32
                                                     else itof(extended(a, bits, False))))
   if bits > 8:
      for mode in ('_rtz', '_ru', '_rd'):
         for op, is_signed in (('i2f', True), ('u2f', False)):
            sequence(f'{op}{mode}', f'{bits}>16', lambda a: TO_HALF[mode](
               of_integer(extended(a, bits, is_signed), is_signed, to_odd)))
