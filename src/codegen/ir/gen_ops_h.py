# SPDX-License-Identifier: MIT
"""include/heddle/ops.h: ops.h.in, which describes ops and intrinsics, with the enumerations of what they are made of;
op_enum.h and intrinsic_enum.h: a constant for each.

    gen_ops_h HEADER OUTPUT

Most files include ops.h. A new row of the tables changes only the other two.
"""

import pathlib
import sys

from codegen.emit import enum_value, intrinsic_name, op_name, opening, write
from codegen.ir.intrinsics import ENUMS, INDICES, INTRINSICS
from codegen.ir.lowered import LOWERED
from codegen.ir.ops import OPS
from codegen.ir.schema import ELEMENTS, KIND_WORDS, MAX_INDICES, MAX_INTRINSIC_SRCS, MAX_OP_SRCS, SAME_RESULTS


def comment(text):
   """A trailing comment, or one above the line where it does not fit."""
   return f'/* {text} */'


def listed(rows):
   """Enumerators with their comments: (code, text) pairs."""
   lines = []
   for code, text in rows:
      line = f'   {code}, {comment(text)}'
      lines += [line] if len(line) <= 100 else wrapped(text) + [f'   {code},']
   return lines


def wrapped(text):
   lines, line = [], '   /*'
   for word in text.split():
      if len(line) + 1 + len(word) > 96:
         lines.append(line)
         line = '    *'
      line += ' ' + word
   return lines + [line + ' */']


def rows_header(stem, what, source, note, enum, rows, number):
   """A header with a constant for each row of a table, from 1."""
   guard = f'HEDDLE_{stem.upper()}_H'
   (first, meaning), *rest = rows
   return (opening(f'{stem}.h', what, source) + [f'#ifndef {guard}', f'#define {guard}', '']
           + note + [f'enum {enum} {{'] + listed([(f'{first} = 1', meaning), *rest])
           + [f'   {number},', '};', '', '#endif'])


def op_enum():
   return rows_header(
      'op_enum', 'a constant for each ALU op: the values of hd_op.', 'ir/ops.py',
      ['/* The comment at an op is its signature: kind:bits of the operands and the result, u unsigned, i',
       ' * signed, f float, b boolean, x any bits; equal letters are equal sizes. Operands and result have',
       ' * equally many components, n, where no [count] says otherwise.', ' */'],
      'hd_op_values', [(op_name(op.name), f'{op.signature}: {op.meaning[:-1]}') for op in OPS], 'HD_NUM_OPS')


def intrinsic_enum():
   return rows_header(
      'intrinsic_enum', 'a constant for each intrinsic: the values of hd_intrinsic_id.', 'ir/intrinsics.py', [],
      'hd_intrinsic_values', [(intrinsic_name(i.name), i.meaning[:-1]) for i in INTRINSICS], 'HD_NUM_INTRINSICS')


def index_enum():
   return (['/* The constants that intrinsics carry. */', 'typedef enum hd_index {']
           + listed((f'HD_INDEX_{i.name.upper()}', f'{i.type}: {i.meaning[:-1]}') for i in INDICES)
           + ['   HD_NUM_INDICES,', '} hd_index;', ''])


def value_enum(enum):
   lines = [f'/* {enum.meaning} */', f'typedef enum hd_{enum.name} {{']
   rows = []
   for number, (value, meaning, _) in enumerate(enum.values):
      code = enum_value(enum, value) + (f' = 1u << {number}' if enum.flags else '')
      rows.append((code, meaning[:-1]))
   lines += listed(rows)
   if enum.flags:
      lines += [f'   {enum_value(enum, "all")} = (1u << {len(enum.values)}) - 1,']
   else:
      lines += [f'   HD_NUM_{enum.name.upper()}S,']
   return lines + [f'}} hd_{enum.name};', '']


def small_enum(name, prefix, values):
   return [f'typedef enum hd_{name} {{'] + [f'   HD_{prefix}_{v.upper()},' for v in values] + [
      f'}} hd_{name};', '']


def lowered_enum():
   rows = ((f'HD_LOWERED_{row.name.upper()} = 1u << {n}', row.meaning)
           for n, row in enumerate(LOWERED))
   return (['typedef enum hd_lowered {'] + listed(rows)
           + [f'   HD_LOWERED_ALL = (1u << {len(LOWERED)}) - 1,', '} hd_lowered;', ''])


def ops_header():
   body = pathlib.Path(__file__).with_name('ops.h.in').read_text(encoding='utf-8')
   parts = {
      'KINDS': small_enum('value_kind', 'KIND', KIND_WORDS.values()),
      'ELEMENTS': small_enum('element', 'ELEMENT', ('none',) + ELEMENTS),
      'SAME': small_enum('same', 'SAME', ('unknown',) + SAME_RESULTS),
      'INDICES': index_enum(),
      'ENUMS': [line for enum in ENUMS for line in value_enum(enum)],
      'LOWERED': lowered_enum(),
      'LIMITS': [f'#define HD_MAX_OP_SRCS        {MAX_OP_SRCS}',
                 f'#define HD_MAX_INTRINSIC_SRCS {MAX_INTRINSIC_SRCS}',
                 f'#define HD_MAX_INDICES        {MAX_INDICES}', ''],
   }
   lines = opening('ops.h', 'what is known of each ALU op and intrinsic.',
                   'ir/ops.h.in, ir/intrinsics.py, ir/lowered.py')
   for line in body.splitlines()[1:]:
      if line.startswith('@'):
         lines += parts.pop(line[1:])[:-1]
      else:
         lines.append(line)
   assert not parts, f'ops.h.in does not use {sorted(parts)}'
   return lines


def main(header, output):
   write(output, {'ops': ops_header, 'op_enum': op_enum, 'intrinsic_enum': intrinsic_enum}[header]())


if __name__ == '__main__':
   main(*sys.argv[1:])
