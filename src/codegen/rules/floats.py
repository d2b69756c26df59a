# SPDX-License-Identifier: MIT
"""Rules for floats.

A rule holds for every operand, in every rounding and denormal mode, bit for bit, unless a column or
a condition says less. Remember when adding one: most ops make NaNs canonical and flush denormals;
fneg, fabs, fcopysign, select and moves do neither. So `fmul(x, 1.0)` is fcanonicalize(x), and
`fneg(fmul(x, y))` is not `fmul(fneg(x), y)`, whose NaN is not negative.
"""

from codegen.ir.ops import OPS

EXACT_SIGN = 'canonical(x) and never_nan(x)'
ROUNDINGS = ('ffloor', 'fceil', 'ftrunc', 'frint')


def add(rule):
   canonical(rule)
   signs(rule)
   arithmetic(rule)
   inexact(rule)
   extremes(rule)
   compares(rule)
   conversions(rule)


def canonical(rule):
   rule('fcanonicalize(x)', 'x', 'canonical(x)')
   rule('fcanonicalize:N(x)', 'x', 'not flushes(N)', nnan=True)
   rule('fcanonicalize(x)', 'x', finite=True)
   # What reads its operands as numbers needs no canonical ones.
   for op in OPS:
      if op.is_float and op.flushes and op.name not in ('fcanonicalize',):
         names = ['x', 'y', 'z'][:len(op.srcs)]
         for i, source in enumerate(op.srcs):
            if source.kind == 'f' and not (op.commutative and i == 1):
               inside = [f'fcanonicalize({n})' if j == i else n for j, n in enumerate(names)]
               rule(f'{op.name}({", ".join(inside)})', f'{op.name}({", ".join(names)})', law=True)


def signs(rule):
   rule('fabs(fneg(x))', 'fabs(x)')
   rule('fabs(fcopysign(x, y))', 'fabs(x)')
   rule('fcopysign(fneg(x), y)', 'fcopysign(x, y)')
   rule('fcopysign(fabs(x), y)', 'fcopysign(x, y)')
   rule('fcopysign(fcopysign(x, y), z)', 'fcopysign(x, z)')
   rule('fcopysign(x, fcopysign(y, z))', 'fcopysign(x, z)')
   rule('fcopysign(x, fneg(y))', 'fneg(fcopysign(x, y))')
   rule('fcopysign(x, fabs(y))', 'fabs(x)')
   rule('fcopysign(x:N, #k)', 'fabs(x)', 'not float_is_negative(N, k)')
   for op in ('fsat', 'b2f', 'u2f', 'fexp2'):
      rule(f'fabs({op}(x))', f'{op}(x)')
   rule('fabs(fmul(x, x))', 'fmul(x, x)')
   rule('fmul(fabs(x), fabs(x))', 'fmul(x, x)')
   rule('fmul(fneg(x), fneg(y))', 'fmul(x, y)')
   rule('fmul(fneg(x), #k)', 'fmul(x, fneg(k))')
   rule('fdiv(fneg(x), fneg(y))', 'fdiv(x, y)')
   rule('fdiv(fneg(x), #k)', 'fdiv(x, fneg(k))')
   rule('fdiv(#k, fneg(x))', 'fdiv(fneg(k), x)')
   rule('ffma(fneg(x), fneg(y), z)', 'ffma(x, y, z)')
   rule('ffma(fneg(x), #k, y)', 'ffma(x, fneg(k), y)')
   rule('fadd(x, fneg(y))', 'fsub(x, y)')
   rule('fsub(x, fneg(y))', 'fadd(x, y)')
   rule('fsub(x, #k)', 'fadd(x, fneg(k))')
   rule('fneg(fsub@s(x, y))', 'fsub(y, x)', 'once(s)', nnan=True, nsz=True)
   rule('fneg(fmul@s(x, #k))', 'fmul(x, fneg(k))', 'once(s)', nnan=True)
   rule('fneg(fdiv@s(#k, x))', 'fdiv(fneg(k), x)', 'once(s)', nnan=True)
   rule('fneg(fadd@s(x, #k))', 'fsub(fneg(k), x)', 'once(s)', nnan=True, nsz=True)
   rule('fsub(fneg(x), y)', 'fneg(fadd(x, y))', nnan=True, nsz=True)
   rule('frcp(fneg(x))', 'fneg(frcp(x))', nnan=True, ends='no rule puts fneg into an operand of frcp of a value')
   rule('fcos(fneg(x))', 'fcos(x)')
   rule('fcos(fabs(x))', 'fcos(x)')
   rule('ffrexp_exp(fneg(x))', 'ffrexp_exp(x)')
   rule('ffrexp_exp(fabs(x))', 'ffrexp_exp(x)')


