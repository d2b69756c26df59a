# SPDX-License-Identifier: MIT
"""intrinsic_info.c: the tables behind hd_intrinsic_get_info and hd_index_get_info, and names."""

from codegen.emit import (TypeLists, flags, intrinsic_name, lookup, op_name, opening, run, string,
                  type_info, write)
from codegen.ir.intrinsics import ENUMS, INDICES, INTRINSICS

EFFECT_FLAGS = {'write': 'effect_write', 'barrier': 'effect_barrier', 'demote': 'effect_demote'}


def row_flags(i):
   names = ['cross_lane'] if i.cross_lane else []
   names += [EFFECT_FLAGS[effect] for effect in i.effects]
   names += ['can_eliminate'] if i.eliminate else []
   names += {'never': [], 'always': ['can_speculate'],
             'access': ['can_speculate_by_access']}[i.speculate]
   names += ['has_result'] if i.result else []
   return flags('HD_', names)


def row(i, types):
   lines = [f'   [{intrinsic_name(i.name)}] = {{',
            f'      .name = {string(i.name)},',
            f'      .flags = {row_flags(i)},',
            f'      .reads = {flags("HD_MEMORY_", i.reads)},',
            f'      .writes = {flags("HD_MEMORY_", i.writes)},',
            f'      .divergence = HD_DIVERGENCE_{i.divergence.upper()},',
            f'      .helpers = HD_HELPER_{i.helpers.upper()},',
            '      .stages = ' + ' | '.join(f'1u << HD_STAGE_{s.upper()}' for s in i.stages) + ',',
            f'      .num_srcs = {len(i.srcs)},',
            f'      .num_indices = {len(i.indices)},',
            f'      .name_length = {len(i.name)},']
   if i.indices:
      lines.append('      .indices = { '
                   + ', '.join(f'HD_INDEX_{x.upper()}' for x in i.indices) + ' },')
      lines.append('      .slots = { ' + ', '.join(
         f'[HD_INDEX_{x.upper()}] = {n}' for n, x in enumerate(i.indices, 1)) + ' },')
   return lines + [f'      .result = {type_info(i.result)},',
                   f'      .src = {types.initialiser(i.srcs)},', '   },']


def values(enum):
   lines = [f'static const hd_enum_value {enum.name}_values[] = {{']
   for name, _, op in enum.values:
      lines.append(f'   {{ {string(name)}, {op_name(op)} }},')
   return lines + ['};', '']


def index_row(index, enums):
   enum = enums.get(index.type)
   kind = index.type if enum is None else 'flags' if enum.flags else 'enum'
   fields = [string(index.name), f'HD_INDEX_KIND_{kind.upper()}',
             str(index.default), str(len(enum.values) if enum else 0),
             f'{enum.name}_values' if enum else 'NULL']
   return f'   [HD_INDEX_{index.name.upper()}] = {{ {", ".join(fields)} }},'


def main(output):
   enums = {enum.name: enum for enum in ENUMS}
   lines = opening('intrinsic_info.c', 'what the table says of each intrinsic and index.',
                   'ir/intrinsics.py')
   lines += ['#include "heddle/intrinsic_enum.h"', '#include "heddle/ir.h"', '#include "heddle/op_enum.h"',
             '#include "heddle/ops.h"', '#include "ir/own_intrinsics.h"', '', '#include <string.h>', '']
   for enum in ENUMS:
      lines += values(enum)
   lines += ['static const hd_index_info index_infos[HD_NUM_INDICES] = {']
   lines += [index_row(index, enums) for index in INDICES]
   types, rows = TypeLists(), []
   for i in INTRINSICS:
      rows += row(i, types)
   lines += ['};', '', *types.lines(), 'static const hd_intrinsic_info infos[HD_NUM_INTRINSICS] = {',
             '   [HD_INTRINSIC_NONE] = { .name = "" },', *rows, '};', '']
   lines += lookup('intrinsic', [i.name for i in INTRINSICS])
   for name, arguments, number in (('shader', 'const hd_shader *shader, unsigned id', 'id'),
                                   ('instr', 'const hd_instr *instr', 'instr->op')):
      own = 'shader, id' if name == 'shader' else name
      lines += ['const hd_intrinsic_info *', f'hd_{name}_intrinsic_info({arguments})', '{',
                f'   return {number} < HD_NUM_INTRINSICS ? &infos[{number}] : hd_own_{name}_info({own});',
                '}', '']
   lines += ['const hd_intrinsic_info *', 'hd_intrinsic_get_info(hd_intrinsic_id id)', '{',
             '   return &infos[(unsigned)id < HD_NUM_INTRINSICS ? id : HD_INTRINSIC_NONE];', '}', '',
             'hd_intrinsic_id', 'hd_intrinsic_from_name(const char *name, size_t length)', '{',
             '   const hd_intrinsic_id id = (hd_intrinsic_id)find_intrinsic(name, length);',
             '   const hd_intrinsic_info *info = &infos[id];', '',
             '   return info->name_length == length && memcmp(info->name, name, length) == 0 '
             '? id : HD_INTRINSIC_NONE;',
             '}', '',
             'const hd_index_info *', 'hd_index_get_info(hd_index index)', '{',
             '   return (unsigned)index < HD_NUM_INDICES ? &index_infos[index] : NULL;', '}', '']
   lines += lookup('index', [index.name for index in INDICES])
   lines += ['hd_index', 'hd_index_from_name(const char *name, size_t length)', '{',
             '   const unsigned number = find_index(name, length);', '',
             '   if (!number || strlen(index_infos[number - 1].name) != length ||',
             '       memcmp(index_infos[number - 1].name, name, length) != 0)',
             '      return HD_NUM_INDICES;',
             '   return (hd_index)(number - 1);', '}']
   write(output, lines)


if __name__ == '__main__':
   run(main, 1)
