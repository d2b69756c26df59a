# SPDX-License-Identifier: MIT
"""op_info.c: the table behind hd_op_get_info, and the names of ops."""

from codegen.emit import TypeLists, flags, lookup, op_name, opening, run, string, type_info, write
from codegen.ir.ops import OPS


def row_flags(op):
   names = [name for name, holds in (
      ('commutative', op.commutative), ('associative', op.associative is True),
      ('associative_inexact', op.associative == 'inexact'), ('idempotent', op.idempotent),
      ('self_inverse', op.self_inverse), ('compare', op.compare),
      ('inverse_swaps', op.inverse_swaps), ('float', op.is_float), ('rounds', op.rounds),
      ('flushes', op.flushes), ('componentwise', op.componentwise),
      ('sized', op.sized_by_instruction), ('variadic', op.variadic)) if holds]
   return flags('HD_OP_', names)


def element(name):
   return f'HD_ELEMENT_{(name or "none").upper()}'


def row(op, types):
   lines = [f'   [{op_name(op.name)}] = {{',
            f'      .name = {string(op.name)},',
            f'      .flags = {row_flags(op)},',
            f'      .num_srcs = {len(op.srcs)},',
            f'      .name_length = {len(op.name)},']
   for law in ('identity', 'identity_left', 'absorbing', 'absorbing_left'):
      if getattr(op, law):
         lines.append(f'      .{law} = {element(getattr(op, law))},')
   if op.same:
      lines.append(f'      .same = HD_SAME_{op.same.upper()},')
   lines.append(f'      .undef = HD_UNDEF_{op.undef.upper()},')
   if op.inverse:
      lines.append(f'      .inverse = {op_name(op.inverse)},')
   return lines + [f'      .result = {type_info(op.result)},',
                   f'      .src = {types.initialiser(op.srcs)},', '   },']


def main(output):
   lines = opening('op_info.c', 'what the table says of each op.', 'ir/ops.py')
   types, rows = TypeLists(), []
   for op in OPS:
      rows += row(op, types)
   lines += ['#include "heddle/op_enum.h"', '#include "heddle/ops.h"', '', '#include <string.h>', '', *types.lines(),
             'static const hd_op_info infos[HD_NUM_OPS] = {',
             '   [HD_OP_NONE] = { .name = "" },', *rows, '};', '']
   lines += lookup('op', [op.name for op in OPS])
   lines += ['const hd_op_info *', 'hd_op_get_info(hd_op op)', '{',
             '   return &infos[(unsigned)op < HD_NUM_OPS ? op : HD_OP_NONE];', '}', '',
             'hd_op', 'hd_op_from_name(const char *name, size_t length)', '{',
             '   const hd_op op = (hd_op)find_op(name, length);',
             '   const hd_op_info *info = &infos[op];', '',
             '   return info->name_length == length && memcmp(info->name, name, length) == 0 '
             '? op : HD_OP_NONE;',
             '}']
   write(output, lines)


if __name__ == '__main__':
   run(main, 1)
