# SPDX-License-Identifier: MIT
"""The ALU ops, one row each. schema.Op says what the columns mean.

What holds for every op:

 * A value has components and bits, no type: the op says how it reads them. Componentwise ops do the
   same on each component; all their operands have as many components as the result.
 * Every op has a defined result for all operands. Integers wrap modulo 2^N.
 * A float result that is not a number is the canonical quiet NaN (0x7e00, 0x7fc00000, 0x7ff8 << 48),
   whatever NaN came in; only ops that work on the sign alone hand a NaN through.
 * Denormals are kept, or, for a size that the shader flushes, count as zeros of their sign as
   operands and as results. Ops that are said to keep denormals always do.
 * Results are rounded to nearest, ties to even, or to zero for a size for which the shader says so;
   ops with _rne, _rtz, _ru, _rd in the name and ops that say so always round as they say.
 * A result computed from undef is undefined, unless the row says that another operand alone
   decides it. Not all ops that could say so do: a shift of 0 or a minimum with 0 by undef is
   undefined, because machines expand such ops to several others.
 * Booleans are 1-bit values: and, or, xor, not of booleans are iand, ior, ixor, inot.
"""

from codegen.ir.schema import ANY, FLOAT, INT, Op, check_ops

OPS = []


def op(*args, **kwargs):
   OPS.append(Op(*args, **kwargs))


# ---- integer arithmetic ---------------------------------------------------------------------

op('iadd', 'u:N, u:N -> u:N', 'src0 + src1', 'Sum.', N=INT,
   commutative=True, associative=True, identity='zero')
op('isub', 'u:N, u:N -> u:N', 'src0 - src1', 'Difference.', N=INT, identity='zero', same='zero')
op('imul', 'u:N, u:N -> u:N', 'src0 * src1', 'Low half of the product.', N=INT,
   commutative=True, associative=True, identity='one', absorbing='zero')
op('ineg', 'u:N -> u:N', '0 - src0', 'Negation.', 'The least integer is its own negation.', N=INT,
   self_inverse=True)
op('iabs', 'i:N -> u:N', 'src0 < 0 ? 0 - (uint64_t)src0 : (uint64_t)src0', 'Magnitude.',
   'The least integer gives itself, which read as unsigned is its magnitude.', N=INT,
   idempotent=True)
op('isign', 'i:N -> i:N', '(src0 > 0) - (src0 < 0)', 'Sign: -1, 0 or 1.', N=INT, idempotent=True)

op('umulhi', 'u:N, u:N -> u:N', 'umulhi(N, src0, src1)', 'High half of the unsigned product.',
   N=INT, commutative=True, absorbing='zero')
op('imulhi', 'i:N, i:N -> i:N', 'imulhi(N, src0, src1)', 'High half of the signed product.',
   N=INT, commutative=True, absorbing='zero')
op('umul_wide', 'u:32, u:32 -> u:64', 'src0 * src1', 'Whole unsigned product.', commutative=True,
   absorbing='zero')
op('imul_wide', 'i:32, i:32 -> i:64', 'src0 * src1', 'Whole signed product.', commutative=True,
   absorbing='zero')
op('umul24', 'u:32, u:32 -> u:32', '(src0 & 0xffffff) * (src1 & 0xffffff)',
   'Low 32 bits of the product of the low 24 bits.', 'The upper 8 bits of operands are ignored.',
   commutative=True, absorbing='zero')
op('imul24', 'i:32, i:32 -> i:32', '(int64_t)sext(24, src0) * sext(24, src1)',
   'Low 32 bits of the product of the low 24 bits, sign extended.',
   'The upper 8 bits of operands are ignored.', commutative=True, absorbing='zero')
op('umad24', 'u:32, u:32, u:32 -> u:32', '(src0 & 0xffffff) * (src1 & 0xffffff) + src2',
   'umul24 of the first two, plus the third.', 'The upper 8 bits of factors are ignored.',
   commutative=True, undef='product')
op('imad24', 'i:32, i:32, i:32 -> i:32', '(int64_t)sext(24, src0) * sext(24, src1) + src2',
   'imul24 of the first two, plus the third.', 'The upper 8 bits of factors are ignored.',
   commutative=True, undef='product')

op('udiv', 'u:N, u:N -> u:N', 'src1 ? src0 / src1 : ~UINT64_C(0)', 'Unsigned quotient.',
   'x / 0 is all ones.', N=INT, identity='one')
op('idiv', 'i:N, i:N -> i:N', 'idiv(src0, src1)', 'Signed quotient, rounded to zero.',
   'x / 0 is -1; the least integer / -1 is itself.', N=INT, identity='one')
