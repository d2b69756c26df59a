#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What lists of passes do to the corpus when they run again: cleanup nothing, O2 at least adds nothing.

    test_twice.py --heddle=TOOL --scratch=FOLDER [--libraries=K/N] [--jobs=N] [NAME...]
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'house')]
import cases  # noqa: E402
from tap import Tap  # noqa: E402

# Cleanup works on values.
BEFORE = 'opt_vars_split,opt_vars_to_ssa'


def steps(heddle, case, path, passes):
   command = [heddle, 'opt', '--stats', '--json', f'--passes={passes}', path]
   if case.entry:
      command.append(f'--entry={case.entry}')
   done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
   if done.returncode:
      raise cases.Failed(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
   return [json.loads(line) for line in done.stdout.splitlines()]


def told(changed):
   return ', '.join(f"{s['pass']}: {s['before']} -> {s['after']}" for s in changed)


def check(heddle, case, path):
   """What is wrong, or nothing."""
   try:
      # The list twice is the first half of its steps once more.
      found = steps(heddle, case, path, f'{BEFORE},cleanup,cleanup')[BEFORE.count(',') + 1:]
      changed = [s for s in found[len(found) // 2:] if s['progress']]
      if changed:
         return f'cleanup of cleanup: {told(changed)}'
      found = steps(heddle, case, path, 'O2,O2')
      again = found[len(found) // 2:]
      if again[-1]['after'] > again[0]['before']:
         return f"O2 of O2 grows it: {told(s for s in again if s['progress'])}"
   except cases.Failed as failed:
      return str(failed)
   return None


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--heddle', required=True)
   parser.add_argument('--scratch', required=True)
   parser.add_argument('--libraries', default='1/1')
   parser.add_argument('--jobs', type=int, default=2)
   parser.add_argument('names', nargs='*')
   args = parser.parse_args()
   missing = cases.missing_tools()
   if missing:
      print(f"1..0 # SKIP not installed: {', '.join(missing)}")
      return
   os.makedirs(args.scratch, exist_ok=True)
   tap = Tap()
   with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
      running = []
      for case in cases.all_cases(args.names, args.libraries):
         # How clang optimises makes other programs, but the passes meet the same in them.
         path = cases.compile_case(case, cases.variants(case)[0], args.scratch)
         running.append((case.file, pool.submit(check, args.heddle, case, path)))
      for name, future in running:
         fault = future.result()
         tap.check(name, not fault, fault)
   tap.finish()


if __name__ == '__main__':
   main()
