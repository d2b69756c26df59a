#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The OpenCL kernels of the corpus as clang and libclc make machine code of them, in the simulator.

    test_clang_objects.py --heddle=TOOL [--scratch=FOLDER] [--share=K/N] [--chip=CHIP] [--level=L] [NAME...]

What is judged is the simulator: the code is not ours, and each output must be what the reference interpreter
leaves of the SPIR-V of the same source, within what the case's head allows. What libclc has no code for is left out:
clang says so. Each case has a chip and a level of optimisation by its place in the corpus; the options name others. libclc finds its hidden arguments as version 4 of the code object has them.
"""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'house'), os.path.join(HERE, '..', 'backend', 'gcn'),
                os.path.join(HERE, '..', '..', 'scripts')]
import cases  # noqa: E402
import judges  # noqa: E402
import llvm_programs  # noqa: E402
import test_corpus  # noqa: E402
from tap import Tap  # noqa: E402
from wrong_code import WRONG_CODE  # noqa: E402

CHIPS = ('gfx900', 'gfx803', 'gfx600')
LEVELS = ('O2', 'O0', 'O1')
LIBCLC = llvm_programs.libclc('amdgcn--amdhsa')
SKIPPED = 77
# What is wrong in the machine code itself, or in the library: its get_work_dim takes the first hidden argument, which
# HSA has for an offset of the grid, for the number of dimensions.
REASONS = {name: code.reason for name, code in WRONG_CODE.items()}
REASONS['cl_work_items'] = 'get_work_dim reads a hidden argument that HSA does not have'


class Absent(Exception):
   """There is no machine code for it; why."""


def compile_native(case, chip, level, path, *options):
   command = [llvm_programs.find('clang'), '-x', 'cl', '-cl-std=CL2.0', '-target', 'amdgcn-amd-amdhsa', f'-mcpu={chip}',
              '-nogpulib', f'-{level}', '-mcode-object-version=4', '-Xclang', '-finclude-default-header', '-Xclang',
              '-mlink-builtin-bitcode', '-Xclang', LIBCLC, '-ffp-contract=off', '-w', *case.flags, *options, case.path, '-o', path]
   done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
   if done.returncode:
      lines = [line for line in done.stdout.splitlines() if 'error' in line] or done.stdout.splitlines()[:1] or ['no word']
      raise Absent(lines[0].split('error: ')[-1][:150])


def operands(case, base):
   """The arguments, buffers by names; what names are printed."""
   for n, argument in enumerate(case.arguments):
      if isinstance(argument, int):
         yield f'&zero:{argument}'
      elif isinstance(argument, list):
         data = b''.join(s.bytes({}) for s in argument)
         path = f'{base}.arg{n}.bin'
         judges.write(path, data)
         yield f'@{path}'
      else:
         path = f'{base}.arg{n}.bin'
         judges.write(path, argument.bytes({}))
         yield f'arg{n}@{base}.arg{n}.out=@{path}'


def simulate(heddle, case, code, base):
   command = [heddle, 'run', code, '--function', case.entry_name(), '--groups', ','.join(map(str, case.workgroups())),
              '--group-size', ','.join(map(str, case.local)), '--limit', '300000000', *operands(case, base)]
   done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=test_corpus.SECONDS)
   if done.returncode:
      raise test_corpus.Fault(f'{test_corpus.first_line(done)}\n{" ".join(command)}')
   return {b.place: judges.read(f'{base}.{b.place}.out')[:b.size] for b in case.outputs()}


def check(heddle, case, way, folder):
   chip, level = way
   base = os.path.join(folder, case.name)
   code = f'{base}.{chip}.{level}.o'
   compile_native(case, chip, level, code)
   runner = test_corpus.Runner(heddle, folder)
   module = cases.compile_case(case, 'O0', folder)
   wanted, _ = runner.run(f'{case.name}.wave', case, module, 'wave', 64)
   try:
      got = simulate(heddle, case, code, base)
   except test_corpus.Fault as fault:
      return str(fault)
   except subprocess.TimeoutExpired:
      return 'takes too long'
   return judges.fault(case, got, wanted)


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--heddle', required=True)
   parser.add_argument('--scratch')
   parser.add_argument('--share', default='1/1')
   parser.add_argument('--chip', choices=CHIPS)
   parser.add_argument('--level', choices=LEVELS)
   parser.add_argument('names', nargs='*', help='these cases, even those that are known to be wrong code')
   args = parser.parse_args()
   if not llvm_programs.find('clang') or not LIBCLC or cases.missing_tools():
      sys.exit(SKIPPED)
   tap = Tap()
   first, each = map(int, args.share.split('/'))
   with tempfile.TemporaryDirectory() as made:
      folder = args.scratch or made
      kernels = [c for c in cases.all_cases(args.names) if c.kind == '.cl']
      for n, case in enumerate(kernels):
         if n % each != first - 1:
            continue
         if case.name in REASONS and not args.names:
            print(f'# {case.name}: wrong code: {REASONS[case.name]}')
            continue
         way = (args.chip or CHIPS[n % 3], args.level or LEVELS[n // 3 % 3])
         try:
            fault = check(args.heddle, case, way, folder)
         except Absent as why:
            print(f'# {case.name}: no code: {why}')
            continue
         tap.check(f'{case.name} {" ".join(way)}', not fault, fault)
   sys.exit(tap.finish())


if __name__ == '__main__':
   main()