op('urem', 'u:N, u:N -> u:N', 'src1 ? src0 % src1 : src0', 'Unsigned remainder.',
   'x rem 0 is x, so that x = (x / y) * y + (x rem y) always.', N=INT, identity='zero',
   absorbing_left='zero', same='zero', undef='any')
op('irem', 'i:N, i:N -> i:N', 'irem(src0, src1)',
   'Signed remainder of idiv, with the sign of the dividend.',
   'x rem 0 is x; the least integer rem -1 is 0.', N=INT, identity='zero',
   absorbing_left='zero', same='zero', undef='any')
op('imod', 'i:N, i:N -> i:N', 'imod(src0, src1)',
   'Signed modulus of the quotient rounded down, with the sign of the divisor.',
   'x mod 0 is x; the least integer mod -1 is 0.', N=INT, identity='zero',
   absorbing_left='zero', same='zero', undef='any')

op('umin', 'u:N, u:N -> u:N', 'src0 < src1 ? src0 : src1', 'Minimum, unsigned.', N=INT,
   commutative=True, associative=True, identity='all_ones', absorbing='zero', same='operand',
   undef='any')
op('umax', 'u:N, u:N -> u:N', 'src0 > src1 ? src0 : src1', 'Maximum, unsigned.', N=INT,
   commutative=True, associative=True, identity='zero', absorbing='all_ones', same='operand',
   undef='any')
op('imin', 'i:N, i:N -> i:N', 'src0 < src1 ? src0 : src1', 'Minimum, signed.', N=INT,
   commutative=True, associative=True, identity='int_max', absorbing='int_min', same='operand',
   undef='any')
op('imax', 'i:N, i:N -> i:N', 'src0 > src1 ? src0 : src1', 'Maximum, signed.', N=INT,
   commutative=True, associative=True, identity='int_min', absorbing='int_max', same='operand',
   undef='any')
op('umed3', 'u:N, u:N, u:N -> u:N',
   'umin(umax(src0, src1), umax(umin(src0, src1), src2))',
   'Median of three, unsigned.', N=INT, commutative=True)
op('imed3', 'i:N, i:N, i:N -> i:N',
   'imin(imax(src0, src1), imax(imin(src0, src1), src2))',
   'Median of three, signed.', N=INT, commutative=True)

op('uadd_carry', 'u:N, u:N -> b:1', 'src0 > mask(N) - src1', 'Carry of the sum.',
   N=INT, commutative=True)
op('usub_borrow', 'u:N, u:N -> b:1', 'src0 < src1', 'Borrow of the difference.',
   N=INT, same='false')
op('uadd_sat', 'u:N, u:N -> u:N', 'src0 > mask(N) - src1 ? mask(N) : src0 + src1',
   'Unsigned saturating sum.', N=INT,
   commutative=True, associative=True, identity='zero', absorbing='all_ones', undef='any')
op('iadd_sat', 'i:N, i:N -> i:N', 'iadd_sat(N, src0, src1)',
   'Signed saturating sum.', N=INT,
   commutative=True, identity='zero')
op('usub_sat', 'u:N, u:N -> u:N', 'src0 < src1 ? 0 : src0 - src1',
   'Unsigned saturating difference, at least 0.', N=INT, identity='zero', absorbing_left='zero', same='zero', undef='any')
op('isub_sat', 'i:N, i:N -> i:N', 'isub_sat(N, src0, src1)',
   'Signed saturating difference.', N=INT,
   identity='zero', same='zero')
op('uabs_diff', 'u:N, u:N -> u:N', 'src0 < src1 ? src1 - src0 : src0 - src1',
   'Absolute difference of two unsigned integers.', N=INT, commutative=True, identity='zero', same='zero')
op('iabs_diff', 'i:N, i:N -> u:N',
   'src0 < src1 ? (uint64_t)src1 - (uint64_t)src0 : (uint64_t)src0 - (uint64_t)src1',
   'Absolute difference of two signed integers, as an unsigned one.', N=INT, commutative=True, same='zero')

# ---- dot products of four packed bytes ------------------------------------------------------

