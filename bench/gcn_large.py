#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long large programs take to machine code, beside LLVM: 100,000 instructions, 10,000 blocks.

    gcn_large.py FOLDER [--only 'NAME;...'] [--limit SECONDS] [--json FILE]

The programs are those of growth_shapes.c at 100,000 instructions that LLVM's text has room for, and graphs of
gcn_programs.py. Each goes the whole way from unoptimised IR to machine code: in one process each, where only
passes and code generation are timed, and as processes of the tools, from text. LLVM is given so many seconds of
CPU; where they do not do, it is slower than what is printed by an unknown factor.

FOLDER is the build folder of the bench.
"""
import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gcn_object  # noqa: E402
import gcn_programs  # noqa: E402
from tables import geometric_mean, table  # noqa: E402

SIZE = 100000
SHAPES = ('chain', 'repeats', 'stores', 'loads', 'joins', 'loops', 'pressure')
GRAPHS = {'structured, 10,000 blocks': (10000, False), 'structured, 4,000 busy blocks': (4000, True)}
LIMIT = 30
GOAL_TIMES = 10.0


def write_all(folder, programs):
   """(name, path without ending) of each program."""
   done = subprocess.run([programs, folder, 'growth', str(SIZE)], stdout=subprocess.PIPE, text=True, check=True)
   for line in done.stdout.splitlines():
      if line.rsplit('-', 1)[0] in SHAPES:
         yield line.rsplit('-', 1)[0], os.path.join(folder, line)
   depth = sys.getrecursionlimit()
   sys.setrecursionlimit(100000)
   for name, (blocks, busy) in GRAPHS.items():
      graph = gcn_programs.structured(random.Random(name), blocks)
      program = gcn_programs.Program(name, graph, busy=busy)
      base = os.path.join(folder, f'graph-{blocks}')
      for end, text in (('hd', gcn_programs.heddle(program)), ('ll', gcn_programs.llvm(program))):
         with open(f'{base}.{end}', 'w', encoding='utf-8') as file:
            file.write(text)
      yield name, base
   sys.setrecursionlimit(depth)


def cpu_seconds(command, limit):
   """CPU seconds of one process; None if they exceed the limit. Its output is returned, too."""
   before = resource.getrusage(resource.RUSAGE_CHILDREN)
   done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                         check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1)))
   after = resource.getrusage(resource.RUSAGE_CHILDREN)
   took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
   if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
      return None, ''
   done.check_returncode()
   return took, done.stdout


def measure(tools, name, base, limit):
   own = tools.own(f'{base}.hd', f'{base}.own.o')
   own_process, _ = cpu_seconds([tools.heddle, 'compile', f'{base}.hd', '-o', f'{base}.bin'], limit)
   # It compiles twice, once for the object.
   took, text = cpu_seconds([tools.llvm, '--seconds=0', f'--object={base}.llvm.o', f'{base}.ll'], 2 * limit)
   opt, _ = cpu_seconds([tools.opt, '-O2', '-mcpu=gfx900', f'{base}.ll', '-o', f'{base}.bc'], limit)
   llc = None
   if opt is not None:
      llc, _ = cpu_seconds([tools.llc, '-O2', '-mcpu=gfx900', '-filetype=obj', f'{base}.bc', '-o', f'{base}.bin'], limit)
   return {'name': name, 'instructions': own['instrs'], 'own': own['ns'] / 1e9, 'made': own['instructions'],
           'llvm': None if took is None else json.loads(text)['ns'] / 1e9,
           'own process': own_process, 'llvm process': None if None in (opt, llc) else opt + llc}


def times(row, what, limit):
   """How much faster, at least; and as text."""
   llvm = row[f'llvm{what}']
   ratio = (limit if llvm is None else llvm) / row[f'own{what}']
   return ratio, f"{'> ' if llvm is None else ''}{ratio:.0f}x"


def report(tools, folder, only, limit):
   results = []
   for name, base in write_all(folder, os.path.join(os.path.dirname(tools.compile), 'write_programs')):
      if not only or name in only:
         results.append(measure(tools, name, base, limit))
   rows = []
   for row in results:
      each = 1e9 / row['instructions']
      rows.append([row['name'], f"{row['instructions']:,}", f"{row['made']:,}", f"{row['own']:.2f}", f"{row['own'] * each:,.0f}",
                   seconds(row['llvm'], limit), times(row, '', limit)[1], f"{row['own process']:.2f}",
                   seconds(row['llvm process'], limit), times(row, ' process', limit)[1]])
   print(f'Large programs to gfx900, beside LLVM -O2; seconds of CPU time, LLVM stopped after {limit}\n')
   table(['program', 'instrs', 'made', 'in process', 'ns each', 'LLVM', 'faster', 'process', 'opt | llc', 'faster'], rows)
   for what, words in (('', 'in process'), (' process', 'as processes')):
      ratios = [times(row, what, limit)[0] for row in results]
      mean, least = geometric_mean(ratios), min(ratios)
      print(f"{'met' if mean >= GOAL_TIMES else 'missed'}: {mean:.0f} times as fast as LLVM in the mean, at the least {least:.0f},"
            f' {words}, goal {GOAL_TIMES:.0f}')
   print()
   return results


def seconds(took, limit):
   return f'> {limit}' if took is None else f'{took:.2f}'


def report_all(programs, only=None, limit=LIMIT):
   """PROGRAMS is the bench's part of the build folder."""
   tools = gcn_object.Tools(os.path.dirname(os.path.abspath(programs)), 0)
   if not tools.complete():
      print('LLVM 19 and its tools are needed: nothing is compared')
      return [], 0
   with tempfile.TemporaryDirectory() as folder:
      return report(tools, folder, only, limit), 0


def main():
   parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
   parser.add_argument('folder')
   parser.add_argument('--only')
   parser.add_argument('--limit', type=int, default=LIMIT)
   parser.add_argument('--json')
   options = parser.parse_args()
   results, _ = report_all(os.path.join(options.folder, 'bench'), options.only and options.only.split(';'), options.limit)
   if options.json:
      with open(options.json, 'w', encoding='utf-8') as file:
         json.dump(results, file)
   return 0


if __name__ == '__main__':
   sys.exit(main())
