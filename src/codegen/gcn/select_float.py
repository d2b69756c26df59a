# SPDX-License-Identifier: MIT
"""How GCN computes the ops of floats; gcn/select.py says how rows are written.

There is no scalar float arithmetic: signs, choices and constants apart, all of it is vectors.

gfx6 has no arithmetic of 16 bits. It is done in 32 bits there and rounded once more, which gives
what rounding once would: a sum, difference, product, quotient or root of 24 bits has enough of them
(2 * 11 + 2), if the 32 bits are rounded to nearest where the 16 are, and to zero where those are.
"""

import struct

from codegen.gcn.select_rows import both, select

# ---- signs ----------------------------------------------------------------------------------

for size, sign, rest in ((16, '0x8000', '0x7fff'), (32, '0x80000000', '0x7fffffff')):
   both('fneg', str(size), f'd = s_xor_b32 a, {sign}', f'd = v_xor_b32 {sign}, a')
   both('fabs', str(size), f'd = s_and_b32 a, {rest}', f'd = v_and_b32 {rest}, a')
   both('fcopysign', str(size),
        f'x = s_and_b32 a, {rest}; y = s_andn2_b32 b, {rest}; d = s_or_b32 x, y',
        f'd = v_bfi_b32 {rest}, a, b')
both('fneg', '64', 'd.lo = a.lo; d.hi = s_xor_b32 a.hi, 0x80000000',
     'd.lo = a.lo; d.hi = v_xor_b32 0x80000000, a.hi')
both('fabs', '64', 'd.lo = a.lo; d.hi = s_and_b32 a.hi, 0x7fffffff',
     'd.lo = a.lo; d.hi = v_and_b32 0x7fffffff, a.hi')
both('fcopysign', '64',
     'x = s_and_b32 a.hi, 0x7fffffff; y = s_andn2_b32 b.hi, 0x7fffffff; d.hi = s_or_b32 x, y; d.lo = a.lo',
     'd.lo = a.lo; d.hi = v_bfi_b32 0x7fffffff, a.hi, b.hi')


def sign_of(size, operand):
   """1, -1, a zero as it is, and +0 of NaN."""
   one, minus = ('0x3c00', '0xbc00') if size == 16 else ('1.0', '-1.0')
   return (f'm = v_cmp_lt_f{size} 0, {operand}; x = v_cndmask_b32 {operand}, {one}, m; '
           f'n = v_cmp_gt_f{size} 0, x; y = v_cndmask_b32 x, {minus}, n; '
           f'o = v_cmp_u_f{size} y, y; ')


select('fsign', '32', 'v', sign_of(32, 'a') + 'd = v_cndmask_b32 y, 0, o @keep',
       't = v_mul_f32 1.0, a; ' + sign_of(32, 't') + 'd = v_cndmask_b32 y, 0, o')
select('fsign', '16', 'v', 't = v_mul_f16 1.0, a; ' + sign_of(16, 't') + 'd = v_cndmask_b32 y, 0, o @89',
       's = v_cvt_f32_f16 a; ' + sign_of(32, 's') + 'z = v_cndmask_b32 y, 0, o; d = v_cvt_f16_f32 z')
select('fsign', '64', 'v',
       't = v_mul_f64 a, 1.0; m = v_cmp_gt_f64 t, 0; x = v_cndmask_b32 t.hi, 0x3ff00000, m; '
       'n = v_cmp_lt_f64 t, 0; y = v_cndmask_b32 x, 0xbff00000, n; o = v_cmp_u_f64 t, t; '
       'd.hi = v_cndmask_b32 y, 0, o; d.lo = v_mov_b32 0')

# ---- arithmetic -----------------------------------------------------------------------------


def wide(operands, steps, result='t'):
   """gfx6: 16 bits as 32, rounded as the 16 are. Operands become w0, w1, ..."""
   begin = '; '.join(f'w{n} = v_cvt_f32_f16 {o}' for n, o in enumerate(operands))
   return f'mode = round32:16; {begin}; {steps}; d = v_cvt_f16_f32 {result}'


