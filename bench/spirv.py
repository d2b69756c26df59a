#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SPIR-V to machine code, beside ACO and LLVM: how much code there is and how long it takes to make.

    spirv.py FOLDER [--only NAME,...] [--quick] [--keep FOLDER] [--json FILE]

Each compute shader of tests/spirv/corpus is compiled for gfx900 from the same SPIR-V twice, in process: by
hd_spirv_to_shader and hd_gcn_compile, and by RADV for a chip that is not there. OpenCL kernels stand beside clang 19
for amdgcn, from the same source with the built-in functions of libclc. What the code has is counted from the
assembly of both in the same way; registers are rounded up to what the machine gives. Times are CPU time of the
fastest of some rounds. Reading alone stands beside SPIRV-Tools' validator on the same words.

FOLDER is the bench's part of the build folder.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'tests', 'spirv'), os.path.join(HERE, '..', 'scripts')]
import cases  # noqa: E402
import judges  # noqa: E402
import llvm_programs  # noqa: E402
from spirv_reasons import REASONS  # noqa: E402
from tables import geometric_mean, table  # noqa: E402

QUICK = ['flow_nested_loops', 'shared_reduce', 'algo_blur', 'cl_goto']
COUNTED = ('instructions', 'exec', 'branches', 'code')
GOALS = {'instructions': 1.0, 'exec': 0.8, 'time': 0.5}
MUCH = 1.1
# Nanoseconds an instruction of SPIR-V: half of what Mesa's reader takes.
READING = 132
LIBCLC = llvm_programs.libclc('amdgcn--amdhsa')


def count(text):
   """What assembly consists of; the padding at its end is not code."""
   lines = [line.split(';')[0].split('//')[0].strip() for line in text.splitlines()
            if re.match(r'\s+[sv]_|\s+(ds|buffer|global|flat|scratch|tbuffer|image)_|\s+exp\b', line)]
   while lines and lines[-1].split()[0] in ('s_nop', 's_code_end'):
      lines.pop()
   return {
       'instructions': len(lines),
       'exec': sum(bool(re.search(r'\bexec|execn?z|saveexec|v_cmpx', line)) for line in lines),
       'exec writes': sum(bool(re.match(r'\S+ exec\b|.*saveexec|v_cmpx', line)) for line in lines),
       'branches': sum(bool(re.match(r's_c?branch', line)) for line in lines),
   }


