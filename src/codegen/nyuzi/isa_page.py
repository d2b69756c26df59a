# SPDX-License-Identifier: MIT
"""doc/nyuzi_isa.md, the reference page of Nyuzi's instructions, from the table."""

from codegen.nyuzi.isa import ROWS

HEAD = '''<!-- SPDX-License-Identifier: MIT -->
<!-- Generated from src/codegen/nyuzi/isa.py; after a change there run: meson compile -C build docs -->
# Nyuzi instructions

The instructions that the assembler, the disassembler, the simulator and the backend know: {count} rows. In a text `s1`
is a scalar register, `v1` a vector register, `8(s2)` memory with an offset in bytes.

| format | bits |
|-|-|
| register | 110, format 28-26, op 25-20, src2 19-15, mask 14-10, dest 9-5, src1 4-0 |
| immediate | 0, format 30-29, op 28-24, immediate 23-10 (with a mask: 23-15, mask 14-10), dest 9-5, src1 4-0 |
| memory | 10, load 29, op 28-25, offset 24-10 (with a mask: 24-15, mask 14-10), value 9-5, pointer 4-0 |
| branch | 1111, type 27-25, offset 24-5 and register 4-0, or offset 24-0; in words from the branch itself |

Fields that an instruction does not have are 0. *Forms* tells which kinds of operands there are: `ss` scalars, `vs` a
vector and a scalar, `vv` vectors, `si` and `vi` an immediate for the last operand; `_mask`: lanes of a scalar register,
which stands after the destination in the text.
'''

KINDS = (('binary', 'Arithmetic'), ('unary', 'Arithmetic with one operand, src2'), ('compare', 'Compares'),
         ('shuffle', 'Lanes'), ('getlane', None), ('high', 'Other'), ('plain', None), ('load', 'Loads'),
         ('store', 'Stores'), ('control', 'Control registers'), ('test', 'Branches'), ('branch', None),
         ('register', None))


def page(_):
   lines = HEAD.format(count=len(ROWS)).splitlines()
   for shape, title in KINDS:
      if title:
         lines += ['', f'## {title}', '', '| name | op | forms | meaning |', '|-|-|-|-|']
      for row in ROWS:
         if row.shape == shape:
            name = row.name[:-4] if row.name.endswith('_reg') else row.name
            lines.append(f'| `{name}` | {row.code} | {", ".join(row.forms)} | {row.meaning} |')
   return '\n'.join(lines) + '\n'
