# SPDX-License-Identifier: MIT
"""Functions of integers that are more than one op."""

from codegen.math.language import (SIZE_TWICE, bit_count, bitselect, find_lsb, function, iadd, imax, imin, imul,
                           imulhi, ishr, rotl, select, u2u, uadd_carry, ufind_msb, umax, umin, umulhi)

SIZES = (8, 16, 32, 64)


@function('uclamp', 'u:N x, u:N low, u:N high')
def uclamp(fmt, x, low, high):
   return umin(umax(x, low), high)


@function('iclamp', 'i:N x, i:N low, i:N high')
def iclamp(fmt, x, low, high):
   return imin(imax(x, low), high)


@function('uhadd', 'u:N x, u:N y')
def uhadd(fmt, x, y):
   return (x & y) + ((x ^ y) >> 1)


@function('ihadd', 'i:N x, i:N y')
def ihadd(fmt, x, y):
   return (x & y) + ishr(x ^ y, 1)


@function('urhadd', 'u:N x, u:N y')
def urhadd(fmt, x, y):
   return (x | y) - ((x ^ y) >> 1)


@function('irhadd', 'i:N x, i:N y')
def irhadd(fmt, x, y):
   return (x | y) - ishr(x ^ y, 1)


@function('umad_hi', 'u:N x, u:N y, u:N z')
def umad_hi(fmt, x, y, z):
   return umulhi(x, y) + z


@function('imad_hi', 'i:N x, i:N y, i:N z')
def imad_hi(fmt, x, y, z):
   return imulhi(x, y) + z


@function('umad_sat', 'u:N x, u:N y, u:N z')
def umad_sat(fmt, x, y, z):
   low = imul(x, y)
   over = umulhi(x, y).differs(0) | uadd_carry(low, z)
   return select(over, fmt.all_ones(), low + z)


@function('imad_sat', 'i:N x, i:N y, i:N z', SIZES)
def imad_sat(fmt, x, y, z):
   """The sum in twice the size; it fits if its upper half is the sign of the lower one."""
   top = fmt.bits - 1
   low = imul(x, y)
   total = iadd(low, z)
   carry = select(uadd_carry(low, z), fmt.raw(1), fmt.raw(0))
   high = imulhi(x, y) + ishr(z, top) + carry
   limit = ishr(high, top) ^ fmt.raw((1 << top) - 1)
   return select(high.equals(ishr(total, top)), total, limit)


@function('clz', 'u:N x', SIZES)
def clz(fmt, x):
   return u2u((fmt.bits - 1) - ufind_msb(x), bits=0)


@function('ctz', 'u:N x', SIZES)
def ctz(fmt, x):
   at = find_lsb(x)
   return u2u(select(at < 0, fmt.int32(fmt.bits), at), bits=0)


@function('popcount', 'u:N x')
def popcount(fmt, x):
   return u2u(bit_count(x), bits=0)


@function('rotate', 'u:N x, u:N count')
def rotate(fmt, x, count):
   return rotl(x, u2u(count, bits=32))


@function('upsample', 'u:N high, u:N low', (8, 16, 32))
def upsample(fmt, high, low):
   """For both signs: the lower half is unsigned."""
   return (u2u(high, bits=SIZE_TWICE) << fmt.bits) | u2u(low, bits=SIZE_TWICE)


@function('select_bits', 'u:N zeros, u:N ones, u:N mask')
def select_bits(fmt, zeros, ones, mask):
   return bitselect(mask, ones, zeros)


@function('same', 'u:N x')
def same(fmt, x):
   return x
