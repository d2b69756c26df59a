# SPDX-License-Identifier: MIT
"""The instructions of Nyuzi, one row each.

A shape says which fields an instruction of a class has and how they are written:

   binary    dest, src1, src2          scalar or vector; src2 may be an immediate
   unary     dest, src2                the same
   compare   dest, src1, src2          dest is a scalar: a bit a lane, or 0xffff or 0 of scalars
   getlane   dest, src1, src2          dest is a scalar, src1 a vector, src2 the number of the lane
   shuffle   dest, src1, src2          vectors
   high      dest, immediate           19 bits to the top of a scalar
   plain     nothing
   load      dest, offset(pointer)     `wide`: of a vector, `by_lanes`: by pointers of the lanes
   store     value, offset(pointer)
   control   register, number
   test      register, target
   branch    target
   register  register                  a branch to the address in it
"""

from codegen.ir.schema import TableError

# Formats of an instruction word, in the order of hd_nyuzi_form: see isa.h.
FORMS = ('ss', 'vs', 'vs_mask', 'vv', 'vv_mask', 'si', 'vi', 'vi_mask', 'high', 'memory',
         'memory_mask', 'control', 'test', 'branch')
ALL_IMMEDIATES = ('si', 'vi', 'vi_mask')

SHAPE_FORMS = {
   'binary': ('ss', 'vs', 'vs_mask', 'vv', 'vv_mask'),
   'unary': ('ss', 'vs', 'vs_mask', 'vv', 'vv_mask'),
   'compare': ('ss', 'vs', 'vv'),
   'getlane': ('vs',),
   'shuffle': ('vv', 'vv_mask'),
   'high': ('high',),
   'plain': ('ss',),
   'load': ('memory',),
   'store': ('memory',),
   'control': ('control',),
   'test': ('test',),
   'branch': ('branch',),
   'register': ('test',),
}
# Of the shapes that take an immediate in place of src2, for ops below 32.
SHAPE_IMMEDIATES = {'binary': ALL_IMMEDIATES, 'unary': ALL_IMMEDIATES, 'compare': ('si', 'vi'), 'getlane': ('vi',)}


class Row:
   def __init__(self, name, code, shape, meaning, flags=''):
      self.name, self.code, self.shape, self.meaning = name, code, shape, meaning
      self.flags = set(flags.split())
      self.forms = list(SHAPE_FORMS[shape])
      if code < 32:
         self.forms += SHAPE_IMMEDIATES.get(shape, ())
      if 'masked' in self.flags:
         self.forms = ['memory_mask']

   @property
   def enum(self):
      return f'HD_NYUZI_{self.name.upper()}'


ROWS = []


def rows(shape, text):
   for line in text.strip().splitlines():
      name, code, meaning, *flags = (part.strip() for part in line.split('|'))
      ROWS.append(Row(name, int(code), shape, meaning, flags[0] if flags else ''))


