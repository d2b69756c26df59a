# SPDX-License-Identifier: MIT
"""Which instructions R700 has for steps of sequences and for a driver's hook."""

from codegen.emit import columns

# A step, its instruction; whether its operands are the other way round.
STEPS = columns('''
   add_i       | add_int
   sub_i       | sub_int
   mull_i      | mullo_int
   mulh_u      | mulhi_uint
   mulh_i      | mulhi_int
   and         | and_int
   or          | or_int
   xor         | xor_int
   shl         | lshl_int
   shr         | lshr_int
   ashr        | ashr_int
   cmpeq_i     | sete_int
   cmpne_i     | setne_int
   cmplt_i     | setgt_int | swap
   cmpgt_i     | setgt_int
   cmple_i     | setge_int | swap
   cmpge_i     | setge_int
   cmplt_u     | setgt_uint | swap
   cmpgt_u     | setgt_uint
   cmple_u     | setge_uint | swap
   cmpge_u     | setge_uint
   cmpeq_f     | sete_dx10
   cmpne_f     | setne_dx10
   cmplt_f     | setgt_dx10 | swap
   cmpgt_f     | setgt_dx10
   cmple_f     | setge_dx10 | swap
   cmpge_f     | setge_dx10
   mul_f       | mul_ieee
   itof        | int_to_flt
   reciprocal  | recip_ieee
   not         | not_int
   logic_and   | and_int
   logic_or    | or_int
   logic_xor   | xor_int
''')

# What a hook may append, by what its result is: a number, one or a boolean, or a boolean.
OWN = {
   'numbers': '''
   add add_int ashr_int ceil cnde cnde_int cndge cndge_int cndgt cndgt_int exp_ieee floor flt_to_int flt_to_uint fract
   int_to_flt log_ieee lshl_int lshr_int max max_dx10 max_int max_uint min min_dx10 min_int min_uint mov mul muladd
   muladd_ieee mulhi_int mulhi_uint mullo_int mullo_uint mul_ieee recipsqrt_ieee recip_ieee recip_uint rndne sqrt_ieee
   sub_int trunc uint_to_flt
'''.split(),
   'logic': 'and_int not_int or_int xor_int'.split(),
   'compare': '''
   sete_dx10 sete_int setge_dx10 setge_int setge_uint setgt_dx10 setgt_int setgt_uint setne_dx10 setne_int
'''.split(),
}
