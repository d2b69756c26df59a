# SPDX-License-Identifier: MIT
"""doc/gen9_isa.md, the reference page of Gen9's instructions, from the table."""

from codegen.gen9.isa import CONDITIONS, LAYOUTS, PARTS, PREDICATES, ROWS, TYPES

HEAD = '''<!-- SPDX-License-Identifier: MIT -->
<!-- Generated from src/codegen/gen9/isa.py; after a change there run: meson compile -C build docs -->
# Gen9 instructions

The instructions of Intel Gen9 that the assembler and the disassembler know: {count} rows, in the syntax of Intel's
assembler (`iga64 -p=9`). An instruction has 128 bits, or 64 where it has a short form (`{{Compacted}}`).

    (W&~f0.1.any8h) add (8|M0) (gt)f0.1 (sat)r7.0<1>:f  -r20.0<8;8,1>:f  1.5:f {{AccWrEn}}

In this order: a predicate, `W` for all channels, whichever are active; the op; how many channels and the first one; a
condition and the flag that it is written to; the destination and sources, each with a region (vertical stride, width,
horizontal stride, in elements) and a type; options. Registers: `r0` to `r127`, of 32 bytes each; of the architecture
`null`, `a0`, `acc0`, `acc1`, `f0`, `f1`, `ce`, `sp`, `sr0`, `sr1`, `cr0`, `n0`, `ip`, `tdr0`, `tm0`, `dbg0`; and
`r[a0.2,32]`, which an address register names.

Types are {types}. Conditions are {conditions}. Predicates that combine channels are {predicates}.
'''

CLASSES = (('unary', 'One source'), ('binary', 'Two sources'), ('ternary', 'Three sources'), ('math1', 'Functions'),
           ('math2', None), ('branch2', 'Branches'), ('branch', None), ('diverge', None), ('diverge2', None),
           ('jump', None), ('call', None), ('ret', None), ('send', 'Messages'), ('sends', None), ('wait', 'Other'),
           ('plain', None))
LACKS = (('no_predicate', 'predicate'), ('no_condition', 'condition'), ('no_saturate', 'saturation'),
         ('no_modifiers', 'source modifiers'))


def lacks(row):
   names = [words for flag, words in LACKS if flag in row.flags]
   if row.shape.startswith('math'):
      names.insert(0, 'condition')
   return ', '.join(names)


def bits(low, count):
   return f'{low}' if count == 1 else f'{low + count - 1}-{low}'


def layout_rows():
   used = dict.fromkeys(part for layout in LAYOUTS.values() for group in layout for choice in
                        (group if group and isinstance(group[0], tuple) else (group,)) for part in choice)
   for part in used:
      members = ', '.join(f'{member} {bits(low, count)}' if member else f'{more[0]} in {bits(low, count)}'
                          for member, low, count, *more in PARTS[part])
      yield f'| {part} | {members} |'


def page(_):
   lines = HEAD.format(count=len(ROWS), types=', '.join(f'`{t[0]}`' for t in TYPES),
                       conditions=', '.join(f'`{c}`' for c in CONDITIONS if c),
                       predicates=', '.join(f'`{p}`' for p in PREDICATES if p)).splitlines()
   for shape, title in CLASSES:
      if title:
         lines += ['', f'## {title}', '', '| name | opcode | meaning | has no |', '|-|-|-|-|']
      for row in ROWS:
         if row.shape == shape:
            code = f'{row.opcode:02x}' + (f', function {row.function}' if row.function else '')
            lines.append(f'| `{row.name}` | {code} | {row.meaning} | {lacks(row)} |')
   lines += ['', '## Bits', '', 'The opcode is in 6-0, 29 says that the form is short. The rest, by part:', '',
             '| part | members |', '|-|-|', *layout_rows()]
   return '\n'.join(lines)
