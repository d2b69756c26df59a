# SPDX-License-Identifier: MIT
"""Scalar instructions. `dst` is what the destination holds before, `k` the 16 bits of SOPK, `exec` that mask.

The second result, where there is one, is scc; its expressions may name r and ur, the first result
and its undefined bits.
"""

from codegen.gcn.sem import scalar

NONZERO = ('r != 0', 'nonzero_undef(r, ur)')


def plain(name, signature, expression, undef='any'):
   scalar(name, signature, expression, undef)


def tested(name, signature, expression, undef):
   """scc says whether the result is not zero."""
   outs, _, ins = signature.partition(':')
   scalar(name, f'{outs} scc :{ins}', (expression, NONZERO[0]), (undef, NONZERO[1]))


def compare(name, signature, expression, undef):
   scalar(name, f'scc : {signature}', expression, undef)


# ---- moves ----------------------------------------------------------------------------------------

for n in (32, 64):
   plain(f's_mov_b{n}', f'{n} : {n}', 'a', 'ua')
   plain(f's_cselect_b{n}', f'{n} : {n} {n} scc', 'c ? a : b', 'select_undef(c, uc, a, ua, b, ub)')
   plain(f's_cmov_b{n}', f'{n} : {n} dst scc', 'c ? a : b', 'select_undef(c, uc, a, ua, b, ub)')
plain('s_movk_i32', '32 : k', 'sext16(a)', '0')
plain('s_cmovk_i32', '32 : k dst scc', 'c ? (uint64_t)sext16(a) : b',
      'select_undef(c, uc, (uint64_t)sext16(a), 0, b, ub)')

# ---- sums -----------------------------------------------------------------------------------------

ADD_OVERFLOW = '(~(a ^ b) & (a ^ r)) >> 31 & 1'
SUB_OVERFLOW = '((a ^ b) & (a ^ r)) >> 31 & 1'
# Overflow hangs on the three signs; they are known only if all bits below are.
SIGNS = 'any1(ua | ub)'
scalar('s_add_u32', '32 scc : 32 32', ('a + b', 'carry_add(a, b, 0)'),
       ('up', 'carry_add_undef((uint32_t)a, (uint32_t)ua, (uint32_t)b, (uint32_t)ub, 0, 0)'))
scalar('s_sub_u32', '32 scc : 32 32', ('a - b', 'carry_sub(a, b, 0)'),
       ('up', 'carry_sub_undef((uint32_t)a, (uint32_t)ua, (uint32_t)b, (uint32_t)ub, 0, 0)'))
scalar('s_addc_u32', '32 scc : 32 32 scc', ('a + b + c', 'carry_add(a, b, c)'),
       ('up', 'carry_add_undef((uint32_t)a, (uint32_t)ua, (uint32_t)b, (uint32_t)ub, c, uc)'))
scalar('s_subb_u32', '32 scc : 32 32 scc', ('a - b - c', 'carry_sub(a, b, c)'),
       ('up', 'carry_sub_undef((uint32_t)a, (uint32_t)ua, (uint32_t)b, (uint32_t)ub, c, uc)'))
scalar('s_add_i32', '32 scc : 32 32', ('a + b', ADD_OVERFLOW), ('up', SIGNS))
scalar('s_sub_i32', '32 scc : 32 32', ('a - b', SUB_OVERFLOW), ('up', SIGNS))
scalar('s_addk_i32', '32 scc : dst k',
       ('a + (uint32_t)sext16(b)', '(~(a ^ (uint32_t)sext16(b)) & (a ^ r)) >> 31 & 1'),
       ('up32(ua)', 'any1(ua)'))
for shift in range(1, 5):
   # What the carry is when the shift alone leaves 32 bits, the manuals tell in two ways.
   scalar(f's_lshl{shift}_add_u32', '32 scc : 32 32',
          (f'(a << {shift}) + b', f'((a << {shift}) + b) >> 32 != 0'),
          (f'up32(ua << {shift} | ub)', f'any1(ua | ub | a >> {32 - shift})'))
# The sign of the difference as it wraps decides: of 0x80000000 and 1 it is 0x7fffffff.
tested('s_absdiff_i32', '32 : 32 32', 'absolute(a - b, (a - b) >> 31 & 1)', 'any')
tested('s_abs_i32', '32 : 32', 'absolute(a, a >> 31 & 1)', 'ua >> 31 ? UINT32_MAX : up32(ua)')

