# SPDX-License-Identifier: MIT
"""Vector instructions, but for compares and floats: moves, integers, bits, packed halves."""

from codegen.gcn.sem import row

# ---- moves and choices --------------------------------------------------------------------------

row('v_mov_b32', '32 : 32', 'a', 'ua')
row('v_cndmask_b32', '32 : 32 32 m', 'c ? b : a', 'select_undef(c, uc, b, ub, a, ua)')
row('v_swap_b32', '32 32 : 32 32', ('b', 'a'), ('ub', 'ua'))

# ---- sums -----------------------------------------------------------------------------------------

for name, x, y in (('add', 'a', 'b'), ('sub', 'a', 'b'), ('subrev', 'b', 'a')):
   sign = '+' if name == 'add' else '-'
   kind = 'add' if name == 'add' else 'sub'
   wide = f'(int64_t){x} {sign} (int64_t){y}'
   row(f'v_{name}_u32', '32 : 32 32', f'sat_u(32, {wide})', 'up_sat(32, ua | ub)')
   row(f'v_{name}_u16', '16 : 16 16', f'sat_u(16, {wide})', 'up_sat(16, ua | ub)')
   row(f'v_{name}_co_u32', '32 m : 32 32',
       (f'sat_u(32, {wide})', f'carry_{kind}({x}, {y}, 0)'),
       ('up_sat(32, ua | ub)', f'carry_{kind}_undef({x}, u{x}, {y}, u{y}, 0, 0)'))
   carry = {'add': 'addc', 'sub': 'subb', 'subrev': 'subbrev'}[name]
   row(f'v_{carry}_co_u32', '32 m : 32 32 m',
       (f'sat_u(32, {wide} {sign} (int64_t)c)', f'carry_{kind}({x}, {y}, c)'),
       ('up_sat(32, ua | ub | uc)', f'carry_{kind}_undef({x}, u{x}, {y}, u{y}, c, uc)'))

for name, sign in (('add', '+'), ('sub', '-')):
   for n in (16, 32):
      row(f'v_{name}_i{n}', f'{n} : {n} {n}',
          f'sat_s({n}, (int64_t)sext{n}(a) {sign} (int64_t)sext{n}(b))', f'up_sat({n}, ua | ub)')

row('v_add3_u32', '32 : 32 32 32', 'a + b + c', 'up')
row('v_xad_u32', '32 : 32 32 32', '(a ^ b) + c', 'up')
row('v_lshl_add_u32', '32 : 32 32 32', '(a << (b & 31)) + c',
    'up32(shl_undef(32, a, ua, b, ub) | uc)')
row('v_add_lshl_u32', '32 : 32 32 32', '(a + b) << (c & 31)',
    'shl_undef(32, a + b, up32(ua | ub), c, uc)')

# ---- products -------------------------------------------------------------------------------------

MUL = 'mul_undef(a, ua, b, ub)'
MUL24U = 'mul_undef(a & 0xffffff, ua & 0xffffff, b & 0xffffff, ub & 0xffffff)'
MUL24S = 'mul_undef(sext24(a), sext24(ua), sext24(b), sext24(ub))'
MULS = 'mul_undef(sext32(a), sext32(ua), sext32(b), sext32(ub))'
row('v_mul_lo_u32', '32 : 32 32', 'a * b', MUL)
row('v_mul_lo_i32', '32 : 32 32', 'a * b', MUL)
row('v_mul_hi_u32', '32 : 32 32', '(uint64_t)a * b >> 32', MUL + ' >> 32')
row('v_mul_hi_i32', '32 : 32 32', '(uint64_t)((int64_t)sext32(a) * sext32(b)) >> 32',
    MULS + ' >> 32')
row('v_mul_lo_u16', '16 : 16 16', 'sat_u(16, (int64_t)a * b)', f'up_sat(16, {MUL})')
row('v_mul_u32_u24', '32 : 32 32', 'sat_u(32, (int64_t)(a & 0xffffff) * (b & 0xffffff))',
    f'up_sat(32, {MUL24U})')
row('v_mul_i32_i24', '32 : 32 32', 'sat_s(32, sext24(a) * sext24(b))', f'up_sat(32, {MUL24S})')
row('v_mul_hi_u32_u24', '32 : 32 32', '(uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 32',
    MUL24U + ' >> 32')
