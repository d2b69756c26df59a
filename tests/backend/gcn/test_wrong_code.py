#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clang's machine code that the simulator says is wrong, with and without the instructions that make it wrong.

    test_wrong_code.py HEDDLE [NAME...]

The simulator's word against that of a compiler in use needs a proof: wrong_code.py has the few instructions, and what
they would have to be. With them each program gives what the reference interpreter gives; nothing else was changed, so
it is these instructions, and the simulator runs all others as their source means. Without clang 19: skipped.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', '..', 'spirv'), os.path.join(HERE, '..', '..', 'house'),
                os.path.join(HERE, '..', '..', '..', 'scripts')]
import cases                # noqa: E402
import judges               # noqa: E402
import llvm_programs        # noqa: E402
import test_clang_objects   # noqa: E402
import test_corpus          # noqa: E402
import test_object_kernels  # noqa: E402
from tap import Tap         # noqa: E402
from wrong_code import WRONG_CODE  # noqa: E402

CHIP = 'gfx900'


def assemble(text, path):
   command = [llvm_programs.find('llvm-mc'), '-triple=amdgcn-amd-amdhsa', f'-mcpu={CHIP}', '-filetype=obj', '-o', path]
   subprocess.run(command, input=text, text=True, check=True)


class CorpusCase:
   """A case of tests/spirv/corpus."""

   def __init__(self, heddle, name, folder):
      self.heddle, self.folder = heddle, folder
      self.case, = cases.all_cases([name])
      runner = test_corpus.Runner(heddle, folder)
      self.wanted, _ = runner.run(f'{name}.wave', self.case, cases.compile_case(self.case, 'O0', folder), 'wave', 64)

   def assembly(self):
      path = os.path.join(self.folder, 'clang.s')
      test_clang_objects.compile_native(self.case, CHIP, 'O2', path, '-S')
      return judges.read(path).decode()

   def fault(self, code):
      try:
         got = test_clang_objects.simulate(self.heddle, self.case, code, os.path.join(self.folder, 'case'))
      except test_corpus.Fault as fault:
         return str(fault)
      return judges.fault(self.case, got, self.wanted)


class BenchKernel:
   """A kernel of bench/kernels."""

   def __init__(self, heddle, name, folder):
      self.heddle, self.folder = heddle, folder
      self.kernel = test_object_kernels.kernels.Kernel(name)
      self.wanted, _ = test_object_kernels.reference(heddle, self.kernel, folder)

   def assembly(self):
      path = os.path.join(self.folder, 'clang.s')
      test_object_kernels.by_clang(self.kernel, CHIP, '2', path, '-S')
      return judges.read(path).decode()

   def fault(self, code):
      got = test_object_kernels.simulated(self.heddle, self.kernel, code, self.folder)
      return test_object_kernels.difference(self.wanted, got)


def check(tap, heddle, name):
   wrong = WRONG_CODE[name]
   with tempfile.TemporaryDirectory() as folder:
      program = (CorpusCase if name.startswith('cl_') else BenchKernel)(heddle, name, folder)
      text = program.assembly()
      code = os.path.join(folder, 'clang.o')
      assemble(text, code)
      before = program.fault(code)
      mended = wrong.mended(text)
      if mended is None:
         print(f'# {name}: another clang, whose code is {"wrong" if before else "right"}')
         return
      assemble(mended, code)
      tap.check(f'{name}: {wrong.reason}', before, 'it is right as it is')
      tap.check(f'{name}: mended, it is right', not program.fault(code), program.fault(code))


def main(heddle, *names):
   if not llvm_programs.find('clang') or not llvm_programs.find('llvm-mc') or not test_clang_objects.LIBCLC \
      or cases.missing_tools():
      return test_object_kernels.SKIPPED
   tap = Tap()
   for name in names or WRONG_CODE:
      check(tap, heddle, name)
   return tap.finish()


if __name__ == '__main__':
   sys.exit(main(*sys.argv[1:]))
