# SPDX-License-Identifier: MIT
"""Rules for choosing, for integer conversions, and for packing."""

from codegen.ir.schema import INT

INT_OPS = ('iadd', 'isub', 'imul', 'iand', 'ior', 'ixor', 'umin', 'umax', 'imin', 'imax')


def add(rule):
   choices(rule)
   sizes(rule)
   packing(rule)


def choices(rule):
   rule('select(true, x, y)', 'x')
   rule('select(false, x, y)', 'y')
   rule('select(c, x, x)', 'x')
   rule('select(c, true, false)', 'c')
   rule('select(c, false, true)', 'inot(c)')
   rule('select(c, true, x)', 'ior(c, x)')
   rule('select(c, x, false)', 'iand(c, x)')
   rule('select(c, c, x)', 'ior(c, x)')
   rule('select(c, x, c)', 'iand(c, x)')
   rule('select(c, inot(x:B), x)', 'ixor(c, x)', B=(1,))
   rule('select(c, x:B, inot(x))', 'ieq(c, x)', B=(1,))
   rule('select(inot(c), x, y)', 'select(c, y, x)')
   rule('select(c, 1:N, 0)', 'b2i(c)', N=INT)
   rule('select(c, select(c, x, y), z)', 'select(c, x, z)')
   rule('select(c, x, select(c, y, z))', 'select(c, x, z)')
   rule('select(c, select(d, x, y), y)', 'select(iand(c, d), x, y)')
   rule('select(c, x, select(d, x, y))', 'select(ior(c, d), x, y)')
   rule('select(c, select(d, x, y), select(d, z, y))', 'select(d, select(c, x, z), y)')
   rule('select(c, select(d, x, y), select(d, x, z))', 'select(d, x, select(c, y, z))')
   rule('select(iand(c, d), select(d, x, y), z)', 'select(iand(c, d), x, z)')
   rule('select(ior(c, d), x, select(d, y, z))', 'select(ior(c, d), x, z)')
   # The same work in both arms is done after the choice.
   for op in INT_OPS:
      rule(f'select(c, {op}(x, y), {op}(x, z))', f'{op}(x, select(c, y, z))')
   rule('select(c, isub(x, z), isub(y, z))', 'isub(select(c, x, y), z)')
   for op in ('ishl', 'ushr', 'ishr'):
      rule(f'select(c, {op}(x, z), {op}(y, z))', f'{op}(select(c, x, y), z)')
   for op in ('inot', 'ineg', 'fneg', 'fabs'):
      rule(f'select(c, {op}(x), {op}(y))', f'{op}(select(c, x, y))')
   for op in ('u2u', 'i2i'):
      rule(f'select(c, {op}:M(x:N), {op}(y:N))', f'{op}(select(c, x, y))')
   for op in ('fadd', 'fmul'):
      rule(f'select(c, {op}(x, y), {op}(x, z))', f'{op}(x, select(c, y, z))')
   rule('select(c, b2i(x), b2i(y))', 'b2i(select(c, x, y))')
   rule('select(c, b2i(x), 0)', 'b2i(iand(c, x))')
   # An op on a choice of constants is a choice of other constants.
   for op in INT_OPS + ('ishl', 'ushr', 'ishr', 'ieq', 'ine', 'ult', 'ilt', 'fmul', 'fmin', 'fmax',
                        'feq', 'fneu', 'flt', 'fle'):
      rule(f'{op}(select(c, #a, #b), #k)', f'select(c, {op}(a, k), {op}(b, k))')
   # Beside the first choice the second would be of two constants that a machine has to load.
   rule('fadd(select@s(c, #a, #b), #k)', 'select(c, fadd(a, k), fadd(b, k))', 'once(s)')
   for op in ('isub', 'ult', 'ilt', 'ishl', 'ushr', 'ishr', 'fsub', 'flt', 'fle'):
      rule(f'{op}(#k, select(c, #a, #b))', f'select(c, {op}(k, a), {op}(k, b))')
   for op in ('inot', 'ineg', 'u2u', 'i2i', 'fneg', 'fabs', 'fsat', 'u2f', 'i2f', 'f2f'):
      rule(f'{op}(select(c, #a, #b))', f'select(c, {op}(a), {op}(b))')
   # At most one of two numbers is that of a value.
   rule('select(ieq(x, #a), y, select(ieq(x, #b), z, y))', 'select(ieq(x, b), z, y)', 'a != b')
   # Neighbouring ranges of one value, each with an offset: the offset is chosen.
   rule('select(ult(x, #a), iadd(y, u), select(ult(x, #b), iadd(y, v), z))',
        'select(ult(x, b), iadd(y, select(ult(x, a), u, v)), z)', 'a <= b')
   # What a condition says of its own arms.
   rule('iand(c, select(c, x, y))', 'iand(c, x)')
   rule('ior(c, select(c, x, y))', 'ior(c, y)')
   rule('select(ieq(x, 0), 0, x)', 'x')
   rule('select(ine(x, 0), x, 0)', 'x')
   rule('select(ieq(x, 0), -1, ufind_msb(x))', 'ufind_msb(x)')
   rule('select(ieq(x, 0), -1, find_lsb(x))', 'find_lsb(x)')
   rule('select(ine(x, 0), ufind_msb(x), -1)', 'ufind_msb(x)')
   rule('select(ine(x, 0), find_lsb(x), -1)', 'find_lsb(x)')
   rule('select(ieq(x, 0), 0, imul(x, y))', 'imul(x, y)')
   rule('select(ine(x, 0), imul(x, y), 0)', 'imul(x, y)')
   rule('select(ine(iand(x, #p), 0), #p, 0)', 'iand(x, p)', 'is_pow2(p)')
   rule('select(ieq(iand(x, #p), 0), 0, #p)', 'iand(x, p)', 'is_pow2(p)')
   rule('select(ine(iand(x, #p), 0), ior(x, #p), x)', 'x', 'is_pow2(p)')
   rule('select(ieq(iand(x, #p), 0), ior(x, #p), x)', 'ior(x, p)', 'is_pow2(p)')


