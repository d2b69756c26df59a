# SPDX-License-Identifier: MIT
"""include/heddle/build_ops.h and build_intrinsics.h: a typed function for each op and each intrinsic, for C and C++.

    gen_build_ops_h HEADER OUTPUT
"""

import sys

from codegen.emit import intrinsic_name, op_name, opening, write
from codegen.ir.intrinsics import ENUMS, INDICES, INTRINSICS
from codegen.ir.ops import OPS

# The most indices that are parameters; an intrinsic with more takes a struct.
MAX_INDEX_PARAMS = 4

TAIL = ['HD_END_DECLS', '', '#endif']


def opened(stem, enum, what, source, contract):
   """The head of one of the two headers."""
   guard = f'HEDDLE_{stem.upper()}_H'
   return opening(f'{stem}.h', what, source) + [
      f'#ifndef {guard}', f'#define {guard}', '', '#include "heddle/build.h"', f'#include "heddle/{enum}.h"', '',
      'HD_BEGIN_DECLS', '', *contract.strip().splitlines(), '']


OP_CONTRACT = '''
/* One function an op, on top of hd_build_alu: operands in the order of the table, then the bits of
 * the result where the instruction chooses them. Each inserts at the builder's cursor and returns
 * the result. After a failure of the builder, and after operands that do not fit, all do as
 * hd_build_alu says.
 */
'''

INTRINSIC_CONTRACT = '''
/* One function an intrinsic, on top of hd_build_intrinsic: operands in the order of the table, then
 * what the instruction chooses (components and bits of a result), then the constants. Each inserts
 * at the builder's cursor and returns the result, or nothing where there is none. After a failure
 * of the builder, and after operands that do not fit, all do as hd_build_intrinsic says.
 */
'''


def function(result, name, parameters, body):
   """A definition, its parameters wrapped at 100 columns."""
   opening_line = f'hd_{name}('
   lines, line = [], opening_line + 'hd_builder *b'
   for parameter in parameters:
      if len(line) + 2 + len(parameter) > 98:
         lines.append(line + ',')
         line = ' ' * len(opening_line) + parameter
      else:
         line += ', ' + parameter
   head = [f'static inline {result}'] + lines + [line + ')', '{']
   return head + [f'   {statement}' if statement else '' for statement in body] + ['}', '']


def array(type_, name, values):
   """An array's definition, its values wrapped at 100 columns."""
   lines, line = [], f'{type_} {name}[] = {{ {values[0]}'
   for value in values[1:]:
      if len(line) + 2 + len(value) > 93:
         lines.append(line + ',')
         line = ' ' * 6 + value
      else:
         line += ', ' + value
   return '\n'.join(lines + [line + ' };'])


def op_builder(op):
   comment = [f'/* {op.meaning} */']
   if op.variadic:
      return comment + function('hd_def *', op.name, ['unsigned num_srcs', 'hd_def *const *srcs'],
                                [f'return hd_build_alu(b, {op_name(op.name)}, num_srcs, srcs, 0);'])
   names = [s.name for s in op.srcs]
   bits = 'bit_size' if op.sized_by_instruction else '0'
   parameters = [f'hd_def *{name}' for name in names]
   if op.sized_by_instruction:
      parameters.append('unsigned bit_size')
   return comment + function('hd_def *', op.name, parameters, [
      array('hd_def *const', 'srcs', names), '',
      f'return hd_build_alu(b, {op_name(op.name)}, {len(names)}, srcs, {bits});'])


def index_type(index, enums):
   if index.type in enums and not enums[index.type].flags:
      return f'hd_{index.type}'
   return {'int': 'int32_t', 'bool': 'bool'}.get(index.type, 'uint32_t')


def index_struct(row, indices, enums):
   lines = [f'typedef struct hd_{row.name}_indices {{']
   for name in row.indices:
      index = indices[name]
      what = f' /* hd_{index.type}, or-ed */' if index.type in enums and enums[index.type].flags else ''
      lines.append(f'   {index_type(index, enums)} {name};{what}')
   return lines + [f'}} hd_{row.name}_indices;', '']


def intrinsic_builder(row, indices, enums):
   names = [s.name for s in row.srcs]
   parameters = [f'hd_def *{name}' for name in names]
   open_components, open_bits = row.shape_is_chosen()
   parameters += ['unsigned num_components'] if open_components else []
   parameters += ['unsigned bit_size'] if open_bits else []
   as_struct = len(row.indices) > MAX_INDEX_PARAMS
   lines, place = [], ''
   if as_struct:
      lines += index_struct(row, indices, enums)
      parameters.append(f'const hd_{row.name}_indices *indices')
      place = 'indices->'
   else:
      parameters += [f'{index_type(indices[name], enums)} {name}' for name in row.indices]
   body = [array('hd_def *const', 'srcs', names)] if names else []
   if row.indices:
      body.append(array('const uint32_t', 'values', [
         ('' if index_type(indices[n], enums) == 'uint32_t' else '(uint32_t)') + place + n
         for n in row.indices]))
   body += [''] if body else []
   call = ', '.join(['b', intrinsic_name(row.name),
                     'num_components' if open_components else '0', 'bit_size' if open_bits else '0',
                     str(len(names)), 'srcs' if names else 'NULL', 'values' if row.indices else 'NULL'])
   body.append(f'{"return " if row.result else ""}hd_build_intrinsic({call});')
   return lines + [f'/* {row.meaning} */'] + function('hd_def *' if row.result else 'void', row.name,
                                                       parameters, body)


def build_ops():
   lines = opened('build_ops', 'op_enum', 'build an instruction of each op.', 'ir/ops.py', OP_CONTRACT)
   for op in OPS:
      lines += op_builder(op)
   return lines + TAIL


def build_intrinsics():
   indices = {index.name: index for index in INDICES}
   enums = {enum.name: enum for enum in ENUMS}
   lines = opened('build_intrinsics', 'intrinsic_enum', 'build an instruction of each intrinsic.', 'ir/intrinsics.py',
                  INTRINSIC_CONTRACT)
   for row in INTRINSICS:
      lines += intrinsic_builder(row, indices, enums)
   return lines + TAIL


if __name__ == '__main__':
   header, output = sys.argv[1:]
   write(output, {'build_ops': build_ops, 'build_intrinsics': build_intrinsics}[header]())
