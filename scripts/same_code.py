#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do two builds make the same machine code?

    same_code.py OLD_TOOL NEW_TOOL [--code] [--scratch=FOLDER] [--jobs=N]

Compiles every shader of tests, examples, bench and doc/, and every module of the SPIR-V corpus, for each machine, and
for GCN with both control-flow lowerings, with both tools, and names each case whose bytes, statistics or diagnostics differ;
with --code, whose bytes or statistics do, or which only one of them refuses. The last line says how many are the same. Exit
status 1: some differ.
"""
import argparse
import concurrent.futures
import hashlib
import os
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
sys.path.insert(0, os.path.join(ROOT, 'tests', 'spirv'))
import cases  # noqa: E402

WAYS = [[f'--target={chip}', f'--lowering={lowering}'] for chip in ('gfx600', 'gfx803', 'gfx900')
        for lowering in ('tree', 'reconverging')] + [['--target=nyuzi'], ['--target=gen9'], ['--target=gen9', '--lowering=numbers'],
                                                 ['--target=r700']]
SECONDS = 120


def shaders():
   for folder in ('tests', 'examples', 'bench'):
      for here, _, files in sorted(os.walk(os.path.join(ROOT, folder))):
         yield from (os.path.join(here, f) for f in sorted(files) if f.endswith('.hd'))


def modules(scratch):
   if cases.missing_tools():
      sys.exit(f"please install (Debian's names): {' '.join(cases.missing_tools())}")
   os.makedirs(scratch, exist_ok=True)
   return [cases.compile_case(case, variant, scratch) for case in cases.all_cases() for variant in cases.variants(case)]


def digest(tool, path, way, code_only):
   command = [tool, 'compile', *way, '--stats', '--to=text', '-o', '-', path]
   try:
      done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                            timeout=SECONDS, check=False)
   except subprocess.TimeoutExpired:
      return 'takes too long'
   text = done.stdout if code_only else done.stdout + done.stderr
   return f'{done.returncode} {hashlib.sha256(text).hexdigest()}'


def main():
   parser = argparse.ArgumentParser(description='Do two builds make the same machine code?')
   parser.add_argument('old')
   parser.add_argument('new')
   parser.add_argument('--code', action='store_true', help='diagnostics may differ')
   parser.add_argument('--scratch', default=os.path.join(ROOT, 'build', 'same_code'))
   parser.add_argument('--jobs', type=int, default=os.cpu_count())
   options = parser.parse_args()
   work = [(path, way) for path in [*shaders(), *modules(options.scratch)] for way in WAYS]
   with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
      old = pool.map(lambda w: digest(options.old, *w, options.code), work)
      new = pool.map(lambda w: digest(options.new, *w, options.code), work)
      differ = [w for w, a, b in zip(work, old, new) if a != b]
   for path, way in differ:
      print(f"differs: {os.path.relpath(path, ROOT)} {' '.join(way)}")
   print(f'{len(work) - len(differ)} the same, {len(differ)} differ')
   return 1 if differ else 0


if __name__ == '__main__':
   sys.exit(main())
