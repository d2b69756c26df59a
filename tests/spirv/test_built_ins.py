#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is every built-in of the grammar read where spirv/built_ins.py says, and refused by its name where it has no row?

    test_built_ins.py --tool=HEDDLE --grammar=GRAMMAR --scratch=FOLDER

A module of one variable is made for each stage that draws or computes, whose value is loaded, or stored to. (Kernels: the
corpus.)
"""
import argparse
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'house'), os.path.join(HERE, '..', '..', 'src')]
from codegen.spirv import built_ins, grammar as spirv_grammar  # noqa: E402
from tap import Tap  # noqa: E402
from test_modes import Runner, op, text  # noqa: E402

MODELS = {'vertex': 0, 'fragment': 4, 'compute': 5}
STORAGE = {'input': 1, 'output': 3}
VOID, FN, MAIN, ENTRY, SCALAR, WHOLE, POINTER, VARIABLE, LENGTH, NULL, LOADED, U32 = range(1, 13)
SHADER, FLAT, BUILT_IN, UPPER_LEFT = 1, 14, 11, 7


def module(value, stage, role, shape):
   """`shape` is (type, components, is an array)."""
   kind, components, is_array = shape
   words = [0x07230203, 0x10300, 0, 16, 0] + op(17, SHADER) + op(14, 0, 1)
   words += op(15, MODELS[stage], MAIN, *text('main'), VARIABLE)
   words += op(16, MAIN, UPPER_LEFT) if stage == 'fragment' else op(16, MAIN, 17, 4, 4, 1) if stage == 'compute' else []
   words += op(71, VARIABLE, BUILT_IN, value)
   words += op(71, VARIABLE, FLAT) if (stage, role, kind) == ('fragment', 'input', 'uint') else []
   words += op(19, VOID) + op(33, FN, VOID) + op(21, U32, 32, 0) + op(43, U32, LENGTH, 1)
   scalar = SCALAR if kind != 'uint' else U32
   words += {'float': op(22, SCALAR, 32), 'bool': op(20, SCALAR), 'uint': []}[kind]
   whole = scalar
   if components > 1:
      words += op(23, WHOLE, scalar, components)
      whole = WHOLE
   if is_array:
      words += op(28, WHOLE, scalar, LENGTH)
      whole = WHOLE
   words += op(32, POINTER, STORAGE[role], whole) + op(59, POINTER, VARIABLE, STORAGE[role]) + op(46, whole, NULL)
   words += op(54, VOID, MAIN, 0, FN) + op(248, ENTRY)
   words += op(61, whole, LOADED, VARIABLE) if role == 'input' else op(62, VARIABLE, NULL)
   words += op(253) + op(56)
   return struct.pack(f'<{len(words)}I', *words)


def shape_of(row, name):
   if row is None:
      return 'uint', 1, False
   # AMD's of this name has two weights.
   return row.type, 2 if name == 'BaryCoordNoPerspAMD' else row.components, row.is_array


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--tool', required=True)
   parser.add_argument('--grammar', required=True)
   parser.add_argument('--scratch', required=True)
   args = parser.parse_args()
   grammar, runner, tap = spirv_grammar.read(args.grammar), Runner(args.tool, args.scratch), Tap()
   for value, e in sorted(grammar.kinds['BuiltIn'].items.items()):
      row = built_ins.row_of(e.names)
      for stage in MODELS:
         for role in STORAGE:
            has = row and stage in row.roles.get(role, ())
            # What has a row and is asked for elsewhere is no valid module: it may be read, or not.
            if row and not has or (stage, role) == ('compute', 'output'):
               continue
            done = runner.read(module(value, stage, role, shape_of(row, e.name)))
            good = not done.returncode if has else done.returncode == 1 and f'the built-in {e.name} is not supported' in done.stdout
            tap.check(f'{e.name}, {role} of a {stage} shader', good, f'{done.returncode} {done.stdout}')
   tap.finish()


if __name__ == '__main__':
   main()
