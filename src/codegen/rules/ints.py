# SPDX-License-Identifier: MIT
"""Rules for integer arithmetic and compares."""

from codegen.ir.schema import INT


def add(rule):
   sums(rule)
   products(rule)
   quotients(rule)
   extremes(rule)
   compares(rule)
   equality(rule)
   known(rule)


def sums(rule):
   # A difference is a sum where it can be; a constant goes to the outside, on the right.
   rule('isub(x, #k)', 'iadd(x, ineg(k))')
   rule('isub(0, x)', 'ineg(x)')
   rule('isub(-1, x)', 'inot(x)')
   rule('iadd(x, ineg(y))', 'isub(x, y)')
   rule('isub(x, ineg(y))', 'iadd(x, y)')
   rule('isub(ineg(x), y)', 'ineg(iadd(x, y))')
   rule('ineg(isub(x, y))', 'isub(y, x)')
   rule('ineg(iadd(x, #k))', 'isub(ineg(k), x)')
   rule('iadd(isub(#a, x), #b)', 'isub(iadd(a, b), x)')
   rule('isub(#a, iadd(x, #b))', 'isub(isub(a, b), x)')
   rule('isub(#a, isub(#b, x))', 'iadd(x, isub(a, b))')
   for op in ('iadd', 'imul', 'iand', 'ior', 'ixor'):
      rule(f'{op}({op}@s(x, #a), y)', f'{op}({op}(x, y), a)', 'once(s) and not_const(y)',
           why='constants meet on the outside, where they fold')
   rule('isub(iadd@s(x, #a), y)', 'iadd(isub(x, y), a)', 'once(s) and not_const(y)')
   rule('isub(x, iadd@s(y, #a))', 'iadd(isub(x, y), ineg(a))', 'once(s)')
   rule('iadd(isub@s(#a, x), y)', 'iadd(isub(y, x), a)', 'once(s) and not_const(y)')
   rule('isub(isub@s(#a, x), y)', 'isub(a, iadd(x, y))', 'once(s)')
   rule('isub(x, isub@s(#a, y))', 'iadd(iadd(x, y), ineg(a))', 'once(s)')
   # What cancels.
   rule('iadd(isub(x, y), y)', 'x')
   rule('isub(iadd(x, y), x)', 'y')
   rule('isub(x, iadd(x, y))', 'ineg(y)')
   rule('isub(x, isub(x, y))', 'y')
   rule('isub(isub(x, y), x)', 'ineg(y)')
   rule('iadd(isub(x, y), isub(y, z))', 'isub(x, z)')
   rule('isub(iadd(x, y), iadd(x, z))', 'isub(y, z)')
   rule('isub(isub(x, y), isub(x, z))', 'isub(z, y)')
   rule('isub(isub(x, z), isub(y, z))', 'isub(x, y)')
   rule('iadd(x, inot(x))', '-1')
   rule('iadd(inot(x), #k)', 'isub(isub(k, 1), x)')
   rule('isub(#k, inot(x))', 'iadd(x, iadd(k, 1))')
   rule('inot(iadd(x, #k))', 'isub(inot(k), x)')
   rule('inot(isub(#k, x))', 'iadd(x, inot(k))')
   rule('ineg(inot(x))', 'iadd(x, 1)')
   rule('inot(ineg(x))', 'iadd(x, -1)')
   rule('isub(inot(x), inot(y))', 'isub(y, x)')
   # Sums of bit operations.
   rule('iadd(iand(x, y), ior(x, y))', 'iadd(x, y)')
   rule('iadd(iand(x, y), ixor(x, y))', 'ior(x, y)')
   rule('isub(ior(x, y), iand(x, y))', 'ixor(x, y)')
   rule('isub(ior(x, y), ixor(x, y))', 'iand(x, y)')
   rule('isub(ior(x, y), x)', 'iand(y, inot(x))')
   rule('isub(x, iand(x, y))', 'iand(x, inot(y))')
   rule('isub(iadd(x, y), ior(x, y))', 'iand(x, y)')
   rule('isub(iadd(x, y), iand(x, y))', 'ior(x, y)')
   # Common factors.
   rule('iadd(x, x)', 'ishl(x, 1)')
   rule('iadd(imul(x, #a), x)', 'imul(x, iadd(a, 1))')
   rule('isub(imul(x, #a), x)', 'imul(x, isub(a, 1))')
   rule('isub(x, imul(x, #a))', 'imul(x, isub(1, a))')
   rule('iadd(imul(x, #a), imul(x, #b))', 'imul(x, iadd(a, b))')
   rule('isub(imul(x, #a), imul(x, #b))', 'imul(x, isub(a, b))')
   rule('iadd(imul(x, y), imul(x, z))', 'imul(x, iadd(y, z))')
   rule('isub(imul(x, y), imul(x, z))', 'imul(x, isub(y, z))')
   rule('iadd(ishl(x, z), ishl(y, z))', 'ishl(iadd(x, y), z)')
   rule('isub(ishl(x, z), ishl(y, z))', 'ishl(isub(x, y), z)')
   # Saturation, distance, magnitude.
   rule('isub(umax(x, y), y)', 'usub_sat(x, y)')
   rule('isub(x, umin(x, y))', 'usub_sat(x, y)')
   rule('isub(umax(x, y), umin(x, y))', 'uabs_diff(x, y)')
   rule('isub(imax(x, y), imin(x, y))', 'iabs_diff(x, y)')
   rule('usub_sat(x, umin(x, y))', 'usub_sat(x, y)')
   rule('iabs(ineg(x))', 'iabs(x)')
   rule('imax(x, ineg(x))', 'iabs(x)')
   rule('imin(x, ineg(x))', 'ineg(iabs(x))')
   rule('iabs_diff(x, 0)', 'iabs(x)')


