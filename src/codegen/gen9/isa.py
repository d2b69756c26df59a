# SPDX-License-Identifier: MIT
"""The instructions of Intel Gen9, one row each.

A class says which operands an instruction has, and so which bits mean what:

   unary     dst, src0                 src0 may be an immediate, of 64 bits too
   binary    dst, src0, src1           src1 may be an immediate
   ternary   dst, src0, src1, src2     registers alone
   branch    JIP                       where to go, in bytes from the instruction
   branch2   JIP, UIP                  and the end of what is around it
   diverge   JIP                       brd; diverge2: brc with UIP
   jump      JIP                       of the whole thread, from the instruction that follows
   call      dst, JIP                  the return address to dst; ret: src0
   send      dst, src0, descriptors    a message; sends: its payload is src0 and src1
   wait      a notification register
   plain     nothing
"""

from codegen.ir.schema import TableError

# name, bytes, code in a register operand, in an immediate, in an instruction with three sources
TYPES = (
   ('ud', 4, 0, 0, 2), ('d', 4, 1, 1, 1), ('uw', 2, 2, 2, None), ('w', 2, 3, 3, None), ('ub', 1, 4, None, None),
   ('b', 1, 5, None, None), ('df', 8, 6, 10, 3), ('f', 4, 7, 7, 0), ('uq', 8, 8, 8, None), ('q', 8, 9, 9, None),
   ('hf', 2, 10, 11, 4),
   # Eight numbers of four bits, four of eight: of lanes side by side.
   ('uv', 4, None, 4, None), ('vf', 4, None, 5, None), ('v', 4, None, 6, None),
)

CONDITIONS = ('', 'eq', 'ne', 'gt', 'ge', 'lt', 'le', None, 'ov', 'un')
PREDICATES = ('', '', 'anyv', 'allv', 'any2h', 'all2h', 'any4h', 'all4h', 'any8h', 'all8h', 'any16h', 'all16h',
              'any32h', 'all32h')

# Architecture registers: the high half of the register number, the name, how many there are, and whether operands
# name a part of them.
ARCHITECTURE = (
   (0x0, 'null', 1, False), (0x1, 'a', 1, True), (0x2, 'acc', 2, True), (0x3, 'f', 2, True), (0x4, 'ce', 1, False),
   (0x6, 'sp', 1, True), (0x7, 'sr', 2, True), (0x8, 'cr', 1, True), (0x9, 'n', 1, True), (0xa, 'ip', 1, False),
   (0xb, 'tdr', 1, True), (0xc, 'tm', 1, True), (0xf, 'dbg', 1, True),
)
UNNUMBERED = ('null', 'ce', 'sp', 'ip')

CLASSES = ('unary', 'binary', 'math1', 'math2', 'ternary', 'branch', 'branch2', 'diverge', 'diverge2', 'jump', 'call',
           'ret', 'send', 'sends', 'wait', 'plain')

# Which bits are which member of hd_gen9_word: (member, lowest bit, number of bits[, lowest bit of the member]).
# A member that is None has a fixed value, the fourth.
HEADER = [('no_dd_clr', 9, 1), ('no_dd_chk', 10, 1), ('chan', 11, 3), ('thread', 14, 2), ('exec', 21, 3),
          ('option', 28, 1), ('breakpoint', 30, 1), ('flag', 32, 2), ('mask_off', 34, 1)]


def operand(n, low, kind, top):
   """Bits of a source: from `low` on the register, from `kind` on file and type, `top` the highest of an offset."""
   src = f'src[{n}]'
   return {
      f'src{n}_kind': [(f'{src}.file', kind, 2), (f'{src}.type', kind + 2, 4)],
      f'src{n}_mods': [(f'{src}.abs', low + 13, 1), (f'{src}.neg', low + 14, 1), (f'{src}.indirect', low + 15, 1),
                       (f'{src}.hstride', low + 16, 2), (f'{src}.width', low + 18, 3), (f'{src}.vstride', low + 21, 4)],
      f'src{n}_direct': [(f'{src}.subreg', low, 5), (f'{src}.reg', low + 5, 8)],
      f'src{n}_indirect': [(f'{src}.offset', low, 9), (f'{src}.offset', top, 1, 9), (f'{src}.subreg', low + 9, 4)],
   }


