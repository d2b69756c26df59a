#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is every execution mode, decoration and capability of the grammar read, harmless or refused by its name?

    test_modes.py --tool=HEDDLE --grammar=GRAMMAR --scratch=FOLDER

A compute shader of nothing but a return is read with each of them. What has no row in spirv/modes.py must be refused.
"""
import argparse
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'house'), os.path.join(HERE, '..', '..', 'src')]
from codegen.spirv import grammar as spirv_grammar  # noqa: E402
from codegen.spirv.gen_modes import names_of  # noqa: E402
from codegen.spirv.modes import row_of  # noqa: E402
from tap import Tap  # noqa: E402

VOID, FN, MAIN, ENTRY, U32, NUMBER, F32, PARAM_TYPE, SET, RESULT = range(1, 11)
SHADER, LITERAL = 1, 32


def op(opcode, *words):
   return [(len(words) + 1) << 16 | opcode, *words]


def text(string):
   data = string.encode() + b'\0'
   data += bytes(-len(data) % 4)
   return list(struct.unpack(f'<{len(data) // 4}I', data))


def parameters(enumerant):
   """Words for what stands behind it."""
   words = []
   for kind in (o.kind for o in enumerant.operands):
      if kind.startswith('Id'):
         words.append(F32 if enumerant.name.startswith('FPFastMathDefault') and not words else NUMBER)
      elif kind == 'LiteralString':
         words += text('x')
      else:
         words.append(LITERAL if kind.startswith('Literal') else 0)
   return words


def module(capability=None, mode=None, decoration=None, language=None, extended=None):
   words = [0x07230203, 0x10600, 0, 16, 0] + op(17, SHADER)
   if capability is not None:
      words += op(17, capability)
   if extended:
      words += op(11, SET, *text(extended))
   words += op(14, 0, 1) + op(15, 5, MAIN, *text('main')) + op(16, MAIN, 17, 4, 4, 1)
   if mode:
      ids = any(o.kind.startswith('Id') for o in mode[1].operands)
      words += op(331 if ids else 16, MAIN, mode[0], *parameters(mode[1]))
   if language is not None:
      words += op(3, language, 100)
   if decoration:
      kinds = {o.kind for o in decoration[1].operands}
      opcode = 332 if any(k.startswith('Id') for k in kinds) else 5632 if kinds == {'LiteralString'} else 71
      words += op(opcode, NUMBER, decoration[0], *parameters(decoration[1]))
   words += op(19, VOID) + op(33, FN, VOID) + op(21, U32, 32, 0) + op(43, U32, NUMBER, LITERAL) + op(22, F32, 32)
   words += op(54, VOID, MAIN, 0, FN) + op(248, ENTRY)
   if extended:
      words += op(12, VOID, RESULT, SET, 1)
   words += op(253) + op(56)
   return struct.pack(f'<{len(words)}I', *words)


class Runner:
   def __init__(self, tool, folder):
      self.tool, self.path = tool, os.path.join(folder, 'module.spv')
      os.makedirs(folder, exist_ok=True)

   def read(self, data):
      with open(self.path, 'wb') as file:
         file.write(data)
      return subprocess.run([self.tool, 'validate', self.path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)


def fault(done, name, row):
   """What is wrong with an answer, or None."""
   if row and row.how != 'refused':
      # What is read may ask for more than this module has, but says so with its name.
      return None if not done.returncode or (row.how == 'read' and row.name.removesuffix('Id') in done.stdout) else done.stdout
   if done.returncode != 1 or f'{name} is not supported' not in done.stdout:
      return f'{name} is not refused: {done.returncode} {done.stdout}'
   return None


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--tool', required=True)
   parser.add_argument('--grammar', required=True)
   parser.add_argument('--scratch', required=True)
   args = parser.parse_args()
   grammar, runner, tap = spirv_grammar.read(args.grammar), Runner(args.tool, args.scratch), Tap()
   for kind, word in (('ExecutionMode', 'mode'), ('Decoration', 'decoration')):
      enumerants = grammar.kinds[kind].items
      for value, names in names_of(grammar, kind):
         done = runner.read(module(**{word: (value, enumerants[value])}))
         found = fault(done, names[0], row_of(kind, names))
         tap.check(f'{kind} {names[0]}', not found, found)
   for value, names in names_of(grammar, 'Capability'):
      done = runner.read(module(capability=value))
      tap.check(f'Capability {names[0]}', not done.returncode, done.stdout)
   for language in (0, 11, 12345):
      done = runner.read(module(language=language))
      tap.check(f'OpSource {language}', not done.returncode, done.stdout)
   for name, refused in (('Set.of.nobody', True), ('NonSemantic.Set.of.nobody', False)):
      done = runner.read(module(extended=name))
      tap.check(f'OpExtInst of {name}', done.returncode == refused and
                (f'OpExtInst: the set "{name}" is not supported' in done.stdout) == refused, done.stdout)
   tap.finish()


if __name__ == '__main__':
   main()
