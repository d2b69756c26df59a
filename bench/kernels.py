#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels in kernels/: how each is compiled, converted and run.

    kernels.py write FOLDER    leave all of them in Heddle's form there, not optimised

tests/kernels has them, so that tests need no compiler.

A kernel's first lines tell how it is run; kernels/kernel.h has the form. Its inputs are random
numbers that follow from the kernel's name.
"""
import argparse
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'scripts'))
import llvm_programs  # noqa: E402
import llvm_to_heddle  # noqa: E402

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'kernels')
KEPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'tests', 'kernels')
REGION = 0x10000000     # the first parameter's memory; the others follow at this distance
STEP = 0x1000000
POINTER = re.compile(r'(u8|u16|u32|i32|u64|f32)\[(\d+)\] (zero|text|index|(-?\d+)\.\.(-?\d+))')
NUMBER = re.compile(r'(u32|i32|u64|f32) (-?[\d.]+|0x[0-9a-f]+)')
CODES = {'u8': 'B', 'u16': 'H', 'u32': 'I', 'i32': 'i', 'u64': 'Q', 'f32': 'f'}
# No optimisation, but functions are left as -O2 would want them; floats mean what they say, and integers
# wrap, as they do in shading languages: Heddle has no other integers.
CLANG = ['-x', 'cl', '-cl-std=CL1.2', '-cl-no-stdinc', '-O1', '-Xclang', '-disable-llvm-passes', '-Xclang', '-disable-lifetime-markers',
         '-Xclang', '-relaxed-aliasing', '-target', 'amdgcn-amd-amdhsa', '-mcpu=gfx900', '-nogpulib',
         '-ffp-contract=off', '-cl-fp32-correctly-rounded-divide-sqrt', '-fwrapv', '-Wall', '-Werror', '-S', '-emit-llvm']


def names():
   return sorted(name[:-3] for name in os.listdir(FOLDER) if name.endswith('.cl'))


class Kernel:
   def __init__(self, name):
      self.name = name
      self.path = os.path.join(FOLDER, name + '.cl')
      self.workgroup, self.workgroups, self.params = None, None, []
      rng = random.Random(name)
      with open(self.path, encoding='utf-8') as file:
         for line in file:
            if not line.startswith('// '):
               break
            self.header(line[3:].strip(), rng)

   def header(self, line, rng):
      words = line.split()
      if words[0] in ('workgroup', 'workgroups') and len(words) == 4:
         setattr(self, words[0], tuple(map(int, words[1:])))
      elif POINTER.fullmatch(line):
         kind, count, what, low, high = POINTER.fullmatch(line).groups()
         self.params.append(contents(kind, int(count), what, low, high, rng))
      elif NUMBER.fullmatch(line):
         kind, number = NUMBER.fullmatch(line).groups()
         value = float(number) if kind == 'f32' else int(number, 0)
         data = struct.pack('<' + CODES[kind], value)
         self.params.append((len(data) * 8, int.from_bytes(data, 'little')))

   def compile(self, output):
      """To LLVM IR without any optimisation. Heddle has no pointers to variables: a front end would
      inline functions that take some, and here LLVM does that for both sides."""
      subprocess.run([llvm_programs.find('clang'), *CLANG, '-include', os.path.join(FOLDER, 'kernel.h'), '-o', output, self.path], check=True)
      subprocess.run([llvm_programs.find('opt'), '-passes=always-inline,globaldce', '-S', '-o', output, output], check=True)

   def is_kept(self, heddle):
      """Is what it was converted to the program that tests/kernels has?"""
      with open(heddle, encoding='utf-8') as new, open(os.path.join(KEPT, f'{self.name}.hd'), encoding='utf-8') as old:
         return new.read() == old.read()

   def write_launch(self, path, data):
      """The launch as optimize.c reads it; what regions hold lies in files beside it."""
      lines = ['workgroups {} {} {}'.format(*self.workgroups)]
      for n, param in enumerate(self.params):
         if isinstance(param, bytes):
            address = REGION + n * STEP
            with open(f'{path}.{n}', 'wb') as file:
               file.write(param)
            lines += [f'param 64 {address:#x}', f'region {address:#x} {path}.{n}']
         else:
            lines.append(f'param {param[0]} {param[1]:#x}')
      if data:
         with open(f'{path}.data', 'wb') as file:
            file.write(data)
         lines.append(f'region {llvm_to_heddle.DATA_ADDRESS:#x} {path}.data')
      with open(path, 'w', encoding='utf-8') as file:
         file.write('\n'.join(lines) + '\n')

   def convert(self, llvm, heddle):
      """LLVM IR to Heddle; the bytes of its constants."""
      with open(llvm, encoding='utf-8') as file:
         text, data = llvm_to_heddle.convert(file.read(), self.workgroup)
      with open(heddle, 'w', encoding='utf-8') as file:
         file.write(text)
      return data


def contents(kind, count, what, low, high, rng):
   """The bytes that a parameter points to."""
   if what == 'zero':
      numbers = [0] * count
   elif what == 'index':
      numbers = list(range(count))
   elif what == 'text':
      numbers = [rng.choice(b'aaabbc ') for _ in range(count)]
   elif kind == 'f32':
      numbers = [rng.uniform(int(low), int(high)) for _ in range(count)]
   else:
      numbers = [rng.randint(int(low), int(high)) for _ in range(count)]
   return struct.pack(f'<{count}{CODES[kind]}', *numbers)


def tell_of(doc, report_all, tell):
   """The command line of a report: HEDDLE [KERNEL...]."""
   parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
   parser.add_argument('heddle')
   parser.add_argument('kernel', nargs='*')
   options = parser.parse_args()
   tell(*report_all(options.heddle, options.kernel))


def report(title, heddle, report_all, tell):
   """A part of `./x bench`: (rows, 0)."""
   print(title + '\n')
   rows, left_out = report_all(heddle)
   tell(rows, left_out)
   print()
   return rows, 0


def main(what, folder):
   """Leave them all there."""
   if what != 'write':
      sys.exit(__doc__)
   with tempfile.TemporaryDirectory() as scratch:
      for name in names():
         kernel = Kernel(name)
         kernel.compile(os.path.join(scratch, 'kernel.ll'))
         kernel.convert(os.path.join(scratch, 'kernel.ll'), os.path.join(folder, f'{name}.hd'))
   return 0


if __name__ == '__main__':
   sys.exit(main(*sys.argv[1:]))
