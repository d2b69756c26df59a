# SPDX-License-Identifier: MIT
"""A bad row of the pass table stops the build with a message that names it; the page is current."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'src'))

from codegen.passes import passes  # noqa: E402
from codegen.passes.passes import Option, Pass, TableError, check  # noqa: E402

# What is wrong with a row, and what the message says after its name.
BAD_ROWS = [
   (Pass('fold', 'fold', ('tree',)), 'a name begins with opt_ or lower_'),
   (Pass('opt_Fold', 'fold', ('tree',)), 'a name begins with opt_ or lower_'),
   (Pass('opt_fold', '', ('tree',)), 'the meaning is one line'),
   (Pass('opt_fold', 'Fold.', ('tree',)), 'the meaning is one line'),
   (Pass('opt_fold', 'fold', ()), 'forms are tree and flat'),
   (Pass('opt_fold', 'fold', ('graph',)), 'forms are tree and flat'),
   (Pass('opt_fold', 'fold', ('tree',), requires=('dominators',)), 'no metadata is called'),
   (Pass('lower_fold', 'fold', ('tree',), lowers=('fold',)),
    'no construct of ir/lowered.py is called fold'),
   (Pass('lower_fold', 'fold', ('tree',), lowers=('idiv: wide',)), 'it has no option wide'),
   (Pass('opt_fold', 'fold', ('tree',), lowers=('idiv',)), 'what lowers is called lower_'),
   (Pass('opt_fold', 'fold', ('tree',), preserves=('liveliness',)), 'no metadata is called'),
   (Pass('opt_fold', 'fold', ('tree',), scope='block'), 'the scope is function or shader'),
   (Pass('opt_fold', 'fold', ('tree',), options=(Option('Cost', 1, 'cost'),)), 'is no name of an option'),
   (Pass('opt_fold', 'fold', ('tree',), options=(Option('cost', 1, 'Cost.'),)), 'cost: the meaning is one line'),
   (Pass('opt_fold', 'fold', ('tree',), options=(Option('cost', 9, 'cost', high=8),)),
    'cost: 9 is not from 0 to 8'),
   (Pass('opt_fold', 'fold', ('tree',), options=(Option('cost', 1, 'cost'),) * 2), 'each once'),
   (Pass('opt_fold', 'fold', ('tree',), options=tuple(Option(f'cost_{n}', 1, 'cost') for n in range(9))),
    'at most 8 options'),
]


class Cases(unittest.TestCase):
   """The page says where each thing is tested: those cases are there, with a twin or without."""

   def test_cases(self):
      page = (ROOT / 'doc' / 'passes.md').read_text(encoding='utf-8')
      table = page.split('## Tests of each transformation')[1].split('\n## ')[0]
      rows = re.findall(r'^\| [^|]*\| `([a-z0-9_.]+)` \| ([^|]*) \| ([^|]*) \|$', table, re.M)
      self.assertGreater(len(rows), 50)
      for name, fires, guards in rows:
         text = (ROOT / 'tests' / 'passes' / f'{name}.hd').read_text(encoding='utf-8')
         functions = set(re.findall(r'function @(\w+)', text))
         for cases, twin in ((fires, True), (guards, False)):
            self.assertTrue(cases, name)
            for case in re.findall(r'`(\w+)`', cases):
               with self.subTest(file=name, case=case):
                  self.assertIn(case, functions)
                  self.assertEqual(f'{case}_expected' in functions, twin)

   def test_every_pass(self):
      page = (ROOT / 'doc' / 'passes.md').read_text(encoding='utf-8')
      table = page.split('## Tests of each transformation')[1].split('\n## ')[0]
      for row in passes.PASSES:
         with self.subTest(row.name):
            self.assertIn(f'| `{row.name}` |', table)


class Rows(unittest.TestCase):
   def test_bad_rows(self):
      for row, words in BAD_ROWS:
         with self.subTest(words=words), self.assertRaises(TableError) as caught:
            check([row], None)
         self.assertIn(f'passes.py: {row.name}: ', str(caught.exception))
         self.assertIn(words, str(caught.exception))

   def test_options(self):
      row = Pass('opt_fold', 'fold', ('tree',), scope='shader', options=(Option('cost', 3, 'its "cost"', high=8),))
      self.assertIn('bool hd_opt_fold(hd_shader *shader, const opt_fold_options *o);', passes.header([row]))
      self.assertIn('   uint32_t cost; /* its "cost" */', passes.header([row]))
      self.assertIn('   { "cost", "its \\"cost\\"", 3u, 0u, 8u, HD_PASS_NUMBER, NULL },', passes.table([row]))
      check([row], None)

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

   def test_contract_and_cases(self):
      for row in passes.PASSES:
         with self.subTest(row=row.name):
            source = (ROOT / 'src' / 'passes' / f'{row.name}.c').read_text(encoding='utf-8')
            contract = source[:source.index('#include')]
            for word in ('Requires:', 'Preserves:', 'Leaves:', 'Tests:'):
               self.assertIn(word, contract)
            names = set()
            for path in (ROOT / 'tests' / 'passes').glob(f'{row.name}.*'):
               if path.suffix == '.hd':
                  names.update(re.findall(r'function @(\w+)', path.read_text(encoding='utf-8')))
            fires = {n for n in names if f'{n}_expected' in names}
            guards = {n for n in names - fires if not n.endswith('_expected')}
            self.assertTrue(fires, 'no case in which it does something')
            self.assertTrue(guards, 'no case in which it must not')


if __name__ == '__main__':
   unittest.main()
