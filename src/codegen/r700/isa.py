# SPDX-License-Identifier: MIT
"""The instructions of AMD's R700, one row each, and the fields of their encodings.

A program is a list of control-flow instructions of 64 bits. Some of them run a clause, which lies elsewhere: groups of up
to five ALU instructions of 64 bits, or fetches of 128. LAYOUTS says which bits are which field; bits of none are 0.

    CF       name, number, layout
    ALU      name, number, operands, slots (v: of a channel, t: the transcendental one), flags
    FETCH    name, number, layout; those of MEM have a number of their own (MEM_OP)
"""
from dataclasses import dataclass

CHANNELS = 'XYZW'


def clause_tail(at, width):
   return [('END_OF_PROGRAM', 53, 1), ('VALID_PIXEL_MODE', 54, 1)] + tail(at, width)


def tail(at, width):
   return [('INST', at, width), ('WHOLE_QUAD_MODE', 62, 1), ('BARRIER', 63, 1)]


def source(n, at):
   return [(f'SRC{n}_SEL', at, 9), (f'SRC{n}_REL', at + 9, 1), (f'SRC{n}_CHAN', at + 10, 2), (f'SRC{n}_NEG', at + 12, 1)]


ALU_FIRST = [*source(0, 0), *source(1, 13), ('INDEX_MODE', 26, 3), ('PRED_SEL', 29, 2), ('LAST', 31, 1)]
ALU_END = [('BANK_SWIZZLE', 50, 3), ('DST_GPR', 53, 7), ('DST_REL', 60, 1), ('DST_CHAN', 61, 2), ('CLAMP', 63, 1)]
EXPORT = [('ARRAY_BASE', 0, 13), ('TYPE', 13, 2), ('RW_GPR', 15, 7), ('RW_REL', 22, 1), ('INDEX_GPR', 23, 7),
          ('ELEM_SIZE', 30, 2)]
EXPORT_END = [('BURST_COUNT', 49, 4), *clause_tail(55, 7)]
DST_SEL = [(f'DST_SEL_{c}', 41 + 3 * n, 3) for n, c in enumerate(CHANNELS)]
DST = [('DST_GPR', 32, 7), ('DST_REL', 39, 1), *DST_SEL]
FORMAT = [('DATA_FORMAT', 54, 6), ('NUM_FORMAT_ALL', 60, 2), ('FORMAT_COMP_ALL', 62, 1), ('SRF_MODE_ALL', 63, 1)]
VTX = [('INST', 0, 5), ('FETCH_TYPE', 5, 2), ('FETCH_WHOLE_QUAD', 7, 1), ('BUFFER_ID', 8, 8), ('SRC_GPR', 16, 7),
       ('SRC_REL', 23, 1), ('SRC_SEL_X', 24, 2), ('MEGA_FETCH_COUNT', 26, 6)]
VTX_END = [('USE_CONST_FIELDS', 53, 1), *FORMAT, ('OFFSET', 64, 16), ('ENDIAN_SWAP', 80, 2), ('CONST_BUF_NO_STRIDE', 82, 1),
           ('MEGA_FETCH', 83, 1), ('ALT_CONST', 84, 1)]