for sign, types, words in (('u', 'uu', 'unsigned bytes'), ('i', 'ii', 'signed bytes'),
                           ('iu', 'iu', 'signed bytes of x and unsigned bytes of y')):
   dot = f"dot4_{types}(src0, src1)"
   kind = 'u' if sign == 'u' else 'i'
   symmetric = sign != 'iu'
   op(f'{sign}dot4', f'x:32, x:32 -> {kind}:32', dot,
      f'Sum of the four products of {words}, the first in the low bits.',
      commutative=symmetric, absorbing='zero', absorbing_left='zero')
   op(f'{sign}dot4_acc', f'x:32, x:32, {kind}:32 -> {kind}:32', f'{dot} + src2',
      f'{sign}dot4 of the first two, plus the third.', 'The sum wraps.', commutative=symmetric)
   op(f'{sign}dot4_acc_sat', f'x:32, x:32, {kind}:32 -> {kind}:32',
      f'umin({dot} + src2, mask(32))' if kind == 'u' else f'clamp32({dot} + src2)',
      f'{sign}dot4 of the first two, plus the third, held in the range of the result.',
      'The exact sum of all five terms saturates once.', commutative=symmetric)

# ---- bits -----------------------------------------------------------------------------------

op('iand', 'x:N, x:N -> x:N', 'src0 & src1', 'Bitwise and; of booleans at 1 bit.', N=ANY,
   commutative=True, associative=True, identity='all_ones', absorbing='zero', same='operand')
op('ior', 'x:N, x:N -> x:N', 'src0 | src1', 'Bitwise or; of booleans at 1 bit.', N=ANY,
   commutative=True, associative=True, identity='zero', absorbing='all_ones', same='operand')
op('ixor', 'x:N, x:N -> x:N', 'src0 ^ src1', 'Bitwise exclusive or; of booleans at 1 bit.', N=ANY,
   commutative=True, associative=True, identity='zero', same='zero')
op('inot', 'x:N -> x:N', '~src0', 'Bitwise complement; of booleans at 1 bit.', N=ANY,
   self_inverse=True)
op('bitselect', 'x:N mask, x:N ones, x:N zeros -> x:N', '(src0 & src1) | (~src0 & src2)',
   'Each bit from the second operand where the mask has a one, else from the third.', N=INT,
   undef='bits')

op('ishl', 'u:N value, u:32 count -> u:N', 'src0 << (src1 & (N - 1))', 'Shift left.',
   'The count is taken modulo N.', N=INT, identity='zero', absorbing_left='zero', undef='any')
op('ushr', 'u:N value, u:32 count -> u:N', 'src0 >> (src1 & (N - 1))',
   'Shift right, filling with zeros.', 'The count is taken modulo N.', N=INT,
   identity='zero', absorbing_left='zero', undef='any')
op('ishr', 'i:N value, u:32 count -> i:N', 'asr(src0, src1 & (N - 1))',
   'Shift right, filling with the sign.', 'The count is taken modulo N.', N=INT,
   identity='zero', absorbing_left='zero', undef='any')
op('rotl', 'u:N value, u:32 count -> u:N', 'rotl(N, src0, src1 & (N - 1))', 'Rotate left.',
   'The count is taken modulo N.', N=INT, identity='zero', absorbing_left='zero', undef='any')
op('rotr', 'u:N value, u:32 count -> u:N', 'rotl(N, src0, (0 - src1) & (N - 1))', 'Rotate right.',
   'The count is taken modulo N.', N=INT, identity='zero', absorbing_left='zero', undef='any')
op('funnel_shr', 'u:N high, u:N low, u:32 count -> u:N', 'funnel_shr(N, src0, src1, src2 & (N - 1))',
   'Low half of the double-width number high:low shifted right.', 'The count is taken modulo N.',
   N=INT)

op('bit_count', 'u:N -> u:32', 'bit_count(src0)', 'Population count: the number of 1 bits.', N=INT)
op('bit_reverse', 'u:N -> u:N', 'bit_reverse(N, src0)', 'The bits in reverse order.', N=INT,
   self_inverse=True)
op('find_lsb', 'u:N -> i:32', 'find_lsb(src0)', 'Position of the lowest 1 bit.', '0 gives -1.', N=INT)
op('ufind_msb', 'u:N -> i:32', 'find_msb(src0)', 'Position of the highest 1 bit.', '0 gives -1.',
   N=INT)
op('ifind_msb', 'i:N -> i:32', 'find_msb((uint64_t)(src0 < 0 ? ~src0 : src0))',
   'Position of the highest bit that differs from the sign.', '0 and -1 give -1.', N=INT)

op('bitfield_mask', 'u:32 count, u:32 offset -> u:N', 'bitfield_mask(src0, src1) & mask(N)',
   'As many ones as count says, starting at bit offset.',
   'Bits past the top are cut off: a count or an offset of N or more is no special case.', N=INT)