row('v_mul_hi_i32_i24', '32 : 32 32', '(uint64_t)(sext24(a) * sext24(b)) >> 32', MUL24S + ' >> 32')
row('v_mad_u32_u24', '32 : 32 32 32',
    'sat_u(32, (int64_t)(a & 0xffffff) * (b & 0xffffff) + (int64_t)c)',
    f'up_sat(32, (uint32_t){MUL24U} | uc | (m->clamp ? ua | ub : 0))')
row('v_mad_i32_i24', '32 : 32 32 32',
    'sat_s(32, sext24(a) * sext24(b) + sext32(c))',
    f'up_sat(32, (uint32_t){MUL24S} | uc | (m->clamp ? ua | ub : 0))')
row('v_mad_u64_u32', '64 m : 32 32 64',
    ('mad_u64(m, a, b, c)', 'mad_u64_carry(a, b, c)'),
    (f'm->clamp ? any64(ua | ub | uc) : up64({MUL} | uc)', 'any1(ua | ub | uc)'))
row('v_mad_i64_i32', '64 m : 32 32 64',
    ('mad_i64(m, a, b, c)', 'mad_i64_carry(a, b, c)'),
    (f'm->clamp ? any64(ua | ub | uc) : up64({MULS} | uc)', 'any1(ua | ub | uc)'))
for suffix in ('', 'legacy_'):
   row(f'v_mad_{suffix}u16', '16 : 16 16 16', 'sat_u(16, (int64_t)a * b + c)',
       f'up_sat(16, (uint32_t){MUL} | uc | (m->clamp ? ua | ub : 0))')
   row(f'v_mad_{suffix}i16', '16 : 16 16 16',
       'sat_s(16, (int64_t)sext16(a) * sext16(b) + sext16(c))',
       f'up_sat(16, (uint32_t){MUL} | uc | (m->clamp ? ua | ub : 0))')
row('v_mad_u32_u16', '32 : 16 16 32', 'sat_u(32, (int64_t)a * b + c)',
    f'up_sat(32, (uint32_t){MUL} | uc | (m->clamp ? ua | ub : 0))')
row('v_mad_i32_i16', '32 : 16 16 32',
    'sat_s(32, (int64_t)sext16(a) * sext16(b) + sext32(c))',
    'up_sat(32, (uint32_t)mul_undef(sext16(a), sext16(ua), sext16(b), sext16(ub)) | uc '
    '| (m->clamp ? ua | ub : 0))')

# ---- the smaller, the larger, the middle --------------------------------------------------------

for n in (16, 32):
   for kind, value in (('i', f'sext{n}'), ('u', '')):
      for which, less in (('min', '<'), ('max', '>')):
         row(f'v_{which}_{kind}{n}', f'{n} : {n} {n}', f'{value}(a) {less} {value}(b) ? a : b')
         row(f'v_{which}3_{kind}{n}', f'{n} : {n} {n} {n}',
             f'pick3_{kind}({n}, a, b, c, {int(which == "max")})')
      row(f'v_med3_{kind}{n}', f'{n} : {n} {n} {n}', f'med3_{kind}({n}, a, b, c)')

# ---- bits -----------------------------------------------------------------------------------------

row('v_and_b32', '32 : 32 32', 'a & b', 'and_undef(a, ua, b, ub)')
row('v_or_b32', '32 : 32 32', 'a | b', 'or_undef(a, ua, b, ub)')
row('v_xor_b32', '32 : 32 32', 'a ^ b', 'ua | ub')
row('v_not_b32', '32 : 32', '~a', 'ua')
row('v_and_or_b32', '32 : 32 32 32', '(a & b) | c',
    'or_undef(a & b, and_undef(a, ua, b, ub), c, uc)')
row('v_or3_b32', '32 : 32 32 32', 'a | b | c', 'or_undef(a | b, or_undef(a, ua, b, ub), c, uc)')
row('v_lshl_or_b32', '32 : 32 32 32', '(a << (b & 31)) | c',
    'or_undef(a << (b & 31), shl_undef(32, a, ua, b, ub), c, uc)')
row('v_bfi_b32', '32 : 32 32 32', '(a & b) | (~a & c)',
    '(ua & (b ^ c)) | (ub & (a | ua)) | (uc & (~a | ua))')