for name, op in (('fadd', 'add'), ('fsub', 'sub'), ('fmul', 'mul')):
   select(name, '32', 'v', f'd = v_{op}_f32 a, b')
   select(name, '16', 'v', f'd = v_{op}_f16 a, b @89', wide('ab', f't = v_{op}_f32 w0, w1'))
select('fadd', '64', 'v', 'd = v_add_f64 a, b')
select('fsub', '64', 'v', 'd = v_add_f64 a, -b')
select('fmul', '64', 'v', 'd = v_mul_f64 a, b')
select('ffma', '32', 'v', 'd = v_fma_f32 a, b, c')
select('ffma', '64', 'v', 'd = v_fma_f64 a, b, c')

# Twice rounded as if once: what the first rounding, to zero, cuts off leaves a last bit of one.
ODD = ('{to}z = v_cvt_f32_f64 {x}; {to}w = v_cvt_f64_f32 {to}z; {to}m = v_cmp_lg_f64 {to}w, {x}; '
       '{to}o = v_or_b32 1, {to}z; {to} = v_cndmask_b32 {to}z, {to}o, {to}m')
NARROW = 'mode = round32:rtz denorm32:keep; ' + ODD.format(to='n', x='{x}') + '; d = v_cvt_f16_f32 n'
select('ffma', '16', 'v', 'd = v_fma_f16 a, b, c @89',
       '; '.join(f'w{o} = v_cvt_f32_f16 {o}; x{o} = v_cvt_f64_f32 w{o}' for o in 'abc')
       + '; x = v_fma_f64 xa, xb, xc; ' + NARROW.format(x='x'))

# Before gfx9 the lesser and the greater are not flushed.
for which in ('min', 'max'):
   for size in (16, 32, 64):
      ways = [f'd = v_{which}_f{size} a, b @9', f'd = v_{which}_f{size} a, b @8 keep',
              f't = v_{which}_f{size} a, b; d = v_mul_f{size} t, 1.0 @8']
      old = [w.replace('@8 keep', '@keep').replace(' @8', '') for w in ways[1:]]
      if size == 16:
         old = [wide('ab', f't = v_{which}_f32 w0, w1')]
      select(f'f{which}', str(size), 'v', *ways, *old)
   for size in (16, 32):
      one, two = f'v_{which}3_f{size} a, b, c', f'{which}_f{size}'
      pair = f'u = v_{two} a, b; t = v_{two} u, c; d = v_mul_f{size} t, 1.0'
      ways = [f'd = {one} @9']
      if size == 32:
         ways += [f'd = {one} @keep', f't = {one}; d = v_mul_f32 t, 1.0']
      else:
         ways += [pair + ' @8', wide('abc', f't = v_{which}3_f32 w0, w1, w2')]
      select(f'f{which}3', str(size), 'v', *ways)
select('fmed3', '32', 'v', 'd = v_med3_f32 a, b, c @9', 'd = v_med3_f32 a, b, c @keep',
       't = v_med3_f32 a, b, c; d = v_mul_f32 t, 1.0')
select('fmed3', '16', 'v', 'd = v_med3_f16 a, b, c @9', wide('abc', 't = v_med3_f32 w0, w1, w2'))
select('fmed3', '64', 'v',
       'n = v_min_f64 a, b; l = v_min_f64 n, c; x = v_max_f64 a, b; y = v_min_f64 x, c; '
       'z = v_max_f64 n, y; o = v_cmp_u_f64 a, b; p = v_cmp_u_f64 c, c; q = s_or_b64 o, p; '
       'hi = v_cndmask_b32 z.hi, l.hi, q; lo = v_cndmask_b32 z.lo, l.lo, q; w = p_join lo, hi; '
       'd = v_mul_f64 w, 1.0')

select('fsat', '32', 'v', 'd = v_mul_f32.clamp 1.0, a')
select('fsat', '16', 'v', 'd = v_mul_f16.clamp 1.0, a @89', wide('a', 't = v_mul_f32.clamp 1.0, w0'))
select('fsat', '64', 'v', 'd = v_mul_f64.clamp a, 1.0')
CANONICAL = {16: ('d = v_mul_f16 1.0, a @89', 't = v_cvt_f32_f16 a; d = v_cvt_f16_f32 t'),
             32: ('d = v_mul_f32 1.0, a',), 64: ('d = v_mul_f64 a, 1.0',)}