def products(rule):
   rule('imul(x, -1)', 'ineg(x)')
   rule('imul(x:N, #k)', 'ishl(x, find_lsb(k))', 'is_pow2(k)')
   rule('imul(x:N, #k)', 'ineg(ishl(x, find_lsb(k)))', 'is_pow2(mask(N) & (0 - k))')
   rule('imul(ineg(x), #k)', 'imul(x, ineg(k))')
   rule('imul(ineg(x), ineg(y))', 'imul(x, y)')
   rule('ineg(imul(x, #k))', 'imul(x, ineg(k))')
   rule('imul(iadd@s(x, #a), #b)', 'iadd(imul(x, b), imul(a, b))', 'once(s)',
        why='the constant meets others outside, or the offset of an address')
   rule('imul(isub@s(#a, x), #b)', 'iadd(imul(x, ineg(b)), imul(a, b))', 'once(s)')
   rule('imul(ishl(x, #a), #b)', 'imul(x, ishl(b, a))')
   rule('i2i:M(imul:N(i2i:N(x:B), i2i:N(y:B)))', 'imul(i2i:M(x), i2i:M(y))', 'M > N and N >= 2 * B',
        why='it cannot overflow, and as wide it meets the sum')
   rule('ishl(imul(x, #a), #b)', 'imul(x, ishl(a, b))')
   rule('imul(ishl(1, x), y)', 'ishl(y, x)')
   rule('umulhi(x:N, #k)', 'ushr(x, isub([N], find_lsb(k)))', 'is_pow2(k) and k != 1')
   rule('umulhi(x, 1)', '0')
   rule('imulhi(x:N, 1)', 'ishr(x, [N - 1])')
   rule('umul_wide(x, 1)', 'u2u(x)')
   rule('imul_wide(x, 1)', 'i2i(x)')
   rule('umul_wide(x, #k)', 'ishl(u2u(x), find_lsb(k))', 'is_pow2(k)')
   rule('umul24(x, #k)', 'ishl(x, find_lsb(k))', 'is_pow2(k & 0xffffff) and known_zero(x, 0xff000000)'
        ' and k < 0x1000000')
   rule('umad24(x, y, 0)', 'umul24(x, y)')
   rule('imad24(x, y, 0)', 'imul24(x, y)')
   for op in ('u', 'i', 'iu'):
      rule(f'{op}dot4_acc(x, y, 0)', f'{op}dot4(x, y)')


