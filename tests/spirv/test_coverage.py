# SPDX-License-Identifier: MIT
"""Is doc/spirv_coverage.md what the tables say, and do its cases have what they stand beside?

test_damage.py asks, which has compiled the cases anyway; scripts/pages.py writes the page.
"""
import os
import pathlib
import sys

import cases

ROOT = pathlib.Path(cases.HERE).parents[1]
PAGE = ROOT / 'doc' / 'spirv_coverage.md'
sys.path.insert(0, str(ROOT / 'src'))

from codegen.spirv import grammar, page  # noqa: E402

# Not one that is installed: the page is the same everywhere.
SHIPPED = grammar.read(ROOT / 'src' / 'spirv' / 'grammar.txt')


def faults(modules):
   """What is wrong with the page, given the folder of the compiled cases."""
   return list(page.faults(PAGE.read_text(encoding='utf-8'), SHIPPED, page.cases_by_instruction(modules)))


def renew(scratch):
   """Compile the cases and write the page; an exit status."""
   missing = cases.missing_tools()
   if missing:
      print(f'{PAGE.name} is left as it is: {" ".join(missing)} is not installed')
      return 0
   os.makedirs(scratch, exist_ok=True)
   for case in cases.all_cases(libraries='none'):
      for variant in cases.variants(case):
         cases.compile_case(case, variant, scratch)
   PAGE.write_text(page.page(SHIPPED, page.cases_by_instruction(scratch)), encoding='utf-8')
   return 0
