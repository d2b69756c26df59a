#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is the corpus good? Every case compiles and is valid, and the judges run it.

    test_judges.py --vulkan=HOST --opencl=HOST --scratch=FOLDER [--libraries=K/N] [--twice] [NAME...]

Nothing of Heddle is needed for this. Answers are kept in the folder, for test_corpus.py too; with --twice
all are asked for once more and must be the same. --libraries takes that share of the folder `libraries`. What a judge cannot run is no failure where the case's head says so.
"""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'house')]
import cases  # noqa: E402
import judges  # noqa: E402
from tap import Tap  # noqa: E402

UNWRITTEN = bytes([cases.patterns.UNWRITTEN])


def compiled(tap, every, folder):
   """(key, case, SPIR-V file) of what compiles and is valid."""
   for case in every:
      for variant in cases.variants(case):
         key = f"{case.file}{'.' + variant if variant else ''}"
         try:
            path = cases.compile_case(case, variant, folder)
            cases.validate(case, path)
         except cases.Failed as error:
            tap.check(f'{key} compiles', False, error)
            continue
         yield key, case, path


def check(tap, judge, pairs, folder, twice):
   able = [p for p in pairs if judge.can(p[1])]
   first = judge.run(able, os.path.join(folder, judge.name), os.path.join(folder, 'known'))
   second = judge.run(able, os.path.join(folder, judge.name)) if twice else first
   for key, case, _ in able:
      name = f'{key} on {judge.name}'
      if case.file in judges.CRASHES.get(judge.name, ()) and str(first[key]).startswith('crashes'):
         print(f'# {name}: {first[key]}')
         continue
      if isinstance(first[key], str) or isinstance(second[key], str):
         tap.check(name, False, first[key] if isinstance(first[key], str) else second[key])
         continue
      wrong = judges.fault(case, first[key]) or judges.fault(case, second[key], first[key], True)
      idle = [b.place for b in case.outputs()
              if first[key][b.place] == b.bytes(case.addresses) and b.segments[0].equals is None]
      if not wrong and idle and len(idle) == len(case.outputs()):
         wrong = 'nothing is written'
      tap.check(name, not wrong, wrong)


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--vulkan')
   parser.add_argument('--opencl')
   parser.add_argument('--scratch', required=True)
   parser.add_argument('--libraries', default='1/1')
   parser.add_argument('--twice', action='store_true')
   parser.add_argument('names', nargs='*')
   args = parser.parse_args()
   missing = cases.missing_tools()
   if missing:
      print(f"1..0 # SKIP not installed: {', '.join(missing)}")
      return
   os.makedirs(args.scratch, exist_ok=True)
   tap = Tap()
   pairs = list(compiled(tap, cases.all_cases(args.names, args.libraries), args.scratch))
   for judge in judges.present(args.vulkan, args.opencl, args.scratch):
      check(tap, judge, pairs, args.scratch, args.twice)
   tap.finish()


if __name__ == '__main__':
   main()
