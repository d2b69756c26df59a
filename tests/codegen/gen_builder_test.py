# SPDX-License-Identifier: MIT
"""Calls of every function of build_ops.h, for test_builders.c: each with operands of sizes that the
table allows, and with constants that differ, so that a mistaken order shows.

   run.py gen_builder_test.py OUTPUT
"""

import sys

from codegen.emit import intrinsic_name, op_name, opening, write
from codegen.ir.gen_build_ops_h import MAX_INDEX_PARAMS
from codegen.ir.intrinsics import ENUMS, INDICES, INTRINSICS
from codegen.ir.ops import OPS


def bits(t):
   """The size to try: the largest."""
   return t.sizes[-1]


def operand(t, components):
   count = components if t.linked else t.min_components
   return f'hd_undef(b, {count}, {bits(t)})'


def sources(row, components=3):
   lines = [f'      hd_def *s{i} = {operand(t, components)};' for i, t in enumerate(row.srcs)]
   return lines + ['      hd_def *const srcs[] = { '
                   + ', '.join([f's{i}' for i in range(len(row.srcs))] or ['NULL']) + ' };']


def shape(t, components=3):
   return f'{components if t.linked else t.min_components}, {bits(t)}'


def op_block(op):
   if op.variadic:
      return []  # test_vec in test_builders.c
   arguments = [f's{i}' for i in range(len(op.srcs))]
   if op.sized_by_instruction:
      arguments.append(str(bits(op.result)))
   return ['   {'] + sources(op) + [
      f'      expect(b, hd_{op.name}(b, {", ".join(arguments)}), HD_INSTR_ALU, {op_name(op.name)}, '
      f'{len(op.srcs)}, srcs, {shape(op.result)});', '   }']


def index_value(name, place, indices, enums):
   kind = indices[name].type
   if kind in enums or kind == 'bool':
      return 1
   return 16 if name == 'align_mul' else 2 + place


def intrinsic_block(row, indices, enums):
   values = [index_value(name, i, indices, enums) for i, name in enumerate(row.indices)]
   arguments = [f's{i}' for i in range(len(row.srcs))]
   open_components, open_bits = row.shape_is_chosen()
   arguments += [str(row.result.min_components)] if open_components else []
   arguments += [str(bits(row.result))] if open_bits else []
   lines = ['   {'] + sources(row)
   if len(row.indices) > MAX_INDEX_PARAMS:
      lines.append(f'      hd_{row.name}_indices indices;')
      for name, value in zip(row.indices, values):
         kind = indices[name].type
         cast = f'(hd_{kind})' if kind in enums and not enums[kind].flags else ''
         lines.append(f'      indices.{name} = {cast}{value};')
      arguments.append('&indices')
   else:
      for name, value in zip(row.indices, values):
         kind = indices[name].type
         cast = f'(hd_{kind})' if kind in enums and not enums[kind].flags else ''
         arguments.append(f'{cast}{value}')
   call = f'hd_{row.name}({", ".join(["b"] + arguments)})'
   if row.result is None:
      lines.append(f'      {call};')
      call = 'NULL'
   lines.append(f'      expect(b, {call}, HD_INSTR_INTRINSIC, {intrinsic_name(row.name)}, '
                f'{len(row.srcs)}, srcs, {shape(row.result) if row.result else "0, 0"});')
   if values:
      lines += [f'      const uint32_t values[] = {{ {", ".join(map(str, values))} }};',
                f'      expect_indices(b, {len(values)}, values);']
   return lines + ['   }']


def main(output):
   indices = {index.name: index for index in INDICES}
   enums = {enum.name: enum for enum in ENUMS}
   lines = opening('builder_calls.h', 'a call of every function of build_ops.h.',
                   'ops.py, intrinsics.py by tests/codegen/gen_builder_test.py')
   lines += ['static void', 'call_ops(hd_builder *b)', '{']
   for op in OPS:
      lines += op_block(op)
   lines += ['}', '', 'static void', 'call_intrinsics(hd_builder *b)', '{']
   for row in INTRINSICS:
      lines += intrinsic_block(row, indices, enums)
   write(output, lines + ['}'])


if __name__ == '__main__':
   main(sys.argv[1])
