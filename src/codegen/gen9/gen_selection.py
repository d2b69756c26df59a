# SPDX-License-Identifier: MIT
"""The tables of selection.py as data:

    gen9.gen_selection OUTPUT    gen9_selection.c
"""

import sys

from codegen.emit import op_name, opening, string, write
from codegen.gen9.isa import CONDITIONS, TYPES
from codegen.gen9.selection import DIRECT, OWN, STEPS
from codegen.ir.schema import require
from codegen.machine.gen_sequences import step_rows

NEGATED = {'second': 2}


def bits(row, at):
   """The last column, where there is one."""
   if len(row) <= at or row[at] == 'logic':
      return '0'
   if row[at] in NEGATED:
      return str(NEGATED[row[at]])
   kind = 'CONDITION' if row[at] in CONDITIONS else 'TYPE'
   require(kind == 'CONDITION' or row[at] in (t[0] for t in TYPES), row[0], f'no condition or type {row[at]}')
   return f'HD_GEN9_{kind}_{row[at].upper()}'


def gen9(op):
   return f'HD_GEN9_{op.upper()}'


def steps():
   return step_rows('gen9', 'hd_gen9_step', [(r[0], f'{{ {gen9(r[1])}, {gen9("type_" + r[2])}, {bits(r, 3)} }}') for r in STEPS])


def direct():
   lines = ['const hd_gen9_direct hd_gen9_directs[] = {']
   for row in DIRECT:
      op, to, kind, order, condition, source = row + [''] * (6 - len(row))
      source = source or kind
      extra = gen9(f'type_{source}') if to == 'p_convert' else bits([op, condition.lstrip('!')], 1) if condition else '0'
      lines.append(f'   {{ {op_name(op)}, {gen9(to)}, {gen9("type_" + kind)}, {gen9("type_" + source)}, {extra},'
                   f' {int(condition[:1] == "!")}, {{ {", ".join(order.split())} }} }},')
   return [*lines, '   { .op = 0 },', '};', '']


def own():
   lines = ['const hd_gen9_own_row hd_gen9_own_rows[] = {']
   for row in OWN:
      types = ' | '.join(f'1u << {gen9("type_" + t)}' for t in row[2].split())
      lines.append(f'   {{ {string(row[0])}, {gen9(row[1])}, {types}, {row[3]}, {bits(row, 4)}, {int(row[-1] == "logic")} }},')
   return [*lines, '};', f'const unsigned hd_gen9_num_own_rows = {len(OWN)};']


def main(output):
   write(output, [*opening('gen9_selection.c', 'what selection has an instruction for.', 'gen9/selection.py'),
                  '#include "backend/gen9/select/select.h"', '#include "heddle/op_enum.h"', '', *steps(), *direct(), *own()])


if __name__ == '__main__':
   main(*sys.argv[1:])
