#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code objects of the kernels in bench/kernels, clang's and ours, run in the simulator: they must leave in memory
what the reference interpreter leaves with the same kernels as Heddle's programs.

    test_object_kernels.py HEDDLE [--all] [KERNEL...]

clang's objects judge the simulator and the reader by code that is not of this house, ours the HSA side of the
compiler. Each kernel comes from clang for each chip, at -O2 (code object version 5) or -O0 (version 4), and from
`heddle compile` for each chip; with --all at both levels for each chip. These objects of clang's are relocatable;
where clang 14 and its linker are installed, they make linked ones of version 3, too. Without clang there is
nothing to compare with: skipped.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, os.pardir)
sys.path[:0] = [os.path.join(ROOT, 'bench'), os.path.join(ROOT, 'scripts')]

import kernels           # noqa: E402
import llvm_programs     # noqa: E402
import llvm_to_heddle    # noqa: E402
from wrong_code import WRONG_CODE  # noqa: E402

SKIPPED = 77
CHIPS = ('gfx600', 'gfx803', 'gfx900')
# Integers wrap and floats mean what they say, as in the programs that the interpreter runs.
CLANG = ['-x', 'cl', '-cl-std=CL1.2', '-cl-no-stdinc', '-Xclang', '-relaxed-aliasing', '-target', 'amdgcn-amd-amdhsa',
         '-nogpulib', '-ffp-contract=off', '-fwrapv', '-cl-fp32-correctly-rounded-divide-sqrt']
OLD_CLANG = 'clang-14'
# What the old one has no builtins for.
TOO_NEW = {'compact'}
VERSIONS = {'0': 4, '2': 5, 'linked': 3}


class Failed(Exception):
   pass


def run(command):
   done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
   if done.returncode:
      raise Failed(f'{" ".join(command[:3])} ...: {done.stderr.strip()[:2000]}')
   return done.stdout


def buffers(text):
   return [line.split(' =')[1].split() for line in text.splitlines() if ' =' in line]


def reference(heddle, kernel, folder):
   """What each buffer holds in the end; whether the program has constant data of its own."""
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
   return buffers(text)[:outputs], bool(data)


def by_clang(kernel, chip, level, path, *options):
   linked = level == 'linked'
   run([OLD_CLANG if linked else llvm_programs.find('clang'), *CLANG, *([] if linked else ['-c']), '-O' + ('2' if linked else level),
        f'-mcode-object-version={VERSIONS[level]}', f'-mcpu={chip}', '-include',
        os.path.join(kernels.FOLDER, 'kernel.h'), *options, '-o', path, kernel.path])


def by_heddle(heddle, chip, folder, path):
   run([heddle, 'compile', os.path.join(folder, 'kernel.hd'), '--target', chip, '-o', path])


def simulated(heddle, kernel, path, folder, *options):
   operands = []
   for n, param in enumerate(kernel.params):
      if isinstance(param, bytes):
         content = os.path.join(folder, f'in{n}')
         with open(content, 'wb') as file:
            file.write(param)
         operands.append(f'p{n}=&@{content}')
      else:
         operands.append(f'u{param[0]}:{param[1]}')
   return buffers(run([heddle, 'run', path, *options, '--groups', ','.join(map(str, kernel.workgroups)), *operands]))


def difference(wanted, got):
   """Where the reference is undefined, anything will do."""
   if len(wanted) != len(got):
      return f'{len(got)} buffers instead of {len(wanted)}'
   for n, (one, other) in enumerate(zip(wanted, got)):
      wrong = [k for k in range(len(one)) if one[k] not in ('?', other[k])]
      if wrong or len(one) != len(other):
         k = wrong[0] if wrong else 0
         return f'buffer {n}, element {k}: {other[k]} instead of {one[k]}, {len(wrong)} of {len(one)} are wrong'
   return None


def cells(name, everything):
   """(maker, chip, level): all, or a level for each chip that the name decides."""
   first = zlib.crc32(name.encode())
   for n, chip in enumerate(CHIPS):
      for level in ('0', '2') if everything else ('02'[(first + n) % 2],):
         if name not in WRONG_CODE or level != '2':
            yield 'clang', chip, level
      yield 'heddle', chip, ''
   if name not in TOO_NEW and shutil.which(OLD_CLANG) and shutil.which('ld.lld'):
      yield 'clang', CHIPS[first % 3], 'linked'


def check(heddle, name, everything):
   """What is wrong, and how many objects were run."""
   kernel, wrong, num = kernels.Kernel(name), [], 0
   with tempfile.TemporaryDirectory() as folder:
      try:
         wanted, has_data = reference(heddle, kernel, folder)
      except Failed as failed:
         return [f'{name}: {failed}'], 0
      for maker, chip, level in cells(name, everything):
         # The address of constant data is a number in Heddle's programs; code objects have no place for it.
         if maker == 'heddle' and has_data:
            continue
         path = os.path.join(folder, f'{name}.o')
         try:
            if maker == 'clang':
               by_clang(kernel, chip, level, path)
            else:
               by_heddle(heddle, chip, folder, path)
            what = difference(wanted, simulated(heddle, kernel, path, folder))
            # Waves that wait for each other must not depend on whose turn it is.
            if not what and num == 0 and kernel.workgroup[0] * kernel.workgroup[1] > 64:
               what = difference(wanted, simulated(heddle, kernel, path, folder, '--seed', '7'))
         except Failed as failed:
            what = str(failed)
         num += 1
         if what:
            wrong.append(f'{name}, {maker}, {chip}{", -O" + level if level else ""}: {what}')
   return wrong, num


def main(heddle, *arguments):
   everything = '--all' in arguments
   names = [name for name in arguments if name != '--all'] or kernels.names()
   if not llvm_programs.find('clang'):
      print('no clang')
      return SKIPPED
   bad = total = 0
   with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
      for wrong, num in pool.map(lambda name: check(heddle, name, everything), names):
         total += num
         bad += len(wrong)
         for line in wrong:
            print(line)
   print(f'{len(names)} kernels, {total} objects, {bad} wrong')
   return bad != 0


if __name__ == '__main__':
   sys.exit(main(*sys.argv[1:]))
