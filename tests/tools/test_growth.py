#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What grows with the control flow of a stranger: machine code with both lowerings, and what structurizers add.

    test_growth.py TOOL SANITIZED

Counts, not times: twice the blocks make at most LIMIT times as much. The programs are also run, before and after.
"""
import random
import re
import subprocess

from harness import SANITIZED, TAP, TOOL, finish, put

# n log n has 2.2 where n doubles from some hundreds on.
LIMIT = 2.4
SIZES = (200, 400) if SANITIZED else (500, 1000, 2000)


def shader(lines):
   head = ('b0:\n%c0:32 = const 0\n%c1:32 = const 1\n%c4:32 = const 4\n%c9:32 = const 9\n%k:32 = const 1664525\n'
           '%lane:32 = local_invocation_index\n%x0:32 = iadd %lane, %k\n%at:32 = imul %lane, %c4\ngoto b1')
   return ('shader compute "growth" {\nworkgroup 64 1 1\nflat function @main {\n' + head + '\n' + '\n'.join(lines) + '\n}\n}\n')


def test(n, rarely=False):
   """A bit of the value of block n that looks random; or one that is seldom set."""
   mask = '%k' if rarely else '%c1'
   return (f'%h{n}:32 = imul %x{n}, %x{n}\n%s{n}:32 = ushr %h{n}, %c9\n%a{n}:32 = iand %s{n}, {mask}\n'
           f'%t{n}:1 = ieq %a{n}, %c0')


def step(n, value):
   return f'%m{n}:32 = imul {value}, %k\n%x{n}:32 = iadd %m{n}, %c9'


def exits(num, shares=False):
   """A loop of which each second block is an exit, to a place of its own that reads a value of the loop."""
   loop = range(1, num, 2)
   lines, ends = [], []
   for n in loop:
      start = f'%p{n}:32 = phi b0: %x0, b{loop[-1]}: %x{loop[-1]}\n{step(n, f"%p{n}")}' if n == 1 else step(n, f'%x{n - 2}')
      more = f'goto_if %t{n}, b{n + 1}, b{n + 2 if n != loop[-1] else 1}'
      lines.append(f'b{n}:\n{start}\n{test(n, True)}\n{more}')
      read = f'%v{n}:32 = iadd %x{n}, %x{max(n - 2, 1)}' if shares else f'%v{n}:32 = ixor %x{n}, %k'
      lines.append(f'b{n + 1}:\n{read}\ngoto b{num + 2}')
      ends.append(f'b{n + 1}: %v{n}')
   lines.append(f'b{num + 2}:\n%r:32 = phi ' + ', '.join(ends) + '\nstore_buffer %r, %c0, %at\nreturn')
   return shader(lines)


def mesh(num):
   """Blocks each of which goes to any two others."""
   rng = random.Random(num)
   succs = {n: (n + 1, rng.choice([m for m in range(1, num) if m != n + 1])) for n in range(1, num)}
   preds = {n: [] for n in range(1, num + 1)}
   preds[1].append('b0: %x0')
   for n, targets in succs.items():
      for to in targets:
         preds[to].append(f'b{n}: %x{n}')
   lines = []
   for n in range(1, num + 1):
      lines.append(f'b{n}:\n%p{n}:32 = phi {", ".join(preds[n])}\n{step(n, f"%p{n}")}')
      lines.append(f'{test(n)}\ngoto_if %t{n}, b{succs[n][0]}, b{succs[n][1]}' if n < num
                   else f'store_buffer %x{n}, %c0, %at\nreturn')
   return shader(lines)


def counts(*args):
   """What the tool counts, by name; the name comes first or last."""
   done = subprocess.run([TOOL, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
   found = re.findall(r'^ *(\d+)  (.+)$', done.stdout, re.M) or \
           [(value, name) for name, value in re.findall(r'^ *(\w+) +(\d+)$', done.stdout, re.M)]
   return {name: int(value) for value, name in found}


def judge(name, found):
   """found: a number for each size."""
   good = None not in found and all(after <= LIMIT * before + 200 for before, after in zip(found, found[1:]))
   TAP.check(f'{name} grows no faster than n log n', good, found)


def run(file, *args):
   done = subprocess.run([TOOL, 'run', '--limit=3000000', *args, file, '0.0=zero:256'], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, check=False)
   return done.stdout if done.returncode == 0 else done.stderr


for shape, make in (('loop exits', exits), ('loop exits that share values', lambda n: exits(n, True)), ('a mesh', mesh)):
   files = [put(f'{len(shape)}_{n}.hd', make(n)) for n in SIZES]
   for lowering in ('tree', 'reconverging'):
      stats = [counts('compile', '--unlimited', f'--lowering={lowering}', '--stats', '-o', '/dev/null', f) for f in files]
      judge(f'{shape}: code, {lowering}', [s.get('instructions') for s in stats])
   for what in ('structurize', 'reconverge'):
      out = [put(f'{what}{len(shape)}_{n}.hd', '') for n in SIZES]
      for source, to in zip(files, out):
         subprocess.run([TOOL, what, source, '-o', to], check=True)
      stats = [counts('stats', f) for f in out]
      judge(f'{shape}: sources of phis, {what}', [s.get('phi_sources') for s in stats])
      if make is not mesh:
         want, got = run(files[0]), run(out[0], *(['--mode=one-pc'] if what == 'reconverge' else []))
         TAP.check(f'{shape}: what they compute, {what}', want == got and want.startswith('0.0 ='), want + got)
   if make is not mesh:
      TAP.check(f'{shape}: what the machine computes', run(files[0], '--target=gfx900', '--check') == run(files[0]),
                run(files[0], '--target=gfx900', '--check'))

finish()
