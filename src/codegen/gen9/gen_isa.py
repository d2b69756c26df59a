# SPDX-License-Identifier: MIT
"""What is made of the table of Gen9's instructions:

    gen9.gen_isa header OUTPUT   gen9_ops.h: the numbers of ops, classes, types, messages and parts
    gen9.gen_isa table OUTPUT    gen9_op_info.c: the rows, the fields, messages and compaction as data
"""

import sys

from codegen.emit import opening, string, write
from codegen.gen9 import compaction
from codegen.gen9.isa import (ARCHITECTURE, CLASSES, CONDITIONS, OWN, PARTS, PREDICATES, ROWS, TYPES, UNNUMBERED)
from codegen.gen9.messages import MESSAGES, UNITS


SHARED = ('p_start', 'p_phi', 'p_copy', 'p_vector', 'p_split', 'p_undef', 'p_mask_phi', 'p_spill', 'p_reload',
          'p_end', 'p_halt')
LAYER_FLAGS = ('commutes', 'branches', 'loads', 'stores', 'cross_lane', 'side_effect')
OWN_FLAGS = ('logic', 'select', 'math', 'message', 'control', 'indirect', 'accumulator', 'no_predicate', 'no_condition',
             'no_saturate', 'no_modifiers')


def enum(name, values):
   return [f'typedef enum hd_gen9_{name} {{', *(f'   HD_GEN9_{v},' for v in values), f'}} hd_gen9_{name};', '']


def header():
   own = [name.upper() for name, *_ in OWN]
   ops = [f'{own[0]} = HD_MACH_NUM_PSEUDO_OPS', *own[1:], 'FIRST_OP', f'{ROWS[0].enum[8:]} = HD_GEN9_FIRST_OP',
          *(r.enum[8:] for r in ROWS[1:]), 'NUM_OPS']
   lines = opening('gen9_ops.h', "the numbers of Gen9's ops, of their classes, of types, messages and parts of encodings.",
                   'gen9/isa.py and gen9/messages.py')
   lines += ['#ifndef HEDDLE_GEN9_OPS_H', '#define HEDDLE_GEN9_OPS_H', '', '#include "machine/machine.h"', '']
   lines += enum('op', ops)
   lines += enum('class', [f'CLASS_{c.upper()}' for c in CLASSES])
   lines += enum('type', [f'TYPE_{t[0].upper()}' for t in TYPES] + ['NUM_TYPES'])
   lines += enum('condition', [f'CONDITION_{c.upper()} = {n}' for n, c in enumerate(CONDITIONS) if c])
   lines += enum('message', [f'MESSAGE_{m[0].upper()}' for m in MESSAGES])
   lines += enum('part', [f'PART_{p.upper()}' for p in PARTS])
   return lines + ['#endif']


def flags(names):
   # Operands are as the instruction has them.
   words = ['HD_MACH_PSEUDO', *(f'HD_MACH_{f.upper()}' for f in LAYER_FLAGS if f in names)]
   words += [f'HD_GEN9_{f.upper()}' for f in OWN_FLAGS if f in names]
   return ' | '.join(words)


def rows():
   body = []
   for name in SHARED:
      body += [f'   [HD_MACH_{name.upper()}] = {{ {{ HD_MACH_PSEUDO, 0, 0, 0, NULL }}, {string(name)}, 0, 0, 0 }},']
   for name, own, _ in OWN:
      body += [f'   [HD_GEN9_{name.upper()}] = {{ {{ {flags(own.split())}, 0, 0, 0, NULL }}, {string(name)}, 0, 0, 0 }},']
   for number, row in enumerate(ROWS):
      body += [f'   [{row.enum}] = {{ {{ {flags(row.flags)}, 0, 0, 0, NULL }}, {string(row.name)},',
               f'      0x{row.opcode:02x}, {row.function or 0}, HD_GEN9_CLASS_{row.shape.upper()} }},']
   return ['const hd_gen9_op_info hd_gen9_op_infos[HD_GEN9_NUM_OPS] = {', '   [HD_MACH_OP_NONE] = { .name = "?" },',
           *body, '};', '']