op('ubitfield_extract', 'u:N value, u:32 offset, u:32 count -> u:N',
   'src1 < N ? src0 >> src1 & ones(src2) : 0',
   'The bits from offset on, as many as count says, filled with zeros.',
   'Bits past the top read as 0; a count of 0 gives 0.', N=INT)
op('ibitfield_extract', 'i:N value, u:32 offset, u:32 count -> i:N',
   'ibitfield_extract(src0, src1, src2)',
   'The bits from offset on, as many as count says, filled with the highest of them.',
   'Bits past the top read as the sign; a count of 0 gives 0.', N=INT)
op('ubfe', 'u:N value, u:32 offset, u:32 count -> u:N',
   'src0 >> (src1 & (N - 1)) & ones(src2 & (N - 1))',
   'ubitfield_extract with offset and count modulo N, as machines do it.',
   'A count of N gives 0.', N=(32, 64))
op('ibfe', 'i:N value, u:32 offset, u:32 count -> i:N',
   'ibitfield_extract(src0, src1 & (N - 1), src2 & (N - 1))',
   'ibitfield_extract with offset and count modulo N, as machines do it.',
   'A count of N gives 0.', N=(32, 64))
op('bitfield_insert', 'u:N base, u:N insert, u:32 offset, u:32 count -> u:N',
   'bitselect(bitfield_mask(src3, src2), shl(src1, src2), src0)',
   'base with the bits from offset on, as many as count says, replaced by the low bits of insert.',
   'Bits past the top are dropped; a count of 0 gives base.', N=INT)

# ---- integer compares -----------------------------------------------------------------------

op('ieq', 'x:N, x:N -> b:1', 'src0 == src1', 'Equal.', N=ANY, compare=True, commutative=True,
   same='true', inverse='ine')
op('ine', 'x:N, x:N -> b:1', 'src0 != src1', 'Not equal.', N=ANY, compare=True, commutative=True,
   same='false', inverse='ieq')
op('ult', 'u:N, u:N -> b:1', 'src0 < src1', 'Less, unsigned.', N=INT, compare=True,
   same='false', inverse='~ule')
op('ule', 'u:N, u:N -> b:1', 'src0 <= src1', 'Less or equal, unsigned.', N=INT, compare=True,
   same='true', inverse='~ult')
op('ilt', 'i:N, i:N -> b:1', 'src0 < src1', 'Less, signed.', N=INT, compare=True,
   same='false', inverse='~ile')
op('ile', 'i:N, i:N -> b:1', 'src0 <= src1', 'Less or equal, signed.', N=INT, compare=True,
   same='true', inverse='~ilt')

# ---- float arithmetic -----------------------------------------------------------------------

op('fadd', 'f:N, f:N -> f:N', 'hd_float_add(N, src0, src1, round)', 'Sum.',
   'inf - inf is NaN; an exact sum of zero is +0 unless both operands are -0.', N=FLOAT,
   commutative=True, associative='inexact', identity='float_neg_zero', absorbing='float_nan',
   undef='any', rounds=True)
op('fsub', 'f:N, f:N -> f:N', 'hd_float_sub(N, src0, src1, round)', 'Difference.',
   'inf - inf is NaN; x - x is +0.', N=FLOAT, identity='float_zero', absorbing='float_nan',
   absorbing_left='float_nan', undef='any', rounds=True)
op('fmul', 'f:N, f:N -> f:N', 'hd_float_mul(N, src0, src1, round)', 'Product.',
   '0 * inf is NaN.', N=FLOAT,
   commutative=True, associative='inexact', identity='float_one', absorbing='float_nan',
   undef='any', rounds=True)
op('fdiv', 'f:N, f:N -> f:N', 'hd_float_div(N, src0, src1, round)', 'Quotient, correctly rounded.',
   'x / 0 is an infinity with the product of the signs; 0 / 0 and inf / inf are NaN.', N=FLOAT,
   identity='float_one', absorbing='float_nan', absorbing_left='float_nan', undef='any', rounds=True)
op('ffma', 'f:N, f:N, f:N -> f:N', 'hd_float_fma(N, src0, src1, src2, round)',
   'Product of the first two plus the third, rounded once.', '0 * inf + x is NaN for every x.',
   N=FLOAT, commutative=True, rounds=True)
op('fneg', 'f:N -> f:N', 'hd_float_neg(N, src0)', 'The sign turned over.',
   'Works on the sign bit alone: NaNs and denormals are kept.', N=FLOAT, flushes=False,
   self_inverse=True)
op('fabs', 'f:N -> f:N', 'hd_float_abs(N, src0)', 'The sign cleared.',
   'Works on the sign bit alone: NaNs and denormals are kept.', N=FLOAT, flushes=False,
   idempotent=True)