LAYOUTS = {
   'CF': [('ADDR', 0, 32), ('POP_COUNT', 32, 3), ('CF_CONST', 35, 5), ('COND', 40, 2), ('COUNT', 42, 3),
          ('CALL_COUNT', 45, 6), ('COUNT_3', 51, 1), *clause_tail(55, 7)],
   'CF_ALU': [('ADDR', 0, 22), ('KCACHE_BANK0', 22, 4), ('KCACHE_BANK1', 26, 4), ('KCACHE_MODE0', 30, 2),
              ('KCACHE_MODE1', 32, 2), ('KCACHE_ADDR0', 34, 8), ('KCACHE_ADDR1', 42, 8), ('COUNT', 50, 7),
              ('ALT_CONST', 57, 1), *tail(58, 4)],
   'EXPORT': [*EXPORT, *((f'SEL_{c}', 32 + 3 * n, 3) for n, c in enumerate(CHANNELS)), *EXPORT_END],
   'MEM': [*EXPORT, ('ARRAY_SIZE', 32, 12), ('COMP_MASK', 44, 4), *EXPORT_END],
   'OP2': [*ALU_FIRST, ('SRC0_ABS', 32, 1), ('SRC1_ABS', 33, 1), ('UPDATE_EXEC_MASK', 34, 1), ('UPDATE_PRED', 35, 1),
           ('WRITE_MASK', 36, 1), ('OMOD', 37, 2), ('INST', 39, 11), *ALU_END],
   'OP3': [*ALU_FIRST, *source(2, 32), ('INST', 45, 5), *ALU_END],
   'LITERAL': [('LITERAL_X', 0, 32), ('LITERAL_Y', 32, 32)],
   'VTX': [*VTX, *DST, *VTX_END],
   'VTX_SEM': [*VTX, ('SEMANTIC_ID', 32, 8), *DST_SEL, *VTX_END],
   'MEM_RD': [('INST', 0, 5), ('ELEM_SIZE', 5, 2), ('FETCH_WHOLE_QUAD', 7, 1), ('MEM_OP', 8, 3), ('UNCACHED', 11, 1),
              ('INDEXED', 12, 1), ('SRC_SEL_Y', 13, 2), ('SRC_GPR', 16, 7), ('SRC_REL', 23, 1), ('SRC_SEL_X', 24, 2),
              ('BURST_COUNT', 26, 4), *DST, *FORMAT, ('ARRAY_BASE', 64, 13), ('ENDIAN_SWAP', 80, 2),
              ('ARRAY_SIZE', 84, 12)],
   'TEX': [('INST', 0, 5), ('BC_FRAC_MODE', 5, 1), ('FETCH_WHOLE_QUAD', 7, 1), ('RESOURCE_ID', 8, 8), ('SRC_GPR', 16, 7),
           ('SRC_REL', 23, 1), ('ALT_CONST', 24, 1), *DST, ('LOD_BIAS', 53, 7),
           *((f'COORD_TYPE_{c}', 60 + n, 1) for n, c in enumerate(CHANNELS)),
           *((f'OFFSET_{c}', 64 + 5 * n, 5) for n, c in enumerate('XYZ')), ('SAMPLER_ID', 79, 5),
           *((f'SRC_SEL_{c}', 84 + 3 * n, 3) for n, c in enumerate(CHANNELS))],
}
WIDE = ('VTX', 'VTX_SEM', 'MEM_RD', 'TEX')
FIELDS = list(dict.fromkeys(f for layout in LAYOUTS.values() for f, _, _ in layout))


@dataclass
class Row:
   name: str
   code: int
   layout: str
   srcs: int = 0
   slots: str = ''
   flags: tuple = ()
   memory: int = 0

   @property
   def enum(self):
      return f'HD_R700_{self.name}'


def cf(names, first=0, layout='CF', flags=()):
   return [Row(name, first + n, layout, flags=flags) for n, name in enumerate(names.split()) if name != '-']


CF = [
   *cf('CF_NOP'), *cf('TEX VTX VTX_TC', 1, flags=('clause',)),
   *cf('LOOP_START LOOP_END LOOP_START_DX10 LOOP_START_NO_AL LOOP_CONTINUE LOOP_BREAK JUMP PUSH PUSH_ELSE ELSE POP POP_JUMP'
       ' POP_PUSH POP_PUSH_ELSE CALL CALL_FS RETURN EMIT_VERTEX EMIT_CUT_VERTEX CUT_VERTEX CF_KILL', 4, flags=('jumps',)),
   *cf('MEM_STREAM0 MEM_STREAM1 MEM_STREAM2 MEM_STREAM3 MEM_SCRATCH MEM_REDUCTION MEM_RING', 32, 'MEM'),
   *cf('EXPORT EXPORT_DONE', 39, 'EXPORT'), *cf('MEM_EXPORT', 58, 'MEM'),
   *cf('ALU ALU_PUSH_BEFORE ALU_POP_AFTER ALU_POP2_AFTER - ALU_CONTINUE ALU_BREAK ALU_ELSE_AFTER', 8, 'CF_ALU',
       ('clause',)),
]


