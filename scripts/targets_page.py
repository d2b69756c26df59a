#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""doc/targets.md: what each machine has of the ops and intrinsics, lowers, or refuses. Each row of the tables becomes a shader
for each size, which the tool compiles: with no pass that lowers, and with those of the machine.

    targets_page.py write HEDDLE
    targets_page.py check HEDDLE [SHARE]      a TAP case for one row in SHARE, picked by HD_TEST_SEED

Operands are loaded from memory, so that nothing is known of them.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / 'src'), str(ROOT / 'tests' / 'house')]
sys.dont_write_bytecode = True

from codegen.ir.intrinsics import INTRINSICS  # noqa: E402
from codegen.ir.ops import OPS  # noqa: E402

PAGE = ROOT / 'doc' / 'targets.md'
TARGETS = ('gfx900', 'gen9', 'nyuzi', 'r700')
HAS, LOWERS, REFUSES = 'yes', 'lowered', '-'
# What stands behind the operands, where the defaults of indices do not do.
INDICES = {'load': 'align_mul=8', 'store': 'align_mul=8', 'swap': '', 'atomic': 'atomic_op=iadd', 'reduce': 'reduce_op=iadd',
           'scan': 'reduce_op=iadd', 'barrier': 'exec_scope=workgroup mem_scope=workgroup'}
HEAD = """# What each machine has of the ops and intrinsics

Made by `scripts/targets_page.py` from the tables of ops and intrinsics and from what the compilers do: each op of each size is
a shader. `yes`: instruction selection takes it as it is; `lowered`: the passes of the machine make other ops of it first; `-`: it
is refused, with a diagnostic that names it. Ops stand for one component: vectors are taken apart. Sizes are those of the first
operand, or else of the result; where the result has another size, it stands after `>`. Images and what graphics stages alone
have are in [gcn.md](gcn.md); the other machines refuse them.

"""


class Shader:
   """`words`: what is smaller than a dword comes from one and goes to one: a machine may have the op and no such access."""

   def __init__(self, words):
      self.lines, self.values, self.words = [], 0, words
      self.zero = self.add('const 0', 32)
      lane = self.add('local_invocation_index', 32)
      self.at = self.add(f'ishl {lane}, {self.add("const 4", 32)}', 32)

   def add(self, text, bits, components=1):
      name = f'%v{self.values}'
      self.values += 1
      self.lines.append(f'{name}:{bits}{"x%d" % components if components > 1 else ""} = {text}')
      return name

   def load(self, bits, components, number):
      if bits == 1:
         return self.add(f'ine {self.load(32, components, number)}, {self.constant(32, components)}', 1, components)
      if self.words and bits < 32:
         return self.add(f'u2u {self.load(32, components, number)}', bits, components)
      return self.add(f'load_buffer {self.zero}, {self.at} align_mul=8 offset={64 * number}', bits, components)

   def constant(self, bits, components):
      return self.add('const ' + ('0' if components == 1 else f'({", ".join(["0"] * components)})'), bits, components)

   def keep(self, value, bits, components):
      if bits == 1:
         value, bits = self.add(f'b2i {value}', 32, components), 32
      elif self.words and bits < 32:
         value = self.add(f'u2u {value}', 32, components)
      self.lines.append(f'store_buffer {value}, {self.zero}, {self.at} binding=1 align_mul=8')

   def text(self):
      body = '\n'.join('      ' + line for line in self.lines)
      return (f'shader compute {{\n  workgroup 64 1 1\n  shared 4096\n  scratch 256\n  push 64\n  kernarg 64\n'
              f'  constants "00000000 00000000 00000000 00000000"\n  function @main {{\n    b0:\n{body}\n  }}\n}}\n')


def sizes_of(row):
   """Choices of the variables, each as a function from a type to its bits."""
   choices = [{}]
   for name, sizes in row.variables.items():
      choices = [{**c, name: bits} for c in choices for bits in sizes]
   return choices


def bits_of(kind, choice):
   return choice.get(kind.variable, kind.sizes[0]) if kind.variable else kind.sizes[0]


def components_of(kind):
   return kind.min_components


