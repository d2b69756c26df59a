# SPDX-License-Identifier: MIT
"""Which instructions Gen9 has for steps of sequences, for ops of the IR, and for a driver's hook."""

from codegen.emit import columns

# A step, its instruction, the type of its operands; the condition of a compare, the type of what is converted, or which
# source is negated.
STEPS = columns('''
   add_i       | add       | d
   sub_i       | add       | d  | second
   mull_i      | mul       | d
   mulh_u      | p_high    | ud
   mulh_i      | p_high    | d
   and         | and       | ud
   or          | or        | ud
   xor         | xor       | ud
   shl         | shl       | ud
   shr         | shr       | ud
   ashr        | asr       | d
   cmpeq_i     | p_compare | d  | eq
   cmpne_i     | p_compare | d  | ne
   cmplt_i     | p_compare | d  | lt
   cmpgt_i     | p_compare | d  | gt
   cmple_i     | p_compare | d  | le
   cmpge_i     | p_compare | d  | ge
   cmplt_u     | p_compare | ud | lt
   cmpgt_u     | p_compare | ud | gt
   cmple_u     | p_compare | ud | le
   cmpge_u     | p_compare | ud | ge
   cmpeq_f     | p_compare | f  | eq
   cmpne_f     | p_compare | f  | ne
   cmplt_f     | p_compare | f  | lt
   cmpgt_f     | p_compare | f  | gt
   cmple_f     | p_compare | f  | le
   cmpge_f     | p_compare | f  | ge
   add_f       | add       | f
   sub_f       | add       | f  | second
   mul_f       | mul       | f
   clz         | lzd       | ud
   ctz         | fbl       | ud
   ftoi        | p_convert | d  | f
   itof        | p_convert | f  | d
   sext_8      | p_convert | d  | b
   sext_16     | p_convert | d  | w
   reciprocal  | math_inv  | f
   fma_f       | mad       | f
   rsqrt       | math_rsqt | f
   floor       | rndd      | f
   ceil        | rndu      | f
   rint        | rnde      | f
   f2i         | p_convert | d  | f
   f2u         | p_convert | ud | f
   div_u       | math_iqot | ud
   h2f         | p_convert | f  | hf
   f2h         | p_convert | hf | f
   not         | not       | ud
   logic_and   | and       | ud
   logic_or    | or        | ud
   logic_xor   | xor       | ud
''')

# What rows of sequences can need.
FEATURES = {'doubles'}

# An op that is one instruction, the type of the result, and which sources of the op it has in which order; the condition of
# sel or cmp, with ! where the result is what does not hold, or which source is negated; the type of the sources, if it is
# another one. One of the conditions of two rows must hold.
DIRECT = columns('''
   ffma        | mad       | f  | 2 0 1
   ftrunc      | rndz      | f  | 0
   u2f         | p_convert | f  | 0 | | ud
   bit_count   | cbit      | ud | 0
   bit_reverse | bfrev     | ud | 0
   find_lsb    | fbl       | ud | 0
   bitselect   | bfi2      | ud | 0 1 2
   ubfe        | bfe       | ud | 2 1 0
   ibfe        | bfe       | d  | 2 1 0
   umin        | sel       | ud | 0 1 | lt
   umax        | sel       | ud | 0 1 | ge
   imin        | sel       | d  | 0 1 | lt
   imax        | sel       | d  | 0 1 | ge
   f2f         | mov       | df | 0 | | f
   f2f         | mov       | f  | 0 | | df
   f2f_rne     | mov       | df | 0 | | f
   f2f_rtz     | mov       | df | 0 | | f
   f2f_ru      | mov       | df | 0 | | f
   f2f_rd      | mov       | df | 0 | | f
   f2f_rne     | mov       | f  | 0 | | df
   i2f         | mov       | df | 0 | | d
   i2f_rne     | mov       | df | 0 | | d
   i2f         | mov       | df | 0 | | w
   i2f_rne     | mov       | df | 0 | | w
   u2f         | mov       | df | 0 | | ud
   u2f_rne     | mov       | df | 0 | | ud
   u2f         | mov       | df | 0 | | uw
   u2f_rne     | mov       | df | 0 | | uw
   f2i         | mov       | d  | 0 | | df
   f2u         | mov       | ud | 0 | | df'''
   + ''.join(f'''
   fadd   | add | {type} | 0 1
   fsub   | add | {type} | 0 1 | second
   fmul   | mul | {type} | 0 1
   ffma   | mad | {type} | 2 0 1
   feq    | cmp | {type} | 0 1 | eq
   fneu   | cmp | {type} | 0 1 | ne
   flt    | cmp | {type} | 0 1 | lt
   fle    | cmp | {type} | 0 1 | le
   fltu   | cmp | {type} | 0 1 | !ge
   fleu   | cmp | {type} | 0 1 | !gt
   fne    | cmp | {type} | 0 1 | lt
   fne    | cmp | {type} | 0 1 | gt
   fequ   | cmp | {type} | 0 1 | !lt
   fequ   | cmp | {type} | 0 1 | !gt
   funord | cmp | {type} | 0 0 | ne
   funord | cmp | {type} | 1 1 | ne
   ford   | cmp | {type} | 0 0 | !ne
   ford   | cmp | {type} | 1 1 | !ne''' for type in ('df', 'hf')))