def op2(names, first, srcs=2, slots='vt', flags=()):
   return [Row(name, first + n, 'OP2', srcs, slots, flags) for n, name in enumerate(names.split()) if name != '-']


COMMUTES, PRED, KILL = ('commutes',), ('pred',), ('kill',)
ALU = [
   *op2('ADD MUL MUL_IEEE MAX MIN MAX_DX10 MIN_DX10', 0, flags=COMMUTES),
   *op2('FREXP_64', 7, 1, 'v'),
   *op2('SETE SETGT SETGE SETNE SETE_DX10 SETGT_DX10 SETGE_DX10 SETNE_DX10', 8),
   *op2('FRACT TRUNC CEIL RNDNE FLOOR', 16, 1),
   *op2('MOVA MOVA_FLOOR', 21, 1, 'v'), *op2('ADD_64', 23, slots='v'), *op2('MOVA_INT', 24, 1, 'v'),
   *op2('MOV', 25, 1), *op2('NOP', 26, 0), *op2('MUL_64', 27, slots='v'),
   *op2('FLT64_TO_FLT32 FLT32_TO_FLT64', 28, 1, 'v'),
   *op2('PRED_SETGT_UINT PRED_SETGE_UINT PRED_SETE PRED_SETGT PRED_SETGE PRED_SETNE', 30, flags=PRED),
   *op2('PRED_SET_INV', 36, 1, flags=PRED), *op2('PRED_SET_POP', 37, flags=PRED), *op2('PRED_SET_CLR', 38, 0, flags=PRED),
   *op2('PRED_SET_RESTORE', 39, 1, flags=PRED),
   *op2('PRED_SETE_PUSH PRED_SETGT_PUSH PRED_SETGE_PUSH PRED_SETNE_PUSH', 40, flags=PRED),
   *op2('KILLE KILLGT KILLGE KILLNE', 44, flags=KILL),
   *op2('AND_INT OR_INT XOR_INT', 48, flags=COMMUTES), *op2('NOT_INT', 51, 1), *op2('ADD_INT', 52, flags=COMMUTES),
   *op2('SUB_INT', 53), *op2('MAX_INT MIN_INT MAX_UINT MIN_UINT', 54, flags=COMMUTES),
   *op2('SETE_INT SETGT_INT SETGE_INT SETNE_INT SETGT_UINT SETGE_UINT', 58), *op2('KILLGT_UINT KILLGE_UINT', 64, flags=KILL),
   *op2('PRED_SETE_INT PRED_SETGT_INT PRED_SETGE_INT PRED_SETNE_INT', 66, flags=PRED),
   *op2('KILLE_INT KILLGT_INT KILLGE_INT KILLNE_INT', 70, flags=KILL),
   *op2('PRED_SETE_PUSH_INT PRED_SETGT_PUSH_INT PRED_SETGE_PUSH_INT PRED_SETNE_PUSH_INT PRED_SETLT_PUSH_INT'
        ' PRED_SETLE_PUSH_INT', 74, flags=PRED),
   *op2('DOT4 DOT4_IEEE CUBE', 80, slots='v', flags=('four',)), *op2('MAX4', 83, 1, 'v', ('four',)),
   *op2('EXP_IEEE LOG_CLAMPED LOG_IEEE RECIP_CLAMPED RECIP_FF RECIP_IEEE RECIPSQRT_CLAMPED RECIPSQRT_FF RECIPSQRT_IEEE'
        ' SQRT_IEEE FLT_TO_INT INT_TO_FLT UINT_TO_FLT SIN COS', 97, 1, 't'),
   *op2('ASHR_INT LSHR_INT LSHL_INT', 112),
   *op2('MULLO_INT MULHI_INT MULLO_UINT MULHI_UINT', 115, slots='t', flags=COMMUTES),
   *op2('RECIP_INT RECIP_UINT FLT_TO_UINT', 119, 1, 't'),
   *op2('LDEXP_64', 122, slots='v'), *op2('FRACT_64', 123, 1, 'v'),
   *op2('PRED_SETGT_64 PRED_SETE_64 PRED_SETGE_64', 124, slots='v', flags=PRED),
   *(Row(name, 8 + n, 'OP3', 3, slots) for n, (name, slots) in enumerate((
      ('MULADD_64', 'v'), ('MULADD_64_M2', 'v'), ('MULADD_64_M4', 'v'), ('MULADD_64_D2', 'v'),
      ('MUL_LIT', 't'), ('MUL_LIT_M2', 'vt'), ('MUL_LIT_M4', 'vt'), ('MUL_LIT_D2', 'vt'),
      ('MULADD', 'vt'), ('MULADD_M2', 'vt'), ('MULADD_M4', 'vt'), ('MULADD_D2', 'vt'),
      ('MULADD_IEEE', 'vt'), ('MULADD_IEEE_M2', 'vt'), ('MULADD_IEEE_M4', 'vt'), ('MULADD_IEEE_D2', 'vt'),
      ('CNDE', 'vt'), ('CNDGT', 'vt'), ('CNDGE', 'vt')))),
   *(Row(name, 28 + n, 'OP3', 3, 'vt') for n, name in enumerate(('CNDE_INT', 'CNDGT_INT', 'CNDGE_INT'))),
]

