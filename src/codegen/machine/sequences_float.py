# SPDX-License-Identifier: MIT
"""How machines compute the ops of floats of 32 bits: see machine/sequence.py.

The machine's own keep denormals and round to nearest even; a NaN that arithmetic makes is the canonical one.
"""

from codegen.machine.sequence import (
   addf, ashr, clz, eq, eqf, ftoi, gef, geu, gtf, gtu, itof, lef, lt, ltf, ltu, mulf, ne, nef, pick, row, sequence,
   subf)
from codegen.machine.sequences import extended
from codegen.machine.sequences_exact import MAGNITUDE, NAN, SIGN, INFINITE, divide

ONE = 0x3f800000
TWO_23 = 0x4b000000
TWO_31 = 0x4f000000


def canonical(a):
   return pick(nef(a, a), NAN, a)


def magnitude(a):
   return a & MAGNITUDE


def sign_of(a):
   return a & SIGN


def unordered(a, b):
   return nef(a, a) | nef(b, b)


for op, function in (('fadd', addf), ('fsub', subf), ('fmul', mulf)):
   sequence(op, '32', function)
for op, function in (('feq', eqf), ('fneu', nef), ('flt', ltf), ('fle', lef)):
   sequence(op, '32>1', function)
sequence('fne', '32>1', lambda a, b: ltf(a, b) | gtf(a, b))
sequence('fequ', '32>1', lambda a, b: ~(ltf(a, b) | gtf(a, b)))
sequence('fltu', '32>1', lambda a, b: ~gef(a, b))
sequence('fleu', '32>1', lambda a, b: ~gtf(a, b))
sequence('ford', '32>1', lambda a, b: ~unordered(a, b))
sequence('funord', '32>1', unordered)
sequence('fneg', '32', lambda a: a ^ SIGN)
sequence('fabs', '32', magnitude)
sequence('fcopysign', '32', lambda a, b: magnitude(a) | sign_of(b))
sequence('fcanonicalize', '32', canonical)
sequence('f2f f2f_rne f2f_rtz f2f_ru f2f_rd', '32', canonical)

# ---- the lesser, the greater, the middle ------------------------------------------------------


def lesser(a, b):
   """Of equal ones the bits decide: zeros differ in the sign, all others are the same."""
   r = pick(eqf(a, b), a | b, pick(ltf(a, b), a, b))
   return canonical(pick(nef(b, b), a, r))


def greater(a, b):
   r = pick(eqf(a, b), a & b, pick(gtf(a, b), a, b))
   return canonical(pick(nef(b, b), a, r))


def middle(a, b, c):
   low, high = lesser(a, b), greater(a, b)
   return pick(unordered(a, b) | nef(c, c), lesser(low, c), greater(low, lesser(high, c)))


def saturated(a):
   positive = pick(gtf(a, 0), a, 0)
   return pick(ltf(positive, ONE), positive, ONE)


def signum(a):
   return pick(nef(a, a), 0, pick(eqf(a, 0), a, sign_of(a) | ONE))


sequence('fmin', '32', lesser)
sequence('fmax', '32', greater)
sequence('fmin3', '32', lambda a, b, c: lesser(lesser(a, b), c))
sequence('fmax3', '32', lambda a, b, c: greater(greater(a, b), c))
sequence('fmed3', '32', middle)
sequence('fsat', '32', saturated)
sequence('fsign', '32', signum)

# ---- integral numbers -------------------------------------------------------------------------


def if_small(a, integral):
   """Floats that have no fraction because they are so large keep their bits."""
   return pick(ltf(magnitude(a), TWO_23), magnitude(integral) | sign_of(a), canonical(a))


def trunc(a):
   return if_small(a, itof(ftoi(a)))


def floor(a):
   t = trunc(a)
   return pick(ltf(a, t), subf(t, ONE), t)


def ceil(a):
   t = trunc(a)
   return pick(gtf(a, t), addf(t, ONE), t)


def rint(a):
   return if_small(a, subf(addf(magnitude(a), TWO_23), TWO_23))


def fract(a):
   f = subf(a, floor(a))
   return pick(gef(f, ONE), ONE - 1, f)


def quantize16(a):
   """To the 10 bits of a half: what is cut off rounds to nearest even."""
   m = magnitude(a)
   r = m + 0xfff + (m >> 13 & 1) & ~0x1fff
   r = pick(ltu(r, 0x38800000), 0, r)
   r = pick(geu(r, 0x47800000), INFINITE, r)
   return pick(nef(a, a), NAN, r | sign_of(a))


sequence('ftrunc', '32', trunc)
sequence('ffloor', '32', floor)
sequence('fceil', '32', ceil)
sequence('frint', '32', rint)
sequence('ffract', '32', fract)
sequence('fquantize16', '32', quantize16)

# ---- integers ---------------------------------------------------------------------------------


def f2i(a, bits):
   """Held in the range. NaN gives 0."""
   most = 1 << bits - 1
   limit = {32: TWO_31, 16: 0x47000000, 8: 0x43000000}[bits]
   r = pick(gef(a, limit), most - 1, ftoi(a))
   r = pick(lef(a, limit | SIGN), -most, r)
   return pick(nef(a, a), 0, r)


def f2u(a, bits):
   limit = {32: 0x4f800000, 16: 0x47800000, 8: 0x43800000}[bits]
   r = ftoi(a)
   if bits == 32:
      r = pick(gef(a, TWO_31), ftoi(subf(a, TWO_31)) ^ SIGN, r)
   r = pick(gef(a, limit), (1 << bits) - 1, r)
   return pick(gtf(a, 0), r, 0)