def round_up(n, step):
   return -(-n // step) * step


class Own:
   def __init__(self, folder, seconds, scratch):
      self.program = os.path.join(folder, 'spirv_compile')
      self.seconds, self.scratch = seconds, scratch

   def measure(self, key, case, path):
      """What it takes and makes, or the words of what is wrong."""
      text = os.path.join(self.scratch, f'{key}.own.s')
      words = [self.program, f'--seconds={self.seconds}', f'--text={text}', path]
      words += [f'--spec={number}:{segment.bytes({}).hex()}' for number, segment in case.specs]
      if case.entry:
         words.append(f'--entry={case.entry}')
      try:
         done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
      except subprocess.TimeoutExpired:
         return 'takes more than 120 seconds'
      if done.returncode:
         return f'ended with {done.returncode}: {done.stderr.strip().splitlines()[-1:]}'
      row = json.loads(done.stdout)
      if 'error' in row:
         return row['error']
      row.update(count(judges.read(text).decode()))
      return row


class Aco:
   """RADV on no hardware: {key: row, or words}."""

   name = 'ACO'

   def __init__(self, host, seconds, scratch):
      self.driver = judges.radv(host)
      self.seconds, self.scratch = seconds, scratch

   def measure(self, pairs):
      found = {}
      for key, row in self.driver.statistics(pairs, os.path.join(self.scratch, 'aco'), self.seconds).items():
         if 'error' in row:
            found[key] = row['error']
            continue
         counted = count(row['assembly'])
         found[key] = {**counted, 'ns': row['ns'], 'code': row['code_size'], 'sgprs': row['sgprs'],
                       'vgprs': row['vgprs']}
      return found


class Clang:
   """clang 19 for amdgcn with libclc; times are of LLVM's passes and code generation alone."""

   name = 'LLVM'

   def __init__(self, folder, seconds, scratch):
      self.clang, self.objdump, self.readelf = (llvm_programs.find(t) for t in ('clang', 'llvm-objdump', 'llvm-readelf'))
      self.timer = os.path.join(folder, 'llvm_optimize')
      self.seconds, self.scratch = seconds, scratch
      if not self.clang or not self.objdump or not self.readelf or not LIBCLC:
         raise judges.Unable('clang, llvm and libclc are needed')

   def one(self, key, case):
      base = os.path.join(self.scratch, f'{key}.llvm')
      common = [self.clang, '-w', '-x', 'cl', '-target', 'amdgcn-amd-amdhsa', '-mcpu=gfx900', '-nogpulib', '-cl-std=CL2.0',
                '-Xclang', '-finclude-default-header', '-Xclang', '-mlink-builtin-bitcode', '-Xclang', LIBCLC, *case.flags]
      cases.run([*common, '-O2', '-c', '-o', f'{base}.o', case.path])
      cases.run([*common, '-O2', '-Xclang', '-disable-llvm-passes', '-S', '-emit-llvm', '-o', f'{base}.ll', case.path])
      text = cases.run([self.objdump, '-d', '--mcpu=gfx900', f'{base}.o'])
      notes = cases.run([self.readelf, '--notes', f'{base}.o'])
      timed = json.loads(cases.run([self.timer, f'--seconds={self.seconds}', f'--object={base}.timed.o', f'{base}.ll']))
      sizes = [4 * len(m[1].split()) for m in re.finditer(r'// [0-9A-F]+: ((?:[0-9A-F]{8} ?)+)', text)]
      return {**count(text), 'ns': timed['ns'], 'code': sum(sizes),
              'sgprs': int(re.search(r'\.sgpr_count:\s*(\d+)', notes)[1]),
              'vgprs': int(re.search(r'\.vgpr_count:\s*(\d+)', notes)[1])}

   def measure(self, pairs):
      found = {}
      for key, case, _ in pairs:
         try:
            found[key] = self.one(key, case)
         except cases.Failed as error:
            found[key] = str(error).splitlines()[-1]
      return found


def compare(title, peer, pairs, own):
   """A table of both, sums, and what misses its goal. Returns the rows and how many are wrong."""
   other = peer.measure(pairs)
   name = peer.name
   rows, worse, faults, alone, results = [], [], [], [], []
   sums = {k: [0, 0] for k in (*COUNTED, 'ns')}
   times = []
   for key, case, path in pairs:
      ours, theirs = own.measure(key, case, path), other.get(key, 'no answer')
      results.append({'name': key, 'own': ours, name: theirs})
      if isinstance(ours, str):
         faults.append(f'{key}: {ours}')
      if isinstance(theirs, str):
         alone.append(f'{key}: {theirs[:90]}')
      if isinstance(ours, str) or isinstance(theirs, str):
         continue
      for k in sums:
         sums[k][0] += ours[k]
         sums[k][1] += theirs[k]
      ratio = ours['instructions'] / theirs['instructions']
      times.append(ours['ns'] / theirs['ns'])
      if ratio > MUCH:
         worse.append((ratio, key, ours['instructions'], theirs['instructions']))
      registers = [round_up(n, step) for step, r in ((16, 'sgprs'), (4, 'vgprs')) for n in (ours[r], theirs[r])]
      rows.append([key, *(n for k in COUNTED for n in (ours[k], theirs[k])), f'{ratio:.2f}', *registers,
                   f"{ours['ns'] / 1e6:.3f}", f"{theirs['ns'] / 1e6:.3f}", f"{theirs['ns'] / ours['ns']:.1f}x"])
   print(f'{title}\n')
   both = [(r['own'], r[name]) for r in results if isinstance(r['own'], dict) and isinstance(r[name], dict)]
   if rows:
      ratios = {k: sums[k][0] / max(1, sums[k][1]) for k in sums}
      rows.append([f'sum of {len(rows)}', *(n for k in COUNTED for n in sums[k]), f"{ratios['instructions']:.2f}", '', '',
                   '', '', f"{sums['ns'][0] / 1e6:.1f}", f"{sums['ns'][1] / 1e6:.1f}", f"{1 / ratios['ns']:.1f}x"])
      table(['', *(h for k in COUNTED for h in (k, name)), 'ratio', 'SGPRs', name, 'VGPRs', name, 'ms', name, 'faster'],
            [[str(cell) for cell in row] for row in rows])
      figures = {'instructions': ratios['instructions'], 'exec': ratios['exec'], 'time': ratios['ns']}
      words = {'instructions': 'of the instructions', 'exec': 'of those that touch exec', 'time': 'of the time'}
      for k, goal in GOALS.items():
         print(f"{'met' if figures[k] <= goal else 'missed'}: {figures[k]:.2f} {words[k]} of {name} in sum, goal {goal}")
      print(f"in the geometric mean: {geometric_mean(a['instructions'] / b['instructions'] for a, b in both):.2f} of the"
            f' instructions, {geometric_mean(times):.2f} of the time')
      # A loop that one unrolls and the other keeps says little about either's code.
      alike = [(a, b) for a, b in both if 0.5 < a['instructions'] / b['instructions'] < 2]
      part = {k: sum(a[k] for a, _ in alike) / max(1, sum(b[k] for _, b in alike)) for k in ('instructions', 'exec', 'ns')}
      print(f"the {len(alike)} where neither has twice the other's code: {part['instructions']:.2f} of the instructions,"
            f" {part['exec']:.2f} of those that touch exec, {part['ns']:.2f} of the time")
   if worse:
      print(f'{name} is more than 10 % better on {len(worse)}:')
      for _, key, ours, theirs in sorted(worse, reverse=True):
         print(f"   {key}: {ours} and {theirs}; {REASONS.get(key.split('.')[0], 'why was not looked into')}")
   for line in alone:
      print(f'{name} cannot: {line}')
   for line in faults:
      print(f'WRONG: {line}')
   print()
   return results, len(faults)


def count_instructions(path):
   """Of a module."""
   data, at, count = judges.read(path), 20, 0
   while at < len(data):
      at += 4 * max(1, int.from_bytes(data[at + 2:at + 4], 'little'))
      count += 1
   return count


def reading(folder, pairs, own, seconds):
   """The reader's speed, beside the validator's of SPIRV-Tools on the same modules."""
   validator = os.path.join(folder, 'spirv_val')
   if not os.path.exists(validator):
      print('SPIRV-Tools was not there when this was built: nothing to read beside\n')
      return
   words = ours = theirs = instructions = 0
   for key, case, path in pairs:
      row = own.measure(key, case, path)
      done = subprocess.run([validator, f'--seconds={seconds}', path], stdout=subprocess.PIPE, text=True, check=False)
      if isinstance(row, str) or done.returncode:
         continue
      words += row['words']
      instructions += count_instructions(path)
      ours += row['read ns']
      theirs += json.loads(done.stdout)['ns']
   if words:
      print(f"Reading {words:,} words: {words / ours * 1e3:.1f} million words a second, {ours / words:.1f} ns a word; the"
            f" validator of SPIRV-Tools {words / theirs * 1e3:.1f} million: {theirs / ours:.1f} times as fast"
            f" ({'met' if ours <= theirs else 'missed'}, goal 1)")
      each = ours / instructions
      print(f"{each:.1f} ns for each of {instructions:,} instructions ({'met' if each <= READING else 'missed'}, goal"
            f' {READING}: half of what Mesa takes)\n')


def report_all(programs, seconds=0.03, only=None, keep=None):
   """PROGRAMS is the bench's part of the build folder. The raw figures, and how many faults there were."""
   missing = cases.missing_tools()
   if missing:
      print(f"SPIR-V: not installed: {', '.join(missing)}\n")
      return [], 0
   host = os.path.join(programs, '..', 'tests', 'spirv', 'host', 'vulkan_host')
   results, faults = {}, 0
   with tempfile.TemporaryDirectory() as scratch:
      folder = keep or scratch
      os.makedirs(folder, exist_ok=True)
      own = Own(programs, seconds, folder)
      chosen = [c for c in cases.all_cases(only, 'none') if not c.is_graphics]
      pairs = [(c.file, c, cases.compile_case(c, cases.variants(c)[-1], folder)) for c in chosen]
      shaders, kernels = ([p for p in pairs if p[1].is_kernel == kernel] for kernel in (False, True))
      for title, make, chosen in (
            ('Compute shaders to gfx900, beside ACO, from the same SPIR-V', lambda: Aco(host, seconds, folder), shaders),
            ('OpenCL kernels to gfx900, beside clang 19', lambda: Clang(programs, seconds, folder),
             [p for p in kernels if p[1].kind == '.cl'])):
         try:
            results[title], wrong = compare(title, make(), chosen, own)
            faults += wrong
         except judges.Unable as error:
            print(f'{title}: {error}\n')
      reading(programs, pairs, own, seconds)
   return results, faults


def tell_of(doc, report, quick, seconds):
   """The command line of a report: FOLDER [--only=NAME,...] [--quick] [--keep=FOLDER] [--json=FILE]."""
   parser = argparse.ArgumentParser(description=doc.splitlines()[0])
   parser.add_argument('folder')
   parser.add_argument('--only')
   parser.add_argument('--quick', action='store_true')
   parser.add_argument('--keep')
   parser.add_argument('--json')
   args = parser.parse_args()
   only = args.only.split(',') if args.only else quick if args.quick else None
   results, _ = report(args.folder, 0.0 if args.quick else seconds, only, args.keep)
   if args.json:
      with open(args.json, 'w', encoding='utf-8') as file:
         json.dump(results, file, indent=1)


if __name__ == '__main__':
   tell_of(__doc__, report_all, QUICK, 0.03)
