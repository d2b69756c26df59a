#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Machine code beside LLVM's: how long it takes to make, how much there is, and how many cycles it takes.

    gcn.py FOLDER [--only NAME,...] [--quick] [--passes LIST] [--keep FOLDER] [--json FILE]

Each kernel is compiled without optimisation. What comes out goes two ways: converted to Heddle's form
and through hd_gcn_compile; and through LLVM's -O2 passes and code generation for gfx900. Times are of
both in process, the fastest of some runs. Both objects are read by one disassembler, and what they have
is counted in the same way; both are run by our simulator, with the same arguments, and must leave the
same memory.

FOLDER is the build folder of the bench.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'scripts')]
import kernels  # noqa: E402
import llvm_programs  # noqa: E402
from gcn_object import Tools, Wrong, count, run  # noqa: E402
from llvm_ir import Unsupported  # noqa: E402
from tables import geometric_mean, table  # noqa: E402

QUICK = ['base64', 'sort_network', 'collatz', 'life']
COUNTED = ('instructions', 'exec', 'branches', 'salu', 'valu', 'code', 'sgprs', 'vgprs')
GOAL_TIMES = 10.0
# tests/backend/gcn/test_wrong_code.py proves it.
REASONS = {'word_count': 'lanes that leave a loop take its counter after it has counted for those that stay'}


def measure(tools, name, folder):
   kernel = kernels.Kernel(name)
   base = os.path.join(folder, name)
   row = {'name': name, 'fault': None, 'ran': False}
   try:
      kernel.compile(f'{base}.ll')
      data = kernel.convert(f'{base}.ll', f'{base}.hd')
      row['own'] = tools.own(f'{base}.hd', f'{base}.own.o')
      row['llvm ns'] = tools.peer(f'{base}.ll', f'{base}.llvm.o')
      row['own code'] = count(tools, f'{base}.own.o')
      row['llvm code'] = count(tools, f'{base}.llvm.o')
      # A constant table lies in LLVM's object; in Heddle's form it is memory of the host's.
      how = (kernel.workgroup, kernel.workgroups, kernel.params)
      if not data:
         row['own run'], own = run(tools, f'{base}.own.o', f'{base}.own', *how)
         try:
            row['llvm run'], llvm = run(tools, f'{base}.llvm.o', f'{base}.llvm', *how)
         except Wrong as error:
            raise Wrong(f"LLVM's: {error}") from error
         if own == llvm:
            row['ran'] = True
         elif own == interpreted(tools, kernel, base):
            row['llvm is wrong'] = True
         else:
            row['fault'] = 'other memory than the interpreter leaves'
   except Unsupported as error:
      row['fault'] = str(error)
   except Wrong as error:
      row['fault'] = str(error)
   except subprocess.CalledProcessError as error:
      row['fault'] = f'{os.path.basename(error.cmd[0])} ended with {error.returncode}'
   return row


def interpreted(tools, kernel, base):
   """The memory that the program leaves which was not optimised."""
   operands, numbers, outputs = [], [], []
   for n, param in enumerate(kernel.params):
      if isinstance(param, bytes):
         address, output = kernels.REGION + n * kernels.STEP, f'{base}.wave.out{n}'
         with open(f'{base}.wave.in{n}', 'wb') as file:
            file.write(param)
         operands.append(f'global@{address:#x}@{output}=@{base}.wave.in{n}')
         numbers.append(address)
         outputs.append(output)
      else:
         numbers.append(param[1])
   subprocess.run([tools.heddle, 'run', f'{base}.hd', '--groups', ','.join(map(str, kernel.workgroups)), *operands,
                   'params=u64:' + ','.join(map(str, numbers))], stdout=subprocess.DEVNULL, check=True)
   memory = []
   for output in outputs:
      with open(output, 'rb') as file:
         memory.append(file.read())
   return memory


