#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages of doc/ that are generated, whole or between marks: one row a page.

    pages.py write                  write them all
    pages.py write --scratch=DIR    also doc/spirv_coverage.md, from the compiled corpus
   pages.py write --tool=HEDDLE    also doc/targets.md, if the tool is there
    pages.py check                  a TAP case a page: is it what would be written?

`meson compile -C BUILD docs` runs the second, the test doc/pages the third. Whether doc/spirv_coverage.md is
current is asked by tests/spirv/test_damage.py, which has compiled the corpus anyway.
"""
import importlib
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / 'src'), str(ROOT / 'tests' / 'house'), str(ROOT / 'tests' / 'spirv')]
sys.dont_write_bytecode = True

# Page, module, function: it takes the text that is there and gives the one that should be.
PAGES = (
   ('doc/gcn_isa.md', 'codegen.gcn.isa_page', 'page'),
   ('doc/gcn_ops.md', 'codegen.gcn.coverage', 'page'),
   ('doc/gen9_isa.md', 'codegen.gen9.isa_page', 'page'),
   ('doc/intrinsics.md', 'codegen.ir.pages', 'intrinsic_page'),
   ('doc/invariants.md', 'codegen.check.invariants', 'page'),
   ('doc/nyuzi_isa.md', 'codegen.nyuzi.isa_page', 'page'),
   ('doc/ops.md', 'codegen.ir.pages', 'op_page'),
   ('doc/passes.md', 'codegen.passes.passes', 'page'),
   ('doc/r700_isa.md', 'codegen.r700.isa_page', 'page'),
   ('doc/rules.md', 'codegen.rules.page', 'page'),
)


def current(path):
   return path.read_text(encoding='utf-8') if path.exists() else ''


def wanted(path, module, function):
   text = getattr(importlib.import_module(module), function)(current(path))
   return text.rstrip() + '\n'


def write(options):
   for page, module, function in PAGES:
      text = wanted(ROOT / page, module, function)
      if text != current(ROOT / page):
         print(f'{page} is renewed')
         (ROOT / page).write_text(text, encoding='utf-8')
   if os.path.exists(options.get('tool', '')):
      subprocess.run([sys.executable, '-B', ROOT / 'scripts' / 'targets_page.py', 'write', options['tool']], check=True)
   if options.get('scratch'):
      from test_coverage import renew
      sys.exit(renew(os.path.abspath(options['scratch'])))


def check():
   from tap import Tap
   tap = Tap()
   for page, module, function in PAGES:
      tap.check(f'{page} is what the tables say', wanted(ROOT / page, module, function) == current(ROOT / page),
                'renew it with: python3 scripts/pages.py write')
   tap.finish()


def main(arguments):
   what, *rest = arguments or ['']
   options = dict(o.removeprefix('--').split('=', 1) for o in rest if '=' in o)
   if what not in ('write', 'check') or len(options) != len(rest):
      sys.exit(__doc__)
   check() if what == 'check' else write(options)


if __name__ == '__main__':
   main(sys.argv[1:])
