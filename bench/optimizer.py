#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The optimiser beside LLVM's: how long it takes, and what it makes.

    optimizer.py FOLDER [--passes LIST] [--quick] [--only NAME,...] [--keep FOLDER]

Each kernel is compiled without optimisation. What comes out goes to two places: converted to Heddle's
form, through our passes; and through LLVM's -O2, then converted as well. Times are those of the passes
alone, inside of one process each, the fastest of some runs on a copy. Both results, and the program
as it was, run on one interpreter; the memory in the end must be the same, and operations are
counted as optimize.c tells.

Generated programs (growth_shapes.c) show how both grow with the size of a program. They are not run: what
is left of them is counted. What our passes leave is a tree, which the machine needs; LLVM's -O2 leaves that to
code generation. So where control flow is no tree to begin with, both also stand there with the same work: LLVM with
the passes that its code generation has for it, and ours without those that make a tree or need one.

PROGRAMS is the folder of optimize, llvm_optimize and write_programs.

What an address is made of is part of the converted form but hidden in LLVM's, where each
getelementptr would count as several instructions; so that this is not held against LLVM, our CSE and
DCE run over its converted result before it is counted.
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
import llvm_to_heddle  # noqa: E402
from llvm_ir import Unsupported  # noqa: E402
from tables import geometric_mean, table  # noqa: E402

AFTER_LLVM = 'opt_cse,opt_dce'
QUICK = ['scan_hillis', 'matmul_register', 'nbody', 'sort_network', 'crc_table']
LLVM_SECONDS = 20
# Both sides are timed so often, one after the other: a moment in which the machine is slow is nobody's. What takes
# longer than a second is timed once.
TURNS = 3
# What brings control flow to a form in which lanes can take it, and the shapes that are not in one.
LLVM_TO_TREE = 'default<O2>,function(lower-switch,fix-irreducible,unify-loop-exits,structurizecfg)'
NO_TREES = ('switch', 'exits', 'ladder')
# The passes of O2 that take graphs.
GRAPHS = ('opt_inline(remove=1),opt_vars_split,opt_vars_to_ssa,opt_sccp,opt_dead_cf,opt_algebraic,opt_vars_to_constants,'
          'opt_phi,opt_cse,opt_dce,opt_phi,opt_cse,opt_gcm,opt_algebraic,opt_cse,opt_dce')
# (instructions, shapes, or all of them)
GENERATED = [(1000, None), (10000, None), (100000, ('chain', 'stores', 'joins'))]
GOAL_TIMES = 10.0
GOAL_MEAN = 1.10
GOAL_WORST = 1.50