def quotients(rule):
   rule('udiv(x, #k)', 'ushr(x, find_lsb(k))', 'is_pow2(k)')
   rule('udiv(x:N, #k)', 'b2i(ule(k, x))', 'k > mask(N) // 2')
   rule('udiv(x, ishl(1, y))', 'ushr(x, y)')
   rule('urem(x, #k)', 'iand(x, isub(k, 1))', 'is_pow2(k)')
   rule('urem(x, ishl(1, y))', 'iand(x, inot(ishl(-1, y)))')
   rule('irem(x, 1)', '0')
   rule('irem(x, -1)', '0')
   rule('imod(x, 1)', '0')
   rule('imod(x, -1)', '0')
   rule('idiv(x, -1)', 'ineg(x)')
   rule('idiv(x, int_min)', 'b2i(ieq(x, int_min))')
   rule('idiv(x, #k)', 'udiv(x, k)', 'nonneg(x) and nonneg(k)')
   rule('idiv(x, y)', 'udiv(x, y)', 'nonneg(x) and nonneg(y) and nonzero(y)')
   rule('irem(x, y)', 'urem(x, y)', 'nonneg(x) and nonneg(y)')
   rule('imod(x, y)', 'urem(x, y)', 'nonneg(x) and nonneg(y)')
   # Rounding to zero adds k - 1 to a negative dividend first.
   rule('idiv(x:N, #k)',
        'ishr(iadd(x, ushr(ishr(x, [N - 1]), isub([N], find_lsb(k)))), find_lsb(k))',
        'is_pow2(k) and k != 1 and k <= mask(N) // 2')
   rule('idiv(x:N, #k)',
        'ineg(ishr(iadd(x, ushr(ishr(x, [N - 1]), isub([N], find_lsb(k)))), find_lsb(k)))',
        'k > mask(N) // 2 + 1 and is_pow2(mask(N) & (0 - k)) and k != mask(N)')
   rule('imod(x:N, #k)', 'iand(x, isub(k, 1))', 'is_pow2(k) and k <= mask(N) // 2')
   rule('irem(x:N, #k)',
        'isub(x, iand(iadd(x, ushr(ishr(x, [N - 1]), isub([N], find_lsb(k)))), ineg(k)))',
        'is_pow2(k) and k != 1 and k <= mask(N) // 2')
   rule('irem(x:N, #k)',
        'isub(x, iand(iadd(x, ushr(ishr(x, [N - 1]), isub([N], find_lsb(k)))), k))',
        'k > mask(N) // 2 + 1 and is_pow2(mask(N) & (0 - k)) and k != mask(N)')
   rule('udiv(udiv(x:N, #a), #b)', 'udiv(x, imul(a, b))', 'b != 0 and a != 0 and a <= mask(N) // b')
   rule('isub(x, imul(udiv(x, y), y))', 'urem(x, y)')
   rule('isub(x, imul(idiv(x, y), y))', 'irem(x, y)')
   rule('iadd(imul(udiv(x, y), y), urem(x, y))', 'x')
   rule('iadd(imul(idiv(x, y), y), irem(x, y))', 'x')
   rule('urem(urem(x, y), y)', 'urem(x, y)')
   rule('irem(irem(x, y), y)', 'irem(x, y)')


