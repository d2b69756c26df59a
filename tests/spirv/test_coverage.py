# SPDX-License-Identifier: MIT
"""Is doc/spirv_coverage.md what the tables say, and do its cases have what they stand beside?

As a program it writes the page with --write; test_damage.py asks, which has compiled the cases anyway.

    test_coverage.py --grammar=FOLDER --scratch=FOLDER [--write]
"""
import argparse
import os
import subprocess
import sys

import cases

ROOT = os.path.join(cases.HERE, '..', '..')


def page(grammar, modules, write=False):
   command = [sys.executable, '-B', os.path.join(ROOT, 'src', 'codegen', 'gen_spirv_coverage.py')]
   command += [] if write else ['--check']
   command += [os.path.join(ROOT, 'doc', 'spirv_coverage.md'), grammar, modules]
   return subprocess.run(command, check=False).returncode


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--grammar', required=True)
   parser.add_argument('--scratch', required=True)
   parser.add_argument('--write', action='store_true')
   args = parser.parse_args()
   missing = cases.missing_tools()
   if missing:
      print(f"1..0 # SKIP {' '.join(missing)}")
      return 0
   os.makedirs(args.scratch, exist_ok=True)
   for case in cases.all_cases():
      for variant in cases.variants(case):
         cases.compile_case(case, variant, args.scratch)
   return page(args.grammar, args.scratch, args.write)


if __name__ == '__main__':
   sys.exit(main())