row('v_bfe_u32', '32 : 32 32 32', 'bfe_u(a, b & 31, c & 31)',
    '(ub | uc) & 31 ? bfe_undef(c, uc) : bfe_u(ua, b & 31, c & 31)')
row('v_bfe_i32', '32 : 32 32 32', 'bfe_s(a, b & 31, c & 31)',
    '(ub | uc) & 31 ? bfe_undef(c, uc) : bfe_s(ua, b & 31, c & 31)')
row('v_bfm_b32', '32 : 32 32', '((1u << (a & 31)) - 1) << (b & 31)', 'any32((ua | ub) & 31)')
row('v_bfrev_b32', '32 : 32', 'bfrev32(a)', 'bfrev32(ua)')
row('v_bcnt_u32_b32', '32 : 32 32', 'popcount32(a) + b', 'ua ? UINT32_MAX : up32(ub)')
row('v_ffbh_u32', '32 : 32', 'ffbh_u(a)', slow=False)
row('v_ffbh_i32', '32 : 32', 'ffbh_s(a)')
row('v_ffbl_b32', '32 : 32', 'ffbl(a)')
row('v_alignbit_b32', '32 : 32 32 32', '((uint64_t)a << 32 | b) >> (c & 31)',
    'uc & 31 ? any32(uc & 31) : ((uint64_t)ua << 32 | ub) >> (c & 31)')
row('v_alignbyte_b32', '32 : 32 32 32', '((uint64_t)a << 32 | b) >> 8 * (c & 3)',
    'uc & 3 ? any32(uc & 3) : ((uint64_t)ua << 32 | ub) >> 8 * (c & 3)')
row('v_perm_b32', '32 : 32 32 32', 'perm(a, b, c)', 'perm_undef(a, ua, b, ub, c, uc)')

# Shifts: the operand that is shifted comes second in the `rev` forms, first in those of gfx6.
for name, function, n in (('lshlrev_b32', 'shl', 32), ('lshrrev_b32', 'shr', 32),
                          ('ashrrev_i32', 'sar', 32), ('lshlrev_b16', 'shl', 16),
                          ('lshrrev_b16', 'shr', 16), ('ashrrev_i16', 'sar', 16),
                          ('lshlrev_b64', 'shl', 64), ('lshrrev_b64', 'shr', 64),
                          ('ashrrev_i64', 'sar', 64)):
   count = 16 if n == 16 else 32
   row(f'v_{name}', f'{n} : {count} {n}', f'{function}({n}, b, a)',
       f'{function}_undef({n}, b, ub, a, ua)')
   if n > 16:
      row('v_' + name.replace('rev', ''), f'{n} : {n} {count}', f'{function}({n}, a, b)',
          f'{function}_undef({n}, a, ua, b, ub)')

# How many of the lanes below this one are in the mask.
row('v_mbcnt_lo_u32_b32', '32 : 32 32', 'popcount32(a & below(l)) + b',
    'ua & below(l) ? UINT32_MAX : up32(ub)')
row('v_mbcnt_hi_u32_b32', '32 : 32 32', 'popcount32(a & below(l) >> 32) + b',
    'ua & below(l) >> 32 ? UINT32_MAX : up32(ub)')

# ---- bytes, video ---------------------------------------------------------------------------------

row('v_sad_u8', '32 : 32 32 32', 'sat_u(32, (int64_t)sad_u8(a, b) + c)')
row('v_sad_hi_u8', '32 : 32 32 32', 'sat_u(32, ((int64_t)sad_u8(a, b) << 16) + c)')
row('v_sad_u16', '32 : 32 32 32', 'sat_u(32, (int64_t)sad_u16(a, b) + c)')
row('v_sad_u32', '32 : 32 32 32', 'sat_u(32, (int64_t)(a > b ? a - b : b - a) + c)')
row('v_msad_u8', '32 : 32 32 32', 'sat_u(32, (int64_t)msad_u8(a, b) + c)')
row('v_lerp_u8', '32 : 32 32 32', 'lerp_u8(a, b, c)', 'lerp_undef(ua, ub, uc & 0x01010101)')
row('v_qsad_pk_u16_u8', '64 : 64 32 64', 'qsad(m, a, b, c, false)')
row('v_mqsad_pk_u16_u8', '64 : 64 32 64', 'qsad(m, a, b, c, true)')
row('v_cvt_pk_u16_u32', '32 : 32 32', 'least(a, 0xffff) | least(b, 0xffff) << 16',
    '(ua ? 0xffffu : 0) | (ub ? 0xffff0000u : 0)')
