# SPDX-License-Identifier: MIT
"""The encodings as data.

    gcn.gen_formats encode OUTPUT    gcn_formats.c: the layouts, for what encodes and what decodes
    gcn.gen_formats decode OUTPUT    gcn_decode_table.c: which layout a word has, which instruction an opcode is
"""

import sys

from codegen.emit import opening, string, write
from codegen.gcn.isa import GENS, OPCODE_BITS, all_rows
from codegen.gcn.isa_formats import LAYOUTS, PREFIX_BITS, chains, layouts_of

# Layouts whose opcodes are those of another one.
SAME_OPCODES = {'vop3b': 'vop3', 'vop1_sdwa': 'vop1', 'vop2_sdwa': 'vop2', 'vopc_sdwa': 'vopc',
                'vop1_dpp': 'vop1', 'vop2_dpp': 'vop2'}


def layout_name(name):
   return f'HD_GCN_LAYOUT_{name.upper()}'


def field_name(name):
   return f'HD_GCN_FIELD_{name.upper()}'


def numbers(values, per_line=16):
   return ['   ' + ' '.join(f'{v},' for v in values[i:i + per_line])
           for i in range(0, len(values), per_line)]


def opcode_table(name, format, gen, rows):
   """C lines of an array from opcode to op, if the generation has any in this format."""
   found = {}
   for row in rows:
      if format == 'vop3' and row.vop3[gen] >= 0:
         found[row.vop3[gen]] = row.enum
      if row.format == format and row.opcodes[gen] >= 0:
         found[row.opcodes[gen]] = row.enum
   if not found:
      return []
   lines = [f'static const uint16_t {name}[{1 << OPCODE_BITS[format]}] = {{']
   lines += [f'   [0x{op:x}] = {enum},' for op, enum in sorted(found.items())]
   return lines + ['};', '']


def layout_lines(layout, gen_name):
   name = f'{gen_name}_{layout.name}'
   lines = []
   if layout.fields:
      lines += [f'static const hd_gcn_bits {name}_fields[] = {{']
      lines += [f'   {{ {field_name(field)}, {low}, {width} }},'
                for field, low, width in layout.fields]
      lines += ['};', '']
   has = ' | '.join(f'UINT64_C(1) << {field_name(field)}' for field, _, _ in layout.fields) or '0'
   wide = ' | '.join(f'UINT64_C(1) << {field_name(field)}'
                     for field, _, width in layout.fields if width == 9) or '0'
   fields = f'{name}_fields' if layout.fields else 'NULL'
   entry = [f'   [{layout_name(layout.name)}] = {{',
            f'      {string(layout.name)}, UINT64_C(0x{layout.mask:x}), UINT64_C(0x{layout.value:x}),',
            f'      {has},', f'      {wide},',
            f'      {fields}, {len(layout.fields)}, {layout.words},', '   },']
   return lines, entry


def generation(gen):
   """The layouts of a generation."""
   lines, entries = [], []
   for layout in layouts_of(gen, LAYOUTS).values():
      more, entry = layout_lines(layout, gen)
      lines += more
      entries += entry
   return lines + [f'static const hd_gcn_encoding {gen}_layouts[HD_GCN_NUM_LAYOUTS] = {{', *entries, '};', '']


def decoding(number, gen, rows, all_chains):
   """The instructions of each layout by opcode, and which layouts a word can have."""
   layouts = layouts_of(gen, LAYOUTS)
   lines, entries = [], []
   for name in layouts:
      table = f'{gen}_{SAME_OPCODES.get(name, name)}_ops'
      if name not in SAME_OPCODES:
         lines += opcode_table(table, name, number, rows)
      entries += [f'   [{layout_name(name)}] = {table},']
   lines += [f'static const uint16_t *const {gen}_ops[HD_GCN_NUM_LAYOUTS] = {{', *entries, '};', '']
   which = [all_chains.setdefault(tuple(chain), len(all_chains))
            for chain in chains(layouts)]
   lines += [f'static const uint8_t {gen}_chains[1 << {PREFIX_BITS}] = {{'] + numbers(which)
   return lines + ['};', '']


# The bits of hd_mach_inst.bits that are fields of one bit, and the fields where they have another name.
FLAGS = {name: name for name in ('CLAMP', 'GLC', 'SLC', 'TFE', 'LDS', 'OFFEN', 'IDXEN', 'ADDR64', 'GDS', 'BOUND_CTRL')}
FLAGS['SOFFSET_IMM'] = 'IMM'


def by_generation(kind, name, suffix):
   return f'   static const {kind} {name}[] = {{ ' + ', '.join(f'{gen}_{suffix}' for gen in GENS) + ' };'


def encode_lines():
   lines = opening('gcn_formats.c', 'the encodings as data.', 'gcn/isa_formats.py')
   lines += ['#include "backend/gcn/isa/encoding.h"', '']
   for gen in GENS:
      lines += generation(gen)
   lines += ['const hd_gcn_encoding *',
             'hd_gcn_layout_of(hd_gcn_gen gen, hd_gcn_layout_id id)', '{',
             by_generation('hd_gcn_encoding *const', 'layouts', 'layouts'), '',
             '   return &layouts[gen][id];', '}', '',
             'const hd_gcn_flag_field hd_gcn_flag_fields[HD_GCN_NUM_FLAG_FIELDS] = {']
   lines += [f'   {{ HD_GCN_{bit}, HD_GCN_FIELD_{field} }},' for bit, field in FLAGS.items()]
   return lines + ['};']


def decode_lines():
   rows, all_chains, body = all_rows(), {(): 0}, []
   for number, gen in enumerate(GENS):
      body += decoding(number, gen, rows, all_chains)
   longest = max(map(len, all_chains)) + 1
   lines = opening('gcn_decode_table.c', 'from words to layouts and instructions.', 'gcn/isa_formats.py')
   lines += ['#include "backend/gcn/isa/decode_table.h"', '', *body,
             '/* Layouts to try in turn, up to the first whose constants are there. */',
             f'static const uint8_t chains[][{longest}] = {{']
   lines += ['   { ' + ', '.join(map(layout_name, [*chain, 'none'])) + ' },' for chain in all_chains]
   return lines + ['};', '',
             'const uint16_t *',
             'hd_gcn_ops_of_layout(hd_gcn_gen gen, hd_gcn_layout_id id)', '{',
             by_generation('uint16_t *const *const', 'ops', 'ops'), '',
             '   return ops[gen][id];', '}', '',
             'const uint8_t *', 'hd_gcn_layouts_of_word(hd_gcn_gen gen, uint32_t word)', '{',
             by_generation('uint8_t *const', 'tables', 'chains'), '',
             f'   return chains[tables[gen][word >> {32 - PREFIX_BITS}]];', '}']


def main(what, output):
   write(output, {'encode': encode_lines, 'decode': decode_lines}[what]())


if __name__ == '__main__':
   main(*sys.argv[1:])