for size, ways in CANONICAL.items():
   select('fcanonicalize', str(size), 'v', *ways)
   for suffix in ('', '_rne', '_rtz', '_ru', '_rd'):
      select(f'f2f{suffix}', f'{size}>{size}', 'v', *ways)
select('fquantize16', '32', 'v',
       'mode = round64:rne; h = v_cvt_f16_f32 a; w = v_cvt_f32_f16 h; m = v_cmp_gt_f32 6.103515625e-05, |w|; '
       's = v_and_b32 0x80000000, w; d = v_cndmask_b32 w, s, m')

# ---- to integral numbers --------------------------------------------------------------------

# gfx6, 64 bits: the bits below the point are cut off, which the exponent counts.
TRUNC64 = ('e0 = v_bfe_u32 {x}.hi, 20, 11; e1, _ = v_subrev_co_u32 0x3ff, e0; '
           'b0 = v_lshr_b64 0xfffffffffffff, e1; l0 = v_bfi_b32 b0.lo, 0, {x}.lo; '
           'h0 = v_bfi_b32 b0.hi, 0, {x}.hi; n0 = v_cmp_gt_i32 0, e1; '
           's0 = v_and_b32 0x80000000, {x}.hi; l1 = v_cndmask_b32 l0, 0, n0; '
           'h1 = v_cndmask_b32 h0, s0, n0; g0 = v_cmp_lt_i32 51, e1; '
           'l2 = v_cndmask_b32 l1, {x}.lo, g0; h2 = v_cndmask_b32 h1, {x}.hi, g0; '
           'r0 = p_join l2, h2; {to} = v_mul_f64 r0, 1.0')
# One off where the number was cut off in the wrong direction. Adding -0 keeps the sign of zeros.
STEP64 = TRUNC64.format(x='{x}', to='t0') + (
   '; a0 = v_cmp_{relation}_f64 t0, {x}; h3 = v_cndmask_b32 0x80000000, {one}, a0; '
   'i0 = p_join 0, h3; {to} = v_add_f64 t0, i0')
# The sum with 2^52 has no bits below the point.
RINT64 = ('mode = round64:rne; h0 = v_bfi_b32 0x7fffffff, 0x43300000, {x}.hi; c0 = p_join 0, h0; '
          'u0 = v_add_f64 {x}, c0; u1 = v_add_f64 u0, -c0; '
          'h1 = v_bfi_b32 0x7fffffff, u1.hi, {x}.hi; g0 = v_cmp_lt_f64 0x432fffffffffffff, |{x}|; '
          'l2 = v_cndmask_b32 u1.lo, {x}.lo, g0; h2 = v_cndmask_b32 h1, {x}.hi, g0; '
          'r0 = p_join l2, h2; {to} = v_mul_f64 r0, 1.0')
OLD64 = {'trunc': TRUNC64, 'rndne': RINT64,
         'floor': STEP64.replace('{relation}', 'gt').replace('{one}', '0xbff00000'),
         'ceil': STEP64.replace('{relation}', 'lt').replace('{one}', '0x3ff00000')}
FLUSHED64 = 'x = v_mul_f64 a, 1.0; '

for name, op in (('ffloor', 'floor'), ('fceil', 'ceil'), ('ftrunc', 'trunc'), ('frint', 'rndne')):
   select(name, '32', 'v', f'd = v_{op}_f32 a')
   select(name, '16', 'v', f'd = v_{op}_f16 a @89',
          f'w = v_cvt_f32_f16 a; t = v_{op}_f32 w; d = v_cvt_f16_f32 t')
   select(name, '64', 'v', f'd = v_{op}_f64 a @89', FLUSHED64 + OLD64[op].format(x='x', to='d'))
