# SPDX-License-Identifier: MIT
"""Conversions of floats of 64 bits that round as the op says, and to and from floats of 16 bits: see machine/sequence.py."""

from codegen.machine.sequence import eq, geu, gt, gtu, h2f, lt, ltu, ne, pick
from codegen.machine.sequences_doubles import INFINITE, MAGNITUDE, NAN, SIGN, define, flag, is_nan, magnitude
from codegen.machine.sequences_float import INFINITE as INFINITE_32, NAN as NAN_32, away
from codegen.machine.sequences_halves import TO_HALF
from codegen.machine.sequences_doubles_exact import MOST, significand

# The exponents' biases apart, where an upper dword has them.
REBIASED = MOST - 127 << 20
# A float of 32 bits that is less than all of 16 but zero, and one that is greater: of each the upper dword of 64 bits.
FEW, FEW_64 = 0x2b800000, MOST - 40 << 20
MANY, MANY_64 = 0x5d800000, MOST + 60 << 20


def to_odd(a):
   """In 32 bits, so that rounding it to 16 is rounding once: cut off, and the last bit is set if anything was."""
   high = a[1] & MAGNITUDE
   bits = (high - REBIASED << 3) | a[0] >> 29 | flag(ne(a[0] << 3, 0))
   bits = pick(ltu(high, FEW_64), pick(eq(magnitude(a), 0), 0, FEW), bits)
   bits = pick(geu(high, MANY_64), pick(geu(high, INFINITE), INFINITE_32, MANY), bits)
   return pick(is_nan(a), NAN_32, bits | a[1] & SIGN)


def of_half(a):
   bits = h2f(a)
   size = bits & MAGNITUDE
   high = pick(eq(size, 0), 0, (size >> 3) + REBIASED)
   high = pick(eq(size, INFINITE_32), INFINITE, high)
   return 0, pick(gtu(size, INFINITE_32), NAN[1], high | bits & SIGN)


def to_single(mode):
   """26 bits of the significand, and one more for whatever is below."""
   def rounded(a):
      negative = lt(a[1], 0)
      up = away(mode, negative)
      bits = 1 << 26 | (a[1] & 0xfffff) << 6 | a[0] >> 26
      e = ((a[1] & MAGNITUDE) >> 20) - MOST
      by = -126 - e
      by = pick(lt(by, 0), 0, by)
      by = pick(lt(by, 31), by, 31)
      kept = bits >> by
      lost = ne(kept << by, bits) | ne(a[0] << 6, 0)
      if up:
         kept = (kept | flag(lost)) + pick(up, 7, 0)
      biased = pick(lt(e, -126), 0, e + 126)
      r = (biased << 23) + (kept >> 3)
      r = pick(gt(e, 127), pick(up, INFINITE_32, INFINITE_32 - 1) if up else INFINITE_32 - 1, r)
      size = magnitude(a)
      r = pick(eq(size, 0), 0, pick(eq(size, INFINITE), INFINITE_32, r))
      return pick(gtu(size, INFINITE), NAN_32, r | a[1] & SIGN)
   return rounded


def to_integer(mode, is_signed):
   """The integral part in 32 bits, and the fraction in as many, the last of which says whether there is more."""
   def rounded(a):
      (low, high), biased = significand(a)
      e = biased - MOST
      whole = pick(lt(e, 0), 0, high >> 31 - e)
      inside, far = lt(e, 31), lt(e, -1)
      part = pick(inside, pick(far, 0, high << e + 1), low)
      part = part | flag(inside & ne(low, 0) | far & ne(magnitude(a), 0))
      negative = lt(a[1], 0)
      if mode == '_rne':
         up = gtu(part, SIGN) | eq(part, SIGN) & ne(whole & 1, 0)
      else:
         up = away(mode, negative) & ne(part, 0)
      total = whole + flag(up)
      if not is_signed:
         # Of the greatest integral part the next one is none.
         total = pick(gt(e, 31) | eq(total, 0) & ne(whole, 0), -1, total)
         return pick(negative | is_nan(a), 0, total)
      most = MAGNITUDE + flag(negative)
      total = pick(gt(e, 30) | gtu(total, most), most, total)
      return pick(is_nan(a), 0, pick(negative, -total, total))
   return rounded


for op in ('f2f', 'f2f_rne', 'f2f_rtz', 'f2f_ru', 'f2f_rd'):
   define(op, '16>64', of_half)
   define(op, '64>16', lambda a, op=op: TO_HALF[op[3:]](to_odd(a)))
for mode in ('_rtz', '_ru', '_rd'):
   define(f'f2f{mode}', '64>32', to_single(mode))
for mode in ('_rne', '_ru', '_rd'):
   define(f'f2i{mode}', '64>32', to_integer(mode, True))
   define(f'f2u{mode}', '64>32', to_integer(mode, False))
