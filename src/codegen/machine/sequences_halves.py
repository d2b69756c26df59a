# SPDX-License-Identifier: MIT
"""Ops of floats of 16 bits for machines that convert them to floats of 32 bits and back, rounded to nearest even: see
machine/sequence.py. Results of 32 bits are exact, or have enough bits that rounding twice is rounding once.
"""

from codegen.machine import sequences_exact, sequences_float, sequences_fused, sequences_rounding
from codegen.machine.sequence import ceil, eq, f2h, f2i, f2u, floor, gtf, h2f, itof, lt, ltf, pick, rint, sequence
from codegen.machine.sequences import extended
from codegen.machine.sequences_rounding import held_i2i, held_u2u

SIGN = 0x8000
ONE = 0x3c00


def of_floats(function):
   return lambda *args: f2h(function(*(h2f(a) for a in args)))


def fract(a):
   f = f2h(sequences_rounding.fract(h2f(a)))
   return pick(eq(f & 0xffff, ONE), ONE - 1, f)


for op, function in (('fdiv', sequences_fused.divide), ('frcp', sequences_fused.reciprocal),
                     ('fsqrt', sequences_fused.square_root), ('frsq', sequences_fused.reciprocal_root),
                     ('fmin', sequences_float.lesser), ('fmax', sequences_float.greater),
                     ('fmed3', sequences_float.middle), ('fsat', sequences_float.saturated),
                     ('ffloor', floor), ('fceil', ceil), ('frint', rint),
                     ('ftrunc', sequences_float.trunc),
                     ('ffrexp_sig', sequences_exact.frexp_sig),
                     ('fcanonicalize f2f f2f_rne f2f_rtz f2f_ru f2f_rd', sequences_float.canonical)):
   sequence(op, '16', of_floats(function))
sequence('fmin3', '16', of_floats(lambda a, b, c: sequences_float.lesser(sequences_float.lesser(a, b), c)))
sequence('fmax3', '16', of_floats(lambda a, b, c: sequences_float.greater(sequences_float.greater(a, b), c)))
sequence('fsign', '16', of_floats(sequences_float.signum))
sequence('ffract', '16', fract)
sequence('fldexp', '16', lambda a, b: f2h(sequences_exact.ldexp(h2f(a), b)))
sequence('ffrexp_exp', '16>32', lambda a: sequences_exact.frexp_exp(h2f(a)))
for op, function in (('fneg', lambda a: a ^ SIGN), ('fabs', lambda a: a & SIGN - 1),
                     ('fcopysign', lambda a, b: a & SIGN - 1 | b & SIGN)):
   sequence(op, '16', function, needs='halves')

# ---- conversions ------------------------------------------------------------------------------

sequence('f2f f2f_rne f2f_rtz f2f_ru f2f_rd', '16>32', lambda a: sequences_float.canonical(h2f(a)))
sequence('f2f f2f_rne', '32>16', f2h)


def rounded_otherwise(is_wrong, step):
   """What is nearest, or the number beside it, on the side that the sign of `a` says."""
   def to_half(a):
      r = f2h(a)
      return pick(is_wrong(h2f(r), a), r + step(a), r)
   return to_half


def is_greater_in_magnitude(a, b):
   return gtf(a & sequences_float.MAGNITUDE, b & sequences_float.MAGNITUDE)


sequence('f2f_rtz', '32>16', rounded_otherwise(is_greater_in_magnitude, lambda a: -1))
sequence('f2f_rd', '32>16', rounded_otherwise(gtf, lambda a: pick(lt(a, 0), 1, -1)))
sequence('f2f_ru', '32>16', rounded_otherwise(ltf, lambda a: pick(lt(a, 0), -1, 1)))
sequence('b2f', '1>16', lambda a: pick(a, ONE, 0), needs='halves')
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
