#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Count the test cases that ran in some Meson build directories.

    tally.py [--failed N] BUILD...

Meson counts programs; a person wants to know how many cases ran. Each program's output is read for
the marks of the frameworks in use (TAP lines, cmocka's brackets, lit's result lines); a program
without such marks is one case. A program that failed without saying in which case (a crash, a leak
found at exit, a timeout) counts as one failed case more. The last line is `N passed, N failed`.
N of --failed are failures outside Meson, such as a build that did not compile.
"""
import argparse
import json
import os
import re
import sys

MARKS = [
   # (passed, failed): one match is one case.
   (re.compile(r'^\s*ok \d+(?!.*# SKIP)', re.M), re.compile(r'^\s*not ok \d+', re.M)),
   (re.compile(r'^\[       OK \] ', re.M), re.compile(r'^\[  FAILED  \] (?!\d+ test)', re.M)),
   (re.compile(r'^(?:PASS|XFAIL): ', re.M), re.compile(r'^(?:FAIL|XPASS|UNRESOLVED|TIMEOUT): ', re.M)),
]


def count(output, result):
   """(passed, failed) of one program."""
   if result in ('SKIP', 'IGNORED'):
      return 0, 0
   good = result in ('OK', 'EXPECTEDFAIL')
   for passed_mark, failed_mark in MARKS:
      passed = len(passed_mark.findall(output))
      failed = len(failed_mark.findall(output))
      if passed or failed:
         if not good and failed == 0:
            failed = 1  # it ended badly outside every case
         return passed, failed
   return (1, 0) if good else (0, 1)


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--failed', type=int, default=0)
   parser.add_argument('builds', nargs='*')
   args = parser.parse_args()

   passed, failed = 0, args.failed
   for build in args.builds:
      path = os.path.join(build, 'meson-logs', 'testlog.json')
      if not os.path.exists(path):
         print(f'{build}: no test ran')
         failed += 1
         continue
      with open(path, encoding='utf-8', errors='replace') as log:
         for line in log:
            test = json.loads(line)
            output = test.get('stdout', '') + '\n' + test.get('stderr', '')
            ok, bad = count(output, test['result'])
            passed += ok
            failed += bad
            if bad:
               print(f"{build}: {test['name']}: {test['result']}, {ok} passed, {bad} failed")
   print(f'{passed} passed, {failed} failed')
   return 1 if failed or passed == 0 else 0


if __name__ == '__main__':
   sys.exit(main())
