# SPDX-License-Identifier: MIT
"""How GCN computes the ops of integers and bits: IR op x sizes x class -> instructions.

    select('iadd', '32', 'v', 'd, _ = v_add_co_u32 a, b', 'd = v_add_u32 a, b @9')

A row says for an op, in these sizes (`32`, or `32>16` where the instruction chooses the size of the
result), and a class what computes it:

    s   the result is uniform and so are the operands: scalars (booleans: dwords of 0 or 1)
    v   vectors; operands may be scalars and constants too (booleans are masks)

Each string is one way, a sequence of steps separated by `;`. Ways are tried in their order; one that
ends in `@` and a list of conditions only counts where all of them hold: generations (`6`, `89`: one
of them), `flush` or `keep` (denormals of the result's size), `rne` (its rounding is to nearest).

A step is `defs = op operands`:

    a b c e     the operands of the IR op; a.lo, a.hi: halves of 64 bits; a[1]: a component
    d           the result; d.lo, d.hi: halves; d[1]: a component
    scc         among the defs: a boolean result is in scc. `scc = a` puts a boolean into scc
    _           a result that nobody reads
    other name  a value of this sequence; t.lo, t.hi
    17 0x7f     a constant, as the operand's type reads it; 1.0 is a float of that type
    -x |x| -|x| modifiers of float operands
    vcc exec    these registers
    mode = ...  what floats are rounded and flushed by, until the end of the way: `shader` (as at
                the start) and round32 round64 (of 16 bits, too): rne rtz ru rd, or 16: as 16 bits
                are; denorm32 denorm64: keep flush
    op.clamp op.mul2 op.mul4 op.div2

`d = a` hands an operand through. `p_join` and `p_half` put two words together and take them apart.
Everything is checked when this is read: each op exists on each generation for which the way may be
taken, and takes so many operands of these sizes.
"""

import re

from codegen.gcn.select_rows import ROWS, both, select

INT32 = ('u', 'i')

# ---- sums and differences -------------------------------------------------------------------

both('iadd', '32', 'd = s_add_u32 a, b', 'd = v_add_u32 a, b @9', 'd, _ = v_add_co_u32 a, b')
both('isub', '32', 'd = s_sub_u32 a, b', 'd = v_sub_u32 a, b @9', 'd, _ = v_sub_co_u32 a, b')
both('ineg', '32', 'd = s_sub_u32 0, a', 'd = v_sub_u32 0, a @9', 'd, _ = v_sub_co_u32 0, a')
both('iadd', '64', 'd.lo = s_add_u32 a.lo, b.lo; d.hi = s_addc_u32 a.hi, b.hi',
     'd.lo, c0 = v_add_co_u32 a.lo, b.lo; d.hi, _ = v_addc_co_u32 a.hi, b.hi, c0')
both('isub', '64', 'd.lo = s_sub_u32 a.lo, b.lo; d.hi = s_subb_u32 a.hi, b.hi',
     'd.lo, c0 = v_sub_co_u32 a.lo, b.lo; d.hi, _ = v_subb_co_u32 a.hi, b.hi, c0')
both('ineg', '64', 'd.lo = s_sub_u32 0, a.lo; d.hi = s_subb_u32 0, a.hi',
     'd.lo, c0 = v_sub_co_u32 0, a.lo; d.hi, _ = v_subb_co_u32 0, a.hi, c0')
both('iabs', '32', 'd = s_abs_i32 a', 't = v_sub_u32 0, a; d = v_max_i32 a, t @9',
     't, _ = v_sub_co_u32 0, a; d = v_max_i32 a, t')
both('iabs', '64',
     's = s_ashr_i32 a.hi, 31; x = s_xor_b32 a.lo, s; y = s_xor_b32 a.hi, s; '
     'd.lo = s_sub_u32 x, s; d.hi = s_subb_u32 y, s',
     's = v_ashrrev_i32 31, a.hi; x = v_xor_b32 a.lo, s; y = v_xor_b32 a.hi, s; '
     'd.lo, c0 = v_sub_co_u32 x, s; d.hi, _ = v_subb_co_u32 y, s, c0')
