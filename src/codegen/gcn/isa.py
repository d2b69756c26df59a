# SPDX-License-Identifier: MIT
"""The instructions of AMD GCN: Southern Islands (gfx6), Volcanic Islands (gfx8) and Vega (gfx9).

Here is the language of the rows and what they must keep; the rows stand in gcn/isa_scalar.py,
gcn/isa_vector.py, gcn/isa_memory.py and gcn/isa_image.py, the bit fields of the formats in gcn/isa_formats.py.

A row is one line:

   name   gfx6 gfx8 gfx9   defs = srcs   | notes

   name      that of the newest generation that has it; older names are given by `gfx6:name`,
             `gfx8:name` in the notes
   gfx6 ...  opcodes in hex, `-` where the generation does not have it. VOP1, VOP2 and VOPC have a
             VOP3 form besides, whose opcode follows; `*28f` is an instruction that this generation
             has in the VOP3 form alone
   operands  in the order of the assembler's text, `.` where there are none:
                type         of the kind that the format has at that place
                kind:type    s scalar register; c scalar register or inline constant; S besides
                             literals; v vector register; V anything; I anything but a literal;
                             K literal. A `?` behind the kind: or nothing
                ...@n        in the same register as def n; not in the text
                vcc          the mask of a compare, a carry: vcc in 32 bits, else any pair
                [scc]        a register that the instruction touches without naming it
   notes     flags (FLAGS), the latency class (LATENCIES), and `imm:kind` (IMMS)
"""

import re

from codegen.ir.schema import TableError, require

GENS = ('gfx6', 'gfx8', 'gfx9')

FORMATS = ('pseudo', 'sop1', 'sop2', 'sopk', 'sopc', 'sopp', 'smem', 'vop1', 'vop2', 'vopc', 'vop3',
           'vop3p', 'ds', 'mubuf', 'flat', 'global', 'scratch', 'mtbuf', 'mimg', 'vintrp', 'export')

# dwords of each type
TYPES = {'b16': 1, 'b32': 1, 'b64': 2, 'b96': 3, 'b128': 4, 'b160': 5, 'b192': 6, 'b224': 7, 'b256': 8,
         'b288': 9, 'b320': 10, 'b352': 11, 'b384': 12, 'b512': 16,
         'i16': 1, 'u16': 1, 'f16': 1, 'i32': 1, 'u32': 1, 'f32': 1, 'i64': 2, 'u64': 2, 'f64': 2,
         'v2f16': 1, 'v2i16': 1, 'mask': 2, 'bit': 1}
FLOAT_TYPES = ('f16', 'f32', 'f64', 'v2f16')

KINDS = {'s': ('sgpr',), 'c': ('sgpr', 'inline'), 'S': ('sgpr', 'inline', 'literal'), 'v': ('vgpr',),
         'V': ('sgpr', 'vgpr', 'inline', 'literal'), 'I': ('sgpr', 'vgpr', 'inline'),
         'K': ('literal',), '1': ('one',)}

# name: (register, type)
FIXED = {'scc': ('SCC', 'bit'), 'vcc': ('VCC', 'mask'), 'exec': ('EXEC', 'mask'),
         'm0': ('M0', 'b32'), 'flat_scratch': ('FLAT_SCRATCH', 'b64')}

FLAGS = ('reads_exec', 'reads_mode', 'commutes', 'loads', 'stores', 'branches', 'ends', 'cross_lane',
         'side_effect', 'neg_abs', 'omod_clamp', 'clamp_only', 'has_vop3', 'has_sdwa', 'has_dpp',
         'returns_if_glc', 'op_sel', 'two_offsets', 'sdwa_gfx8', 'to_lds', 'mix', 'gather', 'gradients')

LATENCIES = ('salu', 'valu', 'half', 'quarter', 'branch', 'smem', 'lds', 'vmem', 'flat', 'message',
             'export', 'none')

# What hd_mach_inst.imm is, and how it is written.
IMMS = ('none', 'hex', 'decimal', 'optional', 'target', 'waitcnt', 'hwreg', 'sendmsg', 'gpr_idx',
        'smem', 'ds', 'swizzle', 'mubuf', 'flat', 'mtbuf', 'mimg', 'attribute', 'export')

# Fields of the encodings that hold operands.
OPERAND_FIELDS = ('implied', 'sdst', 'ssrc0', 'ssrc1', 'sbase', 'sdata', 'soffset', 'vdst', 'src0',
                  'src1', 'src2', 'vsdst', 'literal', 'addr', 'data0', 'data1', 'vdata', 'vaddr',
                  'srsrc', 'saddr', 'ssamp')

