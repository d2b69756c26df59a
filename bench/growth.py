#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How what passes do grows from 1,000 to 1,000,000 instructions.

    growth.py GROWTH GROWTH_COUNTED [--passes LIST] [--lowering LOWERING]
    growth.py GROWTH GROWTH_COUNTED --test [passes|machine] [--all]

A pass is measured alone, on each program as a front end leaves it, and at its places in the list of
passes, on what those before it leave. Twice: CPU time, which is what matters, but which also grows where
a cache no longer holds the program; and work (work.h), which is the same on each machine and in each run.
The exponent is that of a power through the work at all sizes from FIT_FROM on. n log n has 1.1 there.

The phases of compiling to machine code are measured in the same way, with both control-flow lowerings, and the most memory that
a compile had at once. There n is what goes in and what comes out, from MACHINE_FIT_FROM on: smaller programs do
not spill yet, and no branch of theirs is far.

--test judges each pass and each phase on each shape, on smaller programs; of the phases BEGINS says what comes in
between there. --all does so on the large ones without exceptions.
"""
import argparse
import json
import subprocess
import sys

from tables import geometric_mean, slope, table

ALONE = (1000, 8000, 32000)
COUNTED = (*ALONE, 128000)
TIMED = (1000, 32000, 250000, 1000000)
MACHINE_COUNTED = (8000, 32000, 100000)
MACHINE_TIMED = (1000, 32000, 100000)
LOWERINGS = ('tree', 'reconverging')
MACHINE_FIT_FROM = 32000
TESTED = (8000, 32000)
# What has not its full work at the first size that is tested: (phase, shape), and the exponent there.
BEGINS = {
    # what is live comes near what registers there are
    ('schedule', 'if nest'): 1.55, ('schedule', 'mesh'): 1.45, ('regalloc', 'mesh'): 1.25,
    # what is spilled is in scratch, no longer in lanes of vector registers
    ('lower_pseudo', 'variables'): 1.42, ('lower_pseudo', 'pressure'): 1.36,
    # loads of what was spilled are under way where loops are entered
    ('insert_waits', 'if nest'): 1.20, ('insert_waits', 'loop nest'): 1.35,
}
FIT_FROM = 8000
GOAL_EXPONENT = 1.15
MACHINE_GOAL = 1.13


def run(growth, *options):
   done = subprocess.run([growth, *options], stdout=subprocess.PIPE, text=True, check=True)
   return [json.loads(line) for line in done.stdout.splitlines()]


class Series:
   """The cost of one thing: points (size, instructions, cost) for each shape."""

   def __init__(self, fit_from=FIT_FROM, with_output=False):
      self.shapes = {}
      self.fit_from, self.with_output = fit_from, with_output

   def add(self, r, cost):
      num = r['instructions'] + (r['after'] if self.with_output else 0)
      self.shapes.setdefault(r['shape'], []).append((r['size'], num, cost))

   def exponent(self, shape):
      """Where the runner leaves a step out, because nothing has changed since it made no progress, it takes next to
      nothing: those sizes are no measure of what it takes at others.
      """
      least = self.each(shape) / 100
      points = [(instrs, cost) for size, instrs, cost in self.shapes[shape]
                if size >= self.fit_from and cost / instrs >= least]
      return slope(points) if len(points) > 1 else 0.0

   def grows_most(self):
      return max(self.shapes, key=self.exponent)

   def each(self, shape, size=None):
      """The cost of an instruction, at the largest size or at a given one."""
      costs = [cost / instrs for at, instrs, cost in self.shapes[shape] if size in (None, at)]
      return costs[-1] if costs else 0

   def mean(self, size=None):
      return geometric_mean([self.each(shape, size) for shape in self.shapes])

   def slowest(self):
      return max(self.shapes, key=self.each)


def gather(results, passes):
   """Of the passes alone, and of the steps of the list and all of it."""
   alone, steps = {}, {}
   for r in results:
      for name, cost in r['passes'].items():
         alone.setdefault(name, Series()).add(r, cost)
      for n, (name, cost) in enumerate(r.get('steps', ())):
         steps.setdefault(f'{n + 1}: {name}', Series()).add(r, cost)
      if 'list' in r:
         steps.setdefault(f'all of {passes}', Series()).add(r, r['list'])
   return alone, steps


def rows(times, work):
   made = []
   for name, series in times.items():
      slowest, most = series.slowest(), work[name].grows_most()
      last = series.shapes[slowest][-1]
      made.append([name, f'{series.mean(1000):.0f}', f'{series.mean():.0f}', f'{series.each(slowest):.0f}', slowest,
                   f'{last[2] / 1e9:.3f}', f'{work[name].mean():.0f}', f'n^{work[name].exponent(most):.2f}', most])
   # All of it comes last.
   return sorted(made, key=lambda r: r[0].startswith('all of'))


def misses(results, work, goal=lambda name, shape: GOAL_EXPONENT):
   for name, series in work.items():
      for shape, points in series.shapes.items():
         if series.exponent(shape) > goal(name, shape):
            yield (f'{name}, {shape}: work grows as n^{series.exponent(shape):.2f}: '
                   + ', '.join(f'{cost / instrs:,.0f} at {size:,}' for size, instrs, cost in points))
   for shape in dict.fromkeys(r['shape'] for r in results):
      tried = [r for r in results if r['shape'] == shape]
      if any('refused' in r for r in tried):
         yield f"all of it, {shape}: {next(r['size'] for r in tried if 'refused' in r):,} was refused"
      elif 'list' not in tried[-1]:
         yield f"all of it, {shape}: {tried[-1]['size']:,} was not tried, it would take too long"


def numbers(sizes):
   return ','.join(map(str, sizes))


def all_work(alone, steps):
   return {**{f'{name} alone': series for name, series in alone.items()}, **steps}


def report(growth, counted, passes='O2'):
   """All tables; the raw figures."""
   work_results = run(counted, f'--passes={passes}', f'--sizes={numbers(COUNTED)}', f'--alone={ALONE[-1]}')
   time_results = run(growth, f'--passes={passes}', f'--sizes={numbers(TIMED)}', f'--alone={ALONE[-1]}')
   work, times = gather(work_results, passes), gather(time_results, passes)
   print('Growth: nanoseconds of CPU time an instruction, means over all shapes at 1,000 instructions and at the most;'
         ' the shape\non which it is slowest, with seconds; work an instruction, and the shape on which it grows most\n')
   for n, (what, top) in enumerate((('alone', ALONE[-1]), (f'in {passes}', TIMED[-1]))):
      table([f'{what}, up to {top:,}', 'ns at 1,000', 'at the most', 'worst', 'on', 'seconds', 'work', 'grows as', 'on'],
            rows(times[n], work[n]))
   found = list(misses(work_results + time_results, all_work(*work)))
   for line in found:
      print(f'missed: {line}')
   memory = max(((r['memory'] / r['instructions'], r['shape']) for r in time_results if r['size'] == TIMED[-1] and 'list' in r),
                default=(0, 'nothing'))
   print(f'Most memory at {TIMED[-1]:,}: {memory[0]:.0f} bytes an instruction, on {memory[1]}\n')
   return {'work': work_results, 'times': time_results}


def memory(results):
   """Bytes an instruction of the source, at the largest size of each shape."""
   last = {r['shape']: r['memory'] / r['instructions'] for r in results if 'list' in r}
   most = max(last, key=last.get)
   print(f'Memory of a compile: {geometric_mean(last.values()):.0f} bytes an instruction of the source in the mean,'
         f' at the most {last[most]:.0f}, on {most}\n')


def gather_phases(results, fit_from=MACHINE_FIT_FROM, with_output=True):
   phases = {}
   for r in results:
      for name, cost in (*r.get('steps', ()), *((('all of it', r['list']),) if 'list' in r else ())):
         phases.setdefault(name, Series(fit_from, with_output)).add(r, cost)
   return phases


def test_passes(counted, everything, passes='O2'):
   """Which passes grow too fast, a line each."""
   sizes = COUNTED if everything else TESTED
   results = run(counted, f'--passes={passes}', f'--sizes={numbers(sizes)}', f'--alone={ALONE[-1]}')
   return list(misses(results, all_work(*gather(results, passes))))


def test_machine(counted, everything):
   """Which phases grow too fast, a line each."""
   found = []
   sizes = MACHINE_COUNTED[-2:] if everything else TESTED
   for lowering in LOWERINGS:
      results = run(counted, f'--lowering={lowering}', f'--sizes={numbers(sizes)}')
      found += [f'{lowering}: {line}' for line in
                misses(results, gather_phases(results, sizes[0]),
                       lambda name, shape: MACHINE_GOAL if everything else BEGINS.get((name, shape), GOAL_EXPONENT))]
   return found


def report_machine(growth, counted, lowering):
   work_results = run(counted, f'--lowering={lowering}', f'--sizes={numbers(MACHINE_COUNTED)}')
   time_results = run(growth, f'--lowering={lowering}', f'--sizes={numbers(MACHINE_TIMED)}')
   work, times = gather_phases(work_results), gather_phases(time_results, with_output=False)
   print(f'Growth of compiling to machine code, lowering {lowering}: as above, for its phases\n')
   table([f'up to {MACHINE_TIMED[-1]:,}', 'ns at 1,000', 'at the most', 'worst', 'on', 'seconds', 'work', 'grows as', 'on'],
         rows(times, work))
   found = list(misses(work_results + time_results, work, lambda name, shape: MACHINE_GOAL))
   for line in found:
      print(f'missed: {line}')
   if not found:
      print(f'met: no phase grows by more than n^{MACHINE_GOAL}')
   memory(time_results)
   return {'work': work_results, 'times': time_results}


def report_all(growth, counted):
   return {'passes': report(growth, counted), **{lowering: report_machine(growth, counted, lowering) for lowering in LOWERINGS}}


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('growth')
   parser.add_argument('counted')
   parser.add_argument('--passes', default='O2')
   parser.add_argument('--lowering', choices=LOWERINGS, help='machine code by this lowering instead of passes')
   parser.add_argument('--test', nargs='?', choices=('passes', 'machine', 'both'), const='both',
                       help='judge passes, or phases of machine code, on small programs')
   parser.add_argument('--all', action='store_true', help='on large ones')
   args = parser.parse_args()
   if args.test:
      found = []
      if args.test != 'machine':
         found += test_passes(args.counted, args.all, args.passes)
      if args.test != 'passes':
         found += test_machine(args.counted, args.all)
      print('\n'.join(found) or 'met')
      return 1 if found else 0
   if args.lowering:
      report_machine(args.growth, args.counted, args.lowering)
   else:
      report(args.growth, args.counted, args.passes)
   return 0


if __name__ == '__main__':
   sys.exit(main())