select('ffract', '32', 'v', 'd = v_fract_f32 a')
select('ffract', '16', 'v', 'd = v_fract_f16 a @89',
       # Just below 1 in 32 bits is 1 in 16.
       'mode = round64:rne; w = v_cvt_f32_f16 a; t = v_fract_f32 w; u = v_min_f32 0x3f7fe000, t; '
       'n = v_cmp_u_f32 t, t; v = v_cndmask_b32 u, t, n; d = v_cvt_f16_f32 v')
select('ffract', '64', 'v', 'd = v_fract_f64 a')

# ---- functions ------------------------------------------------------------------------------


def narrow_function(steps):
   """gfx6: a function of 16 bits in 32, always to nearest."""
   return f'mode = round32:rne round64:rne; w = v_cvt_f32_f16 a; {steps}; d = v_cvt_f16_f32 t'


for name, op in (('fexp2', 'exp'), ('flog2', 'log'), ('frcp', 'rcp'), ('frsq', 'rsq')):
   select(name, '32', 'v', f'd = v_{op}_f32 a')
   select(name, '16', 'v', f'd = v_{op}_f16 a @89', narrow_function(f't = v_{op}_f32 w'))
# Before gfx9 the machine's sine is that of 256 turns; that of the fraction is exact. It is odd: the
# fraction of the magnitude keeps small numbers as they are.
for name, op, odd in (('fsin', 'sin', True), ('fcos', 'cos', False)):
   for size, one, rest in ((32, '1.0', '0x7fffffff'), (16, '0x3c00', '0x7fff')):
      steps = f'f = v_fract_f{size} |a|; '
      if odd:
         steps += (f's = v_{op}_f{size} f; o = v_bfi_b32 {rest}, {one}, a; '
                   f'd = v_mul_f{size} s, o')
      else:
         steps += f'd = v_{op}_f{size} f'
      old = steps.replace('_f16', '_f32').replace('|a|', '|w|').replace(', a;', ', w;')
      old = old.replace('0x3c00', '1.0').replace('0x7fff,', '0x7fffffff,').replace('d = ', 't = ')
      at_once = f'd = v_{op}_f{size} a @9'
      if size == 32:
         select(name, '32', 'v', at_once, steps)
      else:
         select(name, '16', 'v', at_once, steps + ' @8', narrow_function(old))

# The residual says on which side of the root the rounded one lies.
select('fsqrt', '32', 'v', 'd = v_sqrt_f32 a @rne',
       's = v_sqrt_f32 a; w = v_cvt_f64_f32 s; x = v_cvt_f64_f32 a; r = v_fma_f64 -w, w, x; '
       'm = v_cmp_gt_f64 0, r; t, _ = v_add_co_u32 -1, s; d = v_cndmask_b32 s, t, m')
select('fsqrt', '16', 'v', 'd = v_sqrt_f16 a @89 rne',
       'mode = round32:rne; w = v_cvt_f32_f16 a; t = v_sqrt_f32 w; d = v_cvt_f16_f32 t')


# The estimate has 26 bits or so; each of the following steps doubles what is right of it. Small
# numbers are scaled, so that no residual is lost.
def sqrt64(last):
   return ('f = v_mul_f64 a, 1.0; mode = round64:rne denorm64:keep; '
           'g = v_cmp_gt_f64 0x1000000000000000, f; '
           'k = v_cndmask_b32 0, 0x100, g; x = v_ldexp_f64 f, k; y = v_rsq_f64 x; '
           's0 = v_mul_f64 x, y; h0 = v_mul_f64 y, 0.5; r0 = v_fma_f64 -h0, s0, 0.5; '
           's1 = v_fma_f64 s0, r0, s0; h1 = v_fma_f64 h0, r0, h0; e1 = v_fma_f64 -s1, s1, x; '
           's2 = v_fma_f64 e1, h1, s1; e2 = v_fma_f64 -s2, s2, x; s3 = v_fma_f64 e2, h1, s2; '
           + last +
           'j = v_cndmask_b32 0, 0xffffff80, g; u = v_ldexp_f64 s, j; z = v_cmp_class_f64 x, 0x260; '
           'lo = v_cndmask_b32 u.lo, x.lo, z; hi = v_cndmask_b32 u.hi, x.hi, z; w = p_join lo, hi; '
           'd = v_mul_f64 w, 1.0')


