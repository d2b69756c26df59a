# SPDX-License-Identifier: MIT
"""Scalar instructions of GCN: SOP2, SOP1, SOPK, SOPC, SOPP. The language is that of gcn/isa.py."""

from codegen.gcn.isa import table

SOP2 = table('sop2', '''
   s_add_u32              0  0  0  u32 [scc] = u32 u32        | commutes
   s_sub_u32              1  1  1  u32 [scc] = u32 u32
   s_add_i32              2  2  2  i32 [scc] = i32 i32        | commutes
   s_sub_i32              3  3  3  i32 [scc] = i32 i32
   s_addc_u32             4  4  4  u32 [scc] = u32 u32 [scc]  | commutes
   s_subb_u32             5  5  5  u32 [scc] = u32 u32 [scc]
   s_min_i32              6  6  6  i32 [scc] = i32 i32        | commutes
   s_min_u32              7  7  7  u32 [scc] = u32 u32        | commutes
   s_max_i32              8  8  8  i32 [scc] = i32 i32        | commutes
   s_max_u32              9  9  9  u32 [scc] = u32 u32        | commutes
   s_cselect_b32          a  a  a  b32 = b32 b32 [scc]
   s_cselect_b64          b  b  b  b64 = b64 b64 [scc]
   s_and_b32              e  c  c  b32 [scc] = b32 b32        | commutes
   s_and_b64              f  d  d  b64 [scc] = b64 b64        | commutes
   s_or_b32              10  e  e  b32 [scc] = b32 b32        | commutes
   s_or_b64              11  f  f  b64 [scc] = b64 b64        | commutes
   s_xor_b32             12 10 10  b32 [scc] = b32 b32        | commutes
   s_xor_b64             13 11 11  b64 [scc] = b64 b64        | commutes
   s_andn2_b32           14 12 12  b32 [scc] = b32 b32
   s_andn2_b64           15 13 13  b64 [scc] = b64 b64
   s_orn2_b32            16 14 14  b32 [scc] = b32 b32
   s_orn2_b64            17 15 15  b64 [scc] = b64 b64
   s_nand_b32            18 16 16  b32 [scc] = b32 b32        | commutes
   s_nand_b64            19 17 17  b64 [scc] = b64 b64        | commutes
   s_nor_b32             1a 18 18  b32 [scc] = b32 b32        | commutes
   s_nor_b64             1b 19 19  b64 [scc] = b64 b64        | commutes
   s_xnor_b32            1c 1a 1a  b32 [scc] = b32 b32        | commutes
   s_xnor_b64            1d 1b 1b  b64 [scc] = b64 b64        | commutes
   s_lshl_b32            1e 1c 1c  b32 [scc] = b32 u32
   s_lshl_b64            1f 1d 1d  b64 [scc] = b64 u32
   s_lshr_b32            20 1e 1e  b32 [scc] = b32 u32
   s_lshr_b64            21 1f 1f  b64 [scc] = b64 u32
   s_ashr_i32            22 20 20  i32 [scc] = i32 u32
   s_ashr_i64            23 21 21  i64 [scc] = i64 u32
   s_bfm_b32             24 22 22  b32 = u32 u32
   s_bfm_b64             25 23 23  b64 = u32 u32
   s_mul_i32             26 24 24  i32 = i32 i32              | commutes
   s_bfe_u32             27 25 25  u32 [scc] = u32 u32
   s_bfe_i32             28 26 26  i32 [scc] = i32 u32
   s_bfe_u64             29 27 27  u64 [scc] = u64 u32
   s_bfe_i64             2a 28 28  i64 [scc] = i64 u32
   s_cbranch_g_fork      2b 29 29  c:b64 c:b64 [exec]             | branch side_effect
   s_absdiff_i32         2c 2a 2a  i32 [scc] = i32 i32        | commutes
   s_rfe_restore_b64      - 2b 2b  c:b64 c:b32                | branch side_effect
   s_mul_hi_u32           -  - 2c  u32 = u32 u32              | commutes
   s_mul_hi_i32           -  - 2d  i32 = i32 i32              | commutes
   s_lshl1_add_u32        -  - 2e  u32 [scc] = u32 u32
   s_lshl2_add_u32        -  - 2f  u32 [scc] = u32 u32
   s_lshl3_add_u32        -  - 30  u32 [scc] = u32 u32
   s_lshl4_add_u32        -  - 31  u32 [scc] = u32 u32
   s_pack_ll_b32_b16      -  - 32  b32 = b16 b16
   s_pack_lh_b32_b16      -  - 33  b32 = b16 b32
   s_pack_hh_b32_b16      -  - 34  b32 = b32 b32
''', latency='salu')

