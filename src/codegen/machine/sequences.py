# SPDX-License-Identifier: MIT
"""How machines compute the ops of integers and bits, and moves parts: see machine/sequence.py."""

from codegen.machine.sequence import (
   add, ashr, clz, ctz, divu, eq, le, lt, ltu, leu, mul, mulh, mulhs, ne, pick, sequence, sext8, sext16, shl, shr, sub)

# ---- one instruction --------------------------------------------------------------------------

for op, function in (('iadd', add), ('isub', sub), ('imul', mul), ('umulhi', mulh), ('imulhi', mulhs), ('ishl', shl),
                     ('ushr', shr), ('ishr', ashr)):
   sequence(op, '32', function)
for op, function in (('ieq', eq), ('ine', ne), ('ult', ltu), ('ule', leu), ('ilt', lt), ('ile', le)):
   sequence(op, '32>1', function)
sequence('iand', '32 1', lambda a, b: a & b)
sequence('ior', '32 1', lambda a, b: a | b)
sequence('ixor', '32 1', lambda a, b: a ^ b)
sequence('inot', '32 1', lambda a: ~a)
sequence('ine', '1', lambda a, b: a ^ b)
sequence('ieq', '1', lambda a, b: ~(a ^ b))

# ---- sums and products ------------------------------------------------------------------------

sequence('ineg', '32', lambda a: -a)
sequence('iabs', '32', lambda a: pick(lt(a, 0), -a, a))
sequence('isign', '32', lambda a: ashr(a, 31) | -a >> 31)
sequence('uadd_carry', '32>1', lambda a, b: ltu(a + b, a))
sequence('usub_borrow', '32>1', ltu)
sequence('udiv', '32', divu)
# By zero the dividend is left.
sequence('urem', '32', lambda a, b: a - divu(a, b) * b)
sequence('iadd3', '32', lambda a, b, c: a + b + c)
sequence('ishl_add', '32', lambda a, b, c: (a << b) + c)
sequence('iadd_shl', '32', lambda a, b, c: a + b << c)


def uadd_sat(a, b):
   total = a + b
   return pick(ltu(total, a), -1, total)


def saturated(a, overflows, total):
   """The nearer end of the range, by the sign of `a`."""
   return pick(lt(overflows, 0), ashr(a, 31) ^ 0x7fffffff, total)


def iadd_sat(a, b):
   total = a + b
   return saturated(a, (a ^ total) & (b ^ total), total)


def isub_sat(a, b):
   difference = a - b
   return saturated(a, (a ^ b) & (a ^ difference), difference)


def distance(less):
   return lambda a, b: pick(less(a, b), b - a, a - b)


sequence('uadd_sat', '32', uadd_sat)
sequence('iadd_sat', '32', iadd_sat)
sequence('isub_sat', '32', isub_sat)
sequence('usub_sat', '32', lambda a, b: pick(ltu(a, b), 0, a - b))
sequence('uabs_diff', '32', distance(ltu))
sequence('iabs_diff', '32', distance(lt))
sequence('usad', '32', lambda a, b, c: distance(ltu)(a, b) + c)


def mul24(is_signed):
   def low(a):
      return ashr(a << 8, 8) if is_signed else a & 0xffffff
   return lambda a, b: low(a) * low(b)


def dot4(signed_a, signed_b):
   def byte(a, n, is_signed):
      return ashr(a << 24 - 8 * n, 24) if is_signed else a >> 8 * n & 255

   def total(a, b):
      first, *others = [byte(a, n, signed_a) * byte(b, n, signed_b) for n in range(4)]
      for product in others:
         first = first + product
      return first
   return total


for sign in 'ui':
   product = mul24(sign == 'i')
   sequence(f'{sign}mul24', '32', product)
   sequence(f'{sign}mad24', '32', lambda a, b, c: product(a, b) + c)
for sign, signs, sat in (('u', (False, False), uadd_sat), ('i', (True, True), iadd_sat),
                         ('iu', (True, False), iadd_sat)):
   dot = dot4(*signs)
   sequence(f'{sign}dot4', '32', dot)
   sequence(f'{sign}dot4_acc', '32', lambda a, b, c: dot(a, b) + c)
   sequence(f'{sign}dot4_acc_sat', '32', lambda a, b, c: sat(dot(a, b), c))

# ---- the lesser, the greater, the middle ------------------------------------------------------

for sign, less in (('u', ltu), ('i', lt)):
   def lesser(a, b, less=less):
      return pick(less(a, b), a, b)

   def greater(a, b, less=less):
      return pick(less(a, b), b, a)
   sequence(f'{sign}min', '32', lesser)
   sequence(f'{sign}max', '32', greater)
   sequence(f'{sign}min3', '32', lambda a, b, c: lesser(lesser(a, b), c))
   sequence(f'{sign}max3', '32', lambda a, b, c: greater(greater(a, b), c))
   sequence(f'{sign}med3', '32', lambda a, b, c: lesser(greater(a, b), greater(lesser(a, b), c)))

