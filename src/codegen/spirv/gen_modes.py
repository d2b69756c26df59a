# SPDX-License-Identifier: MIT
"""spirv_modes.h, spirv_modes.c: what spirv/modes.py says of execution modes and decorations, by their numbers.

   spirv.gen_modes OUTPUT_H OUTPUT_C GRAMMAR

GRAMMAR is what spirv/grammar.py reads.
"""

import sys

from codegen.emit import opening, write
from codegen.ir.schema import require
from codegen.spirv import grammar as spirv_grammar
from codegen.spirv.gen_grammar import Pool, enum, table, text_pool
from codegen.spirv.modes import ROWS, row_of
from codegen.spirv.names import constant

SOURCE = 'spirv/gen_modes.py'
CORE = 64  # decorations below that are of the specification itself: none of them is refused


def names_of(grammar, kind):
   """(value, all its names), in order."""
   return [(value, e.names) for value, e in sorted(grammar.kinds[kind].items.items())]


def mode_code(row):
   if row is None or row.how == 'refused':
      return 'SPIRV_MODE_REFUSED'
   return f'SPIRV_MODE_{constant(row.name)}' if row.how == 'read' else 'SPIRV_MODE_HARMLESS'


def header():
   modes = [row for row in ROWS['ExecutionMode'].values() if row.how == 'read']
   lines = opening('spirv_modes.h', 'execution modes that the reader obeys.', SOURCE)
   lines += ['#ifndef HEDDLE_SPIRV_MODES_H', '#define HEDDLE_SPIRV_MODES_H', '']
   lines += enum('spirv_mode', [(name, n) for n, name in enumerate(
      ['SPIRV_MODE_REFUSED', 'SPIRV_MODE_HARMLESS'] + [mode_code(row) for row in modes])])
   return lines + [f'#define SPIRV_CORE_DECORATIONS {CORE}u', '', '#endif']


def source(grammar):
   modes, decorations = names_of(grammar, 'ExecutionMode'), names_of(grammar, 'Decoration')
   refused = []
   for value, names in decorations:
      row = row_of('Decoration', names)
      require(value >= CORE or (row and row.how != 'refused'), names[0], 'is of the core and not read')
      if row is None or row.how == 'refused':
         refused.append((value, names[0]))
   pool = Pool([names[0].encode() + b'\0' for _, names in modes] + [name.encode() + b'\0' for _, name in refused])
   lines = opening('spirv_modes.c', 'what becomes of execution modes and decorations.', SOURCE)
   lines += ['#include "spirv/grammar.h"', '']
   lines += text_pool('mode_text', pool)
   lines += table('const struct spirv_mode_row hd_spirv_modes',
                  [f'{{ {value}, {pool[names[0].encode() + bytes(1)]}, {mode_code(row_of("ExecutionMode", names))} }}'
                   for value, names in modes])
   lines += [f'const uint32_t hd_spirv_num_modes = {len(modes)};', '']
   lines += table('const struct spirv_mode_row hd_spirv_refused_decorations',
                  [f'{{ {value}, {pool[name.encode() + bytes(1)]}, SPIRV_MODE_REFUSED }}' for value, name in refused]
                  or ['{ 0 }'])
   return lines + [f'const uint32_t hd_spirv_num_refused_decorations = {len(refused)};', '']


def main(h, c, place):
   write(h, header())
   write(c, source(spirv_grammar.read(place)))


if __name__ == '__main__':
   if len(sys.argv) != 4:
      sys.exit('usage: spirv.gen_modes OUTPUT_H OUTPUT_C GRAMMAR')
   main(*sys.argv[1:])