def shader_of(row, choice, is_op, words):
   shader, srcs = Shader(words), []
   for number, src in enumerate(row.srcs):
      bits, components = bits_of(src, choice), components_of(src)
      # A uniform one, where it must be: descriptors, lanes, distances.
      known = 'uniform' in src.tags or 'descriptor' in src.tags or src.name == 'index'
      srcs.append(shader.constant(bits, components) if known else shader.load(bits, components, number))
   indices = '' if is_op else next((text for part, text in INDICES.items() if part in row.name), '')
   if 1 in choice.values():
      indices = indices.replace('reduce_op=iadd', 'reduce_op=iand')
   call = f'{row.name} {", ".join(srcs)} {indices}'.rstrip()
   if row.result:
      bits, components = bits_of(row.result, choice), components_of(row.result)
      shader.keep(shader.add(call, bits, components), bits, components)
   else:
      shader.lines.append(call)
   return shader.text()


def label_of(row, choice):
   srcs = [bits_of(src, choice) for src in row.srcs[:1]]
   result = bits_of(row.result, choice) if row.result else None
   first = srcs[0] if srcs else result
   return str(first) if result in (None, first) or not choice else f'{first}>{result}'


def compiles(heddle, target, path, passes):
   done = subprocess.run([heddle, 'compile', f'--target={target}', *passes, '-o', os.devnull, path], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
   # The tool says 3 of what is not supported.
   return done.returncode == 0, done.stdout


def state_of(heddle, target, row, paths):
   if any(compiles(heddle, target, path, ['--passes=opt_dce'])[0] for path in paths):
      return HAS
   for path in paths:
      lowered, told = compiles(heddle, target, path, [])
      if lowered:
         return LOWERS
   if 'unsupported' not in told or row.name not in told and 'atomic' not in told and 'bits' not in told:
      raise ValueError(f'{target}: {row.name}: {told}')
   return REFUSES


def states(heddle, folder, row, choice, is_op):
   paths = []
   small = any(bits in (8, 16) for bits in choice.values()) or not choice
   for words in (False, True) if small else (False,):
      paths.append(os.path.join(folder, f'{row.name}.{"_".join(map(str, choice.values()))}.{words}.hd'))
      with open(paths[-1], 'w', encoding='utf-8') as file:
         file.write(shader_of(row, choice, is_op, words))
   return tuple(state_of(heddle, target, row, paths) for target in TARGETS)


def is_shown(intrinsic):
   return 'compute' in intrinsic.stages and not intrinsic.name.startswith('image_')


def rows():
   return [(row, choice, True) for row in OPS for choice in sizes_of(row)] + \
          [(row, choice, False) for row in INTRINSICS if is_shown(row) for choice in sizes_of(row)]


def table_of(found, is_op):
   """Sizes that fare alike stand in one line."""
   lines = [f'| {"op" if is_op else "intrinsic"} | bits | {" | ".join(TARGETS)} |', '|---|---|' + '---|' * len(TARGETS)]
   by_row = {}
   for (row, choice, op), state in found:
      if op == is_op:
         by_row.setdefault(row.name, {}).setdefault(state, []).append(label_of(row, choice) if choice else '')
   for name, states_of_row in by_row.items():
      for state, labels in states_of_row.items():
         lines.append(f'| `{name}` | {", ".join(dict.fromkeys(labels))} | {" | ".join(state)} |')
   return lines


def find(heddle, chosen):
   with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
      return list(zip(chosen, pool.map(lambda r: states(heddle, folder, *r), chosen)))


def page(heddle):
   found = find(heddle, rows())
   return HEAD + '\n'.join(['## Ops', '', *table_of(found, True), '', '## Intrinsics', '', *table_of(found, False)]) + '\n'


def check(heddle, share):
   from tap import Tap
   seed, tap = int(os.environ.get('HD_TEST_SEED', '20261'), 0), Tap()
   print(f'# HD_TEST_SEED={seed}')
   rng, text = random.Random(seed), PAGE.read_text(encoding='utf-8').splitlines()
   for (row, choice, op), state in find(heddle, [r for r in rows() if rng.randrange(share) == 0]):
      label = label_of(row, choice) if choice else ''
      lines = [line.split('|') for line in text if line.startswith(f'| `{row.name}` |')]
      said = [tuple(cell.strip() for cell in line[3:-1]) for line in lines if label in line[2].strip().split(', ')]
      tap.check(f'{row.name} {label}'.strip(), said == [state], f'{state}, the page says {said}: `ninja docs` renews it')
   names = {row.name for row, _, _ in rows()}
   tap.check('every op and intrinsic has a row', all(any(f'| `{name}` |' in line for line in text) for name in names))
   tap.finish()


def main():
   what, heddle, *share = sys.argv[1:]
   if what == 'check':
      check(heddle, int(share[0]) if share else 1)
   else:
      PAGE.write_text(page(heddle), encoding='utf-8')


if __name__ == '__main__':
   main()
