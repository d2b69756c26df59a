#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code that Intel's compiler makes for Gen9: our disassembler and Intel's read it alike.

    test_ocloc.py IGA64 OCLOC CODE_TOOL FOLDER

Of the OpenCL files, one in HD_GEN9_SHARE (default 8) is compiled; HD_TEST_SEED picks which. The macros of exact division
and roots (registers `mme`) are not in the table.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'house'))

from tap import Tap
from test_iga import Judge, plain


def compile_kernels(ocloc, path, folder):
   """The instructions of each kernel of the file, or what the compiler said."""
   for standard in ('CL1.2', 'CL3.0'):
      done = subprocess.run([ocloc, 'compile', '-q', '-file', str(path), '-device', 'skl', '-options', f'-cl-std={standard}',
                             '-output', 'kernel'], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)
      if not done.returncode:
         break
   binaries = list(pathlib.Path(folder).glob('kernel*.bin'))
   if done.returncode or not binaries:
      return done.stdout
   subprocess.run([ocloc, 'disasm', '-file', binaries[0].name, '-device', 'skl', '-dump', 'dump'], cwd=folder,
                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
   return {p.name: p.read_bytes() for p in sorted((pathlib.Path(folder) / 'dump').glob('*_KernelHeap.dat'))}


def check_file(tap, judge, ocloc, path):
   with tempfile.TemporaryDirectory() as folder:
      kernels = compile_kernels(ocloc, path, folder)
   if not tap.check(f'{path.name}: compiled', isinstance(kernels, dict) and kernels, kernels):
      return
   for name, code in kernels.items():
      wanted = list(judge.disassemble(code).values())
      got = plain(judge.ours('dis', code).stdout.decode())
      # The heap is filled up to a multiple of 64, with half an instruction at last.
      got = got[:-1] if len(code) % 16 or got[-1] == '.quad 0x0000000000000000' else got
      bad = [f'{a}\n   not {b}' for a, b in zip(wanted, got) if a != b and 'mme' not in a]
      tap.check(f'{path.name}: {name}, {len(wanted)} instructions', len(wanted) == len(got) > 5 and not bad,
                '\n'.join(bad[:8]))


def main():
   iga, ocloc, tool, folder = sys.argv[1:]
   paths = sorted(pathlib.Path(folder).glob('*.cl'))
   seed, share = int(os.environ.get('HD_TEST_SEED', '20261'), 0), int(os.environ.get('HD_GEN9_SHARE', '8'))
   print(f'# HD_TEST_SEED={seed} HD_GEN9_SHARE={share}')
   rng, tap = random.Random(seed), Tap()
   chosen = [p for p in paths if rng.randrange(share) == 0] or paths[:1]
   with tempfile.TemporaryDirectory() as folder:
      judge = Judge(iga, tool, folder)
      for path in chosen:
         check_file(tap, judge, ocloc, path.resolve())
   tap.finish()


if __name__ == '__main__':
   main()