def arithmetic(rule):
   rule('fadd(x, 0.0)', 'fcanonicalize(x)', nsz=True)
   rule('fsub(0.0, x:N)', 'fneg(x)', 'canonical(x)', nnan=True, nsz=True)
   rule('fsub(0.0, x:N)', 'fneg(x)', 'not flushes(N)', nnan=True, nsz=True)
   rule('fsub(-0.0, x:N)', 'fneg(x)', 'not flushes(N) or canonical(x)', nnan=True)
   rule('fmul(x:N, -1.0)', 'fneg(x)', 'not flushes(N) or canonical(x)', nnan=True)
   rule('fmul(x, -1.0)', 'fneg(x)', EXACT_SIGN)
   rule('fsub(x, x)', '0.0', nnan=True)
   rule('fmul(x, 0.0)', '0.0', nnan=True, nsz=True)
   rule('fdiv(x, x)', '1.0', nnan=True)
   rule('fdiv(0.0, x)', '0.0', nnan=True, nsz=True)
   rule('fdiv(x:N, #k)', 'fmul(x, frcp(k))', 'exact_reciprocal(N, k)')
   rule('fdiv(1.0, x:N)', 'frcp(x)', 'not rtz(N)')
   rule('fdiv(-1.0, x:N)', 'frcp(fneg(x))', 'not rtz(N)')
   rule('ffma(x, 1.0, y)', 'fadd(x, y)')
   rule('ffma(x, -1.0, y)', 'fsub(y, x)')
   rule('ffma(x, y, -0.0)', 'fmul(x, y)')
   rule('ffma(x, y, 0.0)', 'fmul(x, y)', nsz=True)
   rule('ffma(x, 0.0, y)', 'fcanonicalize(y)', nnan=True, nsz=True)
   rule('fmul(b2f(c), b2f(d))', 'b2f(iand(c, d))')
   rule('fsub(1.0, b2f(c))', 'select(c, 0.0, 1.0)')
   finite(rule)
   rule('fadd(x, x)', 'fmul(x, 2.0)')
   rule('fldexp(fldexp(x, #a), #b)', 'fldexp(x, iadd(a, b))', 'a < 64 and b < 64', inexact=True)
   for op in ROUNDINGS:
      for inner in ROUNDINGS:
         if op != inner:
            rule(f'{op}({inner}(x))', f'{inner}(x)')
      for cast in ('i2f', 'u2f', 'b2f'):
         rule(f'{op}({cast}(x))', f'{cast}(x)')
   rule('ffract(ffloor(x))', '0.0', nnan=True, ninf=True)
   rule('fsub(x, ffloor(x))', 'ffract(x)', inexact=True, nnan=True, ninf=True)
   rule('fsat(ffract(x))', 'ffract(x)', nnan=True)


def finite(rule):
   """Products that choose."""
   rule('fmul(b2f(c), x)', 'select(c, x, 0.0)', finite=True)
   rule('fmul(select(c, 0.0, 1.0), x)', 'select(c, 0.0, x)', finite=True)
   rule('fadd(select(c, x, 0.0), select(c, 0.0, y))', 'select(c, x, y)', finite=True)
   rule('ffma(b2f(c), x, select(c, 0.0, y))', 'select(c, x, y)', finite=True)
   rule('ffma(select(c, 0.0, 1.0), x, select(c, y, 0.0))', 'select(c, y, x)', finite=True)
   rule('ffma(b2f(c), y, ffma(fneg(b2f(c)), x, x))', 'select(c, y, x)', finite=True)