# By format: (kind, field) of each explicit def and source in turn.
PLACES = {
   'sop1': ([('s', 'sdst')], [('S', 'ssrc0')]),
   'sop2': ([('s', 'sdst')], [('S', 'ssrc0'), ('S', 'ssrc1')]),
   'sopk': ([('s', 'sdst')], [('s', 'sdst')]),
   'sopc': ([], [('S', 'ssrc0'), ('S', 'ssrc1')]),
   'sopp': ([], []),
   'vop1': ([('v', 'vdst'), ('v', 'src0')], [('V', 'src0')]),
   'vop2': ([('v', 'vdst'), ('s', 'vsdst')], [('V', 'src0'), ('v', 'src1'), ('s', 'src2')]),
   'vopc': ([('s', 'vdst')], [('V', 'src0'), ('v', 'src1')]),
   'vop3': ([('v', 'vdst'), ('s', 'vsdst')], [('I', 'src0'), ('I', 'src1'), ('I', 'src2')]),
   'vop3p': ([('v', 'vdst')], [('I', 'src0'), ('I', 'src1'), ('I', 'src2')]),
   'smem': ([('s', 'sdata')], [('s', 'sbase'), ('s', 'soffset')]),
   'ds': ([('v', 'vdst')], [('v', 'addr'), ('v', 'data0'), ('v', 'data1')]),
   'mubuf': ([('v', 'vdata')], [('v', 'vaddr'), ('s', 'srsrc'), ('c', 'soffset')]),
   'mtbuf': ([('v', 'vdata')], [('v', 'vaddr'), ('s', 'srsrc'), ('c', 'soffset')]),
   'mimg': ([('v', 'vdata')], [('v', 'vaddr'), ('s', 'srsrc'), ('s', 'ssamp')]),
   'vintrp': ([('v', 'vdst')], [('v', 'src0')]),
   'export': ([], [('v', 'addr'), ('v', 'data0'), ('v', 'data1'), ('v', 'vdata')]),
   'flat': ([('v', 'vdst')], [('v', 'vaddr'), ('v', 'vdata')]),
   'global': ([('v', 'vdst')], [('v', 'vaddr'), ('v', 'vdata'), ('s', 'saddr')]),
   'scratch': ([('v', 'vdst')], [('v', 'vaddr'), ('v', 'vdata'), ('s', 'saddr')]),
}

VECTOR_ALU = ('vop1', 'vop2', 'vopc', 'vop3', 'vop3p')
# Opcode of the VOP3 form: that of the row plus this.
VOP3_OPCODES = {'vop1': (0x180, 0x140, 0x140), 'vop2': (0x100, 0x100, 0x100), 'vopc': (0, 0, 0)}
# Bits of an opcode.
OPCODE_BITS = {'sop1': 8, 'sop2': 7, 'sopk': 5, 'sopc': 7, 'sopp': 7, 'smem': 8, 'vop1': 8,
               'vop2': 6, 'vopc': 8, 'vop3': 10, 'vop3p': 7, 'ds': 8, 'mubuf': 7, 'flat': 7,
               'global': 7, 'scratch': 7, 'mtbuf': 4, 'mimg': 7, 'vintrp': 2, 'export': 0}

OPERAND = re.compile(r'(?:(?P<kind>[scSvVIK])(?P<nothing>\?)?:)?(?P<type>[a-z0-9]+)'
                     r'(?:>(?P<field>[a-z0-9]+))?(?:@(?P<tied>\d))?\Z')
ROW = re.compile(r'(?P<name>\w+)\s+(?P<ops>(?:\S+\s+){3})(?P<operands>[^|]*?)\s*'
                 r'(?:\|(?P<notes>.*))?\Z')


class Operand:
   """kinds: those of KINDS; `nothing`; `one`: only the register `fixed`; `implicit`: not in the
   text; `before_gfx9`: gfx9 does not touch it.
   """

   def __init__(self, row, text, places, is_def):
      self.fixed, self.tied = None, -1
      self.field = 'implied'
      implicit = text.startswith('[')
      word = text.strip('[]')
      if word in FIXED:
         self.fixed, self.type = FIXED[word]
         self.kinds = ['one'] + (['implicit'] if implicit else [])
         if not implicit:
            require(places, row, f'no place for {text}')
            self.field = places.pop(0)[1]
         return
      match = OPERAND.match(word)
      require(match and not implicit, row, f"cannot read the operand '{text}'")
      self.type = match['type']
      require(self.type in TYPES, row, f"unknown type '{self.type}'")
      if match['tied']:
         require(not is_def, row, 'a def is tied to a def')
         self.tied = int(match['tied'])
         self.kinds = list(KINDS[match['kind']]) if match['kind'] else []
         if match['field']:
            self.field = match['field']
         else:
            self.kinds.append('implicit')
         return
      if match['field']:
         self.field = match['field']
         require(match['kind'], row, f"'{text}' says a field but no kind")
         self.kinds = list(KINDS[match['kind']])
      elif match['kind'] == 'K':
         self.kinds, self.field = ['literal'], 'literal'
      else:
         require(places, row, f"no place for '{text}'")
         kind, self.field = places.pop(0)
         self.kinds = list(KINDS[match['kind'] or kind])
      require(self.field in OPERAND_FIELDS, row, f"unknown field '{self.field}'")
      if match['nothing']:
         self.kinds.append('nothing')

   @property
   def size(self):
      return TYPES[self.type]

   @property
   def explicit(self):
      return 'implicit' not in self.kinds