def by_opcode():
   """The first row of an opcode; those of math stand side by side."""
   first = {}
   for row in ROWS:
      first.setdefault(row.opcode, row)
   return ['const uint16_t hd_gen9_op_of_opcode[128] = {',
           *(f'   [0x{code:02x}] = {row.enum},' for code, row in sorted(first.items())), '};', '']


def fields():
   lines, parts = [], []
   for name, members in PARTS.items():
      lines += [f'static const hd_gen9_field part_{name}[] = {{']
      for member, low, bits, *more in members:
         at = more[0] if more else 0
         lines.append(f'   HD_GEN9_FIXED({low}, {bits}, {at}),' if member is None else
                      f'   HD_GEN9_FIELD({low}, {bits}, {member}, {at}),')
      lines += ['};']
      parts += [f'   [HD_GEN9_PART_{name.upper()}] = {{ part_{name}, {len(members)} }},']
   return [*lines, '', 'const hd_gen9_part_fields hd_gen9_parts[] = {', *parts, '};', '']


def code(value):
   return 'HD_GEN9_NO_CODE' if value is None else str(value)


def words():
   lines = ['const hd_gen9_type_info hd_gen9_type_infos[HD_GEN9_NUM_TYPES] = {']
   lines += [f'   {{ {string(name)}, {size}, {code(reg)}, {code(imm)}, {code(three)} }},'
             for name, size, reg, imm, three in TYPES]
   lines += ['};', '', 'const hd_gen9_architecture hd_gen9_architectures[16] = {']
   lines += [f'   [{n}] = {{ {string(name)}, {count}, {int(parts)}, {int(name not in UNNUMBERED)} }},'
             for n, name, count, parts in ARCHITECTURE]
   for what, names in (('condition', CONDITIONS), ('predicate', PREDICATES)):
      lines += ['};', '', f'const char *const hd_gen9_{what}_names[16] = {{',
                *(f'   [{n}] = {string(name)},' for n, name in enumerate(names) if name is not None)]
   return lines + ['};', '']


def messages():
   lines = ['const hd_gen9_message_info hd_gen9_message_infos[] = {']
   for _, unit, kind, lanes8, lanes16, *low in MESSAGES:
      descs = [int(kind, 16) << 14 | int(bits, 16) if bits else 0 for bits in (lanes8, lanes16)]
      lines.append(f'   {{ {UNITS[unit]}, {low[0] or 0}, {{ 0x{descs[0]:x}, 0x{descs[1]:x} }} }},')
   return [*lines, '};', '']


def short_forms():
   lines = []
   for name, values in compaction.TABLES.items():
      lines += [f'static const uint64_t index_{name}[] = {{',
                *(f'   UINT64_C(0x{v:x}),' for v in values), '};']
   for what, tables, copied in (('basic', compaction.BASIC, compaction.BASIC_COPIED),
                                ('ternary', compaction.TERNARY, compaction.TERNARY_COPIED)):
      lines += [f'static const hd_gen9_short_index indices_{what}[] = {{']
      for name, (low, bits, ranges) in tables.items():
         spans = ', '.join(f'{{ {l}, {h - l + 1} }}' for h, l in ranges)
         lines += [f'   {{ index_{name}, {low}, {bits}, {len(ranges)}, {{ {spans} }} }},']
      lines += ['};', f'static const hd_gen9_short_field copied_{what}[] = {{',
                *(f'   {{ {short}, {long}, {bits} }},' for short, long, bits in copied), '};',
                f'const hd_gen9_short_form hd_gen9_short_{what} = {{ indices_{what}, {len(tables)}, copied_{what},'
                f' {len(copied)} }};', '']
   return lines


def table():
   lines = opening('gen9_op_info.c', 'the rows of the table, fields of encodings and short forms as data.',
                   'gen9/isa.py, gen9/messages.py and gen9/compaction.py')
   return lines + ['#include "backend/gen9/isa/tables.h"', '', *rows(), *by_opcode(), *fields(), *words(), *messages(),
                   *short_forms()]


def main(what, output):
   write(output, {'header': header, 'table': table}[what]())


if __name__ == '__main__':
   main(*sys.argv[1:])
