#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The text of compiled vertex and fragment shaders becomes the same bytes in LLVM's assembler.

    test_stage_code.py HEDDLE

The shaders are those of stages/ and those of the SPIR-V corpus, on each chip and both lowerings. Without llvm-mc: skipped.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / 'scripts'), str(ROOT / 'tests' / 'house'), str(ROOT / 'tests' / 'spirv')]
import cases                # noqa: E402
import llvm_programs        # noqa: E402
from tap import Tap         # noqa: E402


def shaders(folder):
   """(name, path), SPIR-V compiled where that can be."""
   for path in sorted((HERE / 'stages').glob('*.hd')):
      yield path.stem, str(path)
   for case in cases.all_cases(libraries='none'):
      if case.is_graphics and case.runs:
         yield case.file, cases.compile_case(case, cases.variants(case)[0], folder)


def output(command, text=None):
   done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
   if done.returncode:
      raise ValueError(done.stderr.decode(errors='replace'))
   return done.stdout


def difference(heddle, path, chip, lowering, folder):
   """None if there is none."""
   command = [heddle, 'compile', f'--target={chip}', f'--lowering={lowering}', path]
   code, made, text = (os.path.join(folder, name) for name in ('code.bin', 'made.o', 'text.bin'))
   try:
      listing = output(command)
      output([*command, '-o', code])
      output([llvm_programs.find('llvm-mc'), '-arch=amdgcn', f'-mcpu={chip}', '-filetype=obj', '-o', made], listing)
      output([llvm_programs.find('llvm-objcopy'), '-O', 'binary', '-j', '.text', made, text])
   except ValueError as error:
      return str(error)
   same = pathlib.Path(code).read_bytes() == pathlib.Path(text).read_bytes()
   return None if same else 'bytes differ of\n' + listing.decode()


def main(heddle):
   if not llvm_programs.find('llvm-mc') or not llvm_programs.find('llvm-objcopy'):
      print('1..0 # SKIP no llvm-mc')
      return
   tap = Tap()
   with tempfile.TemporaryDirectory() as folder:
      for name, path in shaders(folder):
         for chip in ('gfx600', 'gfx803', 'gfx900'):
            wrong = [difference(heddle, path, chip, lowering, folder) for lowering in ('tree', 'reconverging')]
            tap.check(f'{name}, {chip}', wrong == [None, None], wrong)
   tap.finish()


if __name__ == '__main__':
   main(sys.argv[1])