class Tools:
   def __init__(self, folder, passes, seconds):
      self.optimize, self.llvm_optimize, self.write_programs = (
          os.path.join(folder, name) for name in ('optimize', 'llvm_optimize', 'write_programs'))
      self.passes, self.seconds = passes, seconds

   def run(self, passes, path, *options):
      done = subprocess.run([self.optimize, f'--passes={passes}', *options, path], stdout=subprocess.PIPE, text=True,
                            check=True)
      return json.loads(done.stdout)

   def llvm(self, path, output, passes='default<O2>'):
      """Nanoseconds, or None where it takes too long."""
      try:
         done = subprocess.run([self.llvm_optimize, f'--seconds={self.seconds}', f'--output={output}',
                                f'--passes={passes}', path],
                               stdout=subprocess.PIPE, text=True, check=True, timeout=LLVM_SECONDS,
                               # What LLVM's library leaks is not ours to find.
                               env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'})
      except subprocess.TimeoutExpired:
         return None
      return json.loads(done.stdout)['ns']


def measure(tools, name, folder):
   """Everything about one kernel; `fault` says what went wrong."""
   kernel = kernels.Kernel(name)
   base = os.path.join(folder, name)
   row = {'name': name, 'fault': None}
   try:
      kernel.compile(f'{base}.ll')
      data = kernel.convert(f'{base}.ll', f'{base}.hd')
      if not kernel.is_kept(f'{base}.hd'):
         row['fault'] = f'tests/kernels/{name}.hd is another program: bench/kernels.py write tests/kernels'
         return row
      kernel.write_launch(f'{base}.launch', data)
      row['input'] = tools.run('', f'{base}.hd', f'--launch={base}.launch')
      row['own'] = tools.run(tools.passes, f'{base}.hd', f'--launch={base}.launch', f'--output={base}.own.hd',
                             f'--seconds={tools.seconds}')
      row['llvm ns'] = tools.llvm(f'{base}.ll', f'{base}.llvm.ll')
      data = kernel.convert(f'{base}.llvm.ll', f'{base}.llvm.raw.hd')
      kernel.write_launch(f'{base}.llvm.launch', data)
      row['llvm'] = tools.run(AFTER_LLVM, f'{base}.llvm.raw.hd', f'--launch={base}.llvm.launch',
                              f'--output={base}.llvm.hd')
   except Unsupported as error:
      row['fault'] = str(error)
      return row
   except subprocess.CalledProcessError as error:
      row['fault'] = f'{os.path.basename(error.cmd[0])} ended with {error.returncode}'
      return row
   # The memory of constants is compared with nothing: it may differ, and nobody can write it.
   memories = [row[k]['memory'][:sum(isinstance(p, bytes) for p in kernel.params)] for k in ('input', 'own', 'llvm')]
   for k, memory in zip(('input', 'own', 'llvm'), memories):
      if row[k]['ran'] != 'ok':
         row['fault'] = f'{k}: {row[k]["ran"]}'
      elif row[k]['undefined']:
         row['fault'] = f'{k}: {row[k]["undefined"]} bytes are undefined'
      elif memory != memories[0]:
         row['fault'] = f'{k}: other memory than before'
   return row


def ratio(a, b):
   return a / b if b else 1.0


def report(tools, only, folder):
   rows, faults = [], []
   figures = {'time': [], 'static': [], 'dynamic': []}
   results = []
   for name in only or kernels.names():
      row = measure(tools, name, folder)
      results.append(row)
      if row['fault']:
         faults.append(f"{name}: {row['fault']}")
         continue
      own, llvm = row['own'], row['llvm']
      size = row['input']['before']['instrs']
      row['time'] = ratio(row['llvm ns'], own['ns'])
      row['static'] = ratio(own['after']['ops'], llvm['after']['ops'])
      row['dynamic'] = ratio(own['lanes']['ops'], llvm['lanes']['ops'])
      for k, values in figures.items():
         values.append(row[k])
      rows.append([name, f'{size:,}', f"{own['ns'] / size:.0f}", f"{row['llvm ns'] / size:,.0f}", f"{row['time']:.1f}x",
                   f"{row['input']['before']['ops']:,}", f"{own['after']['ops']:,}", f"{llvm['after']['ops']:,}",
                   f"{row['static']:.2f}", f"{row['input']['lanes']['ops']:,}", f"{own['lanes']['ops']:,}",
                   f"{llvm['lanes']['ops']:,}", f"{row['dynamic']:.2f}",
                   f"{ratio(own['lanes']['branches'], llvm['lanes']['branches']):.2f}"])
   print(f'Passes {tools.passes} beside LLVM -O2: kernels\n')
   mean = {k: geometric_mean(v) for k, v in figures.items()}
   rows.append(['geometric mean', '', '', '', f"{mean['time']:.1f}x", '', '', '', f"{mean['static']:.2f}", '', '', '',
                f"{mean['dynamic']:.2f}", ''])
   table(['kernel', 'instructions', 'ns each', 'LLVM', 'faster', 'ops', 'left', 'LLVM', 'ratio', 'lane ops', 'after',
          'LLVM', 'ratio', 'branches'], rows)
   tell_goals(results, mean)
   for fault in faults:
      print(f'WRONG: {fault}')
   return results, len(faults)


def tell_goals(results, mean):
   for what, goal in (('static', GOAL_MEAN), ('dynamic', GOAL_MEAN)):
      if mean[what] > goal:
         print(f'missed: {what} ratio {mean[what]:.2f} in the mean, goal {goal}')
      for row in results:
         if row.get(what, 0) > GOAL_WORST:
            print(f"missed: {what} ratio {row[what]:.2f} of {row['name']}, goal {GOAL_WORST}")
   if mean['time'] < GOAL_TIMES:
      print(f"missed: {mean['time']:.1f} times as fast as LLVM in the mean, goal {GOAL_TIMES:.0f}")
   print()


def in_turns(tools, base):
   """Our result and LLVM's time, the best of each; None where LLVM takes too long."""
   own, llvm_ns = None, None
   for _ in range(TURNS):
      again = tools.run(tools.passes, f'{base}.hd', f'--seconds={tools.seconds}')
      if not own or again['ns'] < own['ns']:
         own = again
      ns = tools.llvm(f'{base}.ll', f'{base}.llvm.ll')
      if ns is None:
         return own, None
      llvm_ns = min(ns, llvm_ns or ns)
      if ns > 1e9:
         break
   return own, llvm_ns


def measure_generated(tools, name, folder):
   base = os.path.join(folder, name)
   row = {'name': name, 'left': None}
   row['own'], row['llvm ns'] = in_turns(tools, base)
   if name.rsplit('-', 1)[0] in NO_TREES:
      row['tree ns'] = tools.llvm(f'{base}.ll', '/dev/null', LLVM_TO_TREE)
      row['graph'] = tools.run(GRAPHS, f'{base}.hd', f'--seconds={tools.seconds}')
   if row['llvm ns']:
      try:
         with open(f'{base}.llvm.ll', encoding='utf-8') as file:
            text, _ = llvm_to_heddle.convert(file.read(), (64, 1, 1))
      except Unsupported as error:
         row['unread'] = str(error)
         return row
      with open(f'{base}.llvm.hd', 'w', encoding='utf-8') as file:
         file.write(text)
      row['left'] = tools.run(AFTER_LLVM, f'{base}.llvm.hd')['after']['ops']
   return row


def to_tree(row, ns):
   """How much faster than LLVM where it makes a tree, too."""
   if 'tree ns' not in row:
      return ''
   return f"{row['tree ns'] / ns:.1f}x" if row['tree ns'] else f'over {LLVM_SECONDS * 1e9 / ns:.0f}x'


def as_graphs(row):
   """How much faster than LLVM where neither makes a tree, and what is left beside what LLVM leaves."""
   if not row.get('graph') or not row['llvm ns']:
      return ''
   left = f", {row['graph']['after']['ops'] / row['left']:.2f}" if row['left'] else ''
   return f"{row['llvm ns'] / row['graph']['ns']:.1f}x{left}"


def generated(tools, folder, sizes):
   rows, times, left, results = [], [], [], []
   for size, shapes in sizes:
      done = subprocess.run([tools.write_programs, folder, 'growth', str(size)], stdout=subprocess.PIPE, text=True, check=True)
      for name in done.stdout.split():
         if shapes and name.rsplit('-', 1)[0] not in shapes:
            continue
         row = measure_generated(tools, name, folder)
         results.append(row)
         instrs, ns, ops = row['own']['before']['instrs'], row['own']['ns'], row['own']['after']['ops']
         cells = [name, f"{ns / instrs:.0f}"]
         if row['llvm ns']:
            times.append(row['llvm ns'] / ns)
            cells += [f"{row['llvm ns'] / instrs:,.0f}", f'{times[-1]:.1f}x']
         else:
            cells += [f'over {LLVM_SECONDS} s', f'over {LLVM_SECONDS * 1e9 / ns:.0f}x']
         cells += [to_tree(row, ns), as_graphs(row)]
         if row['left']:
            left.append(ops / row['left'])
         rows.append([*cells, f'{ops:,}', f"{row['left']:,}" if row['left'] else 'not read', f'{left[-1]:.2f}' if row['left'] else ''])
   if not results:
      return results
   print(f'Passes {tools.passes} beside LLVM -O2: generated programs\n')
   rows.append(['geometric mean', '', '', f'{geometric_mean(times):.1f}x', '', '', '', '', f'{geometric_mean(left):.2f}'])
   table(['shape and instructions', 'ns each', 'LLVM', 'faster', 'than to a tree', 'as graphs, left', 'ops left', 'LLVM',
          'ratio'], rows)
   slow = [r['name'] for r in results if r['llvm ns'] and r['llvm ns'] / r['own']['ns'] < GOAL_TIMES]
   if slow:
      print(f"missed: less than {GOAL_TIMES:.0f} times as fast as LLVM: {', '.join(slow)}\n")
   return results


def both(tools, only, folder, sizes):
   results, wrong = report(tools, only, folder)
   return {'kernels': results, 'generated': generated(tools, folder, sizes)}, wrong


def report_all(programs, passes='O2', seconds=0.1, only=None, keep=None, sizes=tuple(GENERATED)):
   """Everything; (figures, number of faults)."""
   if not llvm_programs.find('clang') or subprocess.run([os.path.join(programs, 'llvm_optimize')], stderr=subprocess.DEVNULL).returncode:
      print('clang or the library of LLVM 19 is not installed: nothing to compare with\n')
      return {}, 0
   tools = Tools(programs, passes, seconds)
   if keep:
      os.makedirs(keep, exist_ok=True)
      return both(tools, only, keep, sizes)
   with tempfile.TemporaryDirectory() as folder:
      return both(tools, only, folder, sizes)


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('programs')
   parser.add_argument('--passes', default='O2')
   parser.add_argument('--only', help='kernels by name, and no generated programs')
   parser.add_argument('--kernels', action='store_true', help='no generated programs')
   parser.add_argument('--quick', action='store_true', help='some kernels')
   parser.add_argument('--keep', help='leave all files in this folder')
   parser.add_argument('--seconds', type=float, default=0.1, help='for each time that is measured')
   args = parser.parse_args()
   only = args.only.split(',') if args.only else QUICK if args.quick else None
   sizes = [(300, ('chain', 'calls', 'switch'))] if args.quick else () if args.only or args.kernels else GENERATED
   _, wrong = report_all(args.programs, args.passes, 0 if args.quick else args.seconds, only, args.keep, sizes)
   return 1 if wrong else 0


if __name__ == '__main__':
   sys.exit(main())