def extremes(rule):
   for least, most in (('umin', 'umax'), ('imin', 'imax')):
      rule(f'{least}({most}(x, y), x)', 'x')
      rule(f'{most}({least}(x, y), x)', 'x')
      rule(f'{least}(inot(x), inot(y))', f'inot({most}(x, y))')
      rule(f'{most}(inot(x), inot(y))', f'inot({least}(x, y))')
      rule(f'{least}({least}(x, z), {least}(y, z))', f'{least}({least}(x, y), z)')
      rule(f'{most}({most}(x, z), {most}(y, z))', f'{most}({most}(x, y), z)')
      for op in (least, most):
         rule(f'{op}({op}@s(x, #a), y)', f'{op}({op}(x, y), a)', 'once(s) and not_const(y)')
   rule('umin(umax(x, #a), #b)', 'b', 'b <= a')
   rule('umax(umin(x, #a), #b)', 'b', 'a <= b')
   rule('imin(imax(x:N, #a), #b)', 'b', 'sext(N, b) <= sext(N, a)')
   rule('imax(imin(x:N, #a), #b)', 'b', 'sext(N, a) <= sext(N, b)')
   rule('iadd(umin(x, y), umax(x, y))', 'iadd(x, y)')
   rule('iadd(imin(x, y), imax(x, y))', 'iadd(x, y)')
   rule('imul(umin(x, y), umax(x, y))', 'imul(x, y)')
   rule('imul(imin(x, y), imax(x, y))', 'imul(x, y)')
   rule('umin(x, #k)', 'x', 'most(x) <= k')
   rule('umax(x, #k)', 'x', 'least(x) >= k')
   rule('imin(x, y)', 'umin(x, y)', 'nonneg(x) and nonneg(y)')
   rule('imax(x, y)', 'umax(x, y)', 'nonneg(x) and nonneg(y)')
   rule('iabs(x)', 'x', 'nonneg(x)')
   rule('iabs(x)', 'ineg(x)', 'negative(x)')
   # A choice between the compared is an extreme. What compares with a constant is strict.
   for lt, le, least, most in (('ult', 'ule', 'umin', 'umax'), ('ilt', 'ile', 'imin', 'imax')):
      for op in (lt, le):
         rule(f'select({op}(x, y), x, y)', f'{least}(x, y)')
         rule(f'select({op}(x, y), y, x)', f'{most}(x, y)')
      rule(f'select({lt}(x:N, #a), x, #b)', f'{least}(x, b)', f'b == mask(N) & (a - 1) and a != {edge(lt, False)}')
      rule(f'select({lt}(#a, x:N), x, #b)', f'{most}(x, b)', f'b == mask(N) & (a + 1) and a != {edge(lt, True)}')
      rule(f'select({lt}(x:N, #a), #b, x)', f'{most}(x, b)', f'b == mask(N) & (a - 1) and a != {edge(lt, False)}')
      rule(f'select({lt}(#a, x:N), #b, x)', f'{least}(x, b)', f'b == mask(N) & (a + 1) and a != {edge(lt, True)}')
   rule('select(ult(x, y), 0, isub(x, y))', 'usub_sat(x, y)')
   rule('select(ult(x, y), isub(y, x), isub(x, y))', 'uabs_diff(x, y)')
   rule('select(ilt(x, y), isub(y, x), isub(x, y))', 'iabs_diff(x, y)')
   rule('select(ilt(x, 0), ineg(x), x)', 'iabs(x)')
   rule('select(ilt(-1, x), x, ineg(x))', 'iabs(x)')
   rule('select(ilt(0, x), x, ineg(x))', 'iabs(x)')


def edge(lt, top):
   """The greatest or the least value of an order, as a term of a condition."""
   if lt == 'ult':
      return 'mask(N)' if top else '0'
   return 'mask(N) // 2' if top else 'mask(N) // 2 + 1'