def sizes(rule):
   for cast in ('u2u', 'i2i'):
      rule(f'{cast}:N(x:N)', 'x')
   rule('i2i:M(x:N)', 'u2u(x)', 'M < N')
   rule('i2i:M(x:N)', 'u2u(x)', 'M > N and nonneg(x)')
   rule('u2u:C(u2u:B(x:A))', 'u2u(x)', 'B >= A or C <= B')
   rule('u2u:A(u2u:B(x:A))', 'iand(x, [mask(B)])', 'B < A')
   rule('i2i:C(i2i:B(x:A))', 'i2i(x)', 'B >= A')
   rule('u2u:C(i2i:B(x:A))', 'u2u(x)', 'C <= A and C <= B')
   rule('u2u:C(i2i:B(x:A))', 'i2i(x)', 'C <= B and C > A')
   # Bits that are cut off anyway.
   for op in ('iand', 'ior', 'ixor'):
      rule(f'u2u:M({op}:N(x, #k))', 'u2u(x)', 'M < N and ' + (
         'k & mask(M) == mask(M)' if op == 'iand' else 'k & mask(M) == 0'))
   for op in ('iadd', 'imul', 'iand', 'ior', 'ixor'):
      for cast in ('u2u', 'i2i'):
         if op in ('iadd', 'imul'):
            rule(f'u2u:M({op}:N({cast}(x:M), {cast}(y:M)))', f'{op}(x, y)', 'M < N')
         if (op, cast) != ('iand', 'u2u'):
            rule(f'u2u:M({op}:N({cast}(x:M), #k))', f'{op}(x, u2u(k))', 'M < N')
   for cast in ('u2u', 'i2i'):
      rule(f'u2u:M(isub:N({cast}(x:M), {cast}(y:M)))', 'isub(x, y)', 'M < N')
      rule(f'u2u:M(ineg:N({cast}(x:M)))', 'ineg(x)', 'M < N')
      rule(f'u2u:M(inot:N({cast}(x:M)))', 'inot(x)', 'M < N')
      rule(f'u2u:M(ishl:N({cast}(x:M), #k))', 'ishl(x, k)', 'M < N and k < M')
   rule('u2u:M(ushr:N(u2u(x:M), #k))', 'ushr(x, k)', 'M < N and k < M')
   rule('u2u:M(ishr:N(i2i(x:M), #k))', 'ishr(x, k)', 'M < N and k < M')
   for op in ('iand', 'ior', 'ixor'):
      rule(f'{op}(u2u:M(x:N), u2u(y:N))', f'u2u({op}(x, y))', 'M > N')
      rule(f'{op}(i2i:M(x:N), i2i(y:N))', f'i2i({op}(x, y))', 'M > N')
   rule('iand(u2u:M(x:N), #k)', 'u2u(iand(x, u2u(k)))', 'M > N')
   rule('iand(i2i:M(x:N), #k)', 'u2u(x)', 'M > N and k == mask(N)')
   rule('ushr(u2u:M(x:N), #k)', '0', 'M > N and k >= N and k < M')


def packing(rule):
   for whole, count, part in ((64, 2, 32), (64, 4, 16), (32, 2, 16), (32, 4, 8)):
      pack, unpack = f'pack_{whole}_{count}x{part}', f'unpack_{whole}_{count}x{part}'
      rule(f'{pack}({unpack}(x))', 'x')
      rule(f'{unpack}({pack}(x))', 'x')
      rule(f'channel({unpack}(x), 0)', 'u2u(x)')
      rule(f'channel({unpack}(x), #k)', f'u2u(ushr(x, imul(k, [{part}])))', f'k < {count}', free=True)
      rule(f'u2u:P({pack}(x))', 'channel(x, 0)', P=(part,))
      if count == 2:
         rule(f'{pack}(vec(x, 0))', 'u2u(x)')
         rule(f'ushr({pack}(x), {part})', 'u2u(channel(x, 1))')
