# SPDX-License-Identifier: MIT
"""What a lowering can remove from a shader for good, one row each.

A pass whose row in passes/passes.py says that it lowers a construct leaves none of it, the shader
remembers that (hd_shader.lowered), and the validator rejects it from then on (rule LOW1). So the
passes after it ask before they make one.

The order of the rows is that of the bits, which are in binary forms: new rows come last.
"""

from codegen.ir.intrinsics import INTRINSICS
from codegen.ir.ops import OPS
from codegen.ir.schema import TableError

# Each is a test that the code of hd_instr_constructs knows, for what no op or intrinsic says alone.
SPECIAL = ('bool', 'dwords', 'indirect', 'nonuniform')


class Construct:
   """ops and intrinsics: names. `bits`: only where an operand or a result that is not read as a
   float has one of these sizes. `vector`: only with more components than one. `special`: or what
   the test of this name finds.
   """

   def __init__(self, name, meaning, ops='', intrinsics='', bits=(), vector=False, special=None):
      self.name, self.meaning = name, meaning
      self.ops, self.intrinsics = ops.split(), intrinsics.split()
      self.bits, self.vector, self.special = bits, vector, special


# What only moves, joins or resizes small integers stays when arithmetic on them is lowered.
MOVES = {'u2u', 'i2i', 'vec', 'channel', 'insert_channel'}
SMALL = ' '.join(op.name for op in OPS
                 if op.name not in MOVES and not op.name.startswith(('pack_', 'unpack_')))

LOWERED = [
   Construct('idiv', 'integer division and remainder', 'udiv idiv urem irem imod'),
   Construct('int64_add', '64-bit sums and differences',
             'iadd isub ineg iabs isign uadd_carry usub_borrow', bits=(64,)),
   Construct('int64_mul', '64-bit products', 'imul umulhi imulhi umul_wide imul_wide', bits=(64,)),
   Construct('int64_shift', '64-bit shifts', 'ishl ushr ishr rotl rotr funnel_shr', bits=(64,)),
   Construct('int64_compare', '64-bit compares of integers', 'ieq ine ult ule ilt ile',
             bits=(64,)),
   Construct('int64_minmax', '64-bit minimum, maximum, distance and saturation',
             'umin umax imin imax umed3 imed3 uadd_sat iadd_sat usub_sat isub_sat uabs_diff '
             'iabs_diff', bits=(64,)),
   Construct('int64_logic', '64-bit bitwise ops and choices',
             'iand ior ixor inot bitselect select', bits=(64,)),
   Construct('int64_bits', '64-bit bit counts, searches and fields',
             'bit_count bit_reverse find_lsb ufind_msb ifind_msb bitfield_mask ubitfield_extract '
             'ibitfield_extract ubfe ibfe bitfield_insert', bits=(64,)),
   Construct('int64_convert', 'conversions to and from 64-bit integers',
             'u2u i2i b2i ' + ' '.join(op.name for op in OPS
                                       if op.name.startswith(('u2f', 'i2f', 'f2u', 'f2i'))),
             bits=(64,)),
   Construct('int8', '8-bit arithmetic; loads, stores and resizing stay', SMALL, bits=(8,)),
   Construct('int16', '16-bit integer arithmetic; loads, stores and resizing stay', SMALL,
             bits=(16,)),
   Construct('bool', 'phis, variables, parameters, results and logic of 1 bit',
             'iand ior ixor inot ieq ine select', bits=(1,), special='bool'),
   Construct('vectors', 'componentwise ops on vectors, and phis of vectors',
             ' '.join(op.name for op in OPS if op.componentwise and not op.variadic), vector=True),
   Construct('subgroup_arith', 'reductions and scans over lanes',
             intrinsics='reduce inclusive_scan exclusive_scan'),
   Construct('subgroup_vote', 'votes over lanes, and elect',
             intrinsics='elect vote_any vote_all vote_ieq vote_feq'),
   Construct('subgroup_shift', 'shuffles by a distance, and rotations',
             intrinsics='shuffle_xor shuffle_up shuffle_down rotate'),
   Construct('indirect_vars', 'variables indexed by what is not constant', special='indirect'),
   Construct('nonuniform', 'descriptors that may differ between lanes, but where a quad is read',
             special='nonuniform'),
   Construct('subgroup_dwords', 'the same of 32 bits, where the order of lanes does not matter',
             intrinsics='reduce inclusive_scan exclusive_scan', special='dwords'),
]


def check_lowered(rows):
   ops = {op.name for op in OPS}
   intrinsics = {i.name for i in INTRINSICS}
   names = [row.name for row in rows]
   if len(set(names)) != len(names) or len(names) > 32:
      raise TableError('ir/lowered.py: at most 32 rows, each name once')
   for row in rows:
      unknown = [n for n in row.ops if n not in ops] + \
                [n for n in row.intrinsics if n not in intrinsics]
      if unknown:
         raise TableError(f'ir/lowered.py: {row.name}: no op or intrinsic is called {unknown[0]}')
      if row.special and row.special not in SPECIAL:
         raise TableError(f'ir/lowered.py: {row.name}: no test is called {row.special}')
      if not (row.ops or row.intrinsics or row.special):
         raise TableError(f'ir/lowered.py: {row.name}: it is nothing')
   return rows


LOWERED = check_lowered(LOWERED)