select('fsqrt', '64', 'v', sqrt64('s = p_join s3.lo, s3.hi; ') + ' @rne',
       sqrt64('e3 = v_fma_f64 -s3, s3, x; m = v_cmp_gt_f64 0, e3; q = v_cndmask_b32 0, -1, m; '
              'lo3, c3 = v_add_co_u32 s3.lo, q; hi3, _ = v_addc_co_u32 s3.hi, q, c3; '
              's = p_join lo3, hi3; '))
# 1 - x y^2 by two products and what their rounding loses.
select('frsq', '64', 'v',
       'f = v_mul_f64 a, 1.0; mode = round64:rne denorm64:keep; g = v_cmp_gt_f64 0x1000000000000000, f; '
       'k = v_cndmask_b32 0, 0x100, g; x = v_ldexp_f64 f, k; y0 = v_rsq_f64 x; '
       'p0 = v_mul_f64 x, y0; r0 = v_fma_f64 -p0, y0, 1.0; h0 = v_mul_f64 r0, 0.5; '
       'q0 = v_mul_f64 r0, 0x3fd8000000000000; c0 = v_fma_f64 q0, r0, h0; y1 = v_fma_f64 y0, c0, y0; '
       'p1 = v_mul_f64 x, y1; l1 = v_fma_f64 x, y1, -p1; r1 = v_fma_f64 -p1, y1, 1.0; '
       'r2 = v_fma_f64 -l1, y1, r1; h2 = v_mul_f64 y1, 0.5; y2 = v_fma_f64 h2, r2, y1; '
       'j = v_cndmask_b32 0, 0x80, g; u = v_ldexp_f64 y2, j; z = v_cmp_class_f64 x, 0x27f; '
       'lo = v_cndmask_b32 u.lo, y0.lo, z; hi = v_cndmask_b32 u.hi, y0.hi, z; d = p_join lo, hi')

select('fldexp', '32', 'v', 'd = v_ldexp_f32 a, b')
select('fldexp', '64', 'v', 'd = v_ldexp_f64 a, b')
select('fldexp', '16', 'v',
       't = v_max_i32 0xffffffc0, b; u = v_min_i32 64, t; d = v_ldexp_f16 a, u @89',
       'mode = round32:rne round64:rne; t = v_max_i32 0xffffffc0, b; u = v_min_i32 64, t; '
       'w = v_cvt_f32_f16 a; x = v_ldexp_f32 w, u; d = v_cvt_f16_f32 x')
# gfx6 makes something else of infinities and NaN.
select('ffrexp_sig', '32', 'v', 'd = v_frexp_mant_f32 a @89',
       't = v_frexp_mant_f32 a; x = v_mul_f32 1.0, a; m = v_cmp_lt_f32 |a|, inf; '
       'd = v_cndmask_b32 x, t, m')
select('ffrexp_sig', '64', 'v', 'd = v_frexp_mant_f64 a @89',
       't = v_frexp_mant_f64 a; x = v_mul_f64 a, 1.0; m = v_cmp_lt_f64 |a|, inf; '
       'd.lo = v_cndmask_b32 x.lo, t.lo, m; d.hi = v_cndmask_b32 x.hi, t.hi, m')
select('ffrexp_sig', '16', 'v', 'd = v_frexp_mant_f16 a @89',
       'w = v_cvt_f32_f16 a; t = v_frexp_mant_f32 w; m = v_cmp_lt_f32 |w|, inf; '
       'x = v_cndmask_b32 w, t, m; d = v_cvt_f16_f32 x')
for size in (32, 64):
   select('ffrexp_exp', str(size), 'v', f'd = v_frexp_exp_i32_f{size} a @89',
          f't = v_frexp_exp_i32_f{size} a; m = v_cmp_lt_f{size} |a|, inf; d = v_cndmask_b32 0, t, m')
