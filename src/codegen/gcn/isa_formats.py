# SPDX-License-Identifier: MIT
"""The encodings of GCN as bit fields.

A layout is one way in which an instruction stands in one or two words. It is a line of fields,
`name[high:low]` or `name[bit]`, bits 32 to 63 being the second word; `name[high:low]=value` is a
constant, by which the layout is recognised. Bits that no field covers are zero.

`op` is the opcode; the fields of operands are those that the rows name; the rest belongs to
hd_mach_inst.bits, imm, op_sel, sdwa and dpp (src/backend/gcn/isa/encode.c). What two formats call
differently and the instruction has in one place is one field: ALIASES.
"""

import re

from codegen.gcn.isa import GENS, OPERAND_FIELDS
from codegen.ir.schema import require

VOP3_SRCS = ' src0[40:32] src1[49:41] src2[58:50] omod[60:59] neg[63:61]'
SDWA_SRCS = (' src0_sel[50:48] sext0[51] neg0[52] abs0[53]'
             ' src1_sel[58:56] sext1[59] neg1[60] abs1[61]')
SDWA = {'gfx8': ' src0[39:32] dst_sel[42:40] dst_unused[44:43] clamp[45]' + SDWA_SRCS,
        'gfx9': ' src0[39:32] dst_sel[42:40] dst_unused[44:43] clamp[45] omod[47:46]' + SDWA_SRCS
                + ' s0[55] s1[63]'}
SDWA_COMPARE = {'gfx8': ' src0[39:32] clamp[45]' + SDWA_SRCS,
                'gfx9': ' src0[39:32] vdst[46:40] sd[47]' + SDWA_SRCS + ' s0[55] s1[63]'}
DPP = (' src0[39:32] dpp_ctrl[48:40] bound_ctrl[51] neg0[52] abs0[53] neg1[54] abs1[55]'
       ' bank_mask[59:56] row_mask[63:60]')
MUBUF = 'e[31:26]=38 op[24:18] lds[16] glc[14] idxen[13] offen[12] offset[11:0]'
MUBUF_REGS = ' vaddr[39:32] vdata[47:40] srsrc[52:48] tfe[55] soffset[63:56]'
MTBUF = 'e[31:26]=3a format[25:19] glc[14] idxen[13] offen[12] offset[11:0]'
MTBUF_REGS = ' vaddr[39:32] vdata[47:40] srsrc[52:48] slc[54] soffset[63:56]'
MIMG = ('e[31:26]=3c slc[25] op[24:18] lwe[17] tfe[16] r128[15] da[14] glc[13] unorm[12] dmask[11:8]'
        ' vaddr[39:32] vdata[47:40] srsrc[52:48] ssamp[57:53]')
VINTRP = ' vdst[25:18] op[17:16] attribute[15:8] src0[7:0]'
EXP = ' export[12:0] addr[39:32] data0[47:40] data1[55:48] vdata[63:56]'
FLAT = 'e[31:26]=37 op[24:18] slc[17] glc[16]'
FLAT_REGS = ' vaddr[39:32] vdata[47:40] vdst[63:56]'
VOP1, VOP2, VOPC = ('e[31:25]=3f vdst[24:17] op[16:9]', 'e[31:31]=0 op[30:25] vdst[24:17] src1[16:9]',
                    'e[31:25]=3e op[24:17] src1[16:9]')

