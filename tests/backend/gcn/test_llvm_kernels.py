#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What clang makes of the kernels in bench/kernels, run in the simulator, leaves in memory what the reference
interpreter leaves with the same kernels as Heddle's programs.

    test_llvm_kernels.py HEDDLE CHIP LEVEL [KERNEL...]

So neither the simulator nor the reader of code objects is judged by code of its own house. Needs clang and
opt; without them the test is skipped.
"""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, os.pardir)
sys.path.insert(0, os.path.join(ROOT, 'bench'))

import kernels           # noqa: E402
import llvm_to_heddle    # noqa: E402

SKIPPED = 77
# Integers wrap and floats mean what they say, as in the programs that the interpreter runs.
CLANG = ['-x', 'cl', '-cl-std=CL1.2', '-cl-no-stdinc', '-Xclang', '-relaxed-aliasing', '-target', 'amdgcn-amd-amdhsa',
         '-nogpulib', '-ffp-contract=off', '-fwrapv', '-cl-fp32-correctly-rounded-divide-sqrt', '-c']


def reference(heddle, kernel, folder):
   """What each buffer holds in the end."""
   llvm, program = os.path.join(folder, 'kernel.ll'), os.path.join(folder, 'kernel.hd')
   kernel.compile(llvm)
   data = kernel.convert(llvm, program)
   params, regions = [], []
   for n, param in enumerate(kernel.params):
      if isinstance(param, bytes):
         address = kernels.REGION + n * kernels.STEP
         params.append(address)
         regions.append((address, param))
      else:
         params.append(param[1])
   outputs = len(regions)
   if data:
      regions.append((llvm_to_heddle.DATA_ADDRESS, data))
   operands = ['params=u64:' + ','.join(map(str, params))]
   for address, content in regions:
      path = os.path.join(folder, f'{address:x}')
      with open(path, 'wb') as file:
         file.write(content)
      operands.append(f'global@{address:#x}=@{path}')
   text = run([heddle, 'run', program, '--groups', ','.join(map(str, kernel.workgroups)), *operands])
   return [line.split(' =')[1].split() for line in text.splitlines() if ' =' in line][:outputs]


def simulated(heddle, kernel, chip, level, folder):
   code = os.path.join(folder, f'{kernel.name}.o')
   run([kernels.clang(), *CLANG, f'-O{level}', f'-mcpu={chip}', '-include',
        os.path.join(kernels.FOLDER, 'kernel.h'), '-o', code, kernel.path])
   operands = []
   for n, param in enumerate(kernel.params):
      if isinstance(param, bytes):
         path = os.path.join(folder, f'in{n}')
         with open(path, 'wb') as file:
            file.write(param)
         operands.append(f'p{n}=@{path}')
      else:
         operands.append(f'u{param[0]}:{param[1]}')
   text = run([heddle, 'run', code, '--groups', ','.join(map(str, kernel.workgroups)), *operands])
   return [line.split(' =')[1].split() for line in text.splitlines() if ' =' in line]


class Failed(Exception):
   pass


def run(command):
   done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
   if done.returncode:
      raise Failed(f'{" ".join(command[:3])} ...: {done.stderr.strip()[:2000]}')
   return done.stdout


def compare(heddle, name, chip, level):
   """What is wrong, or nothing."""
   kernel = kernels.Kernel(name)
   with tempfile.TemporaryDirectory() as folder:
      try:
         wanted = reference(heddle, kernel, folder)
         got = simulated(heddle, kernel, chip, level, folder)
      except Failed as failed:
         return str(failed)
   if len(wanted) != len(got):
      return f'{len(got)} buffers instead of {len(wanted)}'
   for n, (one, other) in enumerate(zip(wanted, got)):
      wrong = [k for k in range(len(one)) if one[k] not in ('?', other[k])]
      if wrong or len(one) != len(other):
         k = wrong[0] if wrong else 0
         return f'buffer {n}, element {k}: {other[k]} instead of {one[k]}, {len(wrong)} of {len(one)} are wrong'
   return None


def main(heddle, chip, level, *names):
   if not kernels.clang():
      print('no clang')
      return SKIPPED
   bad = 0
   for name in names or kernels.names():
      wrong = compare(heddle, name, chip, level)
      if wrong:
         bad += 1
         print(f'{name}: {wrong}')
   print(f'{chip}, -O{level}: {len(names or kernels.names())} kernels, {bad} wrong')
   return bad != 0


if __name__ == '__main__':
   sys.exit(main(*sys.argv[1:]))