both('isign', '32', 't = s_max_i32 a, -1; d = s_min_i32 t, 1', 'd = v_med3_i32 a, -1, 1')
both('isign', '64',
     's = s_ashr_i32 a.hi, 31; t = s_or_b32 a.lo, a.hi; u = s_min_u32 t, 1; d.lo = s_or_b32 s, u; '
     'd.hi = s_mov_b32 s',
     's = v_ashrrev_i32 31, a.hi; t = v_or_b32 a.lo, a.hi; u = v_min_u32 1, t; '
     'd.lo = v_or_b32 s, u; d.hi = v_mov_b32 s')

both('uadd_carry', '32', '_, scc = s_add_u32 a, b', '_, d = v_add_co_u32 a, b')
both('usub_borrow', '32', 'scc = s_cmp_lt_u32 a, b', 'd = v_cmp_lt_u32 a, b')
both('uadd_carry', '64', '_ = s_add_u32 a.lo, b.lo; _, scc = s_addc_u32 a.hi, b.hi',
     '_, c0 = v_add_co_u32 a.lo, b.lo; _, d = v_addc_co_u32 a.hi, b.hi, c0')
both('usub_borrow', '64', '_ = s_sub_u32 a.lo, b.lo; _, scc = s_subb_u32 a.hi, b.hi',
     'd = v_cmp_lt_u64 a, b')
both('uadd_sat', '32', 't = s_add_u32 a, b; d = s_cselect_b32 -1, t', 'd = v_add_u32.clamp a, b @9',
     'd, _ = v_add_co_u32.clamp a, b @8', 't, c0 = v_add_co_u32 a, b; d = v_cndmask_b32 t, -1, c0')
both('usub_sat', '32', 't = s_sub_u32 a, b; d = s_cselect_b32 0, t', 'd = v_sub_u32.clamp a, b @9',
     'd, _ = v_sub_co_u32.clamp a, b @8', 't = v_max_u32 a, b; d, _ = v_sub_co_u32 t, b')

# What may be added or taken away without leaving the range is itself a range.
both('iadd_sat', '32',
     't = s_max_i32 a, 0; h = s_sub_u32 0x7fffffff, t; u = s_min_i32 a, 0; '
     'l = s_sub_u32 0x80000000, u; x = s_max_i32 b, l; y = s_min_i32 x, h; d = s_add_u32 a, y',
     'd = v_add_i32.clamp a, b @9',
     't = v_max_i32 0, a; h, _ = v_sub_co_u32 0x7fffffff, t; u = v_min_i32 0, a; '
     'l, _ = v_sub_co_u32 0x80000000, u; x = v_med3_i32 b, l, h; d, _ = v_add_co_u32 a, x')
both('isub_sat', '32',
     't = s_max_i32 a, -1; l = s_sub_u32 t, 0x7fffffff; u = s_min_i32 a, -1; '
     'h = s_sub_u32 u, 0x80000000; x = s_max_i32 b, l; y = s_min_i32 x, h; d = s_sub_u32 a, y',
     'd = v_sub_i32.clamp a, b @9',
     't = v_max_i32 -1, a; l, _ = v_subrev_co_u32 0x7fffffff, t; u = v_min_i32 -1, a; '
     'h, _ = v_subrev_co_u32 0x80000000, u; x = v_med3_i32 b, l, h; d, _ = v_sub_co_u32 a, x')
both('uabs_diff', '32', 'x = s_max_u32 a, b; y = s_min_u32 a, b; d = s_sub_u32 x, y',
     'd = v_sad_u32 a, b, 0')
both('iabs_diff', '32', 'x = s_max_i32 a, b; y = s_min_i32 a, b; d = s_sub_u32 x, y',
     'x = v_max_i32 a, b; y = v_min_i32 a, b; d = v_sub_u32 x, y @9',
     'x = v_max_i32 a, b; y = v_min_i32 a, b; d, _ = v_sub_co_u32 x, y')