# ---- products, choices ----------------------------------------------------------------------------

MUL = 'mul_undef(a, ua, b, ub)'
plain('s_mul_i32', '32 : 32 32', 'a * b', MUL)
plain('s_mul_hi_u32', '32 : 32 32', 'a * b >> 32', MUL + ' >> 32')
plain('s_mul_hi_i32', '32 : 32 32', '(uint64_t)(sext32(a) * sext32(b)) >> 32',
      'mul_undef((uint64_t)sext32(a), (uint64_t)sext32(ua), (uint64_t)sext32(b), '
      '(uint64_t)sext32(ub)) >> 32')
plain('s_mulk_i32', '32 : dst k', 'a * (uint64_t)sext16(b)', 'mul_undef(a, ua, (uint64_t)sext16(b), 0)')

for kind in 'iu':
   x, y = (f'sext32({v})' if kind == 'i' else v for v in 'ab')
   less = f'less_undef_{kind}(32, a, ua, b, ub)'
   scalar(f's_min_{kind}32', '32 scc : 32 32', (f'{x} < {y} ? a : b', f'{x} < {y}'), ('any', less))
   # Which one is the larger of two that are equal, the manuals tell in two ways.
   scalar(f's_max_{kind}32', '32 scc : 32 32', (f'{x} > {y} ? a : b', f'{x} > {y}'),
          ('any', f'less_undef_{kind}(32, b, ub, a, ua) || ((a ^ b) & ~(ua | ub)) == 0'))

# ---- bits -----------------------------------------------------------------------------------------

for n in (32, 64):
   two = f'{n} : {n} {n}'
   for name, expression, undef in (
         ('and', 'a & b', 'and_undef(a, ua, b, ub)'),
         ('or', 'a | b', 'or_undef(a, ua, b, ub)'),
         ('xor', 'a ^ b', 'ua | ub'),
         ('andn2', 'a & ~b', 'and_undef(a, ua, ~b, ub)'),
         ('orn2', 'a | ~b', 'or_undef(a, ua, ~b, ub)'),
         ('nand', '~(a & b)', 'and_undef(a, ua, b, ub)'),
         ('nor', '~(a | b)', 'or_undef(a, ua, b, ub)'),
         ('xnor', '~(a ^ b)', 'ua | ub')):
      tested(f's_{name}_b{n}', two, expression, undef)
   tested(f's_not_b{n}', f'{n} : {n}', '~a', 'ua')
   tested(f's_wqm_b{n}', f'{n} : {n}', 'quads(a) * 15', 'quads_undef(a, ua) * 15')
   tested(f's_quadmask_b{n}', f'{n} : {n}', 'gather_quads(quads(a))',
          'gather_quads(quads_undef(a, ua))')
   plain(f's_brev_b{n}', f'{n} : {n}', f'reverse({n}, a)', f'reverse({n}, ua)')
   for bit in '01':
      value = 'a' if bit == '1' else f'(~a & low_bits({n}))'
      tested(f's_bcnt{bit}_i32_b{n}', f'32 : {n}', f'count_ones({value})', 'any')
      plain(f's_ff{bit}_i32_b{n}', f'32 : {n}', f'first_one({value})')
   plain(f's_flbit_i32_b{n}', f'32 : {n}', f'last_one({n}, a)')
   signed = 's_flbit_i32' if n == 32 else 's_flbit_i32_i64'
   plain(signed, f'32 : {n}', f'last_one({n}, a ^ (a >> {n - 1} ? low_bits({n}) : 0))')
   plain(f's_bitset0_b{n}', f'{n} : 32 dst', f'b & ~(UINT64_C(1) << (a & {n - 1}))',
         f'ua & {n - 1} ? low_bits({n}) : ub & ~(UINT64_C(1) << (a & {n - 1}))')
   plain(f's_bitset1_b{n}', f'{n} : 32 dst', f'b | UINT64_C(1) << (a & {n - 1})',
         f'ua & {n - 1} ? low_bits({n}) : ub & ~(UINT64_C(1) << (a & {n - 1}))')
   for bit in '01':
      compare(f's_bitcmp{bit}_b{n}', f'{n} 32', f'(a >> (b & {n - 1}) & 1) == {bit}',
              f'any1(ub & {n - 1}) || (ua >> (b & {n - 1}) & 1)')
   tested(f's_lshl_b{n}', f'{n} : {n} 32', f'shl({n}, a, b)', f'shl_undef({n}, a, ua, b, ub)')
   tested(f's_lshr_b{n}', f'{n} : {n} 32', f'shr({n}, a, b)', f'shr_undef({n}, a, ua, b, ub)')
   tested(f's_ashr_i{n}', f'{n} : {n} 32', f'sar({n}, a, b)', f'sar_undef({n}, a, ua, b, ub)')
   tested(f's_bfe_u{n}', f'{n} : {n} 32', f'scalar_bfe({n}, a, b, false)',
          f'ub & {hex(0x7f0000 | n - 1)} ? low_bits({n}) : scalar_bfe({n}, ua, b, false)')
   tested(f's_bfe_i{n}', f'{n} : {n} 32', f'scalar_bfe({n}, a, b, true)',
          f'ub & {hex(0x7f0000 | n - 1)} ? low_bits({n}) : scalar_bfe({n}, ua, b, true)')
   plain(f's_bfm_b{n}', f'{n} : 32 32',
         f'((UINT64_C(1) << (a & {n - 1})) - 1) << (b & {n - 1})',
         f'(ua | ub) & {n - 1} ? low_bits({n}) : 0')

