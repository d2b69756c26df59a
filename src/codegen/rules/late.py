# SPDX-License-Identifier: MIT
"""Late rules: what a machine does in one instruction. Run once, after all other rewriting.

Conditions ask for what the machine has by the options of opt_late: see passes/passes.py.
"""

from codegen.rules.weight import squared

THREE_16, THREE_INT, FMA, FAST_DIV, THREE_INT_16 = (f'option({n})' for n in range(5))

# Of equal forms the one that the machine has is the lighter one.
WEIGHTS = {name: 4 for name in (
   'ffma umed3 imed3 fmed3 umin3 umax3 imin3 imax3 fmin3 fmax3 ubfe ibfe bitselect ishl_add iadd_shl iadd3 '
   'ishl_or iand_or ior3 usad umul24 umad24 funnel_shr bitfield_mask fmul').split()}
WEIGHTS.update({name: 10 for name in 'iand ior ixor ishl ushr ishr inot i2i u2u fneg'.split()})
WEIGHTS.update(fneg=1, fdiv=30, bitfield_insert=squared(40), imul=30)
# fneg and fabs are free: operands carry them.
COSTS = {'fneg': 0, 'fabs': 0, 'bitfield_insert': 4, 'ubitfield_extract': 4, 'ibitfield_extract': 6}


def add(rule):
   floats(rule)
   middles(rule)
   fields(rule)
   sums(rule)


def floats(rule):
   for n, when in ((16, f'{FMA} and {THREE_16}'), (32, FMA), (64, FMA)):
      # Of two products the one goes that nothing else reads.
      for product, also in (('fmul@s(x:N, y)', ' and once(s)'), ('fmul(x:N, y)', '')):
         rule(f'fadd({product}, z)', 'ffma(x, y, z)', when + also, inexact=True, N=(n,))
         rule(f'fsub({product}, z)', 'ffma(x, y, fneg(z))', when + also, inexact=True, N=(n,))
         rule(f'fsub(z, {product})', 'ffma(fneg(x), y, z)', when + also, inexact=True, N=(n,))
   chains(rule)
   # A few bits of a shifted number: the sum scales it.
   rule('fadd(u2f:N(iand@s(ishl@t(x:N, #a), #m)), y)', 'ffma(u2f:N(iand(x, ushr(m, a))), u2f:N(ishl(1:N, a)), y)',
        f'{FMA} and once(s) and once(t) and a < 24 and m < 0x1000000', N=(32,))
   rule('fdiv(x:N, #k)', 'fmul(x, frcp(k))', f'{FAST_DIV} and float_is_moderate(N, k) and '
        'not float_is_zero(N, k)', inexact=True)


def chains(rule):
   """What is added to a sum of products, which nothing else reads, is added first: then no product is left alone."""
   when = f'{FMA} and (N == 32 or {THREE_16})'
   for count in (2, 3, 4):
      total, fused = 'fmul@s0(x0:N, y0)', 'ffma(x0, y0, z)'
      for k in range(1, count):
         total, fused = f'ffma@s{k}(x{k}, y{k}, {total})', f'ffma(x{k}, y{k}, {fused})'
      once = ' and '.join(f'once(s{k})' for k in range(count))
      rule(f'fadd({total}, z)', fused, f'{when} and {once}', inexact=True, finite=True, N=(16, 32))
   rule('fadd(ffma@s(x:N, y, fneg(fmul@t(a, b))), z)', 'ffma(x, y, ffma(fneg(a), b, z))',
        f'{when} and once(s) and once(t)', inexact=True, finite=True, N=(16, 32))


def middles(rule):
   for kind, order in (('u', 'a <= b'), ('i', 'sext(N, a) <= sext(N, b)')):
      for n, when in ((16, f' and {THREE_INT_16}'), (32, '')):
         rule(f'{kind}min({kind}max(x:N, #a), #b)', f'{kind}med3(x, a, b)', order + when, N=(n,))
         rule(f'{kind}max({kind}min(x:N, #b), #a)', f'{kind}med3(x, a, b)', order + when, N=(n,))
   ordered = 'not float_is_nan(N, a) and not float_is_nan(N, b) and float_less(N, a, b)'
   for n, when, when_int in ((16, THREE_16, THREE_INT_16), (32, None, None)):
      both = f'{ordered} and {when}' if when else ordered
      rule('fmin(fmax(x:N, #a), #b)', 'fmed3(x, a, b)', both, N=(n,))
      rule('fmax(fmin(x:N, #b), #a)', 'fmed3(x, a, b)', both, nnan=True, N=(n,))
      for kind in 'uif':
         for which in ('min', 'max'):
            op = kind + which
            rule(f'{op}({op}(x:N, y), z)', f'{op}3(x, y, z)', when if kind == 'f' else when_int, N=(n,))
   for kind in 'ui':
      least, most = f'{kind}min', f'{kind}max'
      for n, when in ((16, THREE_INT_16), (32, None)):
         rule(f'{most}({least}(x:N, y), {least}({most}(x, y), z))', f'{kind}med3(x, y, z)', when, N=(n,))
         rule(f'{least}({most}(x:N, y), {most}({least}(x, y), z))', f'{kind}med3(x, y, z)', when, N=(n,))