# Layouts: by generation, or one for all.
LAYOUTS = {
   'sop1': 'e[31:23]=17d sdst[22:16] op[15:8] ssrc0[7:0]',
   'sop2': 'e[31:30]=2 op[29:23] sdst[22:16] ssrc1[15:8] ssrc0[7:0]',
   'sopk': 'e[31:28]=b op[27:23] sdst[22:16] simm16[15:0]',
   'sopc': 'e[31:23]=17e op[22:16] ssrc1[15:8] ssrc0[7:0]',
   'sopp': 'e[31:23]=17f op[22:16] simm16[15:0]',
   'smem': {
      'gfx6': 'e[31:27]=18 op[26:22] sdata[21:15] sbase[14:9] imm[8] offset[7:0]',
      'gfx8': 'e[31:26]=30 op[25:18] imm[17] glc[16] sdata[12:6] sbase[5:0] offset[51:32]',
      'gfx9': 'e[31:26]=30 op[25:18] imm[17] glc[16] soffset_en[14] sdata[12:6] sbase[5:0]'
              ' offset[52:32] soffset[63:57]'},
   'vop1': VOP1 + ' src0[8:0]',
   'vop2': VOP2 + ' src0[8:0]',
   'vopc': VOPC + ' src0[8:0]',
   'vop3': {
      'gfx6': 'e[31:26]=34 op[25:17] clamp[11] abs[10:8] vdst[7:0]' + VOP3_SRCS,
      'gfx8': 'e[31:26]=34 op[25:16] clamp[15] abs[10:8] vdst[7:0]' + VOP3_SRCS,
      'gfx9': 'e[31:26]=34 op[25:16] clamp[15] op_sel[14:11] abs[10:8] vdst[7:0]' + VOP3_SRCS},
   'vop3p': {
      'gfx9': 'e[31:23]=1a7 op[22:16] clamp[15] op_sel_hi2[14] op_sel[13:11] neg_hi[10:8] vdst[7:0]'
              ' src0[40:32] src1[49:41] src2[58:50] op_sel_hi[60:59] neg[63:61]'},
   'ds': {
      'gfx6': 'e[31:26]=36 op[25:18] gds[17] offset[15:0]'
              ' addr[39:32] data0[47:40] data1[55:48] vdst[63:56]',
      'gfx8': 'e[31:26]=36 op[24:17] gds[16] offset[15:0]'
              ' addr[39:32] data0[47:40] data1[55:48] vdst[63:56]'},
   'mubuf': {
      'gfx6': MUBUF + ' addr64[15]' + MUBUF_REGS + ' slc[54]',
      'gfx8': MUBUF + ' slc[17]' + MUBUF_REGS},
   'flat': {'gfx8': FLAT + FLAT_REGS, 'gfx9': FLAT + ' seg[15:14]=0 offset[11:0]' + FLAT_REGS},
   'global': {'gfx9': FLAT + ' seg[15:14]=2 lds[13] offset[12:0]' + FLAT_REGS + ' saddr[54:48]'},
   'scratch': {'gfx9': FLAT + ' seg[15:14]=1 lds[13] offset[12:0]' + FLAT_REGS + ' saddr[54:48]'},
   'mtbuf': {'gfx6': MTBUF + ' op[18:16] addr64[15]' + MTBUF_REGS, 'gfx8': MTBUF + ' op[18:15]' + MTBUF_REGS},
   'mimg': {'gfx6': MIMG, 'gfx8': MIMG + ' d16[63]'},
   'vintrp': {'gfx6': 'e[31:26]=32' + VINTRP, 'gfx8': 'e[31:26]=35' + VINTRP},
   'export': {'gfx6': 'e[31:26]=3e' + EXP, 'gfx8': 'e[31:26]=31' + EXP},
   # Other forms of vector instructions.
   'vop3b': {
      'gfx6': 'e[31:26]=34 op[25:17] vsdst[14:8] vdst[7:0]' + VOP3_SRCS,
      'gfx8': 'e[31:26]=34 op[25:16] clamp[15] vsdst[14:8] vdst[7:0]' + VOP3_SRCS},
   'vop1_sdwa': {gen: VOP1 + ' x[8:0]=f9' + more for gen, more in SDWA.items()},
   'vop2_sdwa': {gen: VOP2 + ' x[8:0]=f9' + more for gen, more in SDWA.items()},
   'vopc_sdwa': {gen: VOPC + ' x[8:0]=f9' + more for gen, more in SDWA_COMPARE.items()},
   'vop1_dpp': {'gfx8': VOP1 + ' x[8:0]=fa' + DPP},
   'vop2_dpp': {'gfx8': VOP2 + ' x[8:0]=fa' + DPP},
}

