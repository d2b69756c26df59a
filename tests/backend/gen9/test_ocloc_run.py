#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels of the bench, compiled by Intel's compiler, run in our simulator: memory is in the end what the reference
interpreter leaves of the same programs.

    test_ocloc_run.py OCLOC HEDDLE RUN_TOOL [NAME...]

One in HD_GEN9_SHARE (default 6) of the kernels is run, or those that are named; HD_TEST_SEED picks which.
"""
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / 'tests' / 'house'), str(ROOT / 'bench')]

import kernels
from tap import Tap

# What bench/kernels/kernel.h gives, in the words of OpenCL.
PRELUDE = '''
#pragma OPENCL FP_CONTRACT OFF
#define KERNEL(size)  __attribute__((reqd_work_group_size(size, 1, 1))) __kernel void
#define KERNEL2(x, y) __attribute__((reqd_work_group_size(x, y, 1))) __kernel void
#define INLINE static __attribute__((always_inline))
#define local_id   ((uint)get_local_id(0))
#define local_id_y ((uint)get_local_id(1))
#define group_id   ((uint)get_group_id(0))
#define group_id_y ((uint)get_group_id(1))
#define rotl(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define barrier()  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
'''
# Approximations, exact division and roots (which are macros that the table does not have), tables in constant memory
# (which the driver would place), and what the prelude does not have.
LEFT_OUT = re.compile(r'exp2\(|_turns\(|__builtin|sqrt\(|/ \(float|constant|float.* / ')
# Besides: private memory of several threads, and what the compiler does not compile.
NOT_HERE = ('hash_rounds', 'newton_root', 'noise', 'solve_4', 'histogram')


def patch_tokens(text):
   """(token, numbers) of what the compiler says of a kernel."""
   return [(int(token), bytes(int(b, 16) for b in data.split()))
           for token, data in re.findall(r'Token (\d+)\n\s*4 Size \d+\n\s*Hex ([0-9a-f ]*)', text)]


def numbers(data):
   return struct.unpack(f'<{len(data) // 4}I', data[:len(data) // 4 * 4])


class Code:
   def __init__(self, ocloc, kernel, folder):
      source = pathlib.Path(folder) / 'kernel.cl'
      source.write_text(PRELUDE + pathlib.Path(kernel.path).read_text(encoding='utf-8'), encoding='utf-8')
      done = subprocess.run([ocloc, 'compile', '-q', '-file', source.name, '-device', 'skl', '-options',
                             '-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt', '-output', 'kernel'], cwd=folder,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
      self.message = done.stdout
      binaries = list(pathlib.Path(folder).glob('kernel*.bin'))
      self.good = done.returncode == 0 and len(binaries) == 1
      if self.good:
         subprocess.run([ocloc, 'disasm', '-file', binaries[0].name, '-device', 'skl', '-dump', 'dump'], cwd=folder,
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
         dump = pathlib.Path(folder) / 'dump'
         self.path = next(dump.glob('*_KernelHeap.dat'))
         self.tokens = patch_tokens((dump / 'PTM.txt').read_text(encoding='utf-8', errors='replace'))

   def constants(self, kernel, addresses):
      """What all threads share, from the register on behind the numbers of their channels."""
      size = next(numbers(data)[0] for token, data in self.tokens if token == 25)
      block = bytearray(size)

      def put(at, count, value):
         block[at:at + count] = value.to_bytes(8, 'little')[:count]
      for token, data in self.tokens:
         words = numbers(data)
         if token == 17:
            kind, argument, at, count, source = words[:5]
            if kind == 1 and not isinstance(kernel.params[argument], bytes):
               put(at, count, kernel.params[argument][1] >> 8 * source)
            elif kind in (2, 28):
               put(at, count, kernel.workgroup[source // 4])
            elif kind == 4:
               put(at, count, kernel.workgroups[source // 4])
            elif kind == 3:
               put(at, count, kernel.workgroup[source // 4] * kernel.workgroups[source // 4])
            elif kind == 5:
               put(at, count, 1)
         elif token == 30:
            put(words[2], words[3], addresses[words[0]])
      return bytes(block)

   def surfaces(self):
      """Argument to binding."""
      return {numbers(data)[0]: numbers(data)[1] // 64 for token, data in self.tokens if token == 30}

   @property
   def lanes(self):
      return next(numbers(data)[3] for token, data in self.tokens if token == 23)

   @property
   def has_ids(self):
      return any(numbers(data)[1:4] for token, data in self.tokens if token == 22)


def ids(kernel, lanes, thread):
   """The numbers in the workgroup of the channels of a thread: x, y and z, 16 bits each."""
   x, y, z = kernel.workgroup
   rows = []
   for dimension in range(3):
      row = []
      for lane in range(lanes):
         n = thread * lanes + lane
         row.append((n % x, n // x % y, n // (x * y))[dimension])
      data = struct.pack(f'<{lanes}H', *row)
      rows.append(data + bytes(-len(data) % 32))
   return b''.join(rows)


def payload(code, kernel, constants):
   x, y, z = kernel.workgroup
   lanes = code.lanes
   threads = -(-x * y * z // lanes)
   data = b''
   for group in range(kernel.workgroups[0] * kernel.workgroups[1] * kernel.workgroups[2]):
      place = group % kernel.workgroups[0], group // kernel.workgroups[0] % kernel.workgroups[1]
      for thread in range(threads):
         header = struct.pack('<8I', 0, place[0], 0, 0, 0, 0, place[1], 0)
         data += header + ids(kernel, lanes, thread) + constants + bytes(-len(constants) % 32)
   return data, threads, (len(data) // 32 // threads //
                          (kernel.workgroups[0] * kernel.workgroups[1] * kernel.workgroups[2]))


def run_simulator(tool, code, kernel, folder, trace=False):
   pointers = [n for n, p in enumerate(kernel.params) if isinstance(p, bytes)]
   addresses = {n: kernels.REGION + n * kernels.STEP for n in pointers}
   data, threads, grfs = payload(code, kernel, code.constants(kernel, addresses))
   (folder / 'payload').write_bytes(data)
   lines = [f'code {code.path}', f'payload {folder / "payload"} {grfs}', 'shared 65536', 'private 0 65536']
   x, y, z = kernel.workgroup
   left = x * y * z
   masks = []
   for _ in range(threads):
      masks.append(f'{(1 << min(left, code.lanes)) - 1:x}')
      left -= code.lanes
   lines.append('channels ' + ' '.join(masks))
   bindings = code.surfaces()
   for n in pointers:
      (folder / f'sim{n}').write_bytes(kernel.params[n])
      lines.append(f'surface {bindings[n]} {addresses[n]:x} {folder / f"sim{n}"}')
   done = subprocess.run([tool, *(['trace'] if trace else [])], input='\n'.join(lines) + '\n', stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, check=False)
   return done, {n: (folder / f'sim{n}').read_bytes() for n in pointers}


def run_interpreter(heddle, kernel, folder):
   operands, params = [], []
   for n, param in enumerate(kernel.params):
      address = kernels.REGION + n * kernels.STEP
      if isinstance(param, bytes):
         (folder / f'in{n}').write_bytes(param)
         operands.append(f'global@{address:#x}@{folder / f"out{n}"}=@{folder / f"in{n}"}')
         params.append(str(address))
      else:
         params.append(str(param[1]))
   groups = ','.join(map(str, kernel.workgroups))
   done = subprocess.run([heddle, 'run', f'--groups={groups}', str(ROOT / 'tests' / 'kernels' / f'{kernel.name}.hd'), *operands,
                          'params=u64:' + ','.join(params)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         check=False)
   if done.returncode:
      return done.stdout
   return {n: (folder / f'out{n}').read_bytes() for n, p in enumerate(kernel.params) if isinstance(p, bytes)}


def check_kernel(tap, ocloc, heddle, tool, name):
   kernel = kernels.Kernel(name)
   with tempfile.TemporaryDirectory() as scratch:
      folder = pathlib.Path(scratch)
      code = Code(ocloc, kernel, scratch)
      if not tap.check(f'{name}: compiled', code.good, code.message):
         return
      expected = run_interpreter(heddle, kernel, folder)
      if not tap.check(f'{name}: interpreted', isinstance(expected, dict), expected):
         return
      done, got = run_simulator(tool, code, kernel, folder)
      if not tap.check(f'{name}: {done.stdout.strip()} of {code.lanes} lanes', done.returncode == 0, done.stderr):
         return
      bad = [f'parameter {n}, byte {next(k for k in range(len(expected[n])) if got[n][k] != expected[n][k])}'
             for n in expected if got[n] != expected[n]]
      tap.check(f'{name}: results', not bad, '\n'.join(bad))


def main():
   ocloc, heddle, tool, *names = sys.argv[1:]
   seed, share = int(os.environ.get('HD_TEST_SEED', '20261'), 0), int(os.environ.get('HD_GEN9_SHARE', '6'))
   print(f'# HD_TEST_SEED={seed} HD_GEN9_SHARE={share}')
   rng, tap = random.Random(seed), Tap()
   fit = [name for name in kernels.names()
          if name not in NOT_HERE and not LEFT_OUT.search(pathlib.Path(kernels.FOLDER, f'{name}.cl').read_text(encoding='utf-8'))]
   for name in names or [n for n in fit if rng.randrange(share) == 0] or fit[:1]:
      check_kernel(tap, ocloc, heddle, tool, name)
   tap.finish()


if __name__ == '__main__':
   main()
