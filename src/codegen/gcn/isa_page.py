# SPDX-License-Identifier: MIT
"""doc/gcn_isa.md, the reference page of GCN instructions, from the tables."""

from codegen.gcn.isa import FIXED, GENS, LEFT_OUT, all_rows
from codegen.gcn.sem_special import UNMODELLED

CHIPS = {'gfx6': 'gfx600', 'gfx8': 'gfx803', 'gfx9': 'gfx900'}

TITLES = {
   'sop1': 'SOP1: scalar, one source', 'sop2': 'SOP2: scalar, two sources',
   'sopk': 'SOPK: scalar, a constant of 16 bits', 'sopc': 'SOPC: scalar compares',
   'sopp': 'SOPP: program control', 'smem': 'SMEM: scalar memory (SMRD on gfx600)',
   'vop1': 'VOP1: vector, one source', 'vop2': 'VOP2: vector, two sources',
   'vopc': 'VOPC: vector compares', 'vop3': 'VOP3: vector, up to three sources',
   'vop3p': 'VOP3P: packed halves', 'ds': 'DS: LDS and the crossbar of lanes',
   'mubuf': 'MUBUF: buffers', 'flat': 'FLAT: an address of any memory', 'global': 'GLOBAL',
   'scratch': 'SCRATCH', 'mtbuf': 'MTBUF: typed buffers', 'mimg': 'MIMG: images',
   'vintrp': 'VINTRP: attributes of pixels', 'export': 'EXP: exports'}

HEAD = '''<!-- SPDX-License-Identifier: MIT -->
<!-- Generated from src/codegen/gcn/isa*.py; after a change there run: meson compile -C build docs -->
# GCN instructions

What the table of instructions holds: {count} of them, which the assembler, the disassembler and the decoder of the
simulator know. A test assembles each of them and compares the bytes with those of LLVM's assembler.

- *Forms*: encodings besides the one that the section is about. An instruction of VOP1, VOP2 or VOPC has its opcode
  in the VOP3 form after the stroke; where only that one stands, the chip has the instruction in VOP3 alone.
- *Opcodes* are hexadecimal; an instruction that a chip calls by another name has it there.
- *Operands*: what is written `=` what is read, in the order of the text. `s` is a scalar register, `v` a vector
  register, `c` a scalar register or an inline constant, `S` that or a literal, `V` anything, `I` anything but a
  literal, `K` a literal; a `?` means that it may be left out (`off`, `null`); without a letter it is what the format
  has at that place. Sizes and how bits are read follow the colon: `b32`, `f64`, `mask` for one bit a lane.
- *Touches*: what it reads (`<`) or writes (`>`) without naming it. Vector instructions and memory
  instructions of lanes read exec besides, and those on floats the mode register.
- *Latency*: the class that scheduling, waits and the simulator's cycles go by
  ([gcn_simulator.md](gcn_simulator.md)).
- *Runs*: whether the simulator executes it, or why it reports it instead.
'''


def opcode(row, gen):
   plain, vop3 = row.opcodes[gen], row.vop3[gen]
   if plain < 0 and vop3 < 0:
      return ''
   text = f'{plain:x}' if plain >= 0 else ''
   if vop3 >= 0:
      text += f'/{vop3:x}'
   if row.names[gen] != row.name:
      text += f' `{row.names[gen]}`'
   return text


def forms(row):
   known = (('has_vop3', 'VOP3'), ('has_sdwa', 'SDWA'), ('sdwa_gfx8', 'SDWA'), ('has_dpp', 'DPP'))
   found = dict.fromkeys(form for flag, form in known if flag in row.flags)
   return ' '.join(found)


LETTERS = {('sgpr',): 's', ('sgpr', 'inline'): 'c', ('sgpr', 'inline', 'literal'): 'S', ('vgpr',): 'v',
           ('sgpr', 'vgpr', 'inline', 'literal'): 'V', ('sgpr', 'vgpr', 'inline'): 'I',
           ('literal',): 'K'}


def operand(o):
   if 'one' in o.kinds:
      return next(name for name, (register, _) in FIXED.items() if register == o.fixed)
   kinds = tuple(k for k in o.kinds if k not in ('nothing', 'implicit'))
   letter = LETTERS.get(kinds, '')
   return f'{letter}{"?" if "nothing" in o.kinds else ""}:{o.type}' if letter else o.type


def operands(row):
   left = ' '.join(operand(o) for o in row.defs if o.explicit)
   right = [operand(o) for o in row.srcs if o.explicit]
   if row.imm != 'none':
      right.append(row.imm)
   text = f'{left} = {" ".join(right)}'.strip() if left else ' '.join(right)
   return f'`{text}`' if text else ''


def touched(row):
   words = []
   for sign, side in (('<', row.srcs), ('>', row.defs)):
      for o in side:
         if o.explicit or o.tied >= 0:
            continue
         if 'returns_if_glc' in row.flags and o.fixed is None:
            words.append('>data with glc')
         else:
            words.append(sign + operand(o) + (' before gfx900' if 'before_gfx9' in o.kinds else ''))
   if any(o.tied >= 0 and not o.explicit for o in row.srcs) and 'returns_if_glc' not in row.flags:
      words.append('<its result')
   return ', '.join(words)


def section(format, rows):
   lines = [f'## {TITLES[format]}', '',
            '| name | operands | forms | ' + ' | '.join(CHIPS[g] for g in GENS) +
            ' | touches | latency | runs |',
            '|---' * 9 + '|']
   for row in rows:
      runs = f'no: {UNMODELLED[row.name]}' if row.name in UNMODELLED else 'yes'
      cells = [f'`{row.name}`', operands(row), forms(row), *(opcode(row, n) for n in range(3)),
               touched(row), row.latency, runs]
      lines.append('| ' + ' | '.join(cells) + ' |')
   return lines + ['']


def page(_):
   rows = all_rows()
   formats = dict.fromkeys(row.format for row in rows)
   lines = HEAD.format(count=len(rows)).splitlines() + ['']
   for format in formats:
      lines += section(format, [row for row in rows if row.format == format])
   lines += ['## What has no row', '', '| names | chips | why |', '|---|---|---|']
   for pattern, gens, why in LEFT_OUT:
      chips = ' '.join(CHIPS[g] for g in gens.split())
      names = pattern.replace('|', '\\|')
      lines.append(f'| `{names}…` | {chips} | {why} |')
   return '\n'.join(lines) + '\n'