both('usad', '32', 'x = s_max_u32 a, b; y = s_min_u32 a, b; z = s_sub_u32 x, y; d = s_add_u32 z, c',
     'd = v_sad_u32 a, b, c')

# ---- products -------------------------------------------------------------------------------

both('imul', '32', 'd = s_mul_i32 a, b', 'd = v_mul_lo_u32 a, b')
for sign in INT32:
   select(f'{sign}mulhi', '32', 's', f'd = s_mul_hi_{sign}32 a, b @9')
   select(f'{sign}mulhi', '32', 'v', f'd = v_mul_hi_{sign}32 a, b')
   select(f'{sign}mul_wide', '32', 's', f'd.lo = s_mul_i32 a, b; d.hi = s_mul_hi_{sign}32 a, b @9')
   select(f'{sign}mul_wide', '32', 'v', f'd, _ = v_mad_{sign}64_{sign}32 a, b, 0 @89',
          f'd.lo = v_mul_lo_u32 a, b; d.hi = v_mul_hi_{sign}32 a, b')
   both(f'{sign}mul24', '32', f'x = s_bfe_{sign}32 a, 0x180000; y = s_bfe_{sign}32 b, 0x180000; '
        'd = s_mul_i32 x, y', f'd = v_mul_{sign}32_{sign}24 a, b')
   both(f'{sign}mad24', '32', f'x = s_bfe_{sign}32 a, 0x180000; y = s_bfe_{sign}32 b, 0x180000; '
        'z = s_mul_i32 x, y; d = s_add_u32 z, c', f'd = v_mad_{sign}32_{sign}24 a, b, c')

# ---- the lesser, the greater, the middle ----------------------------------------------------

for sign in INT32:
   for which in ('min', 'max'):
      op = f'{which}_{sign}32'
      both(f'{sign}{which}', '32', f'd = s_{op} a, b', f'd = v_{op} a, b')
      both(f'{sign}{which}3', '32', f't = s_{op} a, b; d = s_{op} t, c',
           f'd = v_{which}3_{sign}32 a, b, c')
   both(f'{sign}med3', '32',
        f'x = s_max_{sign}32 a, b; y = s_min_{sign}32 a, b; z = s_max_{sign}32 y, c; '
        f'd = s_min_{sign}32 x, z', f'd = v_med3_{sign}32 a, b, c')

# ---- two steps in one -----------------------------------------------------------------------

TWO = {
   'iadd3': ('s_add_u32 a, b', 's_add_u32 t, c', 'v_add3_u32', '+', '+'),
   'ishl_add': ('s_lshl_b32 a, b', 's_add_u32 t, c', 'v_lshl_add_u32', 'v_lshlrev_b32 b, a', '+'),
   'iadd_shl': ('s_add_u32 a, b', 's_lshl_b32 t, c', 'v_add_lshl_u32', '+', 'v_lshlrev_b32 c, t'),
   'ishl_or': ('s_lshl_b32 a, b', 's_or_b32 t, c', 'v_lshl_or_b32', 'v_lshlrev_b32 b, a',
               'v_or_b32 t, c'),
   'iand_or': ('s_and_b32 a, b', 's_or_b32 t, c', 'v_and_or_b32', 'v_and_b32 a, b', 'v_or_b32 t, c'),
   'ior3': ('s_or_b32 a, b', 's_or_b32 t, c', 'v_or3_b32', 'v_or_b32 a, b', 'v_or_b32 t, c'),
}
for name, (first, second, fused, one, two) in TWO.items():
   one = f't = {one}' if one != '+' else 't, _ = v_add_co_u32 a, b'
   two = f'd = {two}' if two != '+' else 'd, _ = v_add_co_u32 t, c'
   both(name, '32', f't = {first}; d = {second}', f'd = {fused} a, b, c @9', f'{one}; {two}')

# ---- dot products of bytes ------------------------------------------------------------------


def bytes_of(first, second, n):
   return [f'x{n} = v_bfe_{first}32 a, {8 * n}, 8', f'y{n} = v_bfe_{second}32 b, {8 * n}, 8']


