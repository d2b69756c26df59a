#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small inputs that ask for much: each ends, with a result or with a word, before it has cost more than a limit.

    test_bombs.py TOOL SANITIZED

What is limited is the processor's time and the memory that was touched, so that a busy machine does not matter.
"""
import os
import random
import re
import subprocess
import tempfile

from harness import SANITIZED, SCRATCH, TAP, TOOL, finish, path, put

# An instrumented program takes longer, and memory of its own.
SLOWER = 12 if SANITIZED else 1


# Where each allocation is filled, all of its pages count.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != 'MALLOC_PERTURB_'}


def cost(name, seconds, megabytes, wanted, *args, given=None):
   """Run; a case each for the end, the time and the memory. `wanted`: what is printed; '' for success; None for either."""
   with tempfile.TemporaryFile() as out:
      process = subprocess.Popen([TOOL, *args], stdin=given or subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=out,
                                 cwd=SCRATCH.name, env=ENVIRONMENT)
      _, status, used = os.wait4(process.pid, 0)
      process.returncode = os.waitstatus_to_exitcode(status)
      out.seek(0)
      text = out.read(2000).decode(errors='replace')
   took, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
   ends = process.returncode in (0, 1) if wanted is None else process.returncode == (wanted != '') and (wanted or '') in text
   TAP.check(f'{name}: how it ends', ends, f'exit status {process.returncode}\n{text}')
   TAP.check(f'{name}: within {seconds} seconds', took < seconds * SLOWER, f'{took:.1f}')
   TAP.check(f'{name}: within {megabytes} MB', memory < megabytes or SANITIZED, f'{memory:.0f}')


def shader(body, head='compute', flat=''):
   return f'shader {head} "bomb" {{\n  workgroup 64 1 1\n  {flat}function @main {{\n{body}\n  }}\n'


def graph(num):
   """Each block loads, stores, and goes to any two others."""
   rng = random.Random(num)
   lines = []
   for n in range(num):
      lines.append(f'b{n}:')
      if n == 0:
         lines.append('%l:32 = local_invocation_index\n%z:32 = const 0\n%k:32 = const 77')
      lines.append(f'%x{n}:32 = imul %l, %k\n%y{n}:32 = load_buffer %z, %x{n} offset={4 * n}\n%q{n}:1 = ult %y{n}, %l\n'
                   f'store_buffer %y{n}, %z, %z offset={4 * n + 4}')
      lines.append('return' if n == num - 1 else f'goto_if %q{n}, b{rng.randrange(1, num)}, b{rng.randrange(1, num)}')
   return shader('\n'.join(lines), flat='flat ') + '}\n'


def doubling_calls(levels):
   parts = [shader('%z:32 = const 0\n%r:32 = call @f0(%z)\nstore_buffer %r, %z, %z align_mul=4')]
   for n in range(levels):
      parts.append(f'function @f{n}(%a:32) -> 32 {{\n%b:32 = call @f{n + 1}(%a)\n%c:32 = call @f{n + 1}(%b)\nreturn %c\n}}\n')
   return ''.join(parts) + f'function @f{levels}(%a:32) -> 32 {{\n%b:32 = iadd %a, %a\nreturn %b\n}}\n}}\n'


def divisions(num):
   lines = ['%z:32 = const 0\n%d0:64x16 = load_buffer %z, %z\n%b:64x16 = load_buffer %z, %z offset=128']
   lines += [f'%d{n + 1}:64x16 = udiv %d{n}, %b' for n in range(num)]
   return shader('\n'.join(lines + [f'store_buffer %d{num}, %z, %z'])) + '}\n'


def nested_loops(depth, times):
   """Each runs so often; unrolled, all of it would be times ** depth."""
   lines = [f'p0:\n%z:32 = const 0\n%one:32 = const 1\n%end:32 = const {times}']
   for n in range(depth):
      lines.append(f'loop {{\nh{n}:\n%i{n}:32 = phi p{n}: %z, c{n}: %j{n}\n%done{n}:1 = ule %end, %i{n}\n'
                   f'if %done{n} {{\nx{n}:\nbreak\n}} else {{\ny{n}:\n}}\np{n + 1}:')
   lines.append('store_buffer %i0, %z, %z')
   for n in reversed(range(depth)):
      lines.append(f'}} continue {{\nc{n}:\n%j{n}:32 = iadd %i{n}, %one\n}}\ne{n}:')
   text, numbers = '\n'.join(lines), {}
   text = re.sub(r'(?<![%\w])([phxyce]\d+):', lambda m: f'b{numbers.setdefault(m[1], len(numbers))}:', text)
   return shader(text) + '}\n'


GRAPH = put('graph.hd', graph(700))
cost('any graph, with few steps', 4, 600, '--max-steps=500000', 'compile', '--lowering=reconverging', '--max-steps=500000', GRAPH)
cost('any graph, as a tree', 2, 200, '', 'compile', GRAPH)
if not SANITIZED:
   cost('any graph', 15, 1000, None, 'compile', '--lowering=reconverging', GRAPH)

ARRAY = put('array.hd', shader('var $a:64x16[1000000]\n%z:32 = const 0\n%l:32 = local_invocation_index\n%v:64x16 = load_var $a, %l\n'
                               'store_var $a, %v, %z\n%w:64x16 = load_var $a, %z\nstore_var $a, %w, %l') + '}\n')
cost('a large array, with few steps', 1, 100, '--max-steps=100000', 'run', '--unlimited', '--max-steps=100000', ARRAY)
cost('a large array', 1, 100, 'budget exceeded', 'run', ARRAY)
cost('a large array, compiled', 2, 100, None, 'compile', ARRAY)

for levels in (12, 24, 40, 300):
   source = put(f'calls{levels}.hd', doubling_calls(levels))
   for command in (['opt', '-O2'], ['compile']):
      cost(f'calls that double {levels} times, {command[0]}', 4, 800, '' if levels == 12 else 'budget exceeded', *command, source)

DIVISIONS = put('divisions.hd', divisions(600))
cost('divisions, with few steps', 3, 500, 'budget exceeded', 'compile', '--max-steps=20000000', DIVISIONS)
if not SANITIZED:
   cost('divisions', 20, 1500, None, 'compile', DIVISIONS)

LOOPS = put('loops.hd', nested_loops(6, 30))
cost('loops that could be unrolled', 2, 200, '', 'opt', '-O2', LOOPS)
cost('loops that could be unrolled, compiled', 2, 200, '', 'compile', LOOPS)

KERNEL = put('kernel.hd', shader('%z:32 = const 0\n%p:64 = load_kernarg %z\nstore_global %z, %p', 'kernel')
             .replace('workgroup', 'kernarg 2147483644\n  workgroup') + '}\n')
cost('arguments of 2 GiB', 1, 100, '', 'compile', '-o', path('kernel.o'), KERNEL)
cost('arguments of 2 GiB, too few', 1, 100, 'kernel arguments', 'run', KERNEL, 'kernarg=zero:16')
cost('arguments of 2 GiB in an object', 1, 100, 'bytes of arguments', 'run', path('kernel.o'), 'zero:2147483644')

with open('/dev/zero', 'rb') as zeroes:
   cost('zeros without an end', 1, 150, '--max-memory=50000000', 'print', '--max-memory=50000000', given=zeroes)
finish()
