#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heddle opt -O2 beside spirv-opt -O on the same modules: CPU time of the processes, and what is left of the code.

    spirv_opt.py HEDDLE [--scratch=FOLDER] [--rounds=N] [NAME...]

The modules are the cases of tests/spirv/corpus whose name contains a NAME; all by default. Both processes read SPIR-V;
spirv-opt writes SPIR-V, heddle its text. Times are CPU time, the mean of some rounds, less
what the process takes to start: sums say more than single modules, which take about a millisecond. Each counts instructions in its own form, so what is left is a share of what it had after
reading.
"""
import argparse
import os
import re
import resource
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(ROOT, 'tests', 'spirv')]
import cases  # noqa: E402
from tables import geometric_mean, table  # noqa: E402


def cpu_time(command, rounds):
   """The mean of some rounds, in seconds; None if it fails."""
   def spent():
      usage = resource.getrusage(resource.RUSAGE_CHILDREN)
      return usage.ru_utime + usage.ru_stime

   before = spent()
   for _ in range(rounds):
      done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=False)
      if done.returncode:
         return None
   return (spent() - before) / rounds


def spirv_instructions(path):
   """Instructions in functions, without labels, names and other declarations."""
   text = subprocess.run(['spirv-dis', '--raw-id', path], stdout=subprocess.PIPE, text=True, check=True).stdout
   body = text[text.find('OpFunction '):]
   return len(re.findall(r'^\s*(?:%\d+ = )?Op(?!Label|Function|Variable|Line|NoLine|SelectionMerge|LoopMerge)', body, re.M))


def heddle_instructions(tool, path):
   text = subprocess.run([tool, 'stats', '--json', path], stdout=subprocess.PIPE, text=True, check=True).stdout
   return int(re.search(r'"instructions":(\d+)', text)[1])


def main():
   parser = argparse.ArgumentParser(description='heddle opt -O2 beside spirv-opt -O')
   parser.add_argument('tool')
   parser.add_argument('names', nargs='*')
   parser.add_argument('--scratch', default=os.path.join(ROOT, 'build', 'spirv_opt'))
   parser.add_argument('--rounds', type=int, default=5)
   options = parser.parse_intermixed_args()
   os.makedirs(options.scratch, exist_ok=True)
   own, others = os.path.join(options.scratch, 'own.hd'), os.path.join(options.scratch, 'others.spv')
   start = cpu_time([options.tool, '--version'], 4 * options.rounds), cpu_time(['spirv-opt', '--version'], 4 * options.rounds)
   rows, times, left = [], [], []
   for case in filter(lambda c: not c.is_graphics, cases.all_cases(libraries='none')):
      if options.names and not any(name in case.name for name in options.names):
         continue
      for variant in cases.variants(case):
         path = cases.compile_case(case, variant, options.scratch)
         own_time = cpu_time([options.tool, 'opt', '-O2', '-o', own, path], options.rounds)
         other_time = cpu_time(['spirv-opt', '-O', path, '-o', others], options.rounds)
         if own_time is None or other_time is None:
            continue
         own_time, other_time = own_time - start[0], other_time - start[1]
         shares = (heddle_instructions(options.tool, own) / heddle_instructions(options.tool, path),
                   spirv_instructions(others) / spirv_instructions(path))
         times.append((own_time, other_time))
         left.append(shares)
         rows.append((os.path.basename(path), f'{own_time * 1e3:.1f}', f'{other_time * 1e3:.1f}',
                      f'{shares[0]:.0%}', f'{shares[1]:.0%}'))
   table(('module', 'heddle ms', 'spirv-opt ms', 'left', 'left'), rows)
   own_sum, other_sum = map(sum, zip(*times))
   print(f'{len(rows)} modules: heddle opt -O2 {own_sum * 1e3:.0f} ms, spirv-opt -O {other_sum * 1e3:.0f} ms, '
         f'{other_sum / own_sum:.1f} times as long; instructions left: heddle {geometric_mean([a for a, _ in left]):.0%}, '
         f'spirv-opt {geometric_mean([b for _, b in left]):.0%}')


if __name__ == '__main__':
   main()
