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
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kernels  # noqa: E402
import peer_llvm  # noqa: E402
from llvm_ir import Unsupported  # noqa: E402
from tables import geometric_mean, table  # noqa: E402

QUICK = ['base64', 'sort_network', 'collatz', 'life']
COUNTED = ('instructions', 'exec', 'branches', 'salu', 'valu', 'code', 'sgprs', 'vgprs')
GOAL_TIMES = 10.0


class Tools:
   def __init__(self, folder, seconds, passes):
      self.compile = os.path.join(folder, 'bench', 'gcn_compile')
      self.llvm = os.path.join(folder, 'bench', 'llvm_optimize')
      self.heddle = os.path.join(folder, 'tools', 'heddle')
      self.objdump, self.readelf = (peer_llvm.find(t) for t in ('llvm-objdump', 'llvm-readelf'))
      self.seconds, self.passes = seconds, passes

   def own(self, source, output):
      passes = [f'--passes={self.passes}'] if self.passes else []
      done = subprocess.run([self.compile, *passes, f'--seconds={self.seconds}', f'--object={output}', source],
                            stdout=subprocess.PIPE, text=True, check=True)
      return json.loads(done.stdout)

   def peer(self, source, output):
      done = subprocess.run([self.llvm, f'--seconds={self.seconds}', f'--object={output}', source],
                            stdout=subprocess.PIPE, text=True, check=True, timeout=60,
                            env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'})
      return json.loads(done.stdout)['ns']

   def count(self, path):
      """What an object's code consists of, as the disassembler shows it, and its registers."""
      text = subprocess.run([self.objdump, '-d', '--mcpu=gfx900', path], stdout=subprocess.PIPE, text=True,
                            check=True).stdout
      lines = [found[1] for line in text.splitlines()
               if (found := re.match(r'\t(\S.*?)\s*// ([0-9A-F]+):', line))]
      # What pads the end is never run.
      while lines and lines[-1].split()[0] in ('s_nop', 's_code_end'):
         lines.pop()
      sizes = [len(line.split('//')[1].split(':')[1].split()) * 4 for line in text.splitlines()
               if re.match(r'\t(\S.*?)\s*// ([0-9A-F]+):', line)][:len(lines)]
      notes = subprocess.run([self.readelf, '--notes', path], stdout=subprocess.PIPE, text=True, check=True).stdout
      return {
          'instructions': len(lines),
          'exec': sum(bool(re.search(r'\bexec|execn?z|saveexec|v_cmpx', line)) for line in lines),
          'branches': sum(bool(re.match(r's_c?branch', line)) for line in lines),
          'salu': sum(line.startswith('s_') and not re.match(r's_(load|buffer|store|dcache|c?branch|waitcnt|nop|endpgm)', line)
                      for line in lines),
          'valu': sum(line.startswith('v_') for line in lines),
          'code': sum(sizes),
          'sgprs': int(re.search(r'\.sgpr_count:\s*(\d+)', notes)[1]),
          'vgprs': int(re.search(r'\.vgpr_count:\s*(\d+)', notes)[1]),
      }

   def run(self, kernel, path, base):
      """Figures of a run in the simulator, and the memory in the end."""
      arguments, outputs = [], []
      for n, param in enumerate(kernel.params):
         if isinstance(param, bytes):
            with open(f'{base}.in{n}', 'wb') as file:
               file.write(param)
            arguments.append(f'p{n}@{base}.out{n}=@{base}.in{n}')
            outputs.append(f'{base}.out{n}')
         else:
            arguments.append(f'u{param[0]}:{param[1]}')
      size = ','.join(map(str, kernel.workgroup))
      groups = ','.join(map(str, kernel.workgroups))
      done = subprocess.run([self.heddle, 'run', '--json', '--stats', f'--groups={groups}', f'--group-size={size}', path,
                             *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
      if done.returncode:
         raise Wrong(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f'exit {done.returncode}')
      memory = []
      for output in outputs:
         with open(output, 'rb') as file:
            memory.append(file.read())
      return json.loads(done.stdout.strip().splitlines()[-1]), memory


class Wrong(Exception):
   pass


def measure(tools, name, folder):
   kernel = kernels.Kernel(name)
   base = os.path.join(folder, name)
   row = {'name': name, 'fault': None, 'ran': False}
   try:
      kernel.compile(f'{base}.ll')
      data = kernel.convert(f'{base}.ll', f'{base}.hd')
      row['own'] = tools.own(f'{base}.hd', f'{base}.own.o')
      row['llvm ns'] = tools.peer(f'{base}.ll', f'{base}.llvm.o')
      row['own code'] = tools.count(f'{base}.own.o')
      row['llvm code'] = tools.count(f'{base}.llvm.o')
      # A constant table lies in LLVM's object; in Heddle's form it is memory of the host's.
      if not data:
         row['own run'], own = tools.run(kernel, f'{base}.own.o', f'{base}.own')
         try:
            row['llvm run'], llvm = tools.run(kernel, f'{base}.llvm.o', f'{base}.llvm')
         except Wrong as error:
            raise Wrong(f"LLVM's: {error}") from error
         row['ran'] = True
         if own != llvm:
            row['fault'] = 'other memory than from what LLVM compiled'
   except Unsupported as error:
      row['fault'] = str(error)
   except Wrong as error:
      row['fault'] = str(error)
   except subprocess.CalledProcessError as error:
      row['fault'] = f'{os.path.basename(error.cmd[0])} ended with {error.returncode}'
   return row


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
   for fault in faults:
      print(f'WRONG: {fault}')
   return results, faults


def report_all(programs, passes=None, seconds=0.05, only=None, keep=None):
   """PROGRAMS is the bench's part of the build folder. The raw figures, and how many faults there were."""
   tools = Tools(os.path.dirname(os.path.abspath(programs)), seconds, passes)
   if not kernels.clang() or not tools.objdump or not tools.readelf:
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