def dot(first, second, start, result):
   """Four products of bytes, added up from `start` on."""
   signed = 'i' in (first, second)
   mad = 'v_mad_i32_i24' if signed else 'v_mad_u32_u24'
   steps, total = [], start
   for n in range(4):
      steps += bytes_of(first, second, n)
      into = result if n == 3 else f'z{n}'
      steps.append(f'{into} = {mad} x{n}, y{n}, {total}')
      total = into
   return '; '.join(steps)


def dot_of_three(first, second, start, result):
   """The same: a product reads bytes where they are (subdword.c), and sums have three terms."""
   mul = 'v_mul_i32_i24' if 'i' in (first, second) else 'v_mul_u32_u24'
   steps = []
   for n in range(4):
      steps += bytes_of(first, second, n) + [f'm{n} = {mul} x{n}, y{n}']
   steps.append('s0 = v_add3_u32 m0, m1, ' + ('m2' if start == '0' else start))
   steps.append(f'{result} = v_add_u32 s0, m3' if start == '0' else f'{result} = v_add3_u32 s0, m2, m3')
   return '; '.join(steps)


def scalar_dot(first, second):
   steps, total = [], None
   for n in range(4):
      field = hex(0x80000 | 8 * n)
      steps += [f'x{n} = s_bfe_{first}32 a, {field}', f'y{n} = s_bfe_{second}32 b, {field}',
                f'm{n} = s_mul_i32 x{n}, y{n}']
      if total:
         steps.append(f'z{n} = s_add_u32 {total}, m{n}')
      total = f'z{n}' if total else f'm{n}'
   return '; '.join(steps)


def way_of(op, cls, *conditions):
   """The ways of a row that is there already, to be part of another."""
   row = next(r for r in ROWS if (r.op, r.size, r.cls) == (op, '32', cls))
   return row.ways


def with_operand(way, old, new):
   """The same steps with another name for an operand."""
   return re.sub(rf'\b{old}\b', new, way)


for name, first, second in (('u', 'u', 'u'), ('i', 'i', 'i'), ('iu', 'i', 'u')):
   both(f'{name}dot4', '32', scalar_dot(first, second).replace('z3 =', 'd ='),
        dot_of_three(first, second, '0', 'd') + ' @9', dot(first, second, '0', 'd'))
   both(f'{name}dot4_acc', '32', scalar_dot(first, second) + '; d = s_add_u32 z3, c',
        dot_of_three(first, second, 'c', 'd') + ' @9', dot(first, second, 'c', 'd'))
   kind = 'u' if name == 'u' else 'i'
   for cls in 'sv':
      ways = []
      for way in way_of(f'{kind}add_sat', cls):
         start = (scalar_dot(first, second) if cls == 's' else
                  (dot_of_three if way.endswith('@9') else dot)(first, second, '0', 'z3'))
         ways.append(start + '; ' + with_operand(with_operand(way, 'a', 'c'), 'b', 'z3'))
      select(f'{name}dot4_acc_sat', '32', cls, *ways)

# ---- bits -----------------------------------------------------------------------------------

for name in ('and', 'or', 'xor'):
   both(f'i{name}', '32', f'd, scc = s_{name}_b32 a, b', f'd = v_{name}_b32 a, b')
   both(f'i{name}', '64', f'd = s_{name}_b64 a, b',
        f'd.lo = v_{name}_b32 a.lo, b.lo; d.hi = v_{name}_b32 a.hi, b.hi')
   both(f'i{name}', '1', f'd, scc = s_{name}_b32 a, b', f'd = s_{name}_b64 a, b')
both('inot', '32', 'd = s_not_b32 a', 'd = v_not_b32 a')
both('inot', '64', 'd = s_not_b64 a', 'd.lo = v_not_b32 a.lo; d.hi = v_not_b32 a.hi')
both('inot', '1', 'd, scc = s_xor_b32 a, 1', 'd = s_not_b64 a')
both('bitselect', '32', 'x = s_and_b32 a, b; y = s_andn2_b32 c, a; d = s_or_b32 x, y',
     'd = v_bfi_b32 a, b, c')
