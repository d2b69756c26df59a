# SPDX-License-Identifier: MIT
"""spirv_ext_tables.h, spirv_ext_tables.c: the rows of spirv/ext.py by the numbers of the extended instruction grammars.

   spirv.gen_ext HEADER SOURCE GRAMMAR

GRAMMAR is what spirv/grammar.py reads.
"""

import sys

import codegen.math.gen_math  # noqa: F401
from codegen.emit import op_name, opening, string, write
from codegen.ir.schema import TableError
from codegen.spirv import grammar as spirv_grammar
from codegen.spirv.ext import GLSL, HOWS, OPENCL, check, row_of

SETS = (('GLSL', GLSL), ('OPENCL', OPENCL))


def row_text(place, how, what, operands, reasons):
   if how == 'op':
      which = op_name(what)
   elif how == 'math':
      which = f'MATH_{what.upper()}'
   elif how == 'special':
      which = f'SPECIAL_{what.upper()}'
   else:
      which = str(reasons.setdefault(what, len(reasons)))
   count = len(operands)
   if any(operand.often for operand in operands):
      count = 255
   return f'{{ {place}, {which}, EXT_{how.upper()}, {count} }}'


def main(header, source, place):
   grammar = spirv_grammar.read(place)
   head = opening('spirv_ext_tables.h', 'extended instructions by number.', 'spirv/ext.py')
   specials = sorted({what for table in (GLSL, OPENCL) for how, what in table.values()
                      if how == 'special'})
   head += ['#include <stdint.h>', '', 'enum spirv_ext_how {'] + [f'   EXT_{how.upper()},' for how in HOWS] + ['};', '']
   head += ['enum spirv_ext_special {'] + [f'   SPECIAL_{name.upper()},' for name in specials]
   head += ['};', '', 'struct spirv_ext_row {',
             '   uint16_t name; /* where it begins in hd_spirv_ext_names; 0: none has this number */',
             '   uint16_t which; /* hd_op, hd_math, spirv_ext_special, hd_spirv_ext_reasons */',
             '   uint8_t how;',
             '   uint8_t num_operands; /* 255: any */', '};', '']
   lines = opening('spirv_ext_tables.c', 'extended instructions by number.', 'spirv/ext.py')
   lines += ['#include "spirv/spirv_ext_tables.h"', '', '#include "heddle/op_enum.h"', '#include "spirv/math.h"', '']
   reasons, names = {}, ['']
   for set_name, table in SETS:
      check(table)
      instructions = grammar.sets[set_name]
      missing = set(table) - {name for i in instructions.values() for name in i.names}
      if missing:
         raise TableError(f'{set_name}: {", ".join(sorted(missing))}: there is no such instruction')
      size = f'SPIRV_NUM_{set_name}_ROWS'
      rows = f'const struct spirv_ext_row hd_spirv_{set_name.lower()}_rows[{size}]'
      head += [f'#define {size} {max(instructions) + 1}u', f'extern {rows};']
      lines.append(f'{rows} = {{')
      for number, i in sorted(instructions.items()):
         begin = sum(len(n) + 1 for n in names)
         names.append(i.name)
         lines.append(f'   [{number}] = {row_text(begin, *row_of(table, i.names), i.operands, reasons)},')
      lines += ['};', '']
   head += ['extern const char *const hd_spirv_ext_reasons[];', 'extern const char hd_spirv_ext_names[];']
   lines.append('const char *const hd_spirv_ext_reasons[] = {')
   lines += [f'   {string(why)},' for why in reasons] + ['};', '']
   lines += ['const char hd_spirv_ext_names[] = {'] + [f'   "{name}\\0"' for name in names] + ['};']
   write(header, head)
   write(source, lines)


if __name__ == '__main__':
   main(*sys.argv[1:])