op('fcopysign', 'f:N, f:N -> f:N', 'copysign_bits(N, src0, src1)',
   'The first operand with the sign of the second.',
   'Works on the sign bits alone: NaNs and denormals are kept.', N=FLOAT, flushes=False,
   associative=True, same='operand')
op('fsign', 'f:N -> f:N', 'fsign(N, src0)', '-1, 1, or the operand if it is a zero.',
   'NaN gives +0.', N=FLOAT, idempotent=True)
op('fmin', 'f:N, f:N -> f:N', 'hd_float_min(N, src0, src1)', 'The lesser.',
   'A number wins over a NaN; -0 is less than +0.', N=FLOAT, commutative=True, associative=True,
   identity='float_nan', absorbing='float_neg_inf', same='operand', undef='any')
op('fmax', 'f:N, f:N -> f:N', 'hd_float_max(N, src0, src1)', 'The greater.',
   'A number wins over a NaN; -0 is less than +0.', N=FLOAT, commutative=True, associative=True,
   identity='float_nan', absorbing='float_inf', same='operand', undef='any')
op('fmed3', 'f:N, f:N, f:N -> f:N', 'fmed3(N, src0, src1, src2)', 'The middle of three.',
   'If any operand is NaN, the least of the numbers; -0 is less than +0.', N=FLOAT,
   commutative=True)
op('fsat', 'f:N -> f:N', 'hd_float_saturate(N, src0)', 'The nearest number in 0 to 1.',
   'NaN and -0 give +0.', N=FLOAT, idempotent=True)
op('fcanonicalize', 'f:N -> f:N', 'hd_float_convert(N, N, src0, round)',
   'The same number: NaNs made canonical, denormals flushed if the shader says so.', N=FLOAT,
   idempotent=True)
op('fquantize16', 'f:32 -> f:32', 'fquantize16(src0)',
   'Rounded to nearest even to what 16 bits can hold.',
   'What is less than the smallest normal 16-bit number after rounding becomes a zero of its sign; '
   'too large becomes infinity.', idempotent=True)

op('ffloor', 'f:N -> f:N', 'hd_float_floor(N, src0)', 'The next integral number not above.',
   'Zeros keep their sign.', N=FLOAT, idempotent=True)
op('fceil', 'f:N -> f:N', 'hd_float_ceil(N, src0)', 'The next integral number not below.',
   'Zeros keep their sign; -0.5 gives -0.', N=FLOAT, idempotent=True)
op('ftrunc', 'f:N -> f:N', 'hd_float_trunc(N, src0)', 'The integral part.',
   'The sign is kept, of zero results too.', N=FLOAT, idempotent=True)
op('frint', 'f:N -> f:N', 'hd_float_rint(N, src0)',
   'The nearest integral number, the even one of two.', 'The sign is kept, of zero results too.',
   N=FLOAT, idempotent=True)
op('ffract', 'f:N -> f:N', 'hd_float_fract(N, src0)', 'x - floor(x), below 1.',
   'Rounded to nearest, but a tiny negative gives the greatest number below 1; integral numbers '
   'and zeros give +0, infinities NaN.', N=FLOAT, idempotent=True)

op('frcp', 'f:N -> f:N', 'hd_float_rcp(N, src0)', '1 / x, correctly rounded to nearest even.',
   'Zero gives an infinity of its sign.', N=FLOAT, rounds=True)
op('fsqrt', 'f:N -> f:N', 'hd_float_sqrt(N, src0, round)', 'Square root, correctly rounded.',
   '-0 gives -0; less gives NaN.', N=FLOAT, rounds=True)
op('frsq', 'f:N -> f:N', 'hd_float_rsq(N, src0)',
   '1 / square root, correctly rounded to nearest even.',
   'Zero gives an infinity of its sign; less gives NaN.', N=FLOAT, rounds=True)
op('fexp2', 'f:N -> f:N', 'hd_float_exp2(N, src0)', '2^x, correctly rounded to nearest even.',
   '-inf gives +0.', N=(16, 32), rounds=True)
op('flog2', 'f:N -> f:N', 'hd_float_log2(N, src0)',
   'Logarithm to base 2, correctly rounded to nearest even.',
   'Zero of either sign gives -inf; less gives NaN.', N=(16, 32), rounds=True)
op('fsin', 'f:N -> f:N', 'hd_float_sin(N, src0)',
   'Sine of 2 pi x (x in turns), correctly rounded to nearest even.',
   'Infinities give NaN; a multiple of 1/2 gives a zero with the sign of x.', N=(16, 32),
   rounds=True)
