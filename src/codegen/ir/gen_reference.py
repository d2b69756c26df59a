# SPDX-License-Identifier: MIT
"""reference.c: the sentences of the tables, which a person reads and a driver does not."""

from codegen.emit import intrinsic_name, op_name, opening, run, string, write
from codegen.ir.intrinsics import ENUMS, INDICES, INTRINSICS
from codegen.ir.ops import OPS


def words(signature, meaning, note):
   return f'{{ {string(signature)}, {string(meaning)}, {string(note)} }}'


def accessor(kind, number, table, count):
   return ['const hd_reference *', f'hd_{kind}_get_reference({number})', '{',
           f'   return &{table}[(unsigned){number.split()[-1]} < {count} ? {number.split()[-1]} : 0];', '}', '']


def main(output):
   enums = {enum.name: enum for enum in ENUMS}
   lines = opening('reference.c', 'what ops, intrinsics and indices mean, in words.', 'ir/ops.py and ir/intrinsics.py')
   lines += ['#include "heddle/reference.h"', '#include "heddle/intrinsic_enum.h"', '#include "heddle/op_enum.h"', '',
             'static const hd_reference ops[HD_NUM_OPS] = {', f'   {words("", "", "")},']
   lines += [f'   [{op_name(op.name)}] = {words(op.signature, op.meaning, op.edges)},' for op in OPS]
   lines += ['};', '', 'static const hd_reference intrinsics[HD_NUM_INTRINSICS] = {', f'   {words("", "", "")},']
   lines += [f'   [{intrinsic_name(i.name)}] = {words(i.signature, i.meaning, i.note)},' for i in INTRINSICS]
   lines += ['};', '', 'static const char *const indices[HD_NUM_INDICES] = {']
   lines += [f'   [HD_INDEX_{index.name.upper()}] = {string(index.meaning)},' for index in INDICES]
   lines += ['};', '']
   for enum in ENUMS:
      lines += [f'static const char *const {enum.name}_values[] = {{']
      lines += [f'   {string(meaning)},' for _, meaning, _ in enum.values] + ['};', '']
   lines += ['static const char *const *const values[HD_NUM_INDICES] = {']
   lines += [f'   [HD_INDEX_{index.name.upper()}] = {index.type}_values,' for index in INDICES if index.type in enums]
   lines += ['};', '']
   lines += accessor('op', 'hd_op op', 'ops', 'HD_NUM_OPS')
   lines += accessor('intrinsic', 'hd_intrinsic_id id', 'intrinsics', 'HD_NUM_INTRINSICS')
   lines += ['const char *', 'hd_index_get_description(hd_index index)', '{',
             '   return (unsigned)index < HD_NUM_INDICES ? indices[index] : "";', '}', '',
             'const char *', 'hd_index_value_get_description(hd_index index, unsigned value)', '{',
             '   const hd_index_info *info = hd_index_get_info(index);', '',
             '   return info && value < info->num_values ? values[index][value] : "";', '}']
   write(output, lines)


if __name__ == '__main__':
   run(main, 1)
