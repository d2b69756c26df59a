# SPDX-License-Identifier: MIT
"""A bad row of the pass table stops the build with a message that names it; the page is current."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'src' / 'codegen'))

import passes  # noqa: E402
from passes import Pass, TableError, check  # noqa: E402

# What is wrong with a row, and what the message says after its name.
BAD_ROWS = [
   (Pass('fold', 'fold', ('tree',)), 'a name begins with opt_ or lower_'),
   (Pass('opt_Fold', 'fold', ('tree',)), 'a name begins with opt_ or lower_'),
   (Pass('opt_fold', '', ('tree',)), 'the meaning is one line'),
   (Pass('opt_fold', 'Fold.', ('tree',)), 'the meaning is one line'),
   (Pass('opt_fold', 'fold', ()), 'forms are tree and flat'),
   (Pass('opt_fold', 'fold', ('graph',)), 'forms are tree and flat'),
   (Pass('opt_fold', 'fold', ('tree',), requires=('dominators',)), 'no metadata is called'),
   (Pass('opt_fold', 'fold', ('tree',), preserves=('liveliness',)), 'no metadata is called'),
]


class Rows(unittest.TestCase):
   def test_bad_rows(self):
      for row, words in BAD_ROWS:
         with self.subTest(words=words), self.assertRaises(TableError) as caught:
            check([row], None)
         self.assertIn(f'passes.py: {row.name}: ', str(caught.exception))
         self.assertIn(words, str(caught.exception))

   def test_order(self):
      rows = [Pass('opt_b', 'b', ('tree',)), Pass('opt_a', 'a', ('tree',))]
      with self.assertRaises(TableError):
         check(rows, None)
      with self.assertRaises(TableError):
         check([rows[0], rows[0]], None)
      check(rows[::-1], None)

   def test_missing_files(self):
      with self.assertRaises(TableError) as caught:
         check([Pass('opt_no_such_pass', 'nothing', ('tree',))], ROOT)
      self.assertIn('src/passes/opt_no_such_pass.c is missing', str(caught.exception))

   def test_rows_are_good(self):
      check(passes.PASSES, ROOT)

   def test_page_is_current(self):
      page = (ROOT / 'doc' / 'passes.md').read_text(encoding='utf-8')
      self.assertEqual(page, passes.doc(passes.PASSES, page), 'run `ninja docs-passes`')


if __name__ == '__main__':
   unittest.main()