# Fields beside those of operands.
OTHER_FIELDS = ('op', 'simm16', 'imm', 'offset', 'soffset_en', 'glc', 'slc', 'tfe', 'lds', 'addr64',
                'idxen', 'offen', 'gds', 'clamp', 'omod', 'abs', 'neg', 'neg_hi', 'op_sel',
                'op_sel_hi', 'op_sel_hi2', 'dst_sel', 'dst_unused', 'src0_sel', 'src1_sel', 'sext0',
                'sext1', 'neg0', 'neg1', 'abs0', 'abs1', 's0', 's1', 'sd', 'dpp_ctrl', 'bound_ctrl',
                'bank_mask', 'row_mask', 'format')
FIELDS = OPERAND_FIELDS + OTHER_FIELDS
# Names of a format for fields that others have, too: of the immediate, and of bits that mean something else
# there (HD_GCN_UNORM is HD_GCN_OFFEN).
ALIASES = {'dmask': 'simm16', 'attribute': 'simm16', 'export': 'simm16', 'unorm': 'offen', 'da': 'idxen',
           'r128': 'addr64', 'd16': 'gds', 'lwe': 'bound_ctrl'}

FIELD = re.compile(r'(\w+)\[(\d+)(?::(\d+))?\](?:=([0-9a-f]+))?\Z')
# Bits at the top of a word that tell encodings apart; what they leave open, a chain of tries decides.
PREFIX_BITS = 9


class Layout:
   """fields: (name, lowest bit, width) from bit 0 up."""

   def __init__(self, name, text):
      self.name, self.fields, self.mask, self.value = name, [], 0, 0
      used = 0
      for word in text.split():
         match = FIELD.match(word)
         require(match, name, f"cannot read the field '{word}'")
         field, high, low, value = match.groups()
         high, low = int(high), int(low or high)
         width = high - low + 1
         require(0 < width and high < 64 and high // 32 == low // 32, name, f'{word} has no such bits')
         bits = ((1 << width) - 1) << low
         require(not used & bits, name, f'{word} overlaps another field')
         used |= bits
         if value is not None:
            require(int(value, 16) < 1 << width, name, f'the constant of {word} is too wide')
            self.mask |= bits
            self.value |= int(value, 16) << low
         else:
            field = ALIASES.get(field, field)
            require(field in FIELDS, name, f"unknown field '{field}'")
            self.fields.append((field, low, width))
      names = [field for field, _, _ in self.fields]
      require(len(set(names)) == len(names), name, 'a field is there twice')
      self.fields.sort(key=lambda field: field[1])
      self.words = 2 if used >> 32 else 1


def layouts_of(gen, table):
   """The layouts that a generation has. What is not said of gfx9 is as on gfx8."""
   found = {}
   for name, texts in table.items():
      if isinstance(texts, str):
         found[name] = Layout(name, texts)
         continue
      text = texts.get(gen) or (texts.get('gfx8') if gen == 'gfx9' else None)
      if text:
         found[name] = Layout(name, text)
   return found


def chains(layouts):
   """For each prefix the layouts to try: those that say most first."""
   table = []
   for prefix in range(1 << PREFIX_BITS):
      bits = prefix << 32 - PREFIX_BITS
      top = ((1 << PREFIX_BITS) - 1) << 32 - PREFIX_BITS
      matching = [l for l in layouts.values() if not (bits ^ l.value) & l.mask & top]
      matching.sort(key=lambda l: -bin(l.mask).count('1'))
      for n, a in enumerate(matching):
         for b in matching[n + 1:]:
            # Both fit some word: then one of them must be a special case of the other. (VOP2 has
            # no rows where VOP1 and VOPC begin, so its other forms may be tried before those.)
            if (not (a.value ^ b.value) & a.mask & b.mask and {a.name, b.name} != {'vop3', 'vop3b'}
                  and a.name not in ('vop2_sdwa', 'vop2_dpp')):
               require(a.mask & b.mask == b.mask and a.mask != b.mask, a.name,
                       f'cannot be told from {b.name}')
      table.append([l.name for l in matching if l.name != 'vop3b'])
   return table


def check():
   for gen in GENS:
      chains(layouts_of(gen, LAYOUTS))


check()