SOP1 = table('sop1', '''
   s_mov_b32              3  0  0  b32 = b32
   s_mov_b64              4  1  1  b64 = b64
   s_cmov_b32             5  2  2  b32 = b32 b32@0 [scc]
   s_cmov_b64             6  3  3  b64 = b64 b64@0 [scc]
   s_not_b32              7  4  4  b32 [scc] = b32
   s_not_b64              8  5  5  b64 [scc] = b64
   s_wqm_b32              9  6  6  b32 [scc] = b32
   s_wqm_b64              a  7  7  b64 [scc] = b64
   s_brev_b32             b  8  8  b32 = b32
   s_brev_b64             c  9  9  b64 = b64
   s_bcnt0_i32_b32        d  a  a  i32 [scc] = b32
   s_bcnt0_i32_b64        e  b  b  i32 [scc] = b64
   s_bcnt1_i32_b32        f  c  c  i32 [scc] = b32
   s_bcnt1_i32_b64       10  d  d  i32 [scc] = b64
   s_ff0_i32_b32         11  e  e  i32 = b32
   s_ff0_i32_b64         12  f  f  i32 = b64
   s_ff1_i32_b32         13 10 10  i32 = b32
   s_ff1_i32_b64         14 11 11  i32 = b64
   s_flbit_i32_b32       15 12 12  i32 = b32
   s_flbit_i32_b64       16 13 13  i32 = b64
   s_flbit_i32           17 14 14  i32 = i32
   s_flbit_i32_i64       18 15 15  i32 = i64
   s_sext_i32_i8         19 16 16  i32 = b32
   s_sext_i32_i16        1a 17 17  i32 = i16
   s_bitset0_b32         1b 18 18  b32 = u32 b32@0
   s_bitset0_b64         1c 19 19  b64 = u32 b64@0
   s_bitset1_b32         1d 1a 1a  b32 = u32 b32@0
   s_bitset1_b64         1e 1b 1b  b64 = u32 b64@0
   s_getpc_b64           1f 1c 1c  b64 = .
   s_setpc_b64           20 1d 1d  s:b64                      | branch side_effect
   s_swappc_b64          21 1e 1e  b64 = s:b64                | branch side_effect
   s_rfe_b64             22 1f 1f  s:b64                      | branch side_effect
   s_and_saveexec_b64    24 20 20  b64 [exec] [scc] = b64 [exec]
   s_or_saveexec_b64     25 21 21  b64 [exec] [scc] = b64 [exec]
   s_xor_saveexec_b64    26 22 22  b64 [exec] [scc] = b64 [exec]
   s_andn2_saveexec_b64  27 23 23  b64 [exec] [scc] = b64 [exec]
   s_orn2_saveexec_b64   28 24 24  b64 [exec] [scc] = b64 [exec]
   s_nand_saveexec_b64   29 25 25  b64 [exec] [scc] = b64 [exec]
   s_nor_saveexec_b64    2a 26 26  b64 [exec] [scc] = b64 [exec]
   s_xnor_saveexec_b64   2b 27 27  b64 [exec] [scc] = b64 [exec]
   s_quadmask_b32        2c 28 28  b32 [scc] = b32
   s_quadmask_b64        2d 29 29  b64 [scc] = b64
   # The registers that these read and write lie m0 beyond the ones that they name.
   s_movrels_b32         2e 2a 2a  b32 = s:b32 [m0]           | side_effect
   s_movrels_b64         2f 2b 2b  b64 = s:b64 [m0]           | side_effect
   s_movreld_b32         30 2c 2c  b32 = b32 [m0]             | side_effect
   s_movreld_b64         31 2d 2d  b64 = b64 [m0]             | side_effect
   s_cbranch_join        32 2e 2e  s:b32 [exec]               | branch side_effect
   s_abs_i32             34 30 30  i32 [scc] = i32
   s_set_gpr_idx_idx      - 32 32  [m0] = b32 [m0]            | side_effect
   s_andn1_saveexec_b64   -  - 33  b64 [exec] [scc] = b64 [exec]
   s_orn1_saveexec_b64    -  - 34  b64 [exec] [scc] = b64 [exec]
   s_andn1_wrexec_b64     -  - 35  b64 [exec] [scc] = b64 [exec]
   s_andn2_wrexec_b64     -  - 36  b64 [exec] [scc] = b64 [exec]
   s_bitreplicate_b64_b32 -  - 37  b64 = b32
''', latency='salu')

COMPARES = ('eq', 'lg', 'gt', 'ge', 'lt', 'le')