op('fcos', 'f:N -> f:N', 'hd_float_cos(N, src0)',
   'Cosine of 2 pi x (x in turns), correctly rounded to nearest even.',
   'Infinities give NaN; an odd multiple of 1/4 gives +0.', N=(16, 32), rounds=True)
op('fldexp', 'f:N, i:32 exponent -> f:N', 'hd_float_ldexp(N, src0, (int32_t)src1)',
   'x * 2^exponent, rounded once to nearest even.', 'Zeros and infinities stay.', N=FLOAT,
   identity='zero', absorbing_left='float_zero', undef='any', rounds=True)
op('ffrexp_sig', 'f:N -> f:N', 'hd_float_frexp_sig(N, src0)',
   'The number s with x = s * 2^e, |s| in 1/2 to 1.', 'Zeros and infinities stay.', N=FLOAT,
   idempotent=True)
op('ffrexp_exp', 'f:N -> i:32', 'hd_float_frexp_exp(N, src0)',
   'The integer e with x = s * 2^e, |s| in 1/2 to 1.', 'Zeros, infinities and NaN give 0.',
   N=FLOAT)

# ---- float compares: ordered ones are false if an operand is NaN, ..u ones are true ---------

NAN_FALSE = 'False if an operand is NaN; zeros are equal.'
NAN_TRUE = 'True if an operand is NaN; zeros are equal.'
LT, LE, EQ = ('hd_float_lt(N, {}, {})', 'hd_float_le(N, {}, {})', 'hd_float_eq(N, {}, {})')

op('feq', 'f:N, f:N -> b:1', EQ.format('src0', 'src1'), 'Ordered and equal.', NAN_FALSE, N=FLOAT,
   compare=True, commutative=True, inverse='fneu')
op('fne', 'f:N, f:N -> b:1',
   '!hd_float_unordered(N, src0, src1) && !' + EQ.format('src0', 'src1'),
   'Ordered and not equal.', NAN_FALSE, N=FLOAT, compare=True, commutative=True, same='false',
   inverse='fequ')
op('flt', 'f:N, f:N -> b:1', LT.format('src0', 'src1'), 'Ordered and less.', NAN_FALSE, N=FLOAT,
   compare=True, same='false', inverse='~fleu')
op('fle', 'f:N, f:N -> b:1', LE.format('src0', 'src1'), 'Ordered and less or equal.', NAN_FALSE,
   N=FLOAT, compare=True, inverse='~fltu')
op('fequ', 'f:N, f:N -> b:1',
   'hd_float_unordered(N, src0, src1) || ' + EQ.format('src0', 'src1'),
   'Unordered or equal.', NAN_TRUE, N=FLOAT, compare=True, commutative=True, same='true',
   inverse='fne')
op('fneu', 'f:N, f:N -> b:1', '!' + EQ.format('src0', 'src1'), 'Unordered or not equal.', NAN_TRUE,
   N=FLOAT, compare=True, commutative=True, inverse='feq')
op('fltu', 'f:N, f:N -> b:1', '!' + LE.format('src1', 'src0'), 'Unordered or less.', NAN_TRUE,
   N=FLOAT, compare=True, inverse='~fle')
op('fleu', 'f:N, f:N -> b:1', '!' + LT.format('src1', 'src0'), 'Unordered or less or equal.',
   NAN_TRUE, N=FLOAT, compare=True, same='true', inverse='~flt')
op('ford', 'f:N, f:N -> b:1', '!hd_float_unordered(N, src0, src1)', 'Neither operand is NaN.',
   N=FLOAT, compare=True, commutative=True, inverse='funord')
op('funord', 'f:N, f:N -> b:1', 'hd_float_unordered(N, src0, src1)', 'An operand is NaN.',
   N=FLOAT, compare=True, commutative=True, inverse='ford')

# ---- conversions: the instruction chooses M, the size of the result -------------------------

MODES = {'rne': ('HD_ROUND_NEAREST_EVEN', 'to nearest, ties to even'),
         'rtz': ('HD_ROUND_ZERO', 'to zero'),
         'ru': ('HD_ROUND_UP', 'up'),
         'rd': ('HD_ROUND_DOWN', 'down')}

op('u2u', 'u:N -> u:M', 'src0', 'Unsigned integer to another size: zero extended or cut off.',
   N=INT, M=INT)
op('i2i', 'i:N -> i:M', 'src0', 'Signed integer to another size: sign extended or cut off.',
   N=INT, M=INT)