PARTS = {
   'header': HEADER,
   # Instructions that have no channels of their own.
   'thread_header': [('flag', 32, 2), (None, 34, 1, 1)],
   'predicate': [('pred', 16, 4), ('pred_inv', 20, 1)],
   'condition': [('cond', 24, 4)],
   'saturate': [('sat', 31, 1)],
   'dst_kind': [('dst.file', 35, 2), ('dst.type', 37, 4), ('dst.hstride', 61, 2), ('dst.indirect', 63, 1)],
   'dst_direct': [('dst.subreg', 48, 5), ('dst.reg', 53, 8)],
   'dst_indirect': [('dst.offset', 48, 9), ('dst.offset', 47, 1, 9), ('dst.subreg', 57, 4)],
   **operand(0, 64, 41, 95),
   **operand(1, 96, 89, 121),
   'imm32': [('imm', 96, 32)],
   'imm64': [('imm', 64, 64)],
   'ternary': [('src[2].half', 35, 1), ('src[1].half', 36, 1), ('src[0].abs', 37, 1), ('src[0].neg', 38, 1),
               ('src[1].abs', 39, 1), ('src[1].neg', 40, 1), ('src[2].abs', 41, 1), ('src[2].neg', 42, 1),
               ('src[0].type', 43, 3), ('dst.type', 46, 3), ('dst.lanes', 49, 4), ('dst.subreg', 53, 3, 2),
               ('dst.reg', 56, 8), (None, 8, 1, 1),
               *(field for n, low in enumerate((64, 85, 106)) for field in (
                  (f'src[{n}].rep', low, 1), (f'src[{n}].swizzle', low + 1, 8), (f'src[{n}].subreg', low + 9, 3, 2),
                  (f'src[{n}].reg', low + 12, 8), (f'src[{n}].subreg', low + 20, 1, 1)))],
   'jip': [('jip', 96, 32)],
   'uip': [('uip', 64, 32)],
   # Operands that the encoding has and the text does not: the null or instruction pointer register, an immediate.
   'branch_operands': [(None, 61, 2, 1), (None, 89, 3, 7)],
   'branch2_operands': [(None, 61, 2, 1), (None, 41, 3, 7)],
   'diverge_operands': [(None, 37, 1, 1), (None, 41, 3, 7), (None, 53, 8, 0xa0), (None, 61, 2, 1)],
   'jump_operands': [(None, 53, 8, 0xa0), (None, 61, 2, 1), (None, 69, 8, 0xa0), (None, 89, 3, 7)],
   'call_operands': [(None, 35, 1, 1), (None, 37, 1, 1), ('dst.subreg', 48, 5), ('dst.reg', 53, 8), (None, 61, 2, 1),
                     (None, 80, 2, 1), (None, 82, 3, 1), (None, 85, 4, 2), (None, 89, 3, 7)],
   'ret_operands': [(None, 41, 1, 1), (None, 43, 1, 1), (None, 61, 2, 1), ('src[0].subreg', 64, 5),
                    ('src[0].reg', 69, 8), (None, 80, 2, 1), (None, 82, 3, 1), (None, 85, 4, 2)],
   # A register, which stands as source and as destination.
   'wait_operands': [('mask_off', 34, 1), ('dst.subreg', 48, 5), ('dst.reg', 53, 8), (None, 61, 2, 1), ('src[0].subreg', 64, 5),
                     ('src[0].reg', 69, 8)],
   'send': [('ex_desc', 24, 4), ('dst.file', 35, 2), ('dst.type', 37, 4), (None, 41, 2, 1), ('src[0].type', 43, 4),
            ('dst.reg', 53, 8), (None, 61, 2, 1), ('ex_desc', 64, 4, 16), ('src[0].reg', 69, 8),
            ('ex_desc', 80, 4, 20), ('ex_desc', 85, 4, 24), ('ex_desc', 91, 4, 28), ('ex_desc', 127, 1, 5)],
   'send_desc': [(None, 89, 2, 3), ('desc', 96, 31)],
   'send_desc_reg': [(None, 89, 2, 0), (None, 101, 8, 0x10)],
   'sends': [('dst.file', 35, 1), ('src[1].file', 36, 1), ('dst.type', 37, 4), ('src[1].reg', 44, 8),
             ('dst.reg', 53, 8), ('ex_desc_reg', 61, 1), ('src[0].reg', 69, 8), ('desc_reg', 77, 1),
             ('ex_desc', 127, 1, 5)],
   'sends_ex_desc': [('ex_desc', 24, 4), ('ex_desc', 64, 4, 6), ('ex_desc', 80, 16, 16)],
   'sends_ex_desc_reg': [('ex_desc', 80, 4)],
   'sends_desc': [('desc', 96, 31)],
}

