# SPDX-License-Identifier: MIT
"""What is made of the table of Nyuzi's instructions:

    nyuzi.gen_isa header OUTPUT   nyuzi_ops.h: the numbers of ops, shapes and forms
    nyuzi.gen_isa table OUTPUT    nyuzi_op_info.c: the rows as data
"""

import sys

from codegen.emit import opening, string, write
from codegen.nyuzi.isa import FORMS, OWN, ROWS, SHAPE_FORMS


SHARED = ('p_start', 'p_phi', 'p_copy', 'p_vector', 'p_split', 'p_undef', 'p_mask_phi', 'p_spill', 'p_reload',
          'p_end', 'p_halt')
LAYER_FLAGS = ('per_lane', 'commutes', 'loads', 'stores', 'branches', 'ends', 'side_effect', 'cross_lane')
OWN_FLAGS = ('wide', 'by_lanes')


def enum(name, values):
   return [f'typedef enum hd_nyuzi_{name} {{', *(f'   HD_NYUZI_{v},' for v in values), f'}} hd_nyuzi_{name};', '']


def header():
   ops = [f'{OWN[0].enum[9:]} = HD_MACH_NUM_PSEUDO_OPS', *(o.enum[9:] for o in OWN[1:]),
          f'FIRST_OP', f'{ROWS[0].enum[9:]} = HD_NYUZI_FIRST_OP', *(r.enum[9:] for r in ROWS[1:]), 'NUM_OPS']
   lines = opening('nyuzi_ops.h', "the numbers of Nyuzi's ops, of their shapes and of forms.", 'nyuzi/isa.py')
   lines += ['#ifndef HEDDLE_NYUZI_OPS_H', '#define HEDDLE_NYUZI_OPS_H', '', '#include "machine/machine.h"', '']
   lines += enum('op', ops)
   lines += enum('form', [f'FORM_{f.upper()}' for f in FORMS])
   lines += enum('shape', ['SHAPE_OWN', *(f'SHAPE_{s.upper()}' for s in SHAPE_FORMS)])
   return lines + ['#endif']


def flags(names, extra=()):
   words = [f'HD_MACH_{f.upper()}' for f in LAYER_FLAGS if f in names]
   words += [f'HD_NYUZI_{f.upper()}' for f in OWN_FLAGS if f in names] + list(extra)
   return ' | '.join(words) or '0'


def operand(tied):
   return f'{{ 0, 0, 1, {tied}, HD_MACH_NO_REG, 0 }}'


def operands(number, defs, ties):
   body = [operand(-1)] * defs + [operand(t) for t in ties]
   if not body:
      return 'NULL', []
   return f'operands_{number}', [f'static const hd_mach_operand_info operands_{number}[] = {{',
                                 *(f'   {o},' for o in body), '};', '']


def counts(row):
   """How many results and sources an instruction of the machine layer has."""
   if row.shape in ('unary', 'high'):
      return 1, 1 if row.shape == 'unary' else 0
   if row.shape in ('binary', 'compare', 'getlane', 'shuffle'):
      return 1, 2
   if row.shape == 'load':
      return 1, 1
   if row.shape == 'store':
      return 0, 2
   return (1, 0) if row.name == 'getcr' else (0, 1) if row.name == 'setcr' else (0, 0)


def table():
   lines = opening('nyuzi_op_info.c', 'the rows of the table as data.', 'nyuzi/isa.py')
   lines += ['#include "backend/nyuzi/isa/isa.h"', '']
   body = []
   for name in SHARED:
      body += [f'   [HD_MACH_{name.upper()}] = {{ {{ HD_MACH_PSEUDO, 0, 0, 0, NULL }}, {string(name)}, 0, 0, 0 }},']
   for number, own in enumerate(OWN):
      ties = [0 if s.startswith('=') else -1 for s in own.srcs]
      name, more = operands(number, own.defs, ties)
      lines += more
      body += [f'   [{own.enum}] = {{ {{ {flags(own.flags)}, {own.defs}, {len(own.srcs)}, 0, {name} }},',
               f'      {string(own.name)}, 0, 0, HD_NYUZI_SHAPE_OWN }},']
   for number, row in enumerate(ROWS, len(OWN)):
      defs, srcs = counts(row)
      name, more = operands(number, defs, [-1] * srcs)
      lines += more
      forms = ' | '.join(f'1u << HD_NYUZI_FORM_{f.upper()}' for f in row.forms)
      # Others may be scalar.
      lane = ('HD_MACH_PER_LANE',) if row.shape in ('getlane', 'shuffle') else ()
      text = row.name[:-4] if row.name.endswith('_reg') else row.name
      body += [f'   [{row.enum}] = {{ {{ {flags(row.flags, lane)}, {defs}, {srcs}, 0, {name} }},',
               f'      {string(text)}, {forms}, {row.code}, HD_NYUZI_SHAPE_{row.shape.upper()} }},']
   lines += ['const hd_nyuzi_op_info hd_nyuzi_op_infos[HD_NYUZI_NUM_OPS] = {', '   [HD_MACH_OP_NONE] = { .name = "?" },',
             *body, '};']
   return lines


def main(what, output):
   write(output, {'header': header, 'table': table}[what]())


if __name__ == '__main__':
   main(*sys.argv[1:])