def inexact(rule):
   rule('ffma(#a, #b, x)', 'fadd(fmul(a, b), x)', inexact=True)
   rule('frcp(frcp(x))', 'x', inexact=True, nnan=True, ninf=True)
   rule('frcp(fsqrt(x))', 'frsq(x)', inexact=True)
   rule('fsqrt(frcp(x))', 'frsq(x)', inexact=True, nnan=True, ninf=True)
   rule('frcp(frsq(x))', 'fsqrt(x)', inexact=True, nnan=True, ninf=True)
   rule('fmul(x, frsq(x))', 'fsqrt(x)', inexact=True, nnan=True, ninf=True)
   rule('fmul(fsqrt(x), fsqrt(x))', 'x', inexact=True, nnan=True, ninf=True)
   rule('fexp2(flog2(x))', 'x', inexact=True, nnan=True, ninf=True)
   rule('flog2(fexp2(x))', 'x', inexact=True, nnan=True, ninf=True)
   rule('flog2(frcp(x))', 'fneg(flog2(x))', inexact=True, nnan=True, ninf=True)
   rule('flog2(fsqrt(x))', 'fmul(flog2(x), 0.5)', inexact=True, nnan=True, ninf=True)
   rule('fmul(fexp2(x), fexp2(y))', 'fexp2(fadd(x, y))', inexact=True, nnan=True, ninf=True)
   rule('fmul(frcp(x), frcp(y))', 'frcp(fmul(x, y))', inexact=True, nnan=True, ninf=True)
   rule('fadd(fmul(x, y), fmul(x, z))', 'fmul(x, fadd(y, z))', inexact=True, nnan=True, ninf=True)
   rule('fadd(fsub(x, y), y)', 'x', inexact=True, nnan=True, ninf=True)
   rule('fsub(fadd(x, y), x)', 'y', inexact=True, nnan=True, ninf=True)
   rule('fsub(x, fsub(x, y))', 'y', inexact=True, nnan=True, ninf=True)


def extremes(rule):
   rule('fmin(fmax(x, 0.0), 1.0)', 'fsat(x)')
   rule('fmax(fmin(x, 1.0), 0.0)', 'fsat(x)', nnan=True)
   rule('fsat(fmax(x, 0.0))', 'fsat(x)')
   rule('fsat(fmin(x, 1.0))', 'fsat(x)', nnan=True)
   rule('fsat(b2f(c))', 'b2f(c)')
   rule('fmax(fsat(x), 0.0)', 'fsat(x)')
   rule('fmin(fsat(x), 1.0)', 'fsat(x)')
   rule('fmin(fsat(x), 0.0)', '0.0')
   rule('fmax(fsat(x), 1.0)', '1.0')
   rule('fmin(fneg(x), fneg(y))', 'fneg(fmax(x, y))', nnan=True)
   rule('fmax(fneg(x), fneg(y))', 'fneg(fmin(x, y))', nnan=True)
   rule('fmin(fmin(x, y), x)', 'fmin(x, y)')
   rule('fmax(fmax(x, y), x)', 'fmax(x, y)')
   rule('fmin(fmax(x, y), x)', 'fcanonicalize(x)', nnan=True)
   rule('fmax(fmin(x, y), x)', 'fcanonicalize(x)', nnan=True)
   for op in ('fmin', 'fmax'):
      rule(f'{op}({op}@s(x, #a), y)', f'{op}({op}(x, y), a)', 'once(s) and not_const(y)')
   plain = ('not float_is_nan(N, k) and not float_is_zero(N, k) and '
            '(not flushes(N) or (canonical(x) and float_is_normal(N, k)))')
   rule('select(flt(x:N, #k), x, #k)', 'fmin(x, k)', f'{plain} and canonical(x)')
   rule('select(flt(#k, x:N), x, #k)', 'fmax(x, k)', f'{plain} and canonical(x)')
   rule('select(flt(x:N, #k), #k, x)', 'fmax(x, k)', f'{plain} and canonical(x)', nnan=True)
   rule('select(flt(#k, x:N), #k, x)', 'fmin(x, k)', f'{plain} and canonical(x)', nnan=True)