def fields(rule):
   rule('iand(ushr(x:N, #o), #m)', 'ubfe(x, o, bit_count(m))', 'o < 32 and is_low_mask(m) and '
        'bit_count(m) < 32 - o', N=(32,))
   rule('ushr(ishl(x:N, #a), #b)', 'ubfe(x, isub(b, a), isub(32, b))', 'a <= b and b < 32 and b != 0', N=(32,))
   rule('ishr(ishl(x:N, #a), #b)', 'ibfe(x, isub(b, a), isub(32, b))', 'a <= b and b < 32 and b != 0', N=(32,))
   rule('i2i:N(u2u:M(ushr(x:N, #o)))', 'ibfe(x, o, [M])', 'M < N and o < 32 and o + M <= 32', N=(32,), M=(8, 16))
   rule('i2i:N(u2u:M(x:N))', 'ibfe(x, 0, [M])', 'M < N', N=(32,), M=(8, 16))
   for sign in 'ui':
      rule(f'{sign}bitfield_extract(x:N, o, c)', f'{sign}bfe(x, o, c)', 'most(o) < 32 and most(c) < 32', N=(32,))
   rule('bitfield_insert(x:N, y, o, c)', 'bitselect(bitfield_mask(c, o), ishl(y, o), x)',
        'most(o) < 32 and most(c) < 32', N=(32,))
   rule('isub(ishl(1:N, c), 1)', 'bitfield_mask(c, 0)', 'most(c) < 32', N=(32,))
   rule('iadd(ishl(1:N, c), -1)', 'bitfield_mask(c, 0)', 'most(c) < 32', N=(32,))
   rule('inot(ishl(-1:N, c))', 'bitfield_mask(c, 0)', 'most(c) < 32', N=(32,))
   rule('ior(iand(x:N, m), iand(y, inot(m)))', 'bitselect(m, x, y)', N=(32,))
   rule('ior(iand(x:N, #a), iand(y, #b))', 'bitselect(a, x, y)', 'b == mask(N) & ~a', N=(32,))
   rule('ixor(iand(ixor(x:N, y), m), y)', 'bitselect(m, x, y)', N=(32,))
   rule('ior(ishl(x:N, #a), ushr(y, #b))', 'funnel_shr(x, y, b)', 'a < 32 and b < 32 and a + b == 32', N=(32,))


def sums(rule):
   small = 'known_zero(x, 0xff000000) and known_zero(y, 0xff000000)'
   rule('imul(x:N, y)', 'umul24(x, y)', small, N=(32,))
   rule('iadd(umul24(x, y), z)', 'umad24(x, y, z)')
   rule('iadd(uabs_diff(x:N, y), z)', 'usad(x, y, z)', N=(32,))
   rule('iadd(ishl(x:N, y), z)', 'ishl_add(x, y, z)', THREE_INT, N=(32,))
   rule('iadd(iand@s(ishl@t(x:N, #k), #m), z)', 'ishl_add(iand(x, ushr(m, k)), k, z)', f'{THREE_INT} and once(s) and once(t) and '
        'k < 32 and m & (mask(N) >> (N - k)) == 0', N=(32,))
   rule('ishl(iadd(x:N, y), z)', 'iadd_shl(x, y, z)', THREE_INT, N=(32,))
   rule('iadd(iadd(x:N, y), z)', 'iadd3(x, y, z)', THREE_INT, N=(32,))
   rule('ishl(iadd3@s(x:N, y, z), c)', 'iadd_shl(iadd(x, y), z, c)', f'{THREE_INT} and once(s)', N=(32,),
        ends='no rule makes an ishl', why='the first sum may be there already')
   rule('ior(ishl(x:N, y), z)', 'ishl_or(x, y, z)', THREE_INT, N=(32,))
   rule('ior(iand(x:N, y), z)', 'iand_or(x, y, z)', THREE_INT, N=(32,))
   rule('ior(ior(x:N, y), z)', 'ior3(x, y, z)', THREE_INT, N=(32,))
