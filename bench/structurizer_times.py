# SPDX-License-Identifier: MIT
"""How the time of structurizers grows with the size of one shape, and LLVM's beside it.

Times are CPU seconds. Heddle's are those of the call alone, the fastest of some; LLVM's are those of
the whole tool less what it takes on the same file without a pass, and stop at a limit.
"""
import json
import os
import resource
import subprocess

import graphs
import programs
from tables import slope, table

# name: (what grows, how a graph of n is made, the size that must be within a second)
SHAPES = {
    'ladder': ('gotos that all cross', graphs.ladder, 10000),
    'crossing pairs': ('neighbours that overlap', graphs.crossing_pairs, 10000),
    'nest of loops': ('levels', graphs.nest, 10000),
    'nest of ifs': ('levels', graphs.nested_ifs, 10000),
    'many exits': ('ways out of one loop', graphs.many_exits, 10000),
    'tangle': ('blocks, densely irreducible', graphs.tangle, 10000),
    'switch': ('cases', graphs.wide_switch, 10000),
}
PASSES = ['structurize', 'reconverge', 'linearize', 'unstructure', 'divergence']
GOAL_SECONDS = 1.0
GOAL_EXPONENT = 1.25
SECONDS = 12  # for a call and what is around it
LLVM_SIZES = [200, 400]
LLVM_SECONDS = 5


def write(path, text):
   with open(path, 'w', encoding='utf-8') as file:
      file.write(text)


def run_limited(command, seconds, **more):
   """A finished process, or None where it takes longer than that. By the clock: a limit on CPU time
   would make the process's own clock coarse."""
   try:
      return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, timeout=seconds, **more)
   except subprocess.TimeoutExpired:
      return None


def time_heddle(tool, what, path):
   """Seconds, or None where it takes too long."""
   done = run_limited([tool, '--time', what, path], SECONDS, stdout=subprocess.PIPE, text=True)
   return json.loads(done.stdout)['ns'] / 1e9 if done else None


def cpu_seconds(command, limit):
   before = resource.getrusage(resource.RUSAGE_CHILDREN)
   if not run_limited(command, limit):
      return None
   after = resource.getrusage(resource.RUSAGE_CHILDREN)
   return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def time_llvm(opt, pipeline, path):
   command = [opt, '-mtriple=amdgcn-amd-amdhsa', '-disable-verify', '-disable-output', path]
   took = cpu_seconds([*command, f'-passes={pipeline}'], LLVM_SECONDS)
   start = cpu_seconds([*command, '-passes=no-op-module'], LLVM_SECONDS)
   return None if took is None or start is None else max(took - start, 1e-4)


def measure(tool, opt, pipeline, folder, make, full):
   """{pass: [(size, seconds or None)]}, with LLVM's under its own name."""
   path = os.path.join(folder, 'one.hd')
   result = {what: [] for what in [*PASSES, 'LLVM']}
   for size in (full // 8, full // 4, full // 2, full):
      program = programs.Program('f0', make(size))
      write(path, programs.heddle_shader([programs.small_function(program)]))
      for what in PASSES:
         # What took too long at one size is not tried at the next.
         if not result[what] or result[what][-1][1] is not None:
            result[what].append((size, time_heddle(tool, what, path)))
   path = os.path.join(folder, 'one.ll')
   for size in LLVM_SIZES if opt else []:
      write(path, programs.llvm_module([programs.llvm_function(programs.Program('f0', make(size)))]))
      result['LLVM'].append((size, time_llvm(opt, pipeline, path)))
      if result['LLVM'][-1][1] is None:
         break
   return result


def cell(points, size):
   """Seconds at this size, and the exponent over all of them."""
   known = [(n, s) for n, s in points if s is not None]
   at = dict(known).get(size)
   if at is None:
      return 'too long'
   return f'{at:.3f} n^{slope(known):.2f}' if len(known) > 1 else f'{at:.3f}'


def llvm_cell(points):
   known = [(n, s) for n, s in points if s is not None]
   if not known:
      return f'{points[0][0]}: over {LLVM_SECONDS} s' if points else ''
   size, seconds = known[-1]
   grows = f' n^{slope(known):.2f}' if len(known) > 1 else ''
   return f'{size}: {seconds:.3f}{grows}'


def report(tool, opt, pipeline, quick, folder):
   print('Structurizers: CPU seconds at this size, and the exponent with which time grows from an eighth of'
         ' it; LLVM at a smaller size\n')
   rows, missed, figures = [], [], {}
   for name, (what, make, full) in list(SHAPES.items())[:1 if quick else None]:
      size = full // 100 if quick else full
      result = measure(tool, None if quick else opt, pipeline, folder, make, size)
      figures[name] = result
      rows.append([f'{name}: {size:,} {what}', *(cell(result[p], size) for p in PASSES), llvm_cell(result['LLVM'])])
      for p in PASSES:
         known = [(n, s) for n, s in result[p] if s is not None]
         at = dict(known).get(size)
         if at is None or at > GOAL_SECONDS or at > 0.05 and slope(known) > GOAL_EXPONENT:
            missed.append(f'{name}, {p}: {cell(result[p], size)}')
   table(['', *PASSES, 'LLVM'], rows)
   if missed and not quick:
      print(f'Over {GOAL_SECONDS:.0f} s, or 0.05 s and n^{GOAL_EXPONENT}:')
      for line in missed:
         print(f'   {line}')
      print()
   return figures
