# SPDX-License-Identifier: MIT
"""What is made of the table of R700's instructions:

    r700.gen_isa header OUTPUT   r700_ops.h: the numbers of ops, layouts and fields
    r700.gen_isa table OUTPUT    r700_op_info.c: the rows and the fields as data
"""

import sys

from codegen.emit import opening, string, write
from codegen.ir.schema import require
from codegen.r700.isa import ALU, CF, FETCH, FIELDS, LAYOUTS, OWN, ROWS, SOURCES, SWIZZLES, WIDE


SHARED = ('p_start', 'p_phi', 'p_copy', 'p_vector', 'p_split', 'p_undef', 'p_mask_phi', 'p_spill', 'p_reload',
          'p_end', 'p_halt')
LAYER_FLAGS = ('commutes', 'loads', 'stores', 'branches', 'side_effect')
OWN_FLAGS = ('clause', 'jumps', 'pred', 'kill', 'four')


def check():
   """No two fields share a bit, and no two rows a number."""
   for name, fields in LAYOUTS.items():
      bits = [b for _, low, width in fields for b in range(low, low + width)]
      require(len(bits) == len(set(bits)) and max(bits) < (128 if name in WIDE else 64), name, 'fields overlap')
   for rows in (CF, ALU, FETCH):
      keys = [(r.layout == 'CF_ALU', r.layout == 'OP3', r.code, r.memory) for r in rows]
      require(len(keys) == len(set(keys)), rows[0].name, 'two rows of one number')
   require(len(ROWS) == len({r.name for r in ROWS}), 'isa', 'two rows of one name')


def enum(name, values):
   return [f'typedef enum hd_r700_{name} {{', *(f'   HD_R700_{v},' for v in values), f'}} hd_r700_{name};', '']


def header():
   ops = [f'{OWN[0][0]} = HD_MACH_NUM_PSEUDO_OPS', *(o[0] for o in OWN[1:]), 'FIRST_OP',
          f'{ROWS[0].name} = HD_R700_FIRST_OP', *(r.name for r in ROWS[1:]), 'NUM_OPS']
   lines = opening('r700_ops.h', "the numbers of R700's ops, of layouts and of fields.", 'r700/isa.py')
   lines += ['#ifndef HEDDLE_R700_OPS_H', '#define HEDDLE_R700_OPS_H', '', '#include "machine/machine.h"', '']
   lines += enum('op', ops)
   lines += enum('layout', ['LAYOUT_OWN', *(f'LAYOUT_{n}' for n in LAYOUTS), 'NUM_LAYOUTS'])
   lines += enum('field', [*(f'F_{f}' for f in FIELDS), 'NUM_FIELDS'])
   return lines + ['#endif']


def flags(names):
   # Operands are as the instruction has them.
   words = ['HD_MACH_PSEUDO', *(f'HD_MACH_{f.upper()}' for f in LAYER_FLAGS if f in names)]
   return ' | '.join(words + [f'HD_R700_{f.upper()}' for f in OWN_FLAGS if f in names])


def table():
   check()
   lines = opening('r700_op_info.c', 'the rows of the table and the fields of layouts as data.', 'r700/isa.py')
   lines += ['#include "backend/r700/isa/isa.h"', '', 'const hd_r700_op_info hd_r700_op_infos[HD_R700_NUM_OPS] = {',
             '   [HD_MACH_OP_NONE] = { .name = "?" },']
   for name in SHARED:
      lines += [f'   [HD_MACH_{name.upper()}] = {{ .mach = {{ .flags = HD_MACH_PSEUDO }}, .name = {string(name)} }},']
   for name, own in OWN:
      lines += [f'   [HD_R700_{name}] = {{ .mach = {{ .flags = {flags(own.split())} }}, .name = {string(name.lower())} }},']
   for row in ROWS:
      slots = ' | '.join(f'HD_R700_SLOT_{s.upper()}' for s in row.slots) or '0'
      lines += [f'   [{row.enum}] = {{ {{ {flags(row.flags)}, 0, 0, 0, NULL }}, {string(row.name)},',
                f'      {row.code}, HD_R700_LAYOUT_{row.layout}, {row.srcs}, {slots}, {row.memory} }},']
   lines += ['};', '']
   for name, fields in LAYOUTS.items():
      lines += [f'static const hd_r700_field_info fields_{name.lower()}[] = {{',
                *(f'   {{ HD_R700_F_{f}, {low}, {width} }},' for f, low, width in fields), '};']
   lines += ['', 'const hd_r700_layout_info hd_r700_layouts[HD_R700_NUM_LAYOUTS] = {',
             *(f'   [HD_R700_LAYOUT_{n}] = {{ fields_{n.lower()}, {len(f)}, {2 if n in WIDE else 1} }},'
               for n, f in LAYOUTS.items()), '};', '',
             'const char *const hd_r700_field_names[HD_R700_NUM_FIELDS] = {', *(f'   {string(f)},' for f in FIELDS), '};', '',
             'const char *const hd_r700_source_names[256] = {',
             *(f'   [{n}] = {string(s)},' for n, s in SOURCES.items()), '};', '',
             'const char *const hd_r700_swizzles[HD_R700_NUM_SWIZZLES] = {', *(f'   {string(s)},' for s in SWIZZLES), '};']
   return lines


def main(what, output):
   write(output, {'header': header, 'table': table}[what]())


if __name__ == '__main__':
   main(*sys.argv[1:])