rows('binary', '''
   or      | 0  | bitwise or | commutes
   and     | 1  | bitwise and | commutes
   xor     | 3  | bitwise exclusive or | commutes
   add_i   | 5  | src1 + src2 | commutes
   sub_i   | 6  | src1 - src2
   mull_i  | 7  | the low 32 bits of the product | commutes
   mulh_u  | 8  | the high 32 bits of the unsigned product | commutes
   ashr    | 9  | src1 >> (src2 & 31), filled with the sign
   shr     | 10 | src1 >> (src2 & 31)
   shl     | 11 | src1 << (src2 & 31)
   mulh_i  | 31 | the high 32 bits of the signed product | commutes
   add_f   | 32 | the sum of floats | commutes
   sub_f   | 33 | the difference of floats
   mul_f   | 34 | the product of floats | commutes
''')
rows('unary', '''
   clz        | 12 | how many zeros are above the highest one; 32 of 0
   ctz        | 14 | how many zeros are below the lowest one; 32 of 0
   move       | 15 | src2
   ftoi       | 27 | float to integer, rounded to zero
   reciprocal | 28 | 1 / src2, to 6 bits
   sext_8     | 29 | the low 8 bits, sign extended
   sext_16    | 30 | the low 16 bits, sign extended
   itof       | 42 | signed integer to float
''')
rows('compare', '''
   cmpeq_i | 16 | equal | commutes
   cmpne_i | 17 | not equal | commutes
   cmpgt_i | 18 | greater, signed
   cmpge_i | 19 | greater or equal, signed
   cmplt_i | 20 | less, signed
   cmple_i | 21 | less or equal, signed
   cmpgt_u | 22 | greater, unsigned
   cmpge_u | 23 | greater or equal, unsigned
   cmplt_u | 24 | less, unsigned
   cmple_u | 25 | less or equal, unsigned
   cmpgt_f | 44 | greater, of floats; false of a NaN
   cmpge_f | 45 | greater or equal, of floats; false of a NaN
   cmplt_f | 46 | less, of floats; false of a NaN
   cmple_f | 47 | less or equal, of floats; false of a NaN
   cmpeq_f | 48 | equal, of floats; false of a NaN | commutes
   cmpne_f | 49 | not equal, of floats; true of a NaN | commutes
''')
rows('shuffle', 'shuffle | 13 | lane L gets lane src2[L] & 15 of src1')
rows('getlane', 'getlane | 26 | lane src2 & 15 of src1 | cross_lane')
rows('high', 'movehi | 15 | the immediate in bits 31 to 13, below them zeros')
rows('plain', '''
   syscall    | 2  | a system call | side_effect
   breakpoint | 62 | stops | side_effect
''')
rows('load', '''
   load_u8   | 0 | a byte | loads
   load_s8   | 1 | a byte, sign extended | loads
   load_u16  | 2 | two bytes | loads
   load_s16  | 3 | two bytes, sign extended | loads
   load_32   | 4 | a word | loads
   load_sync | 5 | a word, linked | loads side_effect
   load_v    | 7 | 16 words side by side | loads wide
   load_v_mask | 8 | the same, for lanes of the mask | loads wide masked
   load_gath | 13 | a word for each lane | loads wide by_lanes
   load_gath_mask | 14 | the same, for lanes of the mask | loads wide by_lanes masked
''')
rows('store', '''
   store_8    | 1 | a byte | stores
   store_16   | 3 | two bytes | stores
   store_32   | 4 | a word | stores
   store_sync | 5 | a word, if what was linked is unchanged; the register becomes 1, else 0 | stores side_effect
   store_v    | 7 | 16 words side by side | stores wide
   store_v_mask | 8 | the same, for lanes of the mask | stores wide masked
   store_scat | 13 | a word for each lane, in ascending order of lanes | stores wide by_lanes
   store_scat_mask | 14 | the same, for lanes of the mask | stores wide by_lanes masked
''')
rows('control', '''
   getcr | 1 | the register gets a control register | side_effect
   setcr | 0 | a control register gets the register | side_effect
''')
rows('test', '''
   bz  | 1 | branches where the register is 0 | branches
   bnz | 2 | branches where it is not | branches
''')
rows('branch', '''
   b    | 3 | branches | branches
   call | 4 | branches, and s31 gets the address behind it | branches
''')
rows('register', '''
   b_reg    | 0 | branches to the address in the register | side_effect
   call_reg | 6 | the same, and s31 gets the address behind it | side_effect
''')


class Own:
   """An op that the backend lowers itself. Operands are named; `=` before one: tied to the result."""

   def __init__(self, name, defs, srcs, flags, meaning):
      self.name, self.defs, self.srcs = name, defs, srcs.split()
      self.flags, self.meaning = set(flags.split()), meaning
      self.enum = f'HD_NYUZI_{name.upper()}'


OWN = [
   Own('p_const', 1, '', '', 'imm, in a scalar register'),
   Own('p_select', 1, '=old mask value', 'per_lane', 'value in the lanes of the mask, else old'),
   Own('p_gather', 1, 'pointer', 'per_lane loads', 'words of the active lanes'),
   Own('p_gather_in', 1, '=old mask pointer', 'per_lane loads', 'words of the lanes of the mask, else old'),
   Own('p_scatter', 0, 'value pointer', 'per_lane stores', 'words of the active lanes'),
   Own('p_scatter_in', 0, 'value pointer mask', 'per_lane stores', 'words of the lanes of the mask'),
   Own('p_lane_store', 4, 'value pointer mask', 'per_lane stores', 'bytes of each lane of the mask, one after the other'),
   Own('p_atomic', 7, '=old pointer mask data compare', 'per_lane loads stores side_effect',
       'an atomic of each lane of the mask, one after the other'),
   Own('p_barrier', 4, 'shared', 'loads stores side_effect', 'waits for the other threads of the workgroup'),
   Own('p_and_save', 2, 'mask exec', 'side_effect', 'exec, which is narrowed to the mask'),
   Own('p_and_not', 1, 'a b', '', 'a & ~b'),
   Own('p_exit', 0, '', 'ends side_effect', 'the thread ends'),
   Own('p_bz_flag', 0, 'tested', 'branches', 'branches where the flag is 0'),
   Own('p_bnz_flag', 0, 'tested', 'branches', 'branches where it is not'),
   Own('p_bz_exec', 0, 'tested', 'branches', 'branches where no lane is active'),
   Own('p_bnz_exec', 0, 'tested', 'branches', 'branches where some are'),
]


def check():
   seen = {}
   for row in ROWS:
      for form in row.forms:
         kind = 'register' if form in ('ss', 'vs', 'vs_mask', 'vv', 'vv_mask') else form
         kind += ' load' if 'loads' in row.flags else ' store' if 'stores' in row.flags else ''
         key = (kind, row.code) if kind != 'register' else (form, row.code)
         if seen.setdefault(key, row) is not row:
            raise TableError(f'nyuzi/isa.py: {row.name} and {seen[key].name} have the same bits')
   names = [row.name for row in ROWS]
   if len(set(names)) != len(names):
      raise TableError('nyuzi/isa.py: a name stands twice')


check()