select('ffrexp_exp', '16', 'v', 't = v_frexp_exp_i16_f16 a; d = v_bfe_i32 t, 0, 16 @89',
       'w = v_cvt_f32_f16 a; t = v_frexp_exp_i32_f32 w; m = v_cmp_lt_f32 |w|, inf; '
       'd = v_cndmask_b32 0, t, m')

# ---- division -------------------------------------------------------------------------------

# Scaled so that nothing in between leaves the range; the last step rounds, scales back, and is the
# only one that may not round to nearest.
DIV32 = ('mode = round32:rne denorm32:keep; s, _ = v_div_scale_f32 b, b, a; '
         'n, vcc = v_div_scale_f32 a, b, a; r = v_rcp_f32 s; e0 = v_fma_f32 -s, r, 1.0; '
         'r1 = v_fma_f32 e0, r, r; q0 = v_mul_f32 n, r1; e1 = v_fma_f32 -s, q0, n; '
         'q1 = v_fma_f32 e1, r1, q0; e2 = v_fma_f32 -s, q1, n; ')
select('fdiv', '32', 'v',
       DIV32 + 'mode = shader; q = v_div_fmas_f32 e2, r1, q1; d = v_div_fixup_f32 q, b, a @keep',
       't = v_mul_f32 1.0, a; u = v_mul_f32 1.0, b; '
       + DIV32.replace('b, b, a', 'u, u, t').replace('a, b, a', 't, u, t')
       + 'mode = shader denorm32:keep; q = v_div_fmas_f32 e2, r1, q1; w = v_div_fixup_f32 q, u, t; '
       'mode = shader; d = v_mul_f32 1.0, w')


def div64(numerator, denominator, flag, last):
   n, m = numerator, denominator
   return (f'mode = round64:rne denorm64:keep; s, _ = v_div_scale_f64 {m}, {m}, {n}; '
           f'n, {flag} = v_div_scale_f64 {n}, {m}, {n}; r = v_rcp_f64 s; '
           'e0 = v_fma_f64 -s, r, 1.0; r1 = v_fma_f64 r, e0, r; e1 = v_fma_f64 -s, r1, 1.0; '
           'r2 = v_fma_f64 r1, e1, r1; q0 = v_mul_f64 n, r2; e2 = v_fma_f64 -s, q0, n; '
           'q1 = v_fma_f64 e2, r2, q0; e3 = v_fma_f64 -s, q1, n; ' + last
           + f'q = v_div_fmas_f64 e3, r2, q1; w = v_div_fixup_f64 q, {m}, {n}; ')


# gfx6 writes the flag wrongly: it is one where one of the two was scaled and the other was not.
def flag64(numerator_high, denominator_high):
   return (f'x0 = v_cmp_eq_u32 {numerator_high}, n.hi; x1 = v_cmp_eq_u32 {denominator_high}, s.hi; '
           'vcc = s_xor_b64 x0, x1; ')


FLUSH_BOTH = 't = v_mul_f64 a, 1.0; u = v_mul_f64 b, 1.0; '
AFTER = 'mode = shader denorm64:keep; '
select('fdiv', '64', 'v',
       FLUSH_BOTH + div64('t', 'u', 'vcc', AFTER) + 'mode = shader; d = v_mul_f64 w, 1.0 @89',
       FLUSH_BOTH + div64('t', 'u', '_', flag64('t.hi', 'u.hi') + AFTER)
       + 'mode = shader; d = v_mul_f64 w, 1.0')
select('frcp', '64', 'v',
       'u = v_mul_f64 a, 1.0; ' + div64('1.0', 'u', 'vcc', '') + 'mode = shader; d = v_mul_f64 w, 1.0 @89',
       'u = v_mul_f64 a, 1.0; ' + div64('1.0', 'u', '_', flag64('0x3ff00000', 'u.hi'))
       + 'mode = shader; d = v_mul_f64 w, 1.0')
select('fdiv', '16', 'v',
       'w0 = v_cvt_f32_f16 a; w1 = v_cvt_f32_f16 b; mode = round32:rne; r = v_rcp_f32 w1; '
       'q0 = v_mul_f32 w0, r; e0 = v_fma_f32 -w1, q0, w0; q1 = v_fma_f32 e0, r, q0; '
       'e1 = v_fma_f32 -w1, q1, w0; mode = round32:16; q = v_fma_f32 e1, r, q1; '
       't = v_div_fixup_f32 q, w1, w0; d = v_cvt_f16_f32 t')

