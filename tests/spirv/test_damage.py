# SPDX-License-Identifier: MIT
"""The modules of the corpus damaged: tests/spirv/damage.c says how. And is the page about coverage right?

    test_damage.py --damage=PROGRAM --scratch=FOLDER [--page] [--share=K/N] [--flips=COUNT] [NAME...]
"""
import argparse
import os
import subprocess
import sys

import cases
import test_coverage


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--damage', required=True)
   parser.add_argument('--scratch', required=True)
   parser.add_argument('--page', action='store_true')
   parser.add_argument('--share', default='0/1')
   parser.add_argument('--flips', default='6')
   parser.add_argument('names', nargs='*')
   args = parser.parse_args()
   missing = cases.missing_tools()
   if missing:
      print(f"1..0 # SKIP {' '.join(missing)}")
      return 0
   os.makedirs(args.scratch, exist_ok=True)
   files = [cases.compile_case(case, variant, args.scratch)
            for case in cases.all_cases(args.names, 'none') for variant in cases.variants(case)]
   faults = test_coverage.faults(args.scratch) if args.page else []
   if faults:
      print('\n'.join([*faults[:20], 'renew doc/spirv_coverage.md with: meson compile -C build docs']), file=sys.stderr)
      return 1
   command = [args.damage, f'--share={args.share}', f'--flips={args.flips}', *files]
   return subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode


if __name__ == '__main__':
   sys.exit(main())