op('b2i', 'b:1 -> u:M', 'src0', 'Boolean to integer: 0 or 1.', M=INT)
op('b2f', 'b:1 -> f:M', 'src0 ? hd_float_one(M) : 0', 'Boolean to float: +0 or 1.', M=FLOAT)

op('f2f', 'f:N -> f:M', 'hd_float_convert(N, M, src0, round)',
   'Float to another size, rounded as the shader says for size M.',
   'NaN gives the canonical NaN; too large rounds to infinity, to zero to the largest number.',
   N=FLOAT, M=FLOAT, rounds=True)
op('u2f', 'u:N -> f:M', 'hd_float_from_uint(M, src0, round)',
   'Unsigned integer to float, rounded as the shader says for size M.', '0 gives +0.',
   N=INT, M=FLOAT, rounds=True)
op('i2f', 'i:N -> f:M', 'hd_float_from_int(M, src0, round)',
   'Signed integer to float, rounded as the shader says for size M.', '0 gives +0.',
   N=INT, M=FLOAT, rounds=True)
op('f2u', 'f:N -> u:M', 'hd_float_to_uint(N, src0, M, HD_ROUND_ZERO)',
   'Float to unsigned integer, rounded to zero.',
   'Out of range gives the nearer end of the range, NaN gives 0.', N=FLOAT, M=INT)
op('f2i', 'f:N -> i:M', 'hd_float_to_int(N, src0, M, HD_ROUND_ZERO)',
   'Float to signed integer, rounded to zero.',
   'Out of range gives the nearer end of the range, NaN gives 0.', N=FLOAT, M=INT)

for suffix, (mode, words) in MODES.items():
   op(f'f2f_{suffix}', 'f:N -> f:M', f'hd_float_convert(N, M, src0, {mode})',
      f'Float to another size, rounded {words}.',
      'NaN gives the canonical NaN; past the largest number rounds like all else.',
      N=FLOAT, M=FLOAT, rounds=True)
   op(f'u2f_{suffix}', 'u:N -> f:M', f'hd_float_from_uint(M, src0, {mode})',
      f'Unsigned integer to float, rounded {words}.', '0 gives +0.', N=INT, M=FLOAT, rounds=True)
   op(f'i2f_{suffix}', 'i:N -> f:M', f'hd_float_from_int(M, src0, {mode})',
      f'Signed integer to float, rounded {words}.', '0 gives +0.', N=INT, M=FLOAT, rounds=True)
   if suffix == 'rtz':
      continue  # f2u and f2i
   op(f'f2u_{suffix}', 'f:N -> u:M', f'hd_float_to_uint(N, src0, M, {mode})',
      f'Float to unsigned integer, rounded {words}.',
      'Out of range gives the nearer end of the range, NaN gives 0.', N=FLOAT, M=INT)
   op(f'f2i_{suffix}', 'f:N -> i:M', f'hd_float_to_int(N, src0, M, {mode})',
      f'Float to signed integer, rounded {words}.',
      'Out of range gives the nearer end of the range, NaN gives 0.', N=FLOAT, M=INT)

# ---- two steps in one, as machines have them; late rules make them ----------------------------

op('iadd3', 'u:32, u:32, u:32 -> u:32', 'src0 + src1 + src2', 'Sum of three.', commutative=True)
op('ishl_add', 'u:32 value, u:32 count, u:32 -> u:32', '(src0 << (src1 & 31)) + src2',
   'The first shifted left, plus the third.', 'The count is taken modulo 32.')
op('iadd_shl', 'u:32, u:32, u:32 count -> u:32', '(src0 + src1) << (src2 & 31)',
   'Sum of the first two, shifted left.', 'The count is taken modulo 32.', commutative=True)
op('ishl_or', 'u:32 value, u:32 count, u:32 -> u:32', 'src0 << (src1 & 31) | src2',
   'The first shifted left, or-ed with the third.', 'The count is taken modulo 32.')
op('iand_or', 'x:32, x:32, x:32 -> x:32', '(src0 & src1) | src2',
   'Bitwise and of the first two, or-ed with the third.', commutative=True, undef='product')
op('ior3', 'x:32, x:32, x:32 -> x:32', 'src0 | src1 | src2', 'Bitwise or of three.',
   commutative=True)
op('usad', 'u:32, u:32, u:32 -> u:32', '(src0 < src1 ? src1 - src0 : src0 - src1) + src2',
   'Distance of the first two, unsigned, plus the third.', 'The sum wraps.', commutative=True)
