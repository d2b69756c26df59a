#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code for Gen9 beside that of Intel's OpenCL compiler: instructions, bytes, instructions that manage lanes, and the time of both
commands, on the kernels. Intel's is told to make SIMD8, too, and to be as exact: no contraction, correctly rounded
quotients and roots.

    gen9_ocloc.py HEDDLE [KERNEL...]

Kernels that either refuses are left out and counted.
"""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kernels  # noqa: E402
from tables import table  # noqa: E402

# What kernels/kernel.h is in OpenCL with its library.
HEADER = """
#pragma OPENCL FP_CONTRACT OFF
#define LANES __attribute__((intel_reqd_sub_group_size(8)))
#define KERNEL(size)  LANES __attribute__((reqd_work_group_size(size, 1, 1))) __kernel void
#define KERNEL2(x, y) LANES __attribute__((reqd_work_group_size(x, y, 1))) __kernel void
#define INLINE static __attribute__((always_inline))
#define local_id   ((uint)get_local_id(0))
#define local_id_y ((uint)get_local_id(1))
#define group_id   ((uint)get_group_id(0))
#define group_id_y ((uint)get_group_id(1))
#define sin_turns(x) sin((x) * 6.2831853f)
#define cos_turns(x) cos((x) * 6.2831853f)
#define rotl(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define barrier()  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
"""
OPTIONS = '-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt'
LANES = re.compile(r'\b(if|else|endif|while|break|cont|halt|join|goto|jmpi|brd|brc|call|ret)(\.b)? \(|\bjmpi ')
TIMES = 3  # of which the least counts


def timed(command, folder=None):
   """The output, or None; and the seconds."""
   begin = time.perf_counter()
   done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
   seconds = time.perf_counter() - begin
   return (done.stdout if done.returncode == 0 else None), seconds


def measure(lines):
   """Instructions, bytes, and instructions that manage lanes."""
   return (len(lines), sum(8 if 'Compacted' in line else 16 for line in lines),
           sum(bool(LANES.search(line)) for line in lines))


def ours(heddle, name):
   command = [heddle, 'compile', '--target=gen9', os.path.join(kernels.KEPT, f'{name}.hd')]
   runs = [timed(command) for _ in range(TIMES)]
   if runs[0][0] is None:
      return None
   lines = [line for line in runs[0][0].splitlines() if line.startswith(' ')]
   return (*measure(lines), min(seconds for _, seconds in runs))


def intels(name, folder):
   with open(os.path.join(kernels.FOLDER, f'{name}.cl'), encoding='utf-8') as file:
      pathlib.Path(folder, 'kernel.cl').write_text(HEADER + file.read(), encoding='utf-8')
   command = ['ocloc', 'compile', '-q', '-file', 'kernel.cl', '-device', 'skl', '-options', OPTIONS, '-output', 'kernel']
   runs = [timed(command, folder) for _ in range(TIMES)]
   binaries = list(pathlib.Path(folder).glob('kernel*.bin'))
   if runs[0][0] is None or not binaries:
      return None
   timed(['ocloc', 'disasm', '-file', binaries[0].name, '-device', 'skl', '-dump', 'dump'], folder)
   heaps = sorted(pathlib.Path(folder, 'dump').glob('*_KernelHeap.dat'))
   text, _ = timed(['iga64', '-d', '-p=9', str(heaps[0])])
   lines = [line for line in text.splitlines() if line.strip() and not re.match(r'L\d+:', line)]
   end = max(n for n, line in enumerate(lines) if 'EOT' in line)
   return (*measure(lines[:end + 1]), min(seconds for _, seconds in runs))


def report_all(heddle, only=None):
   rows, left_out = [], []
   for name in only or kernels.names():
      with tempfile.TemporaryDirectory() as folder:
         own = ours(heddle, name)
         other = intels(name, folder) if own else None
      if not own or not other:
         left_out.append(name)
         continue
      rows.append({'kernel': name, **dict(zip(('instructions', 'bytes', 'lanes', 'seconds'), own)),
                   **dict(zip(('ocloc_instructions', 'ocloc_bytes', 'ocloc_lanes', 'ocloc_seconds'), other))})
   return rows, left_out


def mean(rows, key):
   """Of the quotients, the geometric one."""
   return math.exp(sum(math.log(r[key] / r[f'ocloc_{key}']) for r in rows) / len(rows))


def tell(rows, left_out):
   if not rows:
      print(f"no kernels, {len(left_out)} left out ({', '.join(left_out)})")
      return
   table(['kernel', 'instructions', 'ocloc', 'bytes', 'ocloc', 'for lanes', 'ocloc', 'ms', 'ocloc'],
         [[r['kernel'], *(str(r[f'{k}{key}']) for key in ('instructions', 'bytes', 'lanes') for k in ('', 'ocloc_')),
           f"{1000 * r['seconds']:.0f}", f"{1000 * r['ocloc_seconds']:.0f}"] for r in rows])
   lanes, others = (sum(r[f'{k}lanes'] for r in rows) for k in ('', 'ocloc_'))
   print(f"{len(rows)} kernels, {len(left_out)} left out ({', '.join(left_out)})")
   print(f"instructions: {mean(rows, 'instructions'):.2f} times ocloc's in the mean (goal: 1.00); "
         f"bytes: {mean(rows, 'bytes'):.2f} times")
   quotient = f'{lanes / others:.2f} times' if others else 'no quotient'
   print(f'that manage lanes: {lanes}, ocloc {others}: {quotient} (goal: 0.90)')
   print(f"the command: ocloc's takes {1 / mean(rows, 'seconds'):.1f} times as long (goal: 20)")


def report(heddle):
   title = "Gen9 beside Intel's compiler"
   if not shutil.which('ocloc') or not shutil.which('iga64'):
      print(f'{title}\n\nSKIP: ocloc or iga64 is not installed (packages intel-opencl-icd and libigc-tools)\n')
      return [], 0
   return kernels.report(title, heddle, report_all, tell)


if __name__ == '__main__':
   sys.exit(kernels.tell_of(__doc__, report_all, tell))
