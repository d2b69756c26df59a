# SPDX-License-Identifier: MIT
"""gcn_op_info.c: what the table says of each GCN instruction. Equal lists of operands are shared."""

from codegen.emit import flags, opening, run, write
from codegen.gcn.isa import OWN_PSEUDO, SHARED_PSEUDO, all_rows


def operand(o):
   fixed = f'HD_GCN_{o.fixed}' if o.fixed else 'HD_MACH_NO_REG'
   return (f'{{ {flags("HD_GCN_TAKES_", sorted(set(o.kinds)))}, HD_GCN_{o.type.upper()}, {o.size}, '
           f'{o.tied}, {fixed}, HD_GCN_FIELD_{o.field.upper()} }}')


def column(values):
   return '{ ' + ', '.join(values) + ' }'


class Names:
   """All names in a row, each once."""

   def __init__(self):
      self.text, self.places = '', {}

   def place(self, names):
      """Where the name is; of an instruction that was renamed, where its names stand by generation."""
      given = sorted({name for name in names if name})
      text = '\0'.join([*given, ''] if len(given) == 1 else [*(name or '' for name in names), ''])
      if text not in self.places:
         self.places[text] = len(self.text)
         self.text += text
      return self.places[text]

   def lines(self):
      codes = [str(ord(c)) for c in self.text]
      return (['const char hd_gcn_op_names[] = {'] +
              ['   ' + ', '.join(codes[n:n + 24]) + ',' for n in range(0, len(codes), 24)] + ['};', ''])


SHARED_FLAGS = {'reads_exec': 'per_lane', **{name: name for name in (
   'commutes', 'loads', 'stores', 'branches', 'ends', 'cross_lane', 'side_effect')}}


def op_flags(names):
   """Those of the machine layer by its names, then GCN's own."""
   shared = [SHARED_FLAGS[name] for name in sorted(names) if name in SHARED_FLAGS]
   own = [name for name in sorted(names) if name not in SHARED_FLAGS]
   return ' | '.join(filter(None, (shared and flags('HD_MACH_', shared), own and flags('HD_GCN_', own)))) or '0'


def row_lines(row, operands, names):
   renamed = ['renamed'] if len(set(filter(None, row.names))) > 1 else []
   return [f'   [{row.enum}] = {{',
           f'      {{ {op_flags(row.flags | set(renamed))}, {len(row.defs)}, {len(row.srcs)},',
           f'        HD_GCN_LATENCY_{row.latency.upper()}, {operands} }},',
           f'      {names.place(row.names)},',
           f'      {column(map(str, row.opcodes))}, {column(map(str, row.vop3))},',
           f'      HD_GCN_{row.format.upper()}, HD_GCN_IMM_{row.imm.upper()},',
           '   },']


def pseudo_lines(enum, name, names, op_flags):
   return [f'   [{enum}] = {{', f'      {{ {op_flags}, 0, 0, HD_GCN_LATENCY_NONE, NULL }},',
           f'      {names.place((name,))},', '      { -1, -1, -1 }, { -1, -1, -1 }, HD_GCN_PSEUDO, HD_GCN_IMM_NONE,',
           '   },']


def main(output):
   lists, body, names = {}, [], Names()
   empty = names.place(('',))
   for row in all_rows():
      key = tuple(operand(o) for o in row.defs + row.srcs)
      number = lists.setdefault(key, len(lists)) if key else None
      body += row_lines(row, f'operands_{number}' if key else 'NULL', names)
   lines = opening('gcn_op_info.c', 'what the table says of each instruction.', 'gcn/isa.py')
   lines += ['#include "backend/gcn/isa/isa.h"', '']
   for key, number in lists.items():
      lines += [f'static const hd_mach_operand_info operands_{number}[] = {{']
      lines += [f'   {text},' for text in key]
      lines += ['};', '']
   lines += ['const hd_gcn_op_info hd_gcn_op_infos[HD_GCN_NUM_OPS] = {',
             f'   [HD_MACH_OP_NONE] = {{ .name = {empty}, .opcode = {{ -1, -1, -1 }},',
             '                         .vop3_opcode = { -1, -1, -1 } },']
   for name in SHARED_PSEUDO:
      lines += pseudo_lines(f'HD_MACH_{name.upper()}', name, names, 'HD_MACH_PSEUDO')
   for name in OWN_PSEUDO:
      lines += pseudo_lines(f'HD_GCN_{name.upper()}', name, names, 'HD_MACH_PSEUDO | HD_MACH_USES_LANES')
   write(output, lines + body + ['};', ''] + names.lines())


if __name__ == '__main__':
   run(main, 1)