def compares(rule):
   for lt in ('flt', 'fle', 'fltu', 'fleu'):
      rule(f'{lt}(fneg(x), fneg(y))', f'{lt}(y, x)')
      rule(f'{lt}(fneg(x), #k)', f'{lt}(fneg(k), x)')
      rule(f'{lt}(#k, fneg(x))', f'{lt}(x, fneg(k))')
   for eq in ('feq', 'fne', 'fequ', 'fneu'):
      rule(f'{eq}(fneg(x), fneg(y))', f'{eq}(x, y)')
      rule(f'{eq}(fneg(x), #k)', f'{eq}(x, fneg(k))')
      rule(f'{eq}(fabs(x), 0.0)', f'{eq}(x, 0.0)')
   for op in ('ford', 'funord'):
      for sign in ('fneg', 'fabs'):
         rule(f'{op}({sign}(x), y)', f'{op}(x, y)')
   rule('feq(x, x)', 'ford(x, 0.0)')
   rule('fle(x, x)', 'ford(x, 0.0)')
   rule('fneu(x, x)', 'funord(x, 0.0)')
   rule('fltu(x, x)', 'funord(x, 0.0)')
   rule('ford(x, x)', 'ford(x, 0.0)', 'not_const(x)')
   rule('funord(x, x)', 'funord(x, 0.0)', 'not_const(x)')
   rule('ford(x, y)', 'true', nnan=True)
   rule('funord(x, y)', 'false', nnan=True)
   rule('ford(x, y)', 'true', 'never_nan(x) and never_nan(y)')
   rule('funord(x, y)', 'false', 'never_nan(x) and never_nan(y)')
   rule('ford(x:N, #k)', 'ford(x, 0.0)', 'not float_is_nan(N, k) and not float_is_zero(N, k)', ends='then k is 0')
   rule('funord(x:N, #k)', 'funord(x, 0.0)', 'not float_is_nan(N, k) and not float_is_zero(N, k)',
        ends='then k is 0')
   for lt in ('flt', 'fle', 'feq', 'fne', 'ford'):
      rule(f'{lt}(x:N, #k)', 'false', 'float_is_nan(N, k)')
      rule(f'{lt[0:]}u(x:N, #k)' if lt != 'ford' else 'funord(x:N, #k)', 'true', 'float_is_nan(N, k)')
   for lt in ('flt', 'fle'):
      rule(f'{lt}(#k, x:N)', 'false', 'float_is_nan(N, k)')
      rule(f'{lt}u(#k, x:N)', 'true', 'float_is_nan(N, k)')
   rule('flt(fabs(x), 0.0)', 'false')
   rule('fle(0.0, fabs(x))', 'ford(x, 0.0)')
   rule('fle(fabs(x), 0.0)', 'feq(x, 0.0)')
   rule('flt(0.0, fabs(x))', 'fne(x, 0.0)')
   rule('fltu(fabs(x), 0.0)', 'funord(x, 0.0)')
   rule('fleu(0.0, fabs(x))', 'true')
   rule('flt(x, -inf)', 'false')
   rule('flt(inf, x)', 'false')
   rule('fleu(-inf, x)', 'true')
   rule('fleu(x, inf)', 'true')
   # Two compares in one.
   for lt, other in (('flt', 'fltu'), ('fle', 'fleu'), ('feq', 'fequ'), ('fne', 'fneu')):
      rule(f'iand(ford(x, y), {lt}(x, y))', f'{lt}(x, y)')
      rule(f'iand(ford(x, y), {other}(x, y))', f'{lt}(x, y)')
      rule(f'ior(funord(x, y), {lt}(x, y))', f'{other}(x, y)')
      rule(f'ior(funord(x, y), {other}(x, y))', f'{other}(x, y)')
   rule('iand(ford(x, 0.0), ford(y, 0.0))', 'ford(x, y)')
   rule('ior(funord(x, 0.0), funord(y, 0.0))', 'funord(x, y)')
   rule('ior(flt(x, y), feq(x, y))', 'fle(x, y)')
   rule('ior(flt(x, y), flt(y, x))', 'fne(x, y)')
   rule('ior(fle(x, y), fle(y, x))', 'ford(x, y)')
   rule('iand(fle(x, y), fle(y, x))', 'feq(x, y)')
   rule('iand(fle(x, y), fne(x, y))', 'flt(x, y)')
   rule('iand(fle(x, y), fneu(x, y))', 'flt(x, y)')
   rule('iand(flt(x, y), flt(y, x))', 'false')
   rule('ior(fltu(x, y), fltu(y, x))', 'fneu(x, y)')
   for lt in ('flt', 'fle'):
      rule(f'iand({lt}(x, y), {lt}(x, z))', f'{lt}(x, fmin(y, z))', nnan=True)
      rule(f'iand({lt}(y, x), {lt}(z, x))', f'{lt}(fmax(y, z), x)', nnan=True)
      rule(f'ior({lt}(x, y), {lt}(x, z))', f'{lt}(x, fmax(y, z))')
      rule(f'ior({lt}(y, x), {lt}(z, x))', f'{lt}(fmin(y, z), x)')
   # Compares of what was an integer or a boolean.
   for cast, lt in (('i2f', 'ilt'), ('u2f', 'ult')):
      rule(f'flt({cast}(x), 0.0)', f'{lt}(x, 0)')
      rule(f'flt(0.0, {cast}(x))', f'{lt}(0, x)')
      rule(f'fle({cast}(x), 0.0)', 'ile(x, 0)' if cast == 'i2f' else 'ule(x, 0)')
      rule(f'fle(0.0, {cast}(x))', 'ile(0, x)' if cast == 'i2f' else 'ule(0, x)')
      rule(f'feq({cast}(x), 0.0)', 'ieq(x, 0)')
      rule(f'fneu({cast}(x), 0.0)', 'ine(x, 0)')
      rule(f'feq({cast}:M(x:N), {cast}(y:N))', 'ieq(x, y)', 'exact_int(N, M)')
      rule(f'fneu({cast}:M(x:N), {cast}(y:N))', 'ine(x, y)', 'exact_int(N, M)')
      rule(f'flt({cast}:M(x:N), {cast}(y:N))', f'{lt}(x, y)', 'exact_int(N, M)')
      rule(f'fle({cast}:M(x:N), {cast}(y:N))', f'{lt[0]}le(x, y)', 'exact_int(N, M)')
   rule('feq(b2f(c), 0.0)', 'inot(c)')
   rule('fneu(b2f(c), 0.0)', 'c')
   rule('feq(b2f(c), 1.0)', 'c')
   rule('fneu(b2f(c), 1.0)', 'inot(c)')
   rule('flt(0.0, b2f(c))', 'c')
   rule('flt(b2f(c), 1.0)', 'inot(c)')
   rule('fle(1.0, b2f(c))', 'c')
   rule('fle(b2f(c), 0.0)', 'inot(c)')