# ---- bits -------------------------------------------------------------------------------------


def bitselect(mask, a, b):
   return b ^ mask & (a ^ b)


def bit_count(a):
   n = a - (a >> 1 & 0x55555555)
   n = (n & 0x33333333) + (n >> 2 & 0x33333333)
   n = n + (n >> 4) & 0x0f0f0f0f
   return n * 0x01010101 >> 24


def bit_reverse(a):
   for n, mask in enumerate((0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff)):
      a = a >> (1 << n) & mask | (a & mask) << (1 << n)
   return a


sequence('bitselect', '32', bitselect)
sequence('bit_count', '32', bit_count)
sequence('bit_reverse', '32', bit_reverse)
sequence('find_lsb', '32', lambda a: pick(eq(a, 0), -1, ctz(a)))
sequence('ufind_msb', '32', lambda a: 31 - clz(a))
sequence('ifind_msb', '32', lambda a: 31 - clz(a ^ ashr(a, 31)))
sequence('ishl_or', '32', lambda a, b, c: a << b | c)
sequence('iand_or', '32', lambda a, b, c: a & b | c)
sequence('ior3', '32', lambda a, b, c: a | b | c)
sequence('rotl', '32', lambda a, b: a << b | a >> -b)
sequence('rotr', '32', lambda a, b: a >> b | a << -b)
sequence('funnel_shr', '32', lambda a, b, c: b >> c | a << 1 << ~c)

# ---- fields -----------------------------------------------------------------------------------


def ones(count):
   """As many ones as the count says, 32 or more are all."""
   return pick(ltu(count, 32), (1 << count) + -1, -1)


def field_mask(count, offset):
   return pick(ltu(offset, 32), ones(count) << offset, 0)


def signed_field(a, offset, count):
   down = ashr(a, pick(ltu(offset, 32), offset, 31))
   above = pick(ltu(count, 32), 32 - count, 0)
   return pick(eq(count, 0), 0, ashr(down << above, above))


sequence('bitfield_mask', '32', field_mask)
sequence('ubitfield_extract', '32', lambda a, b, c: pick(ltu(b, 32), a >> b & ones(c), 0))
sequence('ibitfield_extract', '32', signed_field)
sequence('ubfe', '32', lambda a, b, c: a >> b & (1 << c) + -1)
sequence('ibfe', '32', lambda a, b, c: signed_field(a, b & 31, c & 31))
sequence('bitfield_insert', '32', lambda a, b, c, e: bitselect(field_mask(e, c), b << c, a))

# ---- sizes: what lies above the size of a value is not specified ------------------------------


def extended(a, size, is_signed):
   """An integer of so many bits in 32."""
   if size >= 32:
      return a
   if is_signed:
      return sext8(a) if size == 8 else sext16(a)
   return a & (1 << size) - 1


def resize(from_size, to_size, is_signed):
   def parts(a):
      low = extended(a, from_size, is_signed) if from_size < to_size else a
      if to_size < 64:
         return low
      return low, a[1] if from_size == 64 else ashr(low, 31) if is_signed else 0
   return parts


for from_size in (8, 16, 32, 64):
   for to_size in (8, 16, 32, 64):
      for op in ('u2u', 'i2i'):
         sequence(op, f'{from_size}>{to_size}', resize(from_size, to_size, op == 'i2i'))
sequence('b2i', '1>8 1>16 1>32', lambda a: pick(a, 1, 0))
sequence('b2i', '1>64', lambda a: (pick(a, 1, 0), 0))

# ---- packing ----------------------------------------------------------------------------------


def joined(parts, size):
   """The low bits of each part side by side."""
   whole = extended(parts[0], size, False)
   for n, part in enumerate(parts[1:], 1):
      whole = whole | (extended(part, size, False) if n + 1 < len(parts) else part) << n * size
   return whole


for op in ('pack_64_2x32', 'unpack_64_2x32'):
   sequence(op, '32>64' if op[0] == 'p' else '64>32', lambda a: (a[0], a[1]))
sequence('pack_64_4x16', '16>64', lambda a: (joined((a[0], a[1]), 16), joined((a[2], a[3]), 16)))
sequence('pack_32_2x16', '16>32', lambda a: joined((a[0], a[1]), 16))
sequence('pack_32_4x8', '8>32', lambda a: joined((a[0], a[1], a[2], a[3]), 8))
sequence('unpack_64_4x16', '64>16', lambda a: (a[0], a[0] >> 16, a[1], a[1] >> 16))
sequence('unpack_32_2x16', '32>16', lambda a: (a, a >> 16))
sequence('unpack_32_4x8', '32>8', lambda a: (a, a >> 8, a >> 16, a >> 24))
