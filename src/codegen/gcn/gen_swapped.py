# SPDX-License-Identifier: MIT
"""gcn_swapped.c: which instruction does the same with its first two sources in the other order."""

from codegen.emit import opening, run, write
from codegen.gcn.isa import all_rows

# Besides what commutes.
MIRRORED = {'lt': 'gt', 'le': 'ge', 'gt': 'lt', 'ge': 'le', 'nlt': 'ngt', 'nle': 'nge', 'ngt': 'nlt', 'nge': 'nle'}
REVERSED = ('v_sub_f32 v_sub_f16 v_sub_co_u32 v_sub_u32 v_subb_co_u32 v_sub_u16 '
            'v_lshl_b32 v_lshr_b32 v_ashr_i32').split()


def reversed_name(name):
   """v_sub_f32 -> v_subrev_f32"""
   word, _, rest = name[2:].partition('_')
   return f'v_{word}rev_{rest}'


def swapped(row, names):
   words = row.name.split('_')
   if row.format in ('vopc', 'sopc') and words[1] in ('cmp', 'cmpx', 'cmps', 'cmpsx') and words[2] != 'class':
      return '_'.join([*words[:2], MIRRORED.get(words[2], words[2]), *words[3:]])
   if 'commutes' in row.flags:
      return row.name
   return names.get(row.name)


def main(output):
   rows = all_rows()
   there = {row.name for row in rows}
   names = {name: reversed_name(name) for name in REVERSED}
   names.update({other: name for name, other in names.items()})
   lines = opening('gcn_swapped.c', 'instructions with their first two sources swapped.', 'gcn/isa.py')
   lines += ['#include "backend/gcn/isa/isa.h"', '', '/* HD_GCN_OP_NONE where there is none. */',
             'static const uint16_t swapped[HD_GCN_NUM_OPS] = {']
   for row in rows:
      other = swapped(row, names)
      if other in there:
         lines.append(f'   [{row.enum}] = HD_GCN_{other.upper()},')
   lines += ['};', '', 'int', 'hd_gcn_swapped(hd_gcn_gen gen, hd_gcn_op op)', '{',
             '   const unsigned other = swapped[op];', '',
             '   return other != HD_GCN_OP_NONE && hd_gcn_op_name(&hd_gcn_op_infos[other], gen) ? (int)other : -1;', '}']
   write(output, lines)


if __name__ == '__main__':
   run(main, 1)