both('bitselect', '64', 'x = s_and_b64 a, b; y = s_andn2_b64 c, a; d = s_or_b64 x, y',
     'd.lo = v_bfi_b32 a.lo, b.lo, c.lo; d.hi = v_bfi_b32 a.hi, b.hi, c.hi')

# Counts are taken modulo the size by the machine, too.
both('ishl', '32', 'd = s_lshl_b32 a, b', 'd = v_lshlrev_b32 b, a')
both('ushr', '32', 'd = s_lshr_b32 a, b', 'd = v_lshrrev_b32 b, a')
both('ishr', '32', 'd = s_ashr_i32 a, b', 'd = v_ashrrev_i32 b, a')
both('ishl', '64', 'd = s_lshl_b64 a, b', 'd = v_lshlrev_b64 b, a @89', 'd = v_lshl_b64 a, b')
both('ushr', '64', 'd = s_lshr_b64 a, b', 'd = v_lshrrev_b64 b, a @89', 'd = v_lshr_b64 a, b')
both('ishr', '64', 'd = s_ashr_i64 a, b', 'd = v_ashrrev_i64 b, a @89', 'd = v_ashr_i64 a, b')

both('rotr', '32', 'x = s_lshr_b32 a, b; n = s_sub_u32 0, b; y = s_lshl_b32 a, n; d = s_or_b32 x, y',
     'd = v_alignbit_b32 a, a, b')
both('rotl', '32', 'x = s_lshl_b32 a, b; n = s_sub_u32 0, b; y = s_lshr_b32 a, n; d = s_or_b32 x, y',
     'n = v_sub_u32 0, b; d = v_alignbit_b32 a, a, n @9',
     'n, _ = v_sub_co_u32 0, b; d = v_alignbit_b32 a, a, n')
both('funnel_shr', '32',
     'n = s_not_b32 c; x = s_lshl_b32 a, 1; y = s_lshl_b32 x, n; z = s_lshr_b32 b, c; '
     'd = s_or_b32 y, z', 'd = v_alignbit_b32 a, b, c')


def funnel64(high, low, count, left):
   """high:low shifted right; `left`: shifted left, the high half."""
   near, far = ('lshr', 'lshl') if not left else ('lshl', 'lshr')
   first, other = (low, high) if not left else (high, low)
   scalar = (f'n = s_not_b32 {count}; x = s_{far}_b64 {other}, 1; y = s_{far}_b64 x, n; '
             f'z = s_{near}_b64 {first}, {count}; d = s_or_b64 y, z')
   end = '; d.lo = v_or_b32 y.lo, z.lo; d.hi = v_or_b32 y.hi, z.hi'
   new = (f'n = v_not_b32 {count}; x = v_{far}rev_b64 1, {other}; y = v_{far}rev_b64 n, x; '
          f'z = v_{near}rev_b64 {count}, {first}') + end
   old = (f'n = v_not_b32 {count}; x = v_{far}_b64 {other}, 1; y = v_{far}_b64 x, n; '
          f'z = v_{near}_b64 {first}, {count}') + end
   return scalar, new + ' @89', old


both('funnel_shr', '64', *funnel64('a', 'b', 'c', False))
both('rotr', '64', *funnel64('a', 'a', 'b', False))
both('rotl', '64', *funnel64('a', 'a', 'b', True))

both('bit_count', '32', 'd = s_bcnt1_i32_b32 a', 'd = v_bcnt_u32_b32 a, 0')
both('bit_count', '64', 'd = s_bcnt1_i32_b64 a',
     't = v_bcnt_u32_b32 a.lo, 0; d = v_bcnt_u32_b32 a.hi, t')