# Which parts stand beside each other; where there is a choice, each.
DST = (('dst_kind', 'dst_direct'), ('dst_kind', 'dst_indirect'))
SRC0 = (('src0_kind', 'src0_mods', 'src0_direct'), ('src0_kind', 'src0_mods', 'src0_indirect'))
SRC1 = (('src1_kind', 'src1_mods', 'src1_direct'), ('src1_kind', 'src1_mods', 'src1_indirect'), ('src1_kind', 'imm32'))
LAYOUTS = {
   'unary': (('header', 'predicate', 'condition', 'saturate'), DST, SRC0 + (('src0_kind', 'imm32'), ('src0_kind', 'imm64'))),
   'binary': (('header', 'predicate', 'condition', 'saturate'), DST, SRC0, SRC1),
   'math1': (('header', 'predicate', 'saturate'), DST, SRC0 + (('src0_kind', 'imm32'), ('src0_kind', 'imm64'))),
   'math2': (('header', 'predicate', 'saturate'), DST, SRC0, SRC1),
   'ternary': (('header', 'predicate', 'condition', 'saturate', 'ternary'),),
   'branch': (('header', 'predicate', 'branch_operands', 'jip'),),
   'branch2': (('header', 'predicate', 'branch2_operands', 'jip', 'uip'),),
   'diverge': (('header', 'predicate', 'diverge_operands', 'jip'),),
   'diverge2': (('header', 'predicate', 'diverge_operands', 'jip', 'uip'),),
   'jump': (('thread_header', 'predicate', 'jump_operands', 'jip'),),
   'call': (('header', 'predicate', 'call_operands', 'jip'),),
   'ret': (('header', 'predicate', 'ret_operands'),),
   'send': (('header', 'predicate', 'send'), (('send_desc',), ('send_desc_reg',))),
   'sends': (('header', 'predicate', 'sends'), (('sends_ex_desc',), ('sends_ex_desc_reg',)), (('sends_desc',), ())),
   'wait': (('wait_operands',),),
   'plain': ((),),
}


class Row:
   def __init__(self, name, opcode, shape, meaning, flags='', function=None):
      self.name, self.opcode, self.shape, self.meaning = name, opcode, shape, meaning
      self.function, self.flags = function, set(flags.split())

   @property
   def enum(self):
      return f'HD_GEN9_{self.name.upper().replace(".", "_")}'


ROWS = []


def rows(shape, text):
   for line in text.strip().splitlines():
      name, opcode, meaning, *flags = (part.strip() for part in line.split('|'))
      ROWS.append(Row(name, int(opcode, 16), shape, meaning, flags[0] if flags else ''))


