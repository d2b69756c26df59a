# SPDX-License-Identifier: MIT
"""What lanes know of themselves, masks of lanes as values, and which lanes others read: see machine/sequence.py.

A mask as a value of the shader is four dwords, of which the lanes, 16 at most, take the lowest bits of the first. Waves of
more lanes have the rows of numbers alone.
"""

from codegen.machine.sequence import clz, ctz, eq, intrinsic, ltu, ne, pick, start


def define(lanes):
   """The rows for waves of so many lanes, or, where targets differ, of as many as the machine says at the start."""
   if lanes:
      last, everyone = lanes - 1, (1 << lanes) - 1
   else:
      lanes, last, everyone = (start(name) for name in ('LANES', 'LAST_LANE', 'ALL_LANES'))

   def lane():
      return start('INDEX') & last

   def count(mask):
      """Of 16 bits: those of pairs, of fours, of bytes, of all."""
      n = mask - (mask >> 1 & 0x5555)
      n = (n & 0x3333) + (n >> 2 & 0x3333)
      n = n + (n >> 4) & 0x0f0f
      return n + (n >> 8) & 31

   def below(mask, first):
      return mask & (first << lane()) + -1

   # ---- numbers ----------------------------------------------------------------------------------

   intrinsic('local_invocation_index', lambda: start('INDEX'))
   intrinsic('subgroup_invocation', lane)
   intrinsic('subgroup_id', lambda: start('WAVE'))
   intrinsic('subgroup_size', lambda: lanes)
   intrinsic('workgroup_id', lambda: [start('GROUP_X'), start('GROUP_Y'), start('GROUP_Z')])

   if isinstance(lanes, int) and lanes > 16:
      return

   # ---- masks ------------------------------------------------------------------------------------

   intrinsic('ballot_bit', lambda a, b: ne(pick(ltu(b, lanes), a & everyone, 0) >> b & 1, 0))
   intrinsic('ballot_bit_count', lambda a: count(a & everyone))
   intrinsic('ballot_bit_count_inclusive', lambda a: count(below(a & everyone, 2)))
   intrinsic('ballot_bit_count_exclusive', lambda a: count(below(a & everyone, 1)))
   intrinsic('ballot_find_lsb', lambda a: pick(eq(a & everyone, 0), -1, ctz(a & everyone)))
   intrinsic('ballot_find_msb', lambda a: 31 - clz(a & everyone))

   for relation, mask in (('eq', lambda bit, less: bit), ('lt', lambda bit, less: less),
                          ('le', lambda bit, less: less | bit), ('ge', lambda bit, less: less ^ everyone),
                          ('gt', lambda bit, less: (less | bit) ^ everyone)):
      intrinsic(f'subgroup_{relation}_mask', lambda: (mask(1 << lane(), (1 << lane()) + -1), 0, 0, 0))

   # ---- the lane that is read --------------------------------------------------------------------

   intrinsic('shuffle', lambda a, b: b)
   intrinsic('shuffle_xor', lambda a, b: lane() ^ b)
   intrinsic('shuffle_up', lambda a, b: lane() - b)
   intrinsic('shuffle_down', lambda a, b: lane() + b)
   intrinsic('quad_broadcast', lambda a, b: lane() & -4 | b & 3)
   intrinsic('quad_swap_horizontal', lambda a: lane() ^ 1)
   intrinsic('quad_swap_vertical', lambda a: lane() ^ 2)
   intrinsic('quad_swap_diagonal', lambda a: lane() ^ 3)

   def pair(keep, step):
      """The lanes of a quad whose difference is a derivative: the second from the first."""
      return lambda a: (lane() & keep, lane() & keep | step)

   intrinsic('ddx ddx_coarse', pair(-4, 1))
   intrinsic('ddy ddy_coarse', pair(-4, 2))
   intrinsic('ddx_fine', pair(-2, 1))
   intrinsic('ddy_fine', pair(-3, 2))