for kind, which, word in (('u', 'min', 'least'), ('u', 'max', 'greatest'), ('i', 'min', 'least'),
                          ('i', 'max', 'greatest')):
   op(f'{kind}{which}3', f'{kind}:N, {kind}:N, {kind}:N -> {kind}:N',
      f'{kind}{which}({kind}{which}(src0, src1), src2)',
      f'The {word} of three, {"unsigned" if kind == "u" else "signed"}.', N=(16, 32),
      commutative=True)
for which, word in (('min', 'least'), ('max', 'greatest')):
   op(f'f{which}3', 'f:N, f:N, f:N -> f:N',
      f'hd_float_{which}(N, hd_float_{which}(N, src0, src1), src2)', f'The {word} of three.',
      'A number wins over a NaN; -0 is less than +0.', N=(16, 32), commutative=True)

# ---- choosing, vectors ----------------------------------------------------------------------

op('select', 'b:1 condition, x:N, x:N -> x:N', 'src0 ? src1 : src2',
   'The second operand where the condition is true, else the third, for each component.',
   'A vector is chosen as a whole by a condition that is repeated in all components.', N=ANY,
   undef='chosen')
op('vec', 'x:N[1] -> x:N[n]', 'src[c]', 'A vector of 1 to 16 scalars, one operand a component.',
   N=ANY, variadic=True, undef='moved')
op('channel', 'x:N vector, u:32[1] index -> x:N[1]', 'src1 < n ? src0[src1] : 0',
   'One component of a vector.', 'An index past the end gives 0.', N=ANY, undef='chosen')
op('insert_channel', 'x:N vector, x:N[1] value, u:32[1] index -> x:N', 'c == src2 ? src1 : src0',
   'The vector with one component replaced.', 'An index past the end gives the vector unchanged.',
   N=ANY, undef='chosen')

# ---- packing: component 0 is in the low bits ------------------------------------------------

for whole, count, part in ((64, 2, 32), (64, 4, 16), (32, 2, 16), (32, 4, 8)):
   op(f'pack_{whole}_{count}x{part}', f'x:{part}[{count}] -> x:{whole}[1]',
      ' | '.join(f'src0[{i}] << {i * part}' if i else 'src0[0]' for i in range(count)),
      f'{count} components of {part} bits joined to one of {whole}.')
   op(f'unpack_{whole}_{count}x{part}', f'x:{whole}[1] -> x:{part}[{count}]',
      f'src0 >> ({part} * c)', f'One component of {whole} bits split into {count} of {part}.')

HALVES = 'Denormals are kept whatever the shader says.'
op('pack_half_2x16', 'f:32[2] -> x:32[1]',
   'half(src0[0], HD_ROUND_NEAREST_EVEN) | half(src0[1], HD_ROUND_NEAREST_EVEN) << 16',
   'Two floats rounded to 16 bits, to nearest even, and joined.', HALVES, flushes=False,
   rounds=True)
op('pack_half_2x16_rtz', 'f:32[2] -> x:32[1]',
   'half(src0[0], HD_ROUND_ZERO) | half(src0[1], HD_ROUND_ZERO) << 16',
   'Two floats rounded to 16 bits, to zero, and joined.', HALVES, flushes=False, rounds=True)
op('unpack_half_2x16', 'x:32[1] -> f:32[2]',
   'hd_float_convert(16, 32, src0 >> (16 * c) & 0xffff, HD_ROUND_NEAREST_EVEN)',
   'Two 16-bit floats split and widened.', HALVES, flushes=False)

for count, part in ((2, 16), (4, 8)):
   for sign, kind, low in (('u', 'unorm', '0'), ('s', 'snorm', '-1')):
      most = (1 << part) - 1 if sign == 'u' else (1 << (part - 1)) - 1
      op(f'pack_{kind}_{count}x{part}', f'f:32[{count}] -> x:32[1]',
         ' | '.join(f'{kind}(src0[{i}], {part})' + (f' << {i * part}' if i else '')
                    for i in range(count)),
         f'{count} floats held in {low} to 1, times {most}, rounded to nearest even, and joined.',
         'The product is rounded to 32 bits first; NaN gives 0.', flushes=False, rounds=True)
      op(f'unpack_{kind}_{count}x{part}', f'x:32[1] -> f:32[{count}]',
         f'un{kind}(src0 >> ({part} * c), {part})',
         f'{count} {"unsigned" if sign == "u" else "signed"} integers divided by {most}, '
         'correctly rounded to nearest even.',
         'The least integer gives -1.' if sign == 's' else '', flushes=False, rounds=True)

OPS = check_ops(OPS)