def compares(rule):
   rule('ult(x, 0)', 'false')
   rule('ule(0, x)', 'true')
   rule('ult(-1, x)', 'false')
   rule('ule(x, -1)', 'true')
   rule('ilt(x, int_min)', 'false')
   rule('ile(int_min, x)', 'true')
   rule('ilt(int_max, x)', 'false')
   rule('ile(x, int_max)', 'true')
   # With a constant every compare is strict.
   rule('ule(x:N, #k)', 'ult(x, iadd(k, 1))', 'k != mask(N)')
   rule('ule(#k, x)', 'ult(isub(k, 1), x)', 'k != 0')
   rule('ile(x:N, #k)', 'ilt(x, iadd(k, 1))', 'k != mask(N) // 2')
   rule('ile(#k, x:N)', 'ilt(isub(k, 1), x)', 'k != mask(N) // 2 + 1')
   # One that is the opposite of another all the same.
   for lt in ('ult', 'ilt'):
      opposite = f'b == mask(N) & (a + 1) and a != {edge(lt, True)}'
      rule(f'select({lt}(#a, x:N), c, {lt}(x, #b))', f'ior(c, {lt}(x, b))', opposite)
      rule(f'select({lt}(x:N, #b), c, {lt}(#a, x))', f'ior(c, {lt}(a, x))', opposite)
   # Equality where it says the same.
   rule('ult(x, 1)', 'ieq(x, 0)')
   rule('ult(0, x)', 'ine(x, 0)')
   rule('ult(x, -1)', 'ine(x, -1)')
   rule('ult(-2, x)', 'ieq(x, -1)')
   rule('ilt(int_min, x)', 'ine(x, int_min)')
   rule('ilt(x, int_max)', 'ine(x, int_max)')
   rule('ilt(x:N, #k)', 'ieq(x, int_min)', 'k == mask(N) // 2 + 2')
   rule('ilt(#k, x:N)', 'ieq(x, int_max)', 'k == mask(N) // 2 - 1')
   # The sign bit.
   rule('ult(int_max, x)', 'ilt(x, 0)')
   rule('ult(x, int_min)', 'ilt(-1, x)')
   for eq, sign, none in (('ieq', 'ilt(-1, x)', 0), ('ine', 'ilt(x, 0)', 0)):
      rule(f'{eq}(iand(x, int_min), 0)', sign)
      rule(f'{eq}(ushr(x:N, #k), 0)', sign, 'k == N - 1')
      rule(f'{eq}(ishr(x:N, #k), 0)', sign, 'k == N - 1')
   rule('ilt(ishr(x, y), 0)', 'ilt(x, 0)')
   rule('ilt(inot(x), 0)', 'ilt(-1, x)')
   rule('ilt(-1, inot(x))', 'ilt(x, 0)')
   rule('ieq(ushr(x:N, #k), 0)', 'ult(x, ishl(1, k))', 'k < N')
   rule('ine(ushr(x:N, #k), 0)', 'ult(isub(ishl(1, k), 1), x)', 'k < N')
   rule('ult(ushr(x:N, #a), #b)', 'ult(x, ishl(b, a))', 'a < N and b <= mask(N) >> a')
   rule('ieq(udiv(x, #k), 0)', 'ult(x, k)', 'k != 0')
   rule('ine(udiv(x, #k), 0)', 'ule(k, x)', 'k != 0')
   for lt in ('ult', 'ule'):
      rule(f'{lt}(inot(x), inot(y))', f'{lt}(y, x)')
      if lt in ('ult', 'ilt'):
         rule(f'{lt}(inot(x), #k)', f'{lt}(inot(k), x)')
         rule(f'{lt}(#k, inot(x))', f'{lt}(x, inot(k))')
   for lt in ('ilt', 'ile'):
      rule(f'{lt}(inot(x), inot(y))', f'{lt}(y, x)')
      if lt in ('ult', 'ilt'):
         rule(f'{lt}(inot(x), #k)', f'{lt}(inot(k), x)')
         rule(f'{lt}(#k, inot(x))', f'{lt}(x, inot(k))')
   rule('ult(umin(x, y), x)', 'ult(y, x)')
   rule('ult(x, umax(x, y))', 'ult(x, y)')
   rule('ilt(imin(x, y), x)', 'ilt(y, x)')
   rule('ilt(x, imax(x, y))', 'ilt(x, y)')
   for lt, least, most in (('ult', 'umin', 'umax'), ('ule', 'umin', 'umax'), ('ilt', 'imin', 'imax'),
                           ('ile', 'imin', 'imax')):
      rule(f'iand({lt}(x, y), {lt}(x, z))', f'{lt}(x, {least}(y, z))')
      rule(f'iand({lt}(y, x), {lt}(z, x))', f'{lt}({most}(y, z), x)')
      rule(f'ior({lt}(x, y), {lt}(x, z))', f'{lt}(x, {most}(y, z))')
      rule(f'ior({lt}(y, x), {lt}(z, x))', f'{lt}({least}(y, z), x)')
   # One compare instead of two.
   for lt, le in (('ult', 'ule'), ('ilt', 'ile')):
      rule(f'ior({lt}(x, y), ieq(x, y))', f'{le}(x, y)')
      rule(f'iand({le}(x, y), ine(x, y))', f'{lt}(x, y)')
      rule(f'iand({le}(x, y), {le}(y, x))', 'ieq(x, y)')
      rule(f'ior({lt}(x, y), {lt}(y, x))', 'ine(x, y)')
      rule(f'iand({lt}(x, y), {lt}(y, x))', 'false')
      rule(f'iand({lt}(x, y), ieq(x, y))', 'false')
      rule(f'iand({lt}(x, y), ine(x, y))', f'{lt}(x, y)')
      rule(f'ior({lt}(x, y), ine(x, y))', 'ine(x, y)')
      rule(f'ior({le}(x, y), ieq(x, y))', f'{le}(x, y)')
      rule(f'iand({le}(x, y), ieq(x, y))', 'ieq(x, y)')
   rule('iand(ilt(-1, x), ilt(x:N, #k))', 'ult(x, k)', 'k <= mask(N) // 2')
   rule('ior(ilt(x, 0), ilt(#k, x:N))', 'ult(k, x)', 'k <= mask(N) // 2')
   rule('iand(ilt(-1, x), ilt(x, y))', 'ult(x, y)', 'nonneg(y)')
   rule('iand(ult(#a, x:N), ult(x, #b))', 'ult(iadd(x, inot(a)), isub(isub(b, a), 1))', 'a < b')
   rule('ior(ult(x:N, #a), ult(#b, x))', 'ult(isub(b, a), iadd(x, ineg(a)))', 'a <= b')
   rule('iand(ilt(#a, x:N), ilt(x, #b))', 'ult(iadd(x, inot(a)), isub(isub(b, a), 1))',
        'sext(N, a) < sext(N, b)')
   rule('ior(ilt(x:N, #a), ilt(#b, x))', 'ult(isub(b, a), iadd(x, ineg(a)))', 'sext(N, a) <= sext(N, b)')
   rule('ior(ieq(x:N, #a), ieq(x, #b))', 'ult(iadd(x, ineg(a)), 2)', 'b == mask(N) & (a + 1)', N=INT)
   rule('iand(ine(x:N, #a), ine(x, #b))', 'ult(1, iadd(x, ineg(a)))', 'b == mask(N) & (a + 1)', N=INT)
   rule('ior(ieq(x:N, #a), ieq(x, #b))', 'ieq(ior(x, ixor(a, b)), ior(a, b))', 'is_pow2(a ^ b)', N=INT)
   rule('iand(ine(x:N, #a), ine(x, #b))', 'ine(ior(x, ixor(a, b)), ior(a, b))', 'is_pow2(a ^ b)', N=INT)
   rule('iand(ieq(x, #a), ieq(x, #b))', 'false', 'a != b')
   rule('ior(ine(x, #a), ine(x, #b))', 'true', 'a != b')
   rule('iand(ieq(x, #a), ine(x, #b))', 'ieq(x, a)', 'a != b')
   rule('ior(ieq(x, #a), ine(x, #b))', 'ine(x, b)', 'a != b')


