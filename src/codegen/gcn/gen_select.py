# SPDX-License-Identifier: MIT
"""gcn_select_table.c: the rows of gcn/select.py as data for select/alu.c."""

from codegen.emit import op_name, opening, run, write
import codegen.gcn.select  # noqa: F401
import codegen.gcn.select_float  # noqa: F401
from codegen.gcn.select_rows import ROWS
from codegen.gcn.select_language import FIXED, TARGETS
from codegen.ir.ops import OPS
from codegen.ir.schema import TableError

KINDS = ('none', 'src', 'result', 'temp', 'const', 'fixed')

class Table:
   def __init__(self):
      self.ways, self.steps, self.numbers, self.constants = [], [], [], []
      self.constant_at = {}
      self.refs = {}               # operand of a step -> its number: most are written many times
      self.shared = {}

   def place(self, pool, lines):
      """Where these lines stand in the pool, in a row; the same ones stand there once."""
      key = (id(pool), *lines)
      if key not in self.shared:
         self.shared[key] = len(pool)
         pool += lines
      return self.shared[key]

   def constant(self, bits):
      if bits not in self.constant_at:
         self.constant_at[bits] = len(self.constants)
         self.constants.append(bits)
      return self.constant_at[bits]

   def ref(self, ref):
      index = ref.index
      if ref.kind == 'const':
         index = self.constant(ref.index)
      fields = [f'.kind = REF_{ref.kind.upper()}']
      if ref.kind == 'fixed':
         fields.append(f'.index = {FIXED[ref.index][0]}')
      elif index:
         fields.append(f'.index = {index}')
      if ref.kind != 'none':
         fields.append(f'.size = {ref.size}')
      for name, value in (('part', ref.part), ('component', ref.component)):
         if value:
            fields.append(f'.{name} = {value}')
      mods = [name for name, on in (('HD_GCN_OPERAND_NEG', ref.neg), ('HD_GCN_OPERAND_ABS', ref.abs))
              if on]
      if mods:
         fields.append('.mods = ' + ' | '.join(mods))
      if ref.kind in ('result', 'temp') and ref.file == 'mask':
         fields.append('.file = FILE_MASK')
      elif ref.kind in ('result', 'temp') and ref.file == 'vector':
         fields.append('.file = FILE_VECTOR')
      return '{ ' + ', '.join(fields) + ' },'

   def step(self, step):
      first = self.place(self.numbers, [self.refs.setdefault(self.ref(r), len(self.refs)) for r in step.defs + step.srcs])
      special = {'move': 'STEP_MOVE', 'to_scc': 'STEP_TO_SCC', 'mode': 'STEP_MODE', 'p_vector': 'HD_MACH_P_VECTOR'}
      op = special.get(step.op) or f'HD_GCN_{step.op.upper()}'
      return f'   {{ {op}, {len(step.defs)}, {len(step.srcs)}, {step.mods}, {first} }},'

   def way(self, row, way):
      first = self.place(self.steps, [self.step(step) for step in way.steps])
      gens = ' | '.join(f'1u << HD_GCN_{TARGETS[g].upper()}' for g in sorted(way.gens))
      conditions = ' | '.join(f'WHEN_{word.upper()}_{size}' for word, size in way.conditions) or '0'
      modifiable = sum(1 << n for n, good in enumerate(row.modifiable(way)) if good)
      self.ways.append(f'   {{ {gens}, {conditions}, {first}, {len(way.steps)}, {len(way.temps)}, '
                       f'{modifiable}, {int(way.scc)} }},')


def main(output):
   table = Table()
   rows = []
   numbers = {op.name: n for n, op in enumerate(OPS)}
   ordered = sorted(ROWS, key=lambda r: (numbers[r.op], r.cls, r.from_size, r.to_size or 0))
   firsts = {}
   for row in ordered:
      row.parse()
      firsts.setdefault(row.op, [len(rows), 0])[1] += 1
      first = len(table.ways)
      for way in row.parsed:
         table.way(row, way)
      rows.append(f'   {{ {int(row.cls == "s")}, {row.key}, {row.to_size or 0}, '
                  f'{len(row.parsed)}, {first} }}, /* {row.op} */')
   lines = opening('gcn_select_table.c', 'how ALU ops are computed.', 'gcn/select.py')
   lines += ['#include "backend/gcn/select/table.h"', '#include "heddle/op_enum.h"', '',
             'const hd_gcn_select_ref hd_gcn_select_refs[] = {']
   lines += ['   ' + r for r in table.refs] + ['};', '']
   if len(table.refs) > 256:
      raise TableError(f'{len(table.refs)} operands of steps are too many for a byte')
   lines += ['const uint8_t hd_gcn_select_ref_numbers[] = {']
   lines += ['   ' + ' '.join(f'{n},' for n in table.numbers[i:i + 24]) for i in range(0, len(table.numbers), 24)]
   lines += ['};', '']
   lines += ['const hd_gcn_select_step hd_gcn_select_steps[] = {'] + table.steps + ['};', '']
   lines += ['const hd_gcn_select_pattern hd_gcn_select_patterns[] = {'] + table.ways + ['};', '']
   lines += ['const uint64_t hd_gcn_select_constants[] = {']
   lines += [f'   UINT64_C(0x{c:x}),' for c in table.constants] + ['};', '']
   lines += ['const hd_gcn_select_row hd_gcn_select_rows[] = {'] + rows + ['};', '']
   lines += ['const hd_gcn_select_range hd_gcn_select_ranges[HD_NUM_OPS] = {']
   lines += [f'   [{op_name(op)}] = {{ {first}, {count} }},' for op, (first, count) in firsts.items()]
   lines.append('};')
   write(output, lines)


if __name__ == '__main__':
   run(main, 1)