plain('s_sext_i32_i8', '32 : 32', 'sign_extend(8, a)', 'sign_extend(8, ua)')
plain('s_sext_i32_i16', '32 : 32', 'sext16(a)', 'sext16(ua)')
plain('s_bitreplicate_b64_b32', '64 : 32', 'spread(a) * 3', 'spread(ua) * 3')
for name, low, high in (('ll', 'lo16', 'lo16'), ('lh', 'lo16', 'hi16'), ('hh', 'hi16', 'hi16')):
   plain(f's_pack_{name}_b32_b16', '32 : 32 32', f'{low}(a) | {high}(b) << 16',
         f'{low}(ua) | {high}(ub) << 16')

# ---- exec -----------------------------------------------------------------------------------------

for name, expression, undef in (
      ('and', 'a & b', 'ua & b'), ('or', 'a | b', 'ua & ~b'), ('xor', 'a ^ b', 'ua'),
      ('nand', '~(a & b)', 'ua & b'), ('nor', '~(a | b)', 'ua & ~b'), ('xnor', '~(a ^ b)', 'ua'),
      ('andn1', '~a & b', 'ua & b'), ('orn1', '~a | b', 'ua & ~b'),
      ('andn2', 'a & ~b', 'ua & ~b'), ('orn2', 'a | ~b', 'ua & b')):
   scalar(f's_{name}_saveexec_b64', 'exec scc : 64 exec', (expression, 'r != 0'), (undef, '0'))
   if name in ('andn1', 'andn2'):
      scalar(f's_{name}_wrexec_b64', 'exec scc : 64 exec', (expression, 'r != 0'), (undef, '0'))

# ---- compares -------------------------------------------------------------------------------------

for name, operator in (('eq', '=='), ('lg', '!='), ('gt', '>'), ('ge', '>='), ('lt', '<'),
                       ('le', '<=')):
   for kind in 'iu':
      x, y = (f'sext32({v})' if kind == 'i' else v for v in 'ab')
      constant = '(uint32_t)sext16(b)' if kind == 'i' else 'b'
      order = 'a, ua, {b}, {ub}' if name in ('lt', 'ge') else '{b}, {ub}, a, ua'
      rule = ('equal_undef(a, ua, {b}, {ub})' if name in ('eq', 'lg')
              else f'less_undef_{kind}(32, {order})')
      compare(f's_cmp_{name}_{kind}32', '32 32', f'{x} {operator} {y}', rule.format(b='b', ub='ub'))
      compare(f's_cmpk_{name}_{kind}32', '32 k',
              f'{x} {operator} {"sext16(b)" if kind == "i" else "b"}',
              rule.format(b=constant, ub='0'))
for name, operator in (('eq', '=='), ('lg', '!=')):
   compare(f's_cmp_{name}_u64', '64 64', f'a {operator} b', 'equal_undef(a, ua, b, ub)')
