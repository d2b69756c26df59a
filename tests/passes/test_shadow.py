# SPDX-License-Identifier: MIT
"""A rewrite rule that an earlier one shadows stops the build with a message that names both."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'src'))

from codegen.rules import shadow  # noqa: E402
from codegen.rules.language import RuleSet, TableError  # noqa: E402

SUM = ('iadd(isub(x, y), y)', 'x')
OUTWARDS = ('isub(x, iadd@s(y, #a))', 'iadd(isub(x, y), ineg(a))', 'once(s)')

# An earlier rule, a later one that never has its turn, each with its condition.
SHADOWED = [
   (SUM, SUM),
   (SUM, ('iadd(isub(x, inot(y)), inot(y))', 'x')),
   (SUM, ('iadd(z, isub(y, z))', 'y')),
   (('iadd(x, #c)', 'isub(x, ineg(c))'), ('iadd(x, 4)', 'isub(x, -4)')),
   (('ult(x, y)', 'ilt(x, y)', 'nonneg(x) and nonneg(y)'), ('ult(a, b)', 'ilt(a, b)', 'nonneg(b) and nonneg(a)')),
   (OUTWARDS, ('isub(z, iadd@t(w, #b))', 'isub(isub(z, w), b)', 'once(t) and not_const(z)')),
]
# An earlier rule that asks more, or of others.
NOT_SHADOWED = [
   (('iadd(isub(x, inot(y)), inot(y))', 'x'), SUM),
   (SUM, ('iadd(isub(x, y), z)', 'isub(x, isub(y, z))')),
   (('iadd(x, #c)', 'isub(x, ineg(c))'), ('iadd(x, y)', 'iadd(y, x)')),
   (OUTWARDS, ('isub(x, iadd(y, #a))', 'isub(isub(x, y), a)')),
   (('isub(x, y)', 'iadd(x, ineg(y))', 'nonneg(x)'), ('isub(x, y)', 'iadd(x, ineg(y))', 'nonneg(y)')),
]


def rules(*rows):
   result = RuleSet('test')
   for row in rows:
      result.rule(*row)
   return result.rules


class Cases(unittest.TestCase):
   def test_shadowed(self):
      for rows in SHADOWED:
         both = rules(*rows)
         with self.assertRaises(TableError, msg=rows) as caught:
            shadow.check(both)
         self.assertEqual(str(caught.exception), f'rule 1 is shadowed by rule 0:\n   1: {both[1].row}\n   0: {both[0].row}')

   def test_not_shadowed(self):
      for rows in NOT_SHADOWED:
         shadow.check(rules(*rows))

   def test_flags(self):
      """A rule that asks for flags of floats leaves the rest to a later one."""
      some = RuleSet('test')
      some.rule('fadd(x, 0.0)', 'x', nsz=True)
      some.rule('fadd(x, 0.0)', 'x', inexact=True)
      shadow.check(some.rules)
      some.rule('fadd(fneg(x), 0.0)', 'fneg(x)', nsz=True, nnan=True)
      self.assertRaises(TableError, shadow.check, some.rules)


if __name__ == '__main__':
   unittest.main()