# ---- compares -------------------------------------------------------------------------------

COMPARES = {'feq': 'eq', 'fne': 'lg', 'flt': 'lt', 'fle': 'le', 'fequ': 'nlg', 'fneu': 'neq',
            'fltu': 'nge', 'fleu': 'ngt', 'ford': 'o', 'funord': 'u'}
for name, relation in COMPARES.items():
   select(name, '32', 'v', f'd = v_cmp_{relation}_f32 a, b')
   select(name, '64', 'v', f'd = v_cmp_{relation}_f64 a, b')
   select(name, '16', 'v', f'd = v_cmp_{relation}_f16 a, b @89',
          f'x = v_cvt_f32_f16 a; y = v_cvt_f32_f16 b; d = v_cmp_{relation}_f32 x, y')

# ---- conversions ----------------------------------------------------------------------------

both('b2f', '1>32', 'scc = a; d = s_cselect_b32 1.0, 0', 'd = v_cndmask_b32 0, 1.0, a')
both('b2f', '1>16', 'scc = a; d = s_cselect_b32 0x3c00, 0', 'd = v_cndmask_b32 0, 0x3c00, a')
both('b2f', '1>64', 'scc = a; d.hi = s_cselect_b32 0x3ff00000, 0; d.lo = s_mov_b32 0',
     'd.hi = v_cndmask_b32 0, 0x3ff00000, a; d.lo = v_mov_b32 0')

for suffix in ('', '_rne', '_rtz', '_ru', '_rd'):
   mode = suffix[1:]
   single = f'mode = round32:{mode}; ' if mode else ''
   half = f'mode = round64:{mode}; ' if mode else ''
   select(f'f2f{suffix}', '16>32', 'v', 'd = v_cvt_f32_f16 a')
   select(f'f2f{suffix}', '32>64', 'v', 'd = v_cvt_f64_f32 a')
   select(f'f2f{suffix}', '16>64', 'v', 't = v_cvt_f32_f16 a; d = v_cvt_f64_f32 t')
   select(f'f2f{suffix}', '64>32', 'v', single + 'd = v_cvt_f32_f64 a')
   select(f'f2f{suffix}', '32>16', 'v', half + 'd = v_cvt_f16_f32 a')
   narrow = NARROW.format(x='a')
   if mode:
      narrow = narrow.replace('; d = ', f'; mode = round64:{mode} denorm32:keep; d = ')
   select(f'f2f{suffix}', '64>16', 'v', narrow)
   for sign, low in (('u', ''), ('i', 't0 = v_max_i32 0xfffe0000, t; ')):
      least = 'v_min_u32' if sign == 'u' else 'v_min_i32'
      kind = f'{sign}32'
      select(f'{sign}2f{suffix}', '32>32', 'v', single + f'd = v_cvt_f32_{kind} a')
      select(f'{sign}2f{suffix}', '32>64', 'v', f'd = v_cvt_f64_{kind} a')
      # More than 2^17 is no number of 16 bits, and up to there 32 bits are exact.
      select(f'{sign}2f{suffix}', '32>16', 'v',
             f't = {least} 0x20000, a; {low}u = v_cvt_f32_{kind} {"t0" if low else "t"}; {half}'
             'd = v_cvt_f16_f32 u')

TO_INTEGRAL = {'': '', '_rne': 'rndne', '_ru': 'ceil', '_rd': 'floor'}
for suffix, op in TO_INTEGRAL.items():
   for kind in ('u', 'i'):
      name = f'f2{kind}{suffix}'
      first = f't = v_{op}_f32 {{x}}; ' if op else ''
      x = 't' if op else '{x}'
      select(name, '32>32', 'v', (first + f'd = v_cvt_{kind}32_f32 {x}').format(x='a'))
      select(name, '16>32', 'v',
             'w = v_cvt_f32_f16 a; ' + (first + f'd = v_cvt_{kind}32_f32 {x}').format(x='w'))
      if not op:
         select(name, '64>32', 'v', f'd = v_cvt_{kind}32_f64 a')
         continue
      select(name, '64>32', 'v', f't = v_{op}_f64 a; d = v_cvt_{kind}32_f64 t @89',
             FLUSHED64 + OLD64[op].format(x='x', to='t') + f'; d = v_cvt_{kind}32_f64 t')