rows('unary', '''
   mov   | 01 | src0, converted to the type of dst
   movi  | 03 | src0, each lane from the register that its address names | indirect no_condition
   not   | 04 | ~src0 | logic no_saturate
   bfrev | 17 | the bits in reverse order | no_condition no_saturate no_modifiers
   frc   | 43 | the fraction, src0 - floor(src0) | no_saturate
   rndu  | 44 | rounded up
   rndd  | 45 | rounded down
   rnde  | 46 | rounded to nearest, ties to even
   rndz  | 47 | rounded to zero
   lzd   | 4a | how many zeros are above the highest one; 32 of 0
   fbh   | 4b | from the top, where the first bit is that differs from the sign; -1 if there is none | no_condition no_saturate no_modifiers
   fbl   | 4c | where the lowest one is; -1 of 0 | no_condition no_saturate no_modifiers
   cbit  | 4d | how many ones there are | no_condition no_saturate no_modifiers
''')
rows('binary', '''
   sel   | 02 | src0 where the predicate holds, else src1; with a condition the lesser or greater one | select
   and   | 05 | bitwise and | commutes logic no_saturate
   or    | 06 | bitwise or | commutes logic no_saturate
   xor   | 07 | bitwise exclusive or | commutes logic no_saturate
   shr   | 08 | src0 >> src1, filled with zeros
   shl   | 09 | src0 << src1
   smov  | 0a | src0 to scattered destinations | no_condition no_saturate no_modifiers
   asr   | 0c | src0 >> src1, filled with the sign
   cmp   | 10 | the condition on src0 and src1 to the flag, and -1 or 0 to dst | no_saturate
   cmpn  | 11 | the same, where src1 is a NaN true | no_saturate
   bfi1  | 19 | a mask of src0 ones from bit src1 on | no_condition no_saturate no_modifiers
   add   | 40 | src0 + src1 | commutes
   mul   | 41 | src0 * src1 | commutes
   avg   | 42 | (src0 + src1 + 1) >> 1 | commutes
   mac   | 48 | src0 * src1 + acc0 | commutes accumulator
   mach  | 49 | the high 32 bits of the product, begun by mul to the accumulator | accumulator no_condition
   addc  | 4e | src0 + src1, the carry to the accumulator | commutes no_saturate no_modifiers
   subb  | 4f | src0 - src1, the borrow to the accumulator | no_modifiers
   sad2  | 50 | sums of two absolute differences
   sada2 | 51 | the same, added to the accumulator | accumulator
   dp4   | 54 | dot product of four
   dph   | 55 | dot product of three and the fourth of src1
   dp3   | 56 | dot product of three
   dp2   | 57 | dot product of two
   line  | 59 | src0.0 * src1 + src0.3
   pln   | 5a | src0.0 * src1 + src0.1 * the register behind it + src0.3 | no_modifiers
''')
rows('ternary', '''
   csel | 12 | src0 where src2 compared with 0 fulfils the condition, else src1 | no_predicate
   bfe  | 18 | src0 bits of src2 from bit src1 on | no_condition no_saturate no_modifiers
   bfi2 | 1a | (src0 & src1) or (~src0 & src2) | no_condition no_saturate no_modifiers
   mad  | 5b | src1 * src2 + src0
   lrp  | 5c | src0 * src1 + (1 - src0) * src2
''')
rows('branch2', '''
   if    | 22 | lanes where the predicate does not hold wait for JIP; all do: there | branches control
   else  | 24 | the lanes that are active wait for JIP, those that wait here are active | branches control no_predicate
   break | 28 | the lanes leave the loop, whose end is UIP | branches
   cont  | 29 | the lanes wait for the end of the loop, UIP | branches
   halt  | 2a | the lanes wait for UIP | branches
   goto  | 2e | lanes where the predicate does not hold wait for UIP; all do: to JIP. With `.b` the others go to UIP | branches control
''')
rows('branch', '''
   endif | 25 | lanes that wait here are active; there is none: to JIP | branches no_predicate
   while | 27 | the lanes where the predicate holds go to JIP | branches
   join  | 2f | lanes that wait here are active; there is none: to JIP | branches
''')
rows('diverge', 'brd | 21 | lanes go to JIP and others on | branches')
rows('diverge2', 'brc | 23 | lanes go to JIP or UIP, which is where all meet | branches')
rows('jump', 'jmpi | 20 | the thread goes to JIP | branches')
rows('call', 'call | 2c | a call; the return address and the lanes to dst | branches')
rows('ret', 'ret | 2d | back to where src0 says | branches')
rows('send', '''
   send  | 31 | a message of registers from src0 on | message
   sendc | 32 | the same, when earlier threads of the same pixels have ended | message
''')
rows('sends', '''
   sends  | 33 | a message of registers from src0 on and from src1 on | message
   sendsc | 34 | the same, when earlier threads of the same pixels have ended | message
''')
rows('wait', 'wait | 30 | waits for a notification')
rows('plain', '''
   illegal | 00 | an exception
   nop     | 7e | nothing
''')