def equality(rule):
   for eq, no in (('ieq', 'false'), ('ine', 'true')):
      yes = 'true' if no == 'false' else 'false'
      rule(f'{eq}(iadd(x, #a), #b)', f'{eq}(x, isub(b, a))')
      rule(f'{eq}(isub(#a, x), #b)', f'{eq}(x, isub(a, b))')
      rule(f'{eq}(ixor(x, #a), #b)', f'{eq}(x, ixor(a, b))')
      rule(f'{eq}(ineg(x), #k)', f'{eq}(x, ineg(k))')
      rule(f'{eq}(inot(x), #k)', f'{eq}(x, inot(k))')
      rule(f'{eq}(isub(x, y), 0)', f'{eq}(x, y)')
      rule(f'{eq}(ixor(x, y), 0)', f'{eq}(x, y)')
      rule(f'{eq}(iadd(x, y), x)', f'{eq}(y, 0)')
      rule(f'{eq}(isub(x, y), x)', f'{eq}(y, 0)')
      rule(f'{eq}(ixor(x, y), x)', f'{eq}(y, 0)')
      rule(f'{eq}(iadd(x, z), iadd(y, z))', f'{eq}(x, y)')
      rule(f'{eq}(isub(x, z), isub(y, z))', f'{eq}(x, y)')
      rule(f'{eq}(isub(z, x), isub(z, y))', f'{eq}(x, y)')
      rule(f'{eq}(ixor(x, z), ixor(y, z))', f'{eq}(x, y)')
      rule(f'{eq}(ineg(x), ineg(y))', f'{eq}(x, y)')
      rule(f'{eq}(inot(x), inot(y))', f'{eq}(x, y)')
      rule(f'{eq}(inot(x), x)', no)
      rule(f'{eq}(imul(x, #k), 0)', f'{eq}(x, 0)', 'k & 1 == 1')
      rule(f'{eq}(iabs(x), 0)', f'{eq}(x, 0)')
      rule(f'{eq}(umax(x, y), 0)', f'{eq}(ior(x, y), 0)')
      rule(f'{eq}(rotr(x, y), 0)', f'{eq}(x, 0)')
      rule(f'{eq}(rotr(x, y), -1)', f'{eq}(x, -1)')
      rule(f'{eq}(bit_reverse(x), #k)', f'{eq}(x, bit_reverse(k))')
      rule(f'{eq}(bit_count(x), 0)', f'{eq}(x, 0)')
      rule(f'{eq}(find_lsb(x), -1)', f'{eq}(x, 0)')
      rule(f'{eq}(ufind_msb(x), -1)', f'{eq}(x, 0)')
      rule(f'{eq}(iand(x, #p), #p)', f'{"ine" if eq == "ieq" else "ieq"}(iand(x, p), 0)', 'is_pow2(p)',
           ends='0 is no power of two')
      rule(f'{eq}(uabs_diff(x, y), 0)', f'{eq}(x, y)')
      rule(f'{eq}(iabs_diff(x, y), 0)', f'{eq}(x, y)')
      rule(f'{eq}(x, y)', no, 'differ(x, y)')
      # The same of what was made wider.
      for cast in ('u2u', 'i2i'):
         rule(f'{eq}({cast}:M(x:N), {cast}(y:N))', f'{eq}(x, y)', 'M >= N')
         rule(f'{eq}({cast}:M(x:N), #k)', f'{eq}(x, u2u(k))',
              'M >= N and k <= mask(N)' if cast == 'u2u' else
              'M >= N and (sext(N, k) & mask(M)) == k')
      rule(f'{eq}(i2i:M(x:N), #k)', no, 'M >= N and (sext(N, k) & mask(M)) != k')
   rule('iand(ieq(x, 0), ieq(y, 0))', 'ieq(ior(x, y), 0)')
   rule('ior(ine(x, 0), ine(y, 0))', 'ine(ior(x, y), 0)')
   rule('iand(ieq(x, -1), ieq(y, -1))', 'ieq(iand(x, y), -1)')
   rule('ior(ine(x, -1), ine(y, -1))', 'ine(iand(x, y), -1)')
   rule('select(ieq(x, y), x, y)', 'y')
   rule('select(ine(x, y), x, y)', 'x')
   for lt in ('ult', 'ule'):
      rule(f'{lt}(u2u:M(x:N), u2u(y:N))', f'{lt}(x, y)', 'M >= N')
      rule(f'{lt}(i2i:M(x:N), i2i(y:N))', f'{lt}(x, y)', 'M >= N')
   for lt, less in (('ilt', 'ult'), ('ile', 'ule')):
      rule(f'{lt}(u2u:M(x:N), u2u(y:N))', f'{less}(x, y)', 'M > N')
      rule(f'{lt}(i2i:M(x:N), i2i(y:N))', f'{lt}(x, y)', 'M >= N')
   rule('ult(u2u:M(x:N), #k)', 'ult(x, u2u(k))', 'M >= N and k <= mask(N)')
   rule('ult(#k, u2u:M(x:N))', 'ult(u2u(k), x)', 'M >= N and k <= mask(N)')
   rule('ilt(i2i:M(x:N), #k)', 'ilt(x, u2u(k))', 'M >= N and (sext(N, k) & mask(M)) == k')
   rule('ilt(#k, i2i:M(x:N))', 'ilt(u2u(k), x)', 'M >= N and (sext(N, k) & mask(M)) == k')


