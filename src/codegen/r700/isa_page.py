# SPDX-License-Identifier: MIT
"""doc/r700_isa.md, the reference page of R700's instructions, from the table."""

from codegen.r700.isa import ALU, CF, FETCH, LAYOUTS, ROWS, SOURCES, SWIZZLES

HEAD = '''<!-- SPDX-License-Identifier: MIT -->
<!-- Generated from src/codegen/r700/isa.py; after a change there run: meson compile -C build docs -->
# R700 instructions

The instructions that the assembler and the disassembler know: {count} rows. A line has the name, operands, and the fields
that are not 0 and not in the operands, as `NAME:value`, or `NAME` where it is one bit:

    ALU_PUSH_BEFORE 2, @4, KC0[CB0:0:1]          a clause of 3 words at 4; line 0 of constant buffer 0 is locked
    TEX 0, @8                                    a clause of one fetch
    JUMP @7 POP_COUNT:1 NO_BARRIER               control flow has a barrier where nothing is said
    ADD_INT * T1.X, -T0.W, KC0[3].Y BS:VEC_120/SCL_212       `*` ends a group
    PRED_SETNE_INT * T0.X (MASKED), PV.X, 0.0 UPDATE_EXEC_MASK
    .literal 0x11, 0x0                           behind the group that names literal.x
    VFETCH T2.XY__, T0.X BUFFER_ID:1 DATA_FORMAT:29
    MEM_EXPORT T3.X___ INDEX_GPR:2 TYPE:1 ARRAY_SIZE:4095

Sources are registers `T0` to `T127`, constants `KC0[n]`, `KC1[n]` and `C0` to `C255`, and {sources}; `-` negates, `| |`
takes the magnitude, `[n+AR]` is relative. Bank swizzles: {swizzles}.
'''


def bits(low, width):
   return f'{low}' if width == 1 else f'{low + width - 1}-{low}'


def page(_):
   sources = ', '.join(f'`{s}`' for s in SOURCES.values())
   lines = HEAD.format(count=len(ROWS), sources=sources, swizzles=', '.join(f'`{s}`' for s in SWIZZLES)).splitlines()
   lines += ['', '## Layouts', '', 'Bits of each field; those of none are 0. Fetches have 128.', '', '| layout | fields |',
             '|-|-|']
   lines += [f'| {name} | {", ".join(f"{f} {bits(low, width)}" for f, low, width in fields)} |'
             for name, fields in LAYOUTS.items()]
   for title, rows in (('Control flow', CF), ('Fetches', FETCH)):
      lines += ['', f'## {title}', '', '| name | number | layout |', '|-|-|-|']
      lines += [f'| `{r.name}` | {r.code}{f", MEM_OP {r.memory}" if r.layout == "MEM_RD" else ""} | {r.layout} |'
                for r in rows]
   lines += ['', '## ALU', '', 'Slots: v, that of the channel that is written; t, the transcendental one.', '',
             '| name | number | layout | operands | slots |', '|-|-|-|-|-|']
   lines += [f'| `{r.name}` | {r.code} | {r.layout} | {r.srcs} | {", ".join(r.slots)} |' for r in ALU]
   return '\n'.join(lines) + '\n'