# What selection and phases write besides; layout.c says which instructions each becomes.
OWN = (
   ('p_compare', '', 'true where the condition holds'),
   ('p_select', '', 'the second operand where the first is true, else the third'),
   ('p_high', '', 'the upper half of a product'),
   ('p_convert', '', 'a number in another type'),
   ('p_float', '', 'an instruction on floats of 16 or 64 bits, or a conversion of them'),
   ('p_payload', '', 'a dword of each lane of the registers at the start'),
   ('p_load', 'loads', 'a unit of each lane'),
   ('p_store', 'stores', 'the same'),
   ('p_atomic', 'loads stores', 'an atomic of each lane'),
   ('p_first', 'cross_lane', 'what the lowest active lane has, or the lane that the second operand names'),
   ('p_shuffle', 'cross_lane', 'what the lane that each names has'),
   ('p_ballot', 'cross_lane', 'the active lanes where it is true, as bits'),
   ('p_barrier', 'side_effect', 'waits for the threads of the workgroup'),
   ('p_loop', '', 'the head of a loop: no instruction'),
   ('p_enter', '', 'the active lanes are those that have the number'),
   ('p_none', 'branches', 'the thread goes to JIP if no lane is active'),
   ('p_send', '', 'the active lanes get the number'),
   ('p_send_if', '', 'the same where the condition holds'),
   ('p_all_from', 'branches', 'the thread goes to JIP if all lanes have the number or a greater one'),
   ('p_any', 'branches', 'the same if a lane has the number'),
   ('p_test', '', 'a uniform condition becomes what p_zero and p_nonzero read'),
   ('p_zero', 'branches', 'the thread goes to JIP if the condition is false'),
   ('p_nonzero', 'branches', 'the same if it is true'),
)

MATH = (('inv', 1, 1, '1 / src0'), ('log', 2, 1, 'the logarithm to base 2'), ('exp', 3, 1, '2 to the power of src0'),
        ('sqt', 4, 1, 'the square root'), ('rsqt', 5, 1, '1 / the square root'), ('sin', 6, 1, 'the sine'),
        ('cos', 7, 1, 'the cosine'), ('fdiv', 9, 2, 'src0 / src1'), ('pow', 10, 2, 'abs(src0) to the power of src1'),
        ('idiv', 11, 2, 'quotient, and remainder to the register behind'), ('iqot', 12, 2, 'the quotient of integers'),
        ('irem', 13, 2, 'the remainder of integers'))
for name, function, sources, meaning in MATH:
   ROWS.append(Row(f'math.{name}', 0x38, f'math{sources}', meaning, 'math', function))


def spread(parts):
   """All choices of a layout, as lists of parts."""
   lists = [[]]
   for part in parts:
      choices = part if part and isinstance(part[0], tuple) else (part,)
      lists = [done + list(choice) for done in lists for choice in choices]
   return lists


def check():
   for shape, layout in LAYOUTS.items():
      for parts in spread(layout):
         taken = {}
         for part in ['opcode', *parts]:
            for member, low, bits, *_ in [(None, 0, 7), (None, 29, 1)] if part == 'opcode' else PARTS[part]:
               for bit in range(low, low + bits):
                  if taken.setdefault(bit, member or part) != (member or part):
                     raise TableError(f'gen9/isa.py: {shape}: bit {bit} is {taken[bit]} and {member}')
   seen = {}
   for row in ROWS:
      if seen.setdefault((row.opcode, row.function), row) is not row:
         raise TableError(f'gen9/isa.py: {row.name} and {seen[row.opcode, row.function].name} have the same bits')


check()