row('v_cvt_pk_i16_i32', '32 : 32 32', 'clamp_i16(a) | clamp_i16(b) << 16',
    '(ua ? 0xffffu : 0) | (ub ? 0xffff0000u : 0)')
row('v_sat_pk_u8_i16', '32 : 32', 'clamp_u8(sext16(a)) | clamp_u8(sext16(a >> 16)) << 8',
    '(ua & 0xffff ? 0xffu : 0) | (ua >> 16 ? 0xff00u : 0)')
row('v_pack_b32_f16', '32 : 16 16', 'fin(16, a) | fin(16, b) << 16',
    'm->flush_in64 ? any16(ua) | any16(ub) << 16 : ua | ub << 16')

# ---- packed halves --------------------------------------------------------------------------------
# The driver brings the halves that op_sel and op_sel_hi name, with their signs turned, into place.

PAIR_UNDEF = {
   'up': 'up_sat(16, lo16(ua) | lo16(ub)) | up_sat(16, hi16(ua) | hi16(ub)) << 16',
   'any': 'any16(lo16(ua) | lo16(ub)) | any16(hi16(ua) | hi16(ub)) << 16',
   'any3': 'any16(lo16(ua) | lo16(ub) | lo16(uc)) | any16(hi16(ua) | hi16(ub) | hi16(uc)) << 16',
}


def pair(name, expression, undef, sources=2):
   """`expression` has x and y (and z) for a half of each source."""
   halves = []
   for half in ('lo16', 'hi16'):
      text = expression
      for letter, source in zip('XYZ', 'abc'):
         text = text.replace(letter, f'{half}({source})')
      halves.append(f'(uint32_t)({text})')
   row(name, '32 :' + ' 32' * sources, f'({halves[0]} & 0xffff) | {halves[1]} << 16',
       PAIR_UNDEF.get(undef, undef))


pair('v_pk_add_u16', 'sat_u(16, (int64_t)X + Y)', 'up')
pair('v_pk_sub_u16', 'sat_u(16, (int64_t)X - Y)', 'up')
pair('v_pk_add_i16', 'sat_s(16, (int64_t)sext16(X) + sext16(Y))', 'up')
pair('v_pk_sub_i16', 'sat_s(16, (int64_t)sext16(X) - sext16(Y))', 'up')
pair('v_pk_mul_lo_u16', 'sat_u(16, (int64_t)X * Y)',
     'up_sat(16, mul_undef(lo16(a), lo16(ua), lo16(b), lo16(ub)))'
     ' | up_sat(16, mul_undef(hi16(a), hi16(ua), hi16(b), hi16(ub))) << 16')
for kind, value in (('u', 'zext16'), ('i', 'sext16')):
   pair(f'v_pk_min_{kind}16', f'{value}(X) < {value}(Y) ? X : Y', 'any')
   pair(f'v_pk_max_{kind}16', f'{value}(X) > {value}(Y) ? X : Y', 'any')
pair('v_pk_mad_u16', 'sat_u(16, (int64_t)X * Y + Z)', 'any3', 3)
pair('v_pk_mad_i16', 'sat_s(16, (int64_t)sext16(X) * sext16(Y) + sext16(Z))', 'any3', 3)
for name, function in (('lshlrev_b16', 'shl'), ('lshrrev_b16', 'shr'), ('ashrrev_i16', 'sar')):
   pair('v_pk_' + name, f'{function}(16, Y, X)',
        f'lo16({function}_undef(16, lo16(b), lo16(ub), lo16(a), lo16(ua)))'
        f' | lo16({function}_undef(16, hi16(b), hi16(ub), hi16(a), hi16(ua))) << 16')
for name in ('add', 'mul', 'min', 'max'):
   pair(f'v_pk_{name}_f16', f'f{name}(16, X, Y)', 'any')
pair('v_pk_fma_f16', 'ffma(16, X, Y, Z)', 'any3', 3)
