#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does scripts/run_tests.py choose the tests that are named, and build no more than they need?"""
import json
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, 'scripts'))
import run_tests  # noqa: E402

TESTS = [{'name': 'passes/run', 'depends': ['run']}, {'name': 'passes/table', 'depends': []},
         {'name': 'passes_more/run', 'depends': ['more']}, {'name': 'lit', 'depends': ['heddle']}]
TARGETS = [{'id': n, 'filename': [os.path.abspath(f'b/{n}')]} for n in ('run', 'more', 'heddle')]


class Selection(unittest.TestCase):
   def test_names(self):
      for word, names in (('passes', ['passes/run', 'passes/table']), ('passes/run', ['passes/run']), ('lit', ['lit']),
                          ('pass', [])):
         self.assertEqual([t['name'] for t in run_tests.selected(TESTS, word)], names)

   def run_main(self, *words):
      """The commands that are run, each with its filter."""
      calls = []
      with mock.patch.object(run_tests, 'introspect', lambda _, what: {'tests': TESTS, 'targets': TARGETS}[what]), \
           mock.patch.object(run_tests.subprocess, 'run') as run:
         run.side_effect = lambda command, env=None, **_: calls.append((command, (env or {}).get('LIT_FILTER'))) or \
            mock.Mock(returncode=0)
         self.assertEqual(run_tests.main('b', *words), 0)
      return calls

   def test_builds_what_is_needed(self):
      calls = self.run_main('passes', 'lit:motion')
      self.assertEqual(calls[0][0], ['ninja', '-C', 'b', '--quiet', 'heddle', 'run'])
      self.assertEqual([c[0][-2:] for c in calls[1:]], [['passes/run', 'passes/table'], ['--print-errorlogs', 'lit']])
      self.assertEqual([c[1] for c in calls[1:]], ['', 'motion'])

   def test_needs_of_suites(self):
      root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
      tests = [{'suite': ['heddle:product'], 'depends': ['links']}, {'suite': ['heddle:ir'], 'depends': ['edit']}]
      targets = [{'id': name, 'type': 'executable', 'build_by_default': name != 'links',
                  'filename': [os.path.abspath(f'b/{name}')], 'defined_in': os.path.join(root, folder, 'meson.build')}
                 for name, folder in (('heddle', 'tools'), ('links', 'tests/house'), ('edit', 'tests/ir'), ('growth', 'bench'))]
      with mock.patch.object(run_tests, 'introspect', lambda _, what: {'tests': tests, 'targets': targets}[what]):
         self.assertEqual(run_tests.needs('b', ['product']), ['heddle', 'links'])

   def test_jobs(self):
      calls = self.run_main('-j', '3', 'lit')
      self.assertEqual(calls[0][0], ['ninja', '-C', 'b', '--quiet', '-j', '3', 'heddle'])
      self.assertEqual(calls[1][0][-3:], ['--num-processes', '3', 'lit'])

   def test_builds_nothing_for_a_script(self):
      self.assertEqual([c[0][0] for c in self.run_main('passes/table')], ['meson'])

   def test_messages_of_failures(self):
      leak = '=================================================================\n==7==ERROR: LeakSanitizer: detected memory leaks\n\n' \
             'Direct leak of 8 byte(s)\n    #0 0x7f in malloc\n\nSUMMARY: AddressSanitizer: 8 byte(s) leaked\n'
      cases = '[ RUN      ] test_fold\n[  ERROR   ] --- 1 != 2\n[   LINE   ] --- t.c:3: error: Failure!\n'
      log = [{'name': 'passes', 'result': 'FAIL', 'stdout': cases, 'stderr': leak},
             {'name': 'tools', 'result': 'FAIL', 'stdout': 'ok 1 - a\nnot ok 2 - b\n#   exit status 1\nok 3 - c\n# note\n'},
             {'name': 'draw', 'result': 'OK', 'stdout': 'not ok'}]
      self.assertEqual(run_tests.failures('\n'.join(map(json.dumps, log))),
                       ['passes: FAIL', '   [  ERROR   ] --- 1 != 2', '   [   LINE   ] --- t.c:3: error: Failure!',
                        'tools: FAIL', '   not ok 2 - b', '   #   exit status 1'])

   def test_unknown(self):
      with self.assertRaisesRegex(SystemExit, 'no test is called nothing'):
         self.run_main('nothing')


if __name__ == '__main__':
   unittest.main()