TEX_OPS = {'LD': 3, 'GET_TEXTURE_RESINFO': 4, 'GET_NUMBER_OF_SAMPLES': 5, 'GET_COMP_TEX_LOD': 6, 'GET_GRADIENTS_H': 7,
           'GET_GRADIENTS_V': 8, 'GET_LERP': 9, 'SET_GRADIENTS_H': 11, 'SET_GRADIENTS_V': 12, 'PASS': 13, 'SAMPLE': 16,
           'SAMPLE_L': 17, 'SAMPLE_LB': 18, 'SAMPLE_LZ': 19, 'SAMPLE_G': 20, 'SAMPLE_G_L': 21, 'SAMPLE_G_LB': 22,
           'SAMPLE_G_LZ': 23, 'SAMPLE_C': 24, 'SAMPLE_C_L': 25, 'SAMPLE_C_LB': 26, 'SAMPLE_C_LZ': 27, 'SAMPLE_C_G': 28,
           'SAMPLE_C_G_L': 29, 'SAMPLE_C_G_LB': 30, 'SAMPLE_C_G_LZ': 31}
FETCH = [
   Row('VFETCH', 0, 'VTX'), Row('SEMFETCH', 1, 'VTX_SEM'),
   *(Row(name, 2, 'MEM_RD', memory=op) for op, name in
     ((0, 'READ_SCRATCH'), (1, 'READ_REDUCT'), (2, 'READ_MEM'), (4, 'DS_LOCAL_WRITE'), (5, 'DS_LOCAL_READ'))),
   *(Row(name, code, 'TEX') for name, code in TEX_OPS.items()),
]

ROWS = CF + ALU + [Row('LITERAL', 0, 'LITERAL')] + FETCH

# What sources are besides registers, by their number.
SOURCES = {244: 'ONE_DBL_L', 245: 'ONE_DBL_M', 246: 'HALF_DBL_L', 247: 'HALF_DBL_M', 248: '0.0', 249: '1.0', 250: '1',
           251: '-1', 252: '0.5', 253: 'literal', 254: 'PV', 255: 'PS'}
SWIZZLES = ('VEC_012/SCL_210', 'VEC_021/SCL_122', 'VEC_120/SCL_212', 'VEC_102/SCL_221', 'VEC_201', 'VEC_210')

# What the machine layer has besides: (name, flags).
OWN = (
   ('P_LOAD', 'loads'),     # defs: dwords side by side; srcs: the address; imm: bytes from there; bits: which memory
   ('P_STORE', 'stores'),   # srcs: the address, dwords; imm and bits are the same
   # srcs: what is not 0 in lanes that stay active (bits: what is 0); or two that the test of this form compares
   ('P_PUSH', 'side_effect'),
   ('P_NONE', 'branches side_effect'),
   ('P_INVERT', 'side_effect'),
   ('P_POP', 'side_effect'),
   ('P_LOOP_BEGIN', 'side_effect'),
   ('P_LOOP_END', 'branches side_effect'),
   ('P_BREAK', 'side_effect'),
   ('P_CONTINUE', 'side_effect'),
)
