#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Build what some tests need, and run them.

    run_tests.py BUILD [-j N] NAME...
    run_tests.py BUILD --needs SUITE...

NAME is a test (passes/run) or a folder of tests (passes). After a colon follows what to select in it: of lit the
files, of passes/run the files of cases, of tools/commands the test functions whose name contains it.
`meson test` alone would build everything for a test that needs no program. The second form tells what to build for
suites of tests that look at the product: what is built for users, and the programs of these tests.
"""
import json
import os
import re
import subprocess
import sys


def introspect(build, what):
   return json.loads(subprocess.run(['meson', 'introspect', build, f'--{what}'], stdout=subprocess.PIPE, check=True).stdout)


def selected(tests, name):
   return [t for t in tests if t['name'] == name or t['name'].startswith(name + '/')]


def needed(build, tests):
   """The files to build, as ninja names them."""
   ids = {d for t in tests for d in t['depends']}
   files = {f for t in introspect(build, 'targets') if t['id'] in ids for f in t['filename']}
   return sorted(os.path.relpath(f, os.path.abspath(build)) for f in files)


def needs(build, suites):
   """The product and what the suites' tests run; no other test, and nothing of bench/."""
   root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
   tests = [t for t in introspect(build, 'tests') if {s.rpartition(':')[2] for s in t['suite']} & set(suites)]
   ids = {d for t in tests for d in t['depends']}
   apart = tuple(os.path.join(root, folder, '') for folder in ('tests', 'bench'))
   files = {f for t in introspect(build, 'targets') for f in t['filename']
            if t['id'] in ids or t['build_by_default'] and t['type'] != 'run' and not t['defined_in'].startswith(apart)}
   return sorted(os.path.relpath(f, os.path.abspath(build)) for f in files)


def failures(log):
   """What failed cases said, without the traces of what they leaked: a line a message, from Meson's log in JSON."""
   lines = []
   for entry in map(json.loads, log.splitlines()):
      if entry.get('result') not in ('FAIL', 'ERROR', 'TIMEOUT'):
         continue
      text = entry.get('stdout', '') + entry.get('stderr', '')
      text = re.sub(r'(?ms)^=+\n==\d+==ERROR: LeakSanitizer.*?^SUMMARY: [^\n]*\n?', '', text)
      lines.append(f'{entry["name"]}: {entry["result"]}')
      shown = False
      for line in text.splitlines():
         shown = line.startswith(('not ok', '[  ERROR', '[   LINE', 'FAIL:', 'FAIL ')) or shown and line.startswith('#')
         if shown or re.search(r'\b(runtime error|AddressSanitizer|Assertion .* failed)', line):
            lines.append('   ' + line)
   return lines


def main(build, *words):
   if words[:1] == ('--needs',):
      print('\n'.join(needs(build, words[1:])))
      return 0
   jobs = words[1] if words[:1] == ('-j',) else ''
   words = words[2:] if jobs else words
   tests = introspect(build, 'tests')
   chosen = [(selected(tests, word.partition(':')[0]), word.partition(':')[2]) for word in words]
   for word, (some, _) in zip(words, chosen):
      if not some:
         sys.exit(f'no test is called {word}; `meson test -C {build} --list` lists them')
   files = needed(build, [t for some, _ in chosen for t in some])
   if files:
      done = subprocess.run(['ninja', '-C', build, '--quiet', *(['-j', jobs] if jobs else []), *files],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
      if done.returncode:
         print(done.stdout)
         return 1
   status, told = 0, []
   log = os.path.join(build, 'meson-logs', 'testlog.json')
   for some, words_in_it in chosen:
      done = subprocess.run(['meson', 'test', '-C', build, '--no-rebuild', '--print-errorlogs',
                             *(['--num-processes', jobs] if jobs else []), *(t['name'] for t in some)],
                            env={**os.environ, 'LIT_FILTER': words_in_it, 'HEDDLE_TEST_FILTER': words_in_it},
                            stdin=subprocess.DEVNULL, check=False)
      if done.returncode:
         status = 1
         with open(log, encoding='utf-8') as file:
            told += failures(file.read())
   # Last, where they are seen.
   if told:
      print('\n'.join(told), file=sys.stderr)
   return status


if __name__ == '__main__':
   sys.exit(main(*sys.argv[1:]))