def conversions(rule):
   rule('f2f:N(x:N)', 'fcanonicalize(x)')
   rule('f2f(f2f:M(x:N))', 'f2f(x)', 'M >= N')
   for suffix in ('', '_rne', '_rtz', '_ru', '_rd'):
      if suffix:
         rule(f'f2f{suffix}:M(x:N)', 'f2f(x)', 'M >= N')
      rule(f'f2f{suffix}:K(i2f:M(x:N))', f'i2f{suffix}(x)', 'exact_int(N, M)')
      rule(f'f2f{suffix}:K(u2f:M(x:N))', f'u2f{suffix}(x)', 'exact_int(N, M)')
      if suffix:
         rule(f'i2f{suffix}:M(x:N)', 'i2f(x)', 'exact_int(N, M)')
         rule(f'u2f{suffix}:M(x:N)', 'u2f(x)', 'exact_int(N, M)')
   rule('f2f(b2f(c))', 'b2f(c)')
   rule('u2f(b2i(c))', 'b2f(c)')
   rule('i2f(b2i(c))', 'b2f(c)')
   rule('f2u(b2f(c))', 'b2i(c)')
   rule('f2i(b2f(c))', 'b2i(c)')
   rule('f2i(ftrunc(x))', 'f2i(x)')
   rule('f2u(ftrunc(x))', 'f2u(x)')
   rule('f2i(ffloor(x))', 'f2i_rd(x)')
   rule('f2u(ffloor(x))', 'f2u_rd(x)')
   rule('f2i(fceil(x))', 'f2i_ru(x)')
   rule('f2u(fceil(x))', 'f2u_ru(x)')
   rule('f2i(frint(x))', 'f2i_rne(x)')
   rule('f2u(frint(x))', 'f2u_rne(x)')
   rule('f2i:K(i2f:M(x:N))', 'i2i(x)', 'exact_int(N, M) and K >= N')
   rule('f2u:K(u2f:M(x:N))', 'u2u(x)', 'exact_int(N, M) and K >= N')
   rule('f2i:K(u2f:M(x:N))', 'u2u(x)', 'exact_int(N, M) and K > N')
   for a, b in (('i2f', 'i2i'), ('u2f', 'u2u')):
      rule(f'{a}({b}:M(x:N))', f'{a}(x)', 'M >= N')
   rule('i2f(u2u:M(x:N))', 'u2f(x)', 'M > N')
   rule('i2f(x)', 'u2f(x)', 'nonneg(x)')
   rule('select(c, 1.0, 0.0)', 'b2f(c)')
