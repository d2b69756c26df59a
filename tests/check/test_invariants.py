# SPDX-License-Identifier: MIT
"""Bad tables of rules, and what is said of them."""

import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))
from codegen.check import invariants  # noqa: E402


class BadTables(unittest.TestCase):
   def expect(self, words, rules, theorems=()):
      fault = invariants.find_fault(rules, theorems)
      self.assertIsNotNone(fault)
      self.assertIn(words, fault)

   def test_sound(self):
      self.assertIsNone(invariants.find_fault(invariants.RULES, invariants.THEOREMS))
      self.assertIsNone(invariants.find_fault([('CF1', 'tree', '', 'words')], []))

   def test_twice(self):
      self.expect('twice', [('CF1', 'tree', '', 'a'), ('CF1', 'tree', '', 'b')])

   def test_too_many(self):
      self.expect('64 bits', [(f'CF{n}', 'tree', '', 'a') for n in range(65)])

   def test_title(self):
      self.expect('no title', [('XY1', 'tree', '', 'a')])

   def test_scope(self):
      self.expect("unknown scope 'leaf'", [('CF1', 'leaf', '', 'a')])

   def test_presumes_nothing(self):
      self.expect('no rule', [('CF1', 'tree', 'CF2', 'a')])

   def test_other_form(self):
      self.expect('other form', [('CF1', 'tree', '', 'a'), ('CF2', 'flat', 'CF1', 'b')])

   def test_words(self):
      self.expect('full stop', [('CF1', 'tree', '', 'a.')])

   def test_circle(self):
      self.expect('presumes itself', [('CF1', 'tree', 'CF2', 'a'), ('CF2', 'tree', 'CF1', 'b')])

   def test_theorem(self):
      self.expect('theorem', [('CF1', 'tree', '', 'a')], [('CF1', 'a', 'b')])


if __name__ == '__main__':
   unittest.main()
