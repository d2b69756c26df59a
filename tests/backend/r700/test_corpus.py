#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The SPIR-V corpus on R700: outputs are those of the interpreter with waves of 64 lanes, within what the head of a case
allows; with all registers and with few.

    test_corpus.py HEDDLE SCRATCH [NAME...]

One in HD_R700_SHARE (default 8) of the cases is run, or those that are named; HD_TEST_SEED picks which. What the machine
lacks is refused by name: that is no fault.
"""
import os
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / 'tests' / 'house'), str(ROOT / 'tests' / 'spirv')]

import cases
import judges
import test_corpus as corpus
from tap import Tap

LANES = 64
FEW = ['--max-vgprs=16', '--check']
REFUSED = re.compile(r'"message":"r700: |: unsupported')


class Runner(corpus.Runner):
   def command(self, case, path, way, lanes, base):
      words = super().command(case, path, 'wave', lanes, base)
      return words + ([] if way == 'wave' else ['--target=r700', *(FEW if way == 'few' else [])])


def check(tap, runner, key, case, path):
   """Whether it was run."""
   try:
      wanted, _ = runner.run(f'{key}.wave', case, path, 'wave', LANES)
   except corpus.Fault:
      return False # of the interpreter: tests/spirv tells
   for way in ('r700', 'few'):
      try:
         got, repeat = runner.run(f'{key}.{way}', case, path, way, LANES)
         fault = judges.fault(case, got, wanted)
         tap.check(f'{key}: {way}', not fault, f'{fault}\n{repeat}')
      except corpus.Refused:
         return False
      except corpus.Fault as fault:
         if REFUSED.search(str(fault)):
            return False
         tap.check(f'{key}: {way}', False, fault)
   return True


def main():
   heddle, scratch, names = sys.argv[1], sys.argv[2], sys.argv[3:]
   missing = cases.missing_tools()
   if missing:
      print(f"1..0 # SKIP not installed: {', '.join(missing)}")
      return
   os.makedirs(os.path.join(scratch, 'heddle'), exist_ok=True)
   everything = [c for c in cases.all_cases(names or None) if c.file.endswith(('.comp', '.cl')) and not c.images and not c.samplers]
   share = 1 if names else int(os.environ.get('HD_R700_SHARE', '8'))
   chosen = random.Random(os.environ.get('HD_TEST_SEED', '1')).sample(everything, max(1, len(everything) // share))
   tap, runner, ran = Tap(), Runner(heddle, os.path.join(scratch, 'heddle')), 0
   for case in chosen:
      variant = list(cases.variants(case))[-1]
      key = f"{case.file}{'.' + variant if variant else ''}"
      ran += check(tap, runner, key, case, cases.compile_case(case, variant, scratch))
   tap.check(f'{ran} of {len(chosen)} cases are run', names or 2 * ran >= len(chosen))
   tap.finish()


if __name__ == '__main__':
   main()
