# SPDX-License-Identifier: MIT
"""lowered_info.c: the constructs that lowerings remove, and which ops and intrinsics they are."""

from codegen.emit import intrinsic_name, op_name, opening, run, string, write
from codegen.ir.intrinsics import INTRINSICS
from codegen.ir.lowered import LOWERED
from codegen.ir.ops import OPS


def masks(table, count, names, enumerator, member):
   lines = [f'const uint32_t {table}[{count}] = {{']
   for name in names:
      mask = sum(1 << n for n, row in enumerate(LOWERED) if name in getattr(row, member))
      if mask:
         lines.append(f'   [{enumerator(name)}] = {mask:#x},')
   return lines + ['};', '']


def main(output):
   lines = opening('lowered_info.c', 'what lowerings remove.', 'ir/lowered.py')
   lines += ['#include "ir/lowered.h"', '#include "heddle/intrinsic_enum.h"', '#include "heddle/op_enum.h"', '',
             f'const hd_lowered_info hd_lowered_infos[{len(LOWERED)}] = {{']
   for row in LOWERED:
      lines.append(f'   {{ {string(row.name)}, {string(row.meaning)}, {sum(row.bits)}, '
                   f'{str(row.vector).lower()} }},')
   lines += ['};', '', f'const unsigned hd_num_lowered_infos = {len(LOWERED)};', '']
   lines += masks('hd_op_candidates', 'HD_NUM_OPS', [op.name for op in OPS], op_name, 'ops')
   lines += masks('hd_intrinsic_candidates', 'HD_NUM_INTRINSICS', [i.name for i in INTRINSICS],
                  intrinsic_name, 'intrinsics')
   write(output, lines[:-1])


if __name__ == '__main__':
   run(main, 1)
