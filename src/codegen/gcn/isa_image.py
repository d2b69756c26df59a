# SPDX-License-Identifier: MIT
"""Images and what only pixels and vertices have: MIMG, VINTRP, EXP. The language is that of gcn/isa.py.

The data of an image instruction has a register for each bit of dmask (src/backend/gcn/isa/image.c); the type in the row
is the widest. Of the address the row has the widest, too: how many coordinates there are, the resource says.
"""

from codegen.gcn.isa import TYPES, table
from codegen.gcn.isa_memory import ATOMICS, GFX6_ATOMICS, hide_defs, opcodes

NAMES = {size: name for name, size in TYPES.items() if name[0] == 'b' and name != 'b16'}
COORDS, ARRAY_COORDS = 3, 4  # of multisampled arrays four

# Samples: opcode 0x20 and what each of these adds.
MODES = ('', 'cl', 'd', 'd_cl', 'l', 'b', 'b_cl', 'lz')
COMPARE, OFFSET = 8, 16
COARSE = ('cd', 'cd_cl')


class Sample:
   """One way to sample: what stands in the address before the coordinates, in this order, and behind them."""

   def __init__(self, prefix, op, compare, mode, offset):
      parts = mode.split('_')
      self.op = op
      self.name = '_'.join(filter(None, (prefix, 'c' if compare else '', mode, 'o' if offset else '')))
      self.compare, self.offset = compare, offset
      self.bias = 'b' in parts
      self.gradients = 'd' in parts or 'cd' in parts
      self.level = 'l' in parts
      self.clamp = 'cl' in parts
      self.zero = 'lz' in parts
      self.gather = prefix == 'image_gather4'

   @property
   def address(self):
      """Registers at most."""
      return (self.offset + self.bias + self.compare + (2 * COORDS if self.gradients else 0) + COORDS
              + self.level + self.clamp)


def samples():
   found = []
   for offset in (False, True):
      for compare in (False, True):
         for n, mode in enumerate(MODES):
            more = n + COMPARE * compare + OFFSET * offset
            found.append(Sample('image_sample', 0x20 + more, compare, mode, offset))
            if 'd' not in mode:
               found.append(Sample('image_gather4', 0x40 + more, compare, mode, offset))
         for n, mode in enumerate(COARSE):
            found.append(Sample('image_sample', 0x68 + n + 2 * compare + 4 * offset, compare, mode, offset))
   return found


SAMPLES = {sample.name: sample for sample in samples()}


def sample_lines():
   lines = []
   for s in SAMPLES.values():
      notes = ' '.join(filter(None, ('loads', 'gather' if s.gather else '', 'gradients' if s.gradients else '')))
      # What other lanes of the quad have decides the level, if nothing else does.
      if not (s.gradients or s.level or s.zero):
         notes += ' cross_lane'
      lines.append(f'{s.name} {opcodes((s.op,) * 3)} b128 = {NAMES[s.address]} b256 b128 | {notes}')
   return lines


def image_lines():
   lines = []
   for n, name in enumerate(('load', 'load_mip', 'load_pck', 'load_pck_sgn', 'load_mip_pck', 'load_mip_pck_sgn')):
      lines.append(f'image_{name} {opcodes((n,) * 3)} b128 = b128 b256 | loads')
   for n, name in enumerate(('store', 'store_mip', 'store_pck', 'store_mip_pck')):
      lines.append(f'image_{name} {opcodes((n + 8,) * 3)} v:b128>vdata b128 b256 | stores')
   for n, name in enumerate(ATOMICS):
      type = 'b128' if name == 'cmpswap' else 'b64'
      gfx6 = 0xf + GFX6_ATOMICS[n]
      lines.append(f'image_atomic_{name} {opcodes((gfx6, 0x10 + n, 0x10 + n))} {type} = v:{type}>vdata@0 b128 b256'
                   ' | loads stores returns_if_glc')
   return lines + ['image_get_resinfo e e e b128 = b32 b256',
                   'image_get_lod 60 60 60 b128 = b96 b256 b128 | cross_lane']


MIMG = hide_defs(table('mimg', '\n'.join(image_lines() + sample_lines()), flags=['reads_exec'], latency='vmem',
                       imm='mimg'))

# ---- pixels and vertices ----------------------------------------------------------------------

# Of the second step the result is a source. The third one reads a vertex, which stands beside the attribute.
VINTRP = table('vintrp', '''
   v_interp_p1_f32        0  0  0  f32 = f32 [m0]
   v_interp_p2_f32        1  1  1  f32 = f32 f32@0 [m0]
   v_interp_mov_f32       2  2  2  f32 = [m0]
''', flags=['reads_exec'], latency='valu', imm='attribute')

EXP = table('export', '''
   exp                    0  0  0  v?:b32 v?:b32 v?:b32 v?:b32
''', flags=['reads_exec', 'side_effect'], latency='export', imm='export')

ROWS = MIMG + VINTRP + EXP