# ---- packing --------------------------------------------------------------------------------

PACK = 'p{k} = v_lshlrev_b32 16, {hi}; {to} = v_bfi_b32 0xffff, {lo}, p{k}'
# A denormal of 32 bits is a zero of 16, and none of 16 is one of 32.
EXACT = 'mode = round32:{r} round64:{r} denorm64:keep; '
for name, mode in (('pack_half_2x16', 'rne'), ('pack_half_2x16_rtz', 'rtz')):
   halves = EXACT.format(r=mode) + 'x = v_cvt_f16_f32 a[0]; y = v_cvt_f16_f32 a[1]; '
   select(name, '32', 'v', halves + 'd = v_perm_b32 y, x, 0x05040100 @89',
          halves + PACK.format(k='', lo='x', hi='y', to='d'))
select('unpack_half_2x16', '32', 'v', EXACT.format(r='rne') +
       'h = v_lshrrev_b32 16, a; d[0] = v_cvt_f32_f16 a; d[1] = v_cvt_f32_f16 h')

# What a denormal makes rounds to zero.
NEAREST = 'mode = round32:rne; '
for count, bits in ((2, 16), (4, 8)):
   for sign in 'us':
      kind, most = ('u', (1 << bits) - 1) if sign == 'u' else ('i', (1 << (bits - 1)) - 1)
      steps = []
      for n in range(count):
         steps += [f'x{n} = v_mul_f32 {most}.0, a[{n}]', f'y{n} = v_rndne_f32 x{n}',
                   f'z{n} = v_cvt_{kind}32_f32 y{n}', f'i{n} = v_min_{kind}32 {most}, z{n}']
         if sign == 's':
            steps.append(f'j{n} = v_max_i32 {-most & 0xffffffff}, i{n}')
      part = 'j' if sign == 's' else 'i'
      if count == 2:
         steps.append(PACK.format(k='', lo=f'{part}0', hi=f'{part}1', to='d'))
      else:
         for k in range(2):
            steps.append(f'b{k} = v_lshlrev_b32 8, {part}{2 * k + 1}; '
                         f'c{k} = v_bfi_b32 0xff, {part}{2 * k}, b{k}')
         steps.append(PACK.format(k='', lo='c0', hi='c1', to='d'))
      if (sign, bits) == ('u', 8):
         # The machine saturates, and puts bytes where they belong.
         steps = [f'x{n} = v_mul_f32 255.0, a[{n}]; {"d" if n == 3 else f"y{n}"} = '
                  f'v_cvt_pk_u8_f32 x{n}, {n}, {f"y{n - 1}" if n else 0}' for n in range(4)]
      select(f'pack_{sign}norm_{count}x{bits}', '32', 'v', NEAREST + '; '.join(steps))
      # 1 / most in two parts: exact for all of them.
      high = struct.unpack('f', struct.pack('f', 1 / most))[0]
      steps = []
      for n in range(count):
         result = f'v{n}' if sign == 's' else f'd[{n}]'
         if bits == 8 and sign == 'u':
            steps.append(f'f{n} = v_cvt_f32_ubyte{n} a')
         else:
            steps.append(f'i{n} = v_bfe_{kind}32 a, {n * bits}, {bits}; f{n} = v_cvt_f32_{kind}32 i{n}')
         steps += [f'q{n} = v_mul_f32 {1 / most - high!r}, f{n}',
                   f'{result} = v_fma_f32 f{n}, {high!r}, q{n}']
         if sign == 's':
            steps.append(f'd[{n}] = v_max_f32 -1.0, v{n}')
      select(f'unpack_{sign}norm_{count}x{bits}', '32', 'v', NEAREST + '; '.join(steps))
