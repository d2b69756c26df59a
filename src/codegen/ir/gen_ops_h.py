# SPDX-License-Identifier: MIT
"""include/heddle/ops.h: the enumerations, and ops.h.in, which describes them."""

import pathlib

from codegen.emit import enum_value, intrinsic_name, op_name, opening, run, write
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


def op_enum():
   return (['typedef enum hd_op {', '   HD_OP_NONE,']
           + listed((op_name(op.name), f'{op.signature}: {op.meaning[:-1]}') for op in OPS)
           + ['   HD_NUM_OPS,', '} hd_op;', ''])


def intrinsic_enum():
   return (['typedef enum hd_intrinsic_id {', '   HD_INTRINSIC_NONE,']
           + listed((intrinsic_name(i.name), i.meaning[:-1]) for i in INTRINSICS)
           + ['   HD_NUM_INTRINSICS,',
              '   HD_INTRINSIC_OWN = 0x8000, /* from here on: those of hd_config.intrinsics (intrinsic.h) */',
              '} hd_intrinsic_id;', ''])


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


def main(output):
   body = pathlib.Path(__file__).with_name('ops.h.in').read_text(encoding='utf-8')
   parts = {
      'OPS': op_enum(),
      'KINDS': small_enum('value_kind', 'KIND', KIND_WORDS.values()),
      'ELEMENTS': small_enum('element', 'ELEMENT', ('none',) + ELEMENTS),
      'SAME': small_enum('same', 'SAME', ('unknown',) + SAME_RESULTS),
      'INTRINSICS': intrinsic_enum(),
      'INDICES': index_enum(),
      'ENUMS': [line for enum in ENUMS for line in value_enum(enum)],
      'LOWERED': lowered_enum(),
      'LIMITS': [f'#define HD_MAX_OP_SRCS        {MAX_OP_SRCS}',
                 f'#define HD_MAX_INTRINSIC_SRCS {MAX_INTRINSIC_SRCS}',
                 f'#define HD_MAX_INDICES        {MAX_INDICES}', ''],
   }
   lines = opening('ops.h', 'the ALU ops and intrinsics: what there is, and all that is known of '
                   'each.', 'ir/ops.py, ir/intrinsics.py, ir/lowered.py, ops.h.in')
   for line in body.splitlines()[1:]:
      if line.startswith('@'):
         lines += parts.pop(line[1:])[:-1]
      else:
         lines.append(line)
   assert not parts, f'ops.h.in does not use {sorted(parts)}'
   write(output, lines)


if __name__ == '__main__':
   run(main, 1)