# Which ops need no sequence, by sizes: from 32 bits to 32, and on floats of 16 bits.
COVERED = {(row[0], 32, 32) for row in DIRECT if row[2] in ('f', 'd', 'ud') and row[1] != 'cmp' and 'df' not in row}
COVERED |= {(row[0], 16, 1 if row[1] == 'cmp' else 16) for row in DIRECT if row[2] == 'hf'}

# What a hook may append: a name in front of the type, the instruction, the types, how many sources; the condition of a
# compare, or whether it is one on the bits of booleans, too.
OWN = columns('''
   add       | add       | d ud f | 2
   and       | and       | d ud   | 2 | logic
   asr       | asr       | d      | 2
   avg       | avg       | d ud   | 2
   bfe       | bfe       | d ud   | 3
   bfi1      | bfi1      | d ud   | 2
   bfi2      | bfi2      | d ud   | 3
   bfrev     | bfrev     | ud     | 1
   cbit      | cbit      | ud     | 1
   cmp.eq    | p_compare | d ud f | 2 | eq
   cmp.gt    | p_compare | d ud f | 2 | gt
   cmp.ge    | p_compare | d ud f | 2 | ge
   cmp.lt    | p_compare | d ud f | 2 | lt
   cmp.le    | p_compare | d ud f | 2 | le
   cmp.ne    | p_compare | d ud f | 2 | ne
   fbh       | fbh       | d ud   | 1
   fbl       | fbl       | ud     | 1
   frc       | frc       | f      | 1
   lzd       | lzd       | ud     | 1
   mad       | mad       | f      | 3
   math.cos  | math_cos  | f      | 1
   math.exp  | math_exp  | f      | 1
   math.fdiv | math_fdiv | f      | 2
   math.inv  | math_inv  | f      | 1
   math.log  | math_log  | f      | 1
   math.pow  | math_pow  | f      | 2
   math.rsqt | math_rsqt | f      | 1
   math.sin  | math_sin  | f      | 1
   math.sqt  | math_sqt  | f      | 1
   mul       | mul       | d f    | 2
   not       | not       | d ud   | 1 | logic
   or        | or        | d ud   | 2 | logic
   rndd      | rndd      | f      | 1
   rnde      | rnde      | f      | 1
   rndu      | rndu      | f      | 1
   rndz      | rndz      | f      | 1
   shl       | shl       | d ud   | 2
   shr       | shr       | ud     | 2
   xor       | xor       | d ud   | 2 | logic
''')