def sopk_compares():
   lines = []
   for type, first in (('i32', 2), ('u32', 8)):
      for n, compare in enumerate(COMPARES):
         op = first + n
         lines.append(f's_cmpk_{compare}_{type} {op + 1:x} {op:x} {op:x} [scc] = {type}')
   return '\n'.join(lines)


SOPK = table('sopk', '''
   s_movk_i32             0  0  0  i32 = .
   s_cmovk_i32            2  1  1  i32 = i32@0 [scc]
''' + sopk_compares() + '''
   s_addk_i32             f  e  e  i32 [scc] = i32@0
   s_mulk_i32            10  f  f  i32 = i32@0
   s_cbranch_i_fork      11 10 10  b64 [exec]                 | branch side_effect imm:target
   s_getreg_b32          12 11 11  b32 = .                    | side_effect imm:hwreg
   s_setreg_b32          13 12 12  b32                        | side_effect imm:hwreg
   s_setreg_imm32_b32    15 14 14  K:b32                      | side_effect imm:hwreg
   s_call_b64             -  - 15  b64 = .                    | branch side_effect imm:target
''', latency='salu', imm='hex')


def sopc_compares():
   lines = []
   for type, first in (('i32', 0), ('u32', 6)):
      for n, compare in enumerate(COMPARES):
         op = first + n
         note = ' | commutes' if compare in ('eq', 'lg') else ''
         lines.append(f's_cmp_{compare}_{type} {op:x} {op:x} {op:x} [scc] = {type} {type}{note}')
   return '\n'.join(lines)


SOPC = table('sopc', sopc_compares() + '''
   s_bitcmp0_b32          c  c  c  [scc] = b32 u32
   s_bitcmp1_b32          d  d  d  [scc] = b32 u32
   s_bitcmp0_b64          e  e  e  [scc] = b64 u32
   s_bitcmp1_b64          f  f  f  [scc] = b64 u32
   s_setvskip            10 10 10  b32 u32                    | side_effect
   s_set_gpr_idx_on       - 11 11  [m0] = b32 [m0]            | side_effect imm:gpr_idx
   s_cmp_eq_u64           - 12 12  [scc] = u64 u64            | commutes
   s_cmp_lg_u64           - 13 13  [scc] = u64 u64            | commutes
''', latency='salu')

SOPP = table('sopp', '''
   s_nop                  0  0  0  .                          | imm:decimal
   s_endpgm               1  1  1  .                          | imm:optional ends
   s_branch               2  2  2  .                          | imm:target branch
   s_wakeup               -  3  3  .
   s_cbranch_scc0         4  4  4  [scc]                      | imm:target branch
   s_cbranch_scc1         5  5  5  [scc]                      | imm:target branch
   s_cbranch_vccz         6  6  6  [vcc]                      | imm:target branch
   s_cbranch_vccnz        7  7  7  [vcc]                      | imm:target branch
   s_cbranch_execz        8  8  8  [exec]                     | imm:target branch
   s_cbranch_execnz       9  9  9  [exec]                     | imm:target branch
   s_barrier              a  a  a  .
   s_setkill              b  b  b  .                          | imm:decimal
   s_waitcnt              c  c  c  .                          | imm:waitcnt
   s_sethalt              d  d  d  .                          | imm:decimal
   s_sleep                e  e  e  .                          | imm:decimal
   s_setprio              f  f  f  .                          | imm:decimal
   s_sendmsg             10 10 10  [m0]                       | imm:sendmsg message
   s_sendmsghalt         11 11 11  [m0]                       | imm:sendmsg message
   s_trap                12 12 12  .                          | imm:decimal
   s_icache_inv          13 13 13  .
   s_incperflevel        14 14 14  .                          | imm:decimal
   s_decperflevel        15 15 15  .                          | imm:decimal
   s_ttracedata          16 16 16  [m0]
   s_cbranch_cdbgsys     17 17 17  .                          | imm:target branch
   s_cbranch_cdbguser    18 18 18  .                          | imm:target branch
   s_cbranch_cdbgsys_or_user  19 19 19  .                     | imm:target branch
   s_cbranch_cdbgsys_and_user 1a 1a 1a  .                     | imm:target branch
   s_endpgm_saved         - 1b 1b  .                          | ends
   s_set_gpr_idx_off      - 1c 1c  .
   s_set_gpr_idx_mode     - 1d 1d  [m0] = [m0]                | imm:gpr_idx
   s_endpgm_ordered_ps_done - - 1e .                          | ends
''', latency='none', flags=['side_effect'])

for _row in SOPP + SOPK + SOP1 + SOP2:
   if _row.imm == 'target':
      _row.flags.add('branches')

ROWS = SOP2 + SOP1 + SOPK + SOPC + SOPP