both('bit_reverse', '32', 'd = s_brev_b32 a', 'd = v_bfrev_b32 a')
both('bit_reverse', '64', 'd = s_brev_b64 a', 'd.lo = v_bfrev_b32 a.hi; d.hi = v_bfrev_b32 a.lo')
both('find_lsb', '32', 'd = s_ff1_i32_b32 a', 'd = v_ffbl_b32 a')
select('find_lsb', '64', 's', 'd = s_ff1_i32_b64 a')
# The machine counts zeros from the top, and says -1, not 32, where there is no one.
for sign, scalar, vector in (('u', 's_flbit_i32_b32', 'v_ffbh_u32'),
                             ('i', 's_flbit_i32', 'v_ffbh_i32')):
   both(f'{sign}find_msb', '32', f't = {scalar} a; u = s_min_u32 t, 32; d = s_sub_u32 31, u',
        f't = {vector} a; u = v_min_u32 32, t; d = v_sub_u32 31, u @9',
        f't = {vector} a; u = v_min_u32 32, t; d, _ = v_sub_co_u32 31, u')
   select(f'{sign}find_msb', '64', 's',
          f't = {scalar.replace("b32", "b64") if sign == "u" else "s_flbit_i32_i64"} a; '
          'u = s_min_u32 t, 64; d = s_sub_u32 63, u')

# ---- fields ---------------------------------------------------------------------------------

# A scalar field is given in one operand: the offset, and 16 bits up the count. A count of 0 gives 0,
# a count that reaches past the top what there is.
for sign in INT32:
   both(f'{sign}bfe', '32',
        f'o = s_and_b32 b, 31; n = s_and_b32 c, 31; m = s_lshl_b32 n, 16; f = s_or_b32 o, m; '
        f'd = s_bfe_{sign}32 a, f', f'd = v_bfe_{sign}32 a, b, c')

# Counts and offsets of the size and more: all ones, or nothing, which 5 bits cannot say. What is
# left of bit 32 falls out of 64 bits.
both('bitfield_mask', '32>32',
     'n = s_min_u32 a, 32; m = s_bfm_b64 n, 0; o = s_min_u32 b, 32; p = s_lshl_b64 m, o; d = s_mov_b32 p.lo',
     'x = v_bfm_b32 a, b; y = v_lshlrev_b32 b, -1; m = v_cmp_gt_u32 32, a; '
     'z = v_cndmask_b32 y, x, m; n = v_cmp_gt_u32 32, b; d = v_cndmask_b32 0, z, n')
both('ubitfield_extract', '32',
     'n = s_min_u32 c, 32; m = s_bfm_b64 n, 0; o = s_min_u32 b, 32; w = p_join a, 0; '
     'p = s_lshr_b64 w, o; d = s_and_b32 p.lo, m.lo',
     'x = v_bfe_u32 a, b, c; y = v_lshrrev_b32 b, a; m = v_cmp_gt_u32 32, c; '
     'z = v_cndmask_b32 y, x, m; n = v_cmp_gt_u32 32, b; d = v_cndmask_b32 0, z, n')
both('ibitfield_extract', '32',
     'o = s_min_u32 b, 31; x = s_ashr_i32 a, o; n = s_min_u32 c, 32; m = s_lshl_b32 n, 16; '
     'd = s_bfe_i32 x, m',
     'o = v_min_u32 31, b; x = v_ashrrev_i32 o, a; y = v_bfe_i32 x, 0, c; m = v_cmp_gt_u32 32, c; '
     'd = v_cndmask_b32 x, y, m')
both('bitfield_insert', '32',
     'n = s_min_u32 e, 32; m = s_bfm_b64 n, 0; o = s_min_u32 c, 32; p = s_lshl_b64 m, o; '
     'i = s_lshl_b32 b, c; x = s_and_b32 p.lo, i; y = s_andn2_b32 a, p.lo; d = s_or_b32 x, y',
     'x = v_bfm_b32 e, c; y = v_lshlrev_b32 c, -1; m = v_cmp_gt_u32 32, e; '
     'z = v_cndmask_b32 y, x, m; n = v_cmp_gt_u32 32, c; w = v_cndmask_b32 0, z, n; '
     'i = v_lshlrev_b32 c, b; d = v_bfi_b32 w, i, a')

# ---- compares -------------------------------------------------------------------------------

COMPARES = {'ieq': ('eq', 'lg', 'u'), 'ine': ('lg', 'eq', 'u'), 'ult': ('lt', 'ge', 'u'),
            'ule': ('le', 'gt', 'u'), 'ilt': ('lt', 'ge', 'i'), 'ile': ('le', 'gt', 'i')}