class Row:
   """One instruction. Columns (names, opcodes, vop3) are in the order of GENS."""

   def __init__(self, format, text, flags=(), latency='valu', imm='none'):
      match = ROW.match(text.strip())
      require(match, text.strip(), 'cannot read the row')
      self.name, self.format = match['name'], format
      self.flags, self.latency, self.imm = set(flags), latency, imm
      names = {}
      without = set()
      for note in (match['notes'] or '').split():
         key, colon, value = note.partition(':')
         if colon and key in GENS:
            names[key] = value
         elif key == 'imm' and value in IMMS:
            self.imm = value
         elif note in LATENCIES:
            self.latency = note
         elif note in FLAGS:
            self.flags.add(note)
         elif note.startswith('no_') and note[3:] in FLAGS:
            without.add(note[3:])
         else:
            raise TableError(f"{self.name}: unknown note '{note}'")
      self._operands(match['operands'])
      self._opcodes(match['ops'].split())
      self._defaults(without)
      self.flags -= without
      self.names = [names.get(gen, self.name) if self.has(n) else None
                    for n, gen in enumerate(GENS)]
      self._check()

   def has(self, gen):
      return self.opcodes[gen] >= 0 or self.vop3[gen] >= 0

   def _operands(self, text):
      left, equals, right = text.partition('=')
      if not equals:
         left, right = '', text
      places = PLACES[self.format]
      # SOPK: a source is in the field of the def where there is none.
      sides = []
      for side, words in ((0, left.split()), (1, right.split())):
         rest = list(places[side])
         sides.append([Operand(self.name, word, rest, side == 0) for word in words if word != '.'])
      self.defs, self.srcs = sides
      for src in self.srcs:
         if src.tied < 0:
            continue
         require(src.tied < len(self.defs), self.name, f'there is no def {src.tied}')
         tied_to = self.defs[src.tied]
         require(src.type == tied_to.type or 'returns_if_glc' in self.flags, self.name,
                 'tied operands differ in type')
         if not src.kinds or src.kinds == ['implicit']:
            src.kinds = [k for k in tied_to.kinds if k != 'implicit'] + src.kinds

   def _opcodes(self, words):
      self.opcodes, self.vop3 = [-1] * 3, [-1] * 3
      for n, word in enumerate(words):
         if word == '-':
            continue
         if word.startswith('*'):
            require(self.format in VOP3_OPCODES, self.name, 'has no VOP3 form')
            self.vop3[n] = int(word[1:], 16)
            continue
         self.opcodes[n] = int(word, 16)
         require(self.opcodes[n] < 1 << OPCODE_BITS[self.format], self.name,
                 f'the opcode {word} is too large')
         if self.format in VOP3_OPCODES:
            self.vop3[n] = self.opcodes[n] + VOP3_OPCODES[self.format][n]

   def _defaults(self, without):
      if self.format not in VECTOR_ALU:
         return
      explicit = [o for o in self.defs + self.srcs if o.explicit]
      if 'has_vop3' in without:
         self.vop3 = [v if o < 0 else -1 for v, o in zip(self.vop3, self.opcodes)]
         without.discard('has_vop3')
      if any(v >= 0 for v in self.vop3):
         self.flags.add('has_vop3')
      if any(o.type in FLOAT_TYPES for o in self.srcs if o.explicit):
         self.flags.add('neg_abs')
      if any(o.type in FLOAT_TYPES for o in self.defs):
         self.flags.add('omod_clamp')
      elif self.format == 'vop3p':
         self.flags.add('clamp_only')
      if any(o.type in FLOAT_TYPES for o in self.defs + self.srcs):
         self.flags.add('reads_mode')
      if any(o.type == 'f64' or o.size == 2 and o.type not in ('mask',) for o in explicit):
         if self.latency == 'valu':
            self.latency = 'quarter'
      if self.format in ('vop1', 'vop2', 'vopc') and not (
            any(o.size > 1 and o.type != 'mask' for o in explicit)
            or any('literal' in o.kinds and o.field == 'literal' for o in explicit)
            or (self.opcodes[1] < 0 and self.opcodes[2] < 0)):
         self.flags.add('has_sdwa')
         if self.format != 'vopc':
            self.flags.add('has_dpp')

   def _check(self):
      name = self.name
      require(any(self.has(n) for n in range(3)), name, 'no generation has it')
      require(self.latency in LATENCIES, name, f"unknown latency '{self.latency}'")
      for flag in self.flags:
         require(flag in FLAGS, name, f"unknown flag '{flag}'")
      require(len(self.defs) + len(self.srcs) <= 9, name, 'too many operands')
      require('commutes' not in self.flags or (
         len(self.srcs) >= 2 and self.srcs[0].type == self.srcs[1].type), name,
         'the sources that change places differ')
      used = [o.field for o in self.srcs if o.field != 'implied']
      require(len(set(used)) == len(used), name, 'two sources in one field')
      for def_ in self.defs:
         require('literal' not in def_.kinds and 'inline' not in def_.kinds, name,
                 'a constant cannot be written')

   @property
   def enum(self):
      return 'HD_GCN_' + self.name.upper()


