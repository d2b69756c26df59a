#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fuzz targets build with clang's -fsanitize=fuzzer, and libFuzzer sees the library's edges and finds new inputs: of text
with a driver's own intrinsics, of passes on it, and of its binary form.

    test_fuzz.py MESON SOURCE_ROOT SCRATCH

The build directory stays in SCRATCH: another run compiles what has changed.
"""
import os
import re
import shutil
import subprocess
import sys

from tap import Tap

TARGETS = ['text', 'binary', 'passes', 'structurize', 'programs']
RUNS = 2000
# Edges of the empty input alone are fewer; so many are reached through the library's code only.
LEAST_EDGES = 300
PROBE = ('#include <stddef.h>\n#include <stdint.h>\nint LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);\n'
         'int\nLLVMFuzzerTestOneInput(const uint8_t *data, size_t size)\n{\n   return !data && size;\n}\n')


def has_fuzzer(scratch):
   if not shutil.which('clang'):
      return False
   done = subprocess.run(['clang', '-fsanitize=fuzzer', '-x', 'c', '-', '-o', os.path.join(scratch, 'probe')], input=PROBE,
                         text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
   return done.returncode == 0


def fuzz(tap, build, root, name):
   """Beginning with two kept inputs, so that there is something to find."""
   kept = os.path.join(root, 'tests', 'fuzz', 'corpus', name)
   corpus = os.path.join(build, 'corpus', name)
   shutil.rmtree(corpus, ignore_errors=True)
   os.makedirs(corpus)
   for file in sorted(os.listdir(kept))[:2]:
      shutil.copy(os.path.join(kept, file), corpus)
   begun = len(os.listdir(corpus))
   done = subprocess.run([os.path.join(build, 'tests', 'fuzz', f'fuzz_{name}'), f'-runs={RUNS}', '-seed=1', '-timeout=20',
                          f'-artifact_prefix={corpus}-', corpus], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         errors='replace', stdin=subprocess.DEVNULL, check=False)
   edges = [int(number) for number in re.findall(r'\bcov: (\d+)', done.stdout)]
   tap.check(f'{name}: {RUNS} runs', done.returncode == 0, done.stdout[-4000:])
   tap.check(f'{name}: edges of the library are seen ({edges[-1] if edges else 0})', edges and edges[-1] >= LEAST_EDGES,
             done.stdout[-4000:])
   found = len(os.listdir(corpus)) - begun
   tap.check(f'{name}: coverage guides it to new inputs ({found})', found > 0, done.stdout[-4000:])


def main():
   meson, root, scratch = sys.argv[1].split(), sys.argv[2], sys.argv[3]
   os.makedirs(scratch, exist_ok=True)
   if not has_fuzzer(scratch):
      print('1..0 # SKIP not installed: clang with libFuzzer')
      return
   tap = Tap()
   build = os.path.join(scratch, 'build')
   if not os.path.exists(os.path.join(build, 'build.ninja')):
      tap.run('configures', ['env', 'CC=clang', *meson, 'setup', build, root, '-Dbuildtype=debugoptimized', '-Dfuzz=true',
                             '-Db_lundef=false', '-Ddefault_library=static', '-Dexamples=false', '-Dbackends=',
                             '-Dspirv=disabled', '-Dwerror=true'])
   tap.run('builds', ['ninja', '-C', build, *(f'tests/fuzz/fuzz_{name}' for name in TARGETS)])
   for name in TARGETS:
      fuzz(tap, build, root, name)
   tap.finish()


if __name__ == '__main__':
   main()