for name, (relation, _, sign) in COMPARES.items():
   vector = relation.replace('lg', 'ne')
   both(name, '32', f'scc = s_cmp_{relation}_{sign}32 a, b', f'd = v_cmp_{vector}_{sign}32 a, b')
   select(name, '64', 'v', f'd = v_cmp_{vector}_{sign}64 a, b')
select('ieq', '64', 's', 'scc = s_cmp_eq_u64 a, b @89',
       't = s_xor_b64 a, b; u = s_or_b32 t.lo, t.hi; scc = s_cmp_eq_u32 u, 0')
select('ine', '64', 's', 'scc = s_cmp_lg_u64 a, b @89', '_, scc = s_xor_b64 a, b')
# a <= b is a < b + 1: the borrow of a - b - 1.
LESS = {'lt': '_ = s_sub_u32 a.lo, b.lo', 'le': '_ = s_cmp_eq_u32 0, 0; _ = s_subb_u32 a.lo, b.lo'}
for relation, first in LESS.items():
   first = first.replace('_ = s_cmp', 'scc = s_cmp')
   select(f'u{relation}', '64', 's', f'{first}; _, scc = s_subb_u32 a.hi, b.hi')
   select(f'i{relation}', '64', 's',
          f'x = s_xor_b32 a.hi, 0x80000000; y = s_xor_b32 b.hi, 0x80000000; {first}; '
          '_, scc = s_subb_u32 x, y')
both('ieq', '1', 'scc = s_cmp_eq_u32 a, b', 'd = s_xnor_b64 a, b')
both('ine', '1', '_, scc = s_xor_b32 a, b', 'd = s_xor_b64 a, b')

# ---- choosing -------------------------------------------------------------------------------

both('select', '32 16 8', 'scc = a; d = s_cselect_b32 b, c', 'd = v_cndmask_b32 c, b, a')
both('select', '64', 'scc = a; d = s_cselect_b64 b, c',
     'd.lo = v_cndmask_b32 c.lo, b.lo, a; d.hi = v_cndmask_b32 c.hi, b.hi, a')
both('select', '1', 'scc = a; d = s_cselect_b32 b, c',
     'x = s_and_b64 b, a; y = s_andn2_b64 c, a; d = s_or_b64 x, y')

# ---- sizes: what lies above the size of a value is not specified ------------------------------

both('b2i', '1>32 1>16 1>8', 'd = a', 'd = v_cndmask_b32 0, 1, a')
both('b2i', '1>64', 'd.lo = s_mov_b32 a; d.hi = s_mov_b32 0',
     'd.lo = v_cndmask_b32 0, 1, a; d.hi = v_mov_b32 0')
for sizes in ('8>8', '16>16', '32>32', '64>64', '16>8', '32>8', '32>16'):
   for op in ('u2u', 'i2i'):
      both(op, sizes, 'd = a', 'd = a')
for op in ('u2u', 'i2i'):
   both(op, '64>32 64>16 64>8', 'd = a.lo', 'd = a.lo')
both('u2u', '8>32 8>16', 'd = s_and_b32 a, 0xff', 'd = v_and_b32 0xff, a')
both('u2u', '16>32', 'd = s_and_b32 a, 0xffff', 'd = v_and_b32 0xffff, a')
both('u2u', '32>64', 'd = p_join a, 0', 'd = p_join a, 0')
both('u2u', '8>64', 't = s_and_b32 a, 0xff; d = p_join t, 0', 't = v_and_b32 0xff, a; d = p_join t, 0')
both('u2u', '16>64', 't = s_and_b32 a, 0xffff; d = p_join t, 0',
     't = v_and_b32 0xffff, a; d = p_join t, 0')