def table(format, text, **defaults):
   """Rows of one format from lines; empty ones and those that begin with # do not count."""
   return [Row(format, line, **defaults) for line in text.splitlines()
           if line.strip() and not line.strip().startswith('#')]


# The steps of the compiler that are not yet instructions: src/machine/program.h.
# The layer's pseudo ops, by machine.h, and GCN's own.
SHARED_PSEUDO = ('p_start', 'p_phi', 'p_copy', 'p_vector', 'p_split', 'p_undef', 'p_mask_phi', 'p_spill', 'p_reload',
                 'p_end', 'p_halt')
OWN_PSEUDO = ('p_reduce', 'p_inclusive_scan', 'p_exclusive_scan')


def check_rows(rows):
   """Rules between rows: no name and no opcode twice."""
   enums = set()
   for row in rows:
      require(row.enum not in enums, row.name, 'the name is there twice')
      enums.add(row.enum)
   for gen in range(len(GENS)):
      opcodes, names = {}, {}
      for row in rows:
         if not row.has(gen):
            continue
         other = names.setdefault(row.names[gen], row)
         require(other is row, row.name, f'{GENS[gen]} has its name twice: {other.name}')
         for space, opcode in ((row.format, row.opcodes[gen]), ('vop3', row.vop3[gen])):
            if opcode < 0:
               continue
            other = opcodes.setdefault((space, opcode), row)
            require(other is row, row.name,
                    f'{GENS[gen]} has the opcode {opcode:x} of {space} twice: {other.name}')
            limit = 512 if gen == 0 and space == 'vop3' else 1 << OPCODE_BITS[space]
            require(opcode < limit, row.name, f'the opcode {opcode:x} of {space} is too large')
   return rows


# What has no row though the assemblers know it: pattern of names, generations, reason.
LEFT_OUT = (
   (r'v_interp_p(1l[lv]|2|2_legacy)_f16', 'gfx8 gfx9', 'Attributes of 16 bits (VOP3): they are interpolated in 32.'),
   (r'image_gather4h', 'gfx9', 'Gathers of a row of four texels.'),
   (r'tbuffer_(load|store)_format_d16_', 'gfx8',
    'There halves are not packed: other sizes of data under the same names.'),
   (r'buffer_(load|store)_format_d16_', 'gfx8',
    'There halves are not packed: other sizes of data under the same names.'),
   (r'buffer_store_lds_dword', 'gfx8 gfx9', 'From LDS to memory past the registers.'),
   (r'buffer_atomic_(rsub|fcmpswap|fmin|fmax)', 'gfx6', 'Gone from gfx8 on.'),
   (r'ds_gws_', 'gfx6 gfx8 gfx9', 'Semaphores of all waves of a queue: for its driver.'),
   (r'ds_ordered_count', 'gfx6 gfx8 gfx9', 'Appends in the order of waves: needs GDS and its driver.'),
   (r's_atc_probe', 'gfx8 gfx9', 'Prefetches address translations.'),
)


def all_rows():
   from codegen.gcn import isa_image, isa_memory, isa_scalar, isa_vector
   return check_rows(isa_scalar.ROWS + isa_vector.ROWS + isa_memory.ROWS + isa_image.ROWS)