def u2f(a):
   """From 2^31 on half of it, with what is cut off in the lowest bit."""
   half = itof(a >> 1 | a & 1)
   return pick(lt(a, 0), addf(half, half), itof(a))


for bits in (8, 16, 32):
   for mode, rounded in (('', lambda a: a), ('_rne', rint), ('_ru', ceil), ('_rd', floor)):
      sequence(f'f2i{mode}', f'32>{bits}', lambda a: f2i(rounded(a), bits))
      sequence(f'f2u{mode}', f'32>{bits}', lambda a: f2u(rounded(a), bits))
   sequence('i2f i2f_rne', f'{bits}>32', lambda a: itof(extended(a, bits, True)))
   sequence('u2f u2f_rne', f'{bits}>32', u2f if bits == 32 else lambda a: itof(extended(a, bits, False)))
sequence('b2f', '1>32', lambda a: pick(a, ONE, 0))


def away(mode, negative):
   """Where the greater magnitude is nearer to the side that the mode says; None: nowhere."""
   return {'_rtz': None, '_ru': ~negative, '_rd': negative}[mode]


def of_integer(a, is_signed, rounded):
   """`rounded` is given the bits that fit, whether others are lost, and whether the number is negative."""
   negative = lt(a, 0)
   size = pick(negative, -a, a) if is_signed else a
   up = clz(size)
   bits = size << up
   r = rounded((157 - up << 23) + (bits >> 8), ne(bits & 255, 0), negative)
   r = pick(eq(size, 0), 0, r)
   return r | sign_of(a) if is_signed else r


def in_mode(mode, is_signed):
   def rounded(bits, lost, negative):
      if mode == '_rtz' or not is_signed and mode == '_rd':
         return bits
      return bits + pick(away(mode, negative) & lost if is_signed else lost, 1, 0)
   return rounded


for mode in ('_rtz', '_ru', '_rd'):
   for op, is_signed in (('i2f', True), ('u2f', False)):
      sequence(f'{op}{mode}', '32', lambda a: of_integer(a, is_signed, in_mode(mode, is_signed)))

# ---- halves -----------------------------------------------------------------------------------


def to_half(a, to_zero):
   m = magnitude(a)
   up = 0 if to_zero else (m >> 13 & 1) + 0xfff
   normal = m - 0x38000000 + up >> 13
   if to_zero:
      small = ftoi(mulf(m, 0x4b800000))  # 2^24
   else:
      # The exponent of 1/2 is added: its units are those of halves that are denormal.
      small = addf(m, 0x3f000000) - 0x3f000000
   r = pick(ltu(m, 0x38800000), small, normal)
   # Past the largest one: infinity, or that one.
   r = pick(geu(m, 0x47800000 if to_zero else 0x477ff000), 0x7bff if to_zero else 0x7c00, r)
   r = pick(eq(m, INFINITE), 0x7c00, r)
   return pick(nef(a, a), 0x7e00, r | sign_of(a) >> 16)


def from_half(h):
   m = h & 0x7fff
   small = mulf(itof(m), 0x33800000)  # 2^-24
   r = pick(ltu(m, 0x400), small, (m << 13) + 0x38000000)
   r = pick(geu(m, 0x7c00), INFINITE, r)
   return pick(gtu(m, 0x7c00), NAN, r | (h & 0x8000) << 16)


sequence('f2f f2f_rne f2f_rtz f2f_ru f2f_rd', '16>32', from_half)
sequence('f2f f2f_rne', '32>16', lambda a: to_half(a, False))
sequence('f2f_rtz', '32>16', lambda a: to_half(a, True))
for suffix, op in (('', 'f2f'), ('_rtz', 'f2f_rtz')):
   half = row(op, '32>16')
   sequence(f'pack_half_2x16{suffix}', '32', lambda a: half(a[0]) | half(a[1]) << 16)
whole = row('f2f', '16>32')
sequence('unpack_half_2x16', '32', lambda a: (whole(a), whole(a >> 16)))

# ---- fixed point ------------------------------------------------------------------------------


def pack_norm(bits, is_signed):
   most = (1 << bits - is_signed) - 1
   least = ONE | SIGN if is_signed else 0

   def number(a):
      held = pick(gtf(a, least), a, least)
      held = pick(ltf(held, ONE), held, ONE)
      held = pick(nef(a, a), 0, held)
      return ftoi(rint(mulf(held, itof(most)))) & (1 << bits) - 1

   def whole(a):
      r = number(a[0])
      for n in range(1, 32 // bits):
         r = r | number(a[n]) << n * bits
      return r
   return whole


def unpack_norm(bits, is_signed, divide=divide):
   most = (1 << bits - is_signed) - 1

   def part(a, n):
      up = a << 32 - bits - n * bits
      if not is_signed:
         return divide(itof(up >> 32 - bits), itof(most))
      number = ashr(up, 32 - bits)
      return divide(itof(pick(lt(number, -most), -most, number)), itof(most))
   return lambda a: [part(a, n) for n in range(32 // bits)]


for bits in (8, 16):
   for sign in 'us':
      name = f'{sign}norm_{32 // bits}x{bits}'
      sequence(f'pack_{name}', '32', pack_norm(bits, sign == 's'))
      sequence(f'unpack_{name}', '32', unpack_norm(bits, sign == 's'))