def known(rule):
   rule('ult(x, y)', 'true', 'most(x) < least(y)')
   rule('ult(x, y)', 'false', 'least(x) >= most(y)')
   rule('ule(x, y)', 'true', 'most(x) <= least(y)')
   rule('ule(x, y)', 'false', 'least(x) > most(y)')
   rule('ilt(x, y)', 'true', 'negative(x) and nonneg(y)')
   rule('ilt(x, y)', 'false', 'nonneg(x) and negative(y)')
   rule('udiv(x, y)', '0', 'most(x) < least(y)')
   rule('urem(x, y)', 'x', 'most(x) < least(y)')
   rule('usub_sat(x, y)', '0', 'most(x) <= least(y)')
   rule('usub_sat(x, y)', 'isub(x, y)', 'least(x) >= most(y)')
   rule('uadd_sat(x:N, y)', 'iadd(x, y)', 'most(x) <= mask(N) - most(y)')
   # Of an index the constant becomes the offset of an access.
   fits = 'k < 0x10000 and most(x) <= mask(N) - k'
   for scale, scaled in (('{}', '{}'), ('ishl({}, #c)', 'ishl({}, c)')):
      rule(f"iadd(b:M, {scale.format('u2u:M(iadd(x:N, #k))')})",
           f"iadd(iadd(b, {scaled.format('u2u:M(x)')}), {scaled.format('u2u:M(k)')})", fits, N=(32,), M=(64,))
   rule('uadd_carry(x:N, y)', 'false', 'most(x) <= mask(N) - most(y)')