def report(tools, only, folder):
   rows, faults, results = [], [], []
   ratios = {k: [] for k in ('time', 'instructions', 'code', 'sgprs', 'vgprs', 'cycles', 'issued')}
   totals = {k: [0, 0] for k in COUNTED}
   worse = []
   for name in only or kernels.names():
      row = measure(tools, name, folder)
      results.append(row)
      if row['fault']:
         faults.append(f"{name}: {row['fault']}")
         if 'llvm code' not in row:
            continue
      own, llvm = row['own code'], row['llvm code']
      for k in COUNTED:
         totals[k][0] += own[k]
         totals[k][1] += llvm[k]
      ratios['time'].append(row['llvm ns'] / row['own']['ns'])
      for k in ('instructions', 'code', 'sgprs', 'vgprs'):
         ratios[k].append(own[k] / max(1, llvm[k]))
      cycles = issued = ''
      if row['ran']:
         ratios['cycles'].append(row['own run']['cycles'] / row['llvm run']['cycles'])
         ratios['issued'].append(row['own run']['instructions'] / row['llvm run']['instructions'])
         cycles, issued = f"{ratios['cycles'][-1]:.2f}", f"{ratios['issued'][-1]:.2f}"
      if own['exec'] > llvm['exec']:
         worse.append(f"{name} ({own['exec']} and {llvm['exec']})")
      rows.append([name, f"{row['own']['ns'] / row['own']['instrs']:,.0f}", f"{row['llvm ns'] / row['own']['instrs']:,.0f}",
                   f"{ratios['time'][-1]:.1f}x", own['instructions'], llvm['instructions'],
                   f"{own['instructions'] / llvm['instructions']:.2f}", own['exec'], llvm['exec'], own['branches'],
                   llvm['branches'], own['vgprs'], llvm['vgprs'], own['sgprs'], llvm['sgprs'], issued, cycles])
   mean = {k: geometric_mean(v) if v else 0 for k, v in ratios.items()}
   print('Kernels to gfx900, beside LLVM -O2\n')
   rows.append(['mean, or sum', '', '', f"{mean['time']:.1f}x", totals['instructions'][0], totals['instructions'][1],
                f"{mean['instructions']:.2f}", totals['exec'][0], totals['exec'][1], totals['branches'][0],
                totals['branches'][1], f"{mean['vgprs']:.2f}", '', f"{mean['sgprs']:.2f}", '', f"{mean['issued']:.2f}",
                f"{mean['cycles']:.2f}"])
   rows = [[str(cell) for cell in row] for row in rows]
   table(['kernel', 'ns each', 'LLVM', 'faster', 'instrs', 'LLVM', 'ratio', 'exec', 'LLVM', 'branches', 'LLVM', 'VGPRs',
          'LLVM', 'SGPRs', 'LLVM', 'issued', 'cycles'], rows)
   print()
   missed = []
   if mean['time'] < GOAL_TIMES:
      missed.append(f"{mean['time']:.1f} times as fast as LLVM in the mean, goal {GOAL_TIMES:.0f}")
   for k, words in (('instructions', 'instructions'), ('cycles', 'cycles')):
      if mean[k] > 1.0:
         missed.append(f'{mean[k]:.2f} of the {words} of LLVM in the mean, goal 1')
   if totals['exec'][1] and totals['exec'][0] > 0.75 * totals['exec'][1]:
      missed.append(f"{totals['exec'][0] / totals['exec'][1]:.2f} of the instructions with exec, goal 0.75")
   if worse:
      missed.append('more instructions with exec than LLVM: ' + ', '.join(worse))
   for line in missed:
      print(f'missed: {line}')
   for row in results:
      if row.get('llvm is wrong'):
         print(f"LLVM's code is wrong for {row['name']}: {REASONS.get(row['name'], 'the interpreter leaves what ours does')}")
   for fault in faults:
      print(f'WRONG: {fault}')
   return results, faults


def report_all(programs, passes=None, seconds=0.05, only=None, keep=None):
   """PROGRAMS is the bench's part of the build folder. The raw figures, and how many faults there were."""
   tools = Tools(os.path.dirname(os.path.abspath(programs)), seconds, [f'--passes={passes}'] if passes else ())
   if not llvm_programs.find('clang') or not tools.complete():
      print('clang 19, llvm-objdump and llvm-readelf are needed: nothing is compared')
      return [], 0
   with tempfile.TemporaryDirectory() as scratch:
      folder = keep or scratch
      os.makedirs(folder, exist_ok=True)
      results, faults = report(tools, only, folder)
   return results, len(faults)


def main():
   parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
   parser.add_argument('folder')
   parser.add_argument('--only')
   parser.add_argument('--quick', action='store_true')
   parser.add_argument('--passes')
   parser.add_argument('--keep')
   parser.add_argument('--json')
   parser.add_argument('--seconds', type=float, default=0.2)
   options = parser.parse_args()
   only = options.only.split(',') if options.only else QUICK if options.quick else None
   results, faults = report_all(os.path.join(options.folder, 'bench'), options.passes,
                                0.01 if options.quick else options.seconds, only, options.keep)
   if options.json:
      with open(options.json, 'w', encoding='utf-8') as file:
         json.dump(results, file)
   return 1 if faults else 0


if __name__ == '__main__':
   sys.exit(main())