both('i2i', '8>32 8>16', 'd = s_sext_i32_i8 a', 'd = v_bfe_i32 a, 0, 8')
both('i2i', '16>32', 'd = s_sext_i32_i16 a', 'd = v_bfe_i32 a, 0, 16')
both('i2i', '32>64', 't = s_ashr_i32 a, 31; d = p_join a, t', 't = v_ashrrev_i32 31, a; d = p_join a, t')
for size, scalar in ((8, 's_sext_i32_i8'), (16, 's_sext_i32_i16')):
   both('i2i', f'{size}>64', f't = {scalar} a; u = s_ashr_i32 t, 31; d = p_join t, u',
        f't = v_bfe_i32 a, 0, {size}; u = v_ashrrev_i32 31, t; d = p_join t, u')

# ---- packing --------------------------------------------------------------------------------

S_PACK = 'x{k} = s_and_b32 {lo}, 0xffff; y{k} = s_lshl_b32 {hi}, 16; {to} = s_or_b32 x{k}, y{k}'
V_PACK = 'y{k} = v_lshlrev_b32 16, {hi}; {to} = v_bfi_b32 0xffff, {lo}, y{k}'
select('pack_32_2x16', '32', 's', 'd = s_pack_ll_b32_b16 a[0], a[1] @9',
       S_PACK.format(k='', lo='a[0]', hi='a[1]', to='d'))
select('pack_32_2x16', '32', 'v', 'd = v_perm_b32 a[1], a[0], 0x05040100 @89',
       V_PACK.format(k='', lo='a[0]', hi='a[1]', to='d'))
for cls, pack in (('s', S_PACK), ('v', V_PACK)):
   ways = ['; '.join(pack.format(k=k, lo=f'a[{2 * k}]', hi=f'a[{2 * k + 1}]', to=('d.lo', 'd.hi')[k])
                     for k in range(2))]
   if cls == 'v':
      ways.insert(0, 'd.lo = v_perm_b32 a[1], a[0], 0x05040100; d.hi = v_perm_b32 a[3], a[2], 0x05040100 @89')
   select('pack_64_4x16', '64', cls, *ways)
both('pack_64_2x32', '64', 'd = p_join a[0], a[1]', 'd = p_join a[0], a[1]')
select('pack_32_4x8', '32', 's',
       'x = s_and_b32 a[0], 0xff; y = s_and_b32 a[1], 0xff; z = s_and_b32 a[2], 0xff; '
       'y8 = s_lshl_b32 y, 8; z16 = s_lshl_b32 z, 16; w24 = s_lshl_b32 a[3], 24; '
       'p = s_or_b32 x, y8; q = s_or_b32 z16, w24; d = s_or_b32 p, q')
select('pack_32_4x8', '32', 'v',
       'p = v_perm_b32 a[1], a[0], 0x0c0c0400; q = v_perm_b32 a[3], a[2], 0x0c0c0400; '
       'd = v_perm_b32 q, p, 0x05040100 @89',
       'y = v_lshlrev_b32 8, a[1]; w = v_lshlrev_b32 8, a[3]; p = v_bfi_b32 0xff, a[0], y; '
       'q = v_bfi_b32 0xff, a[2], w; q16 = v_lshlrev_b32 16, q; d = v_bfi_b32 0xffff, p, q16')
both('unpack_32_2x16', '32', 'd[0] = a; d[1] = s_lshr_b32 a, 16', 'd[0] = a; d[1] = v_lshrrev_b32 16, a')
both('unpack_32_4x8', '32',
     'd[0] = a; d[1] = s_lshr_b32 a, 8; d[2] = s_lshr_b32 a, 16; d[3] = s_lshr_b32 a, 24',
     'd[0] = a; d[1] = v_lshrrev_b32 8, a; d[2] = v_lshrrev_b32 16, a; d[3] = v_lshrrev_b32 24, a')
both('unpack_64_2x32', '64', 'd[0] = a.lo; d[1] = a.hi', 'd[0] = a.lo; d[1] = a.hi')
both('unpack_64_4x16', '64',
     'd[0] = a.lo; d[1] = s_lshr_b32 a.lo, 16; d[2] = a.hi; d[3] = s_lshr_b32 a.hi, 16',
     'd[0] = a.lo; d[1] = v_lshrrev_b32 16, a.lo; d[2] = a.hi; d[3] = v_lshrrev_b32 16, a.hi')
