# SPDX-License-Identifier: MIT
"""Vector ALU instructions of GCN: VOP1, VOP2, VOPC, VOP3, VOP3P. The language is that of gcn/isa.py."""

from codegen.gcn.isa import table

VOP2 = table('vop2', '''
   v_cndmask_b32          0  0  0  b32 = f32 f32 vcc          | no_reads_mode
   v_readlane_b32         1 *289 *289  s:b32 = v:b32 c:u32    | cross_lane no_reads_exec lanes
   v_writelane_b32        2 *28a *28a  b32 = S:b32 c:u32 b32@0 | cross_lane no_reads_exec lanes
   v_add_f32              3  1  1  f32 = f32 f32              | commutes
   v_sub_f32              4  2  2  f32 = f32 f32
   v_subrev_f32           5  3  3  f32 = f32 f32
   v_mac_legacy_f32       6  -  -  f32 = f32 f32 f32@0        | commutes
   v_mul_legacy_f32       7  4  4  f32 = f32 f32              | commutes
   v_mul_f32              8  5  5  f32 = f32 f32              | commutes
   v_mul_i32_i24          9  6  6  i32 = i32 i32              | commutes clamp_only
   v_mul_hi_i32_i24       a  7  7  i32 = i32 i32              | commutes
   v_mul_u32_u24          b  8  8  u32 = u32 u32              | commutes clamp_only
   v_mul_hi_u32_u24       c  9  9  u32 = u32 u32              | commutes
   v_min_legacy_f32       d  -  -  f32 = f32 f32
   v_max_legacy_f32       e  -  -  f32 = f32 f32
   v_min_f32              f  a  a  f32 = f32 f32              | commutes
   v_max_f32             10  b  b  f32 = f32 f32              | commutes
   v_min_i32             11  c  c  i32 = i32 i32              | commutes
   v_max_i32             12  d  d  i32 = i32 i32              | commutes
   v_min_u32             13  e  e  u32 = u32 u32              | commutes
   v_max_u32             14  f  f  u32 = u32 u32              | commutes
   v_lshr_b32            15  -  -  b32 = b32 u32
   v_lshrrev_b32         16 10 10  b32 = u32 b32
   v_ashr_i32            17  -  -  i32 = i32 u32
   v_ashrrev_i32         18 11 11  i32 = u32 i32
   v_lshl_b32            19  -  -  b32 = b32 u32
   v_lshlrev_b32         1a 12 12  b32 = u32 b32
   v_and_b32             1b 13 13  b32 = b32 b32              | commutes
   v_or_b32              1c 14 14  b32 = b32 b32              | commutes
   v_xor_b32             1d 15 15  b32 = b32 b32              | commutes
   v_bfm_b32             1e *293 *293  b32 = u32 u32
   v_mac_f32             1f 16 16  f32 = f32 f32 f32@0        | commutes sdwa_gfx8
   v_madmk_f32           20 17 17  f32 = f32 K:f32 v:f32>src1 | no_has_vop3 no_neg_abs no_omod_clamp
   v_madak_f32           21 18 18  f32 = f32 f32 K:f32        | no_has_vop3 no_neg_abs no_omod_clamp commutes
   v_bcnt_u32_b32        22 *28b *28b  u32 = b32 u32
   v_mbcnt_lo_u32_b32    23 *28c *28c  u32 = b32 u32          | cross_lane
   v_mbcnt_hi_u32_b32    24 *28d *28d  u32 = b32 u32          | cross_lane
   v_add_co_u32          25 19 19  u32 vcc = u32 u32          | commutes gfx6:v_add_i32 gfx8:v_add_u32 clamp_only
   v_sub_co_u32          26 1a 1a  u32 vcc = u32 u32          | gfx6:v_sub_i32 gfx8:v_sub_u32 clamp_only
   v_subrev_co_u32       27 1b 1b  u32 vcc = u32 u32          | gfx6:v_subrev_i32 gfx8:v_subrev_u32 clamp_only
   v_addc_co_u32         28 1c 1c  u32 vcc = u32 u32 vcc      | commutes gfx6:v_addc_u32 gfx8:v_addc_u32 clamp_only
   v_subb_co_u32         29 1d 1d  u32 vcc = u32 u32 vcc      | gfx6:v_subb_u32 gfx8:v_subb_u32 clamp_only
   v_subbrev_co_u32      2a 1e 1e  u32 vcc = u32 u32 vcc      | gfx6:v_subbrev_u32 gfx8:v_subbrev_u32 clamp_only
   v_ldexp_f32           2b *288 *288  f32 = f32 i32
   v_cvt_pkaccum_u8_f32  2c *1f0 *1f0  b32 = f32 u32 b32@0
   v_cvt_pknorm_i16_f32  2d *294 *294  v2i16 = f32 f32
   v_cvt_pknorm_u16_f32  2e *295 *295  v2i16 = f32 f32
   v_cvt_pkrtz_f16_f32   2f *296 *296  v2f16 = f32 f32
   v_cvt_pk_u16_u32      30 *297 *297  v2i16 = u32 u32
   v_cvt_pk_i16_i32      31 *298 *298  v2i16 = i32 i32
   v_add_f16              - 1f 1f  f16 = f16 f16              | commutes
   v_sub_f16              - 20 20  f16 = f16 f16
   v_subrev_f16           - 21 21  f16 = f16 f16
   v_mul_f16              - 22 22  f16 = f16 f16              | commutes
   v_mac_f16              - 23 23  f16 = f16 f16 f16@0        | commutes sdwa_gfx8
   v_madmk_f16            - 24 24  f16 = f16 K:f16 v:f16>src1 | no_has_vop3 no_neg_abs no_omod_clamp
   v_madak_f16            - 25 25  f16 = f16 f16 K:f16        | no_has_vop3 no_neg_abs no_omod_clamp commutes
   v_add_u16              - 26 26  u16 = u16 u16              | commutes clamp_only
   v_sub_u16              - 27 27  u16 = u16 u16  | clamp_only
   v_subrev_u16           - 28 28  u16 = u16 u16  | clamp_only
   v_mul_lo_u16           - 29 29  u16 = u16 u16              | commutes
   v_lshlrev_b16          - 2a 2a  b16 = u16 b16
   v_lshrrev_b16          - 2b 2b  b16 = u16 b16
   v_ashrrev_i16          - 2c 2c  i16 = u16 i16
   v_max_f16              - 2d 2d  f16 = f16 f16              | commutes
   v_min_f16              - 2e 2e  f16 = f16 f16              | commutes
   v_max_u16              - 2f 2f  u16 = u16 u16              | commutes
   v_max_i16              - 30 30  i16 = i16 i16              | commutes
   v_min_u16              - 31 31  u16 = u16 u16              | commutes
   v_min_i16              - 32 32  i16 = i16 i16              | commutes
   v_ldexp_f16            - 33 33  f16 = f16 i16
   v_add_u32              -  - 34  u32 = u32 u32              | commutes clamp_only
   v_sub_u32              -  - 35  u32 = u32 u32 | clamp_only
   v_subrev_u32           -  - 36  u32 = u32 u32 | clamp_only
'''.replace(' lanes', ' no_has_vop3 no_has_sdwa no_has_dpp'), flags=['reads_exec'])

VOP1 = table('vop1', '''
   v_nop                  0  0  0  .                          | no_reads_exec none no_has_vop3 no_has_sdwa no_has_dpp
   v_mov_b32              1  1  1  b32 = b32
   v_readfirstlane_b32    2  2  2  s:b32 = v:b32              | cross_lane no_has_vop3 no_has_sdwa no_has_dpp
   v_cvt_i32_f64          3  3  3  i32 = f64
   v_cvt_f64_i32          4  4  4  f64 = i32
   v_cvt_f32_i32          5  5  5  f32 = i32
   v_cvt_f32_u32          6  6  6  f32 = u32
   v_cvt_u32_f32          7  7  7  u32 = f32
   v_cvt_i32_f32          8  8  8  i32 = f32
   v_cvt_f16_f32          a  a  a  f16 = f32
   v_cvt_f32_f16          b  b  b  f32 = f16
   v_cvt_rpi_i32_f32      c  c  c  i32 = f32
   v_cvt_flr_i32_f32      d  d  d  i32 = f32
   v_cvt_off_f32_i4       e  e  e  f32 = b32
   v_cvt_f32_f64          f  f  f  f32 = f64
   v_cvt_f64_f32         10 10 10  f64 = f32
   v_cvt_f32_ubyte0      11 11 11  f32 = b32
   v_cvt_f32_ubyte1      12 12 12  f32 = b32
   v_cvt_f32_ubyte2      13 13 13  f32 = b32
   v_cvt_f32_ubyte3      14 14 14  f32 = b32
   v_cvt_u32_f64         15 15 15  u32 = f64
   v_cvt_f64_u32         16 16 16  f64 = u32
   v_trunc_f64            - 17 17  f64 = f64
   v_ceil_f64             - 18 18  f64 = f64
   v_rndne_f64            - 19 19  f64 = f64
   v_floor_f64            - 1a 1a  f64 = f64
   v_fract_f32           20 1b 1b  f32 = f32
   v_trunc_f32           21 1c 1c  f32 = f32
   v_ceil_f32            22 1d 1d  f32 = f32
   v_rndne_f32           23 1e 1e  f32 = f32
   v_floor_f32           24 1f 1f  f32 = f32
   v_exp_f32             25 20 20  f32 = f32                  | quarter
   v_log_clamp_f32       26  -  -  f32 = f32                  | quarter
   v_log_f32             27 21 21  f32 = f32                  | quarter
   v_rcp_clamp_f32       28  -  -  f32 = f32                  | quarter
   v_rcp_legacy_f32      29  -  -  f32 = f32                  | quarter
   v_rcp_f32             2a 22 22  f32 = f32                  | quarter
   v_rcp_iflag_f32       2b 23 23  f32 = f32                  | quarter
   v_rsq_clamp_f32       2c  -  -  f32 = f32                  | quarter
   v_rsq_legacy_f32      2d  -  -  f32 = f32                  | quarter
   v_rsq_f32             2e 24 24  f32 = f32                  | quarter
   v_rcp_f64             2f 25 25  f64 = f64
   v_rcp_clamp_f64       30  -  -  f64 = f64
   v_rsq_f64             31 26 26  f64 = f64
   v_rsq_clamp_f64       32  -  -  f64 = f64
   v_sqrt_f32            33 27 27  f32 = f32                  | quarter
   v_sqrt_f64            34 28 28  f64 = f64
   v_sin_f32             35 29 29  f32 = f32                  | quarter
   v_cos_f32             36 2a 2a  f32 = f32                  | quarter
   v_not_b32             37 2b 2b  b32 = b32
   v_bfrev_b32           38 2c 2c  b32 = b32
   v_ffbh_u32            39 2d 2d  u32 = u32
   v_ffbl_b32            3a 2e 2e  u32 = b32
   v_ffbh_i32            3b 2f 2f  i32 = i32
   v_frexp_exp_i32_f64   3c 30 30  i32 = f64
   v_frexp_mant_f64      3d 31 31  f64 = f64
   v_fract_f64           3e 32 32  f64 = f64
   v_frexp_exp_i32_f32   3f 33 33  i32 = f32
   v_frexp_mant_f32      40 34 34  f32 = f32
   v_clrexcp             41 35 35  .                          | side_effect no_reads_exec no_has_vop3 no_has_sdwa no_has_dpp
   # The registers that these read and write lie m0 beyond the ones that they name.
   v_movreld_b32         42 36  -  b32 = b32 [m0]             | side_effect no_has_sdwa no_has_dpp
   v_movrels_b32         43 37  -  b32 = v:b32 [m0]           | side_effect no_has_sdwa no_has_dpp
   v_movrelsd_b32        44 38  -  b32 = v:b32 [m0]           | side_effect no_has_sdwa no_has_dpp
   v_screen_partition_4se_b32  -  - 37  b32 = b32
   v_cvt_f16_u16          - 39 39  f16 = u16
   v_cvt_f16_i16          - 3a 3a  f16 = i16
   v_cvt_u16_f16          - 3b 3b  u16 = f16
   v_cvt_i16_f16          - 3c 3c  i16 = f16
   v_rcp_f16              - 3d 3d  f16 = f16                  | quarter
   v_sqrt_f16             - 3e 3e  f16 = f16                  | quarter
   v_rsq_f16              - 3f 3f  f16 = f16                  | quarter
   v_log_f16              - 40 40  f16 = f16                  | quarter
   v_exp_f16              - 41 41  f16 = f16                  | quarter
   v_frexp_mant_f16       - 42 42  f16 = f16
   v_frexp_exp_i16_f16    - 43 43  i16 = f16
   v_floor_f16            - 44 44  f16 = f16
   v_ceil_f16             - 45 45  f16 = f16
   v_trunc_f16            - 46 46  f16 = f16
   v_rndne_f16            - 47 47  f16 = f16
   v_fract_f16            - 48 48  f16 = f16
   v_sin_f16              - 49 49  f16 = f16                  | quarter
   v_cos_f16              - 4a 4a  f16 = f16                  | quarter
   v_exp_legacy_f32       - 4b 4b  f32 = f32                  | quarter
   v_log_legacy_f32       - 4c 4c  f32 = f32                  | quarter
   v_cvt_norm_i16_f16     -  - 4d  i16 = f16
   v_cvt_norm_u16_f16     -  - 4e  u16 = f16
   v_sat_pk_u8_i16        -  - 4f  b32 = v2i16
   v_swap_b32             -  - 51  v:b32 v:b32 = b32@0 b32@1  | no_has_vop3 no_has_sdwa no_has_dpp
''', flags=['reads_exec'])

VOP3 = table('vop3', '''
   v_mad_legacy_f32      140 1c0 1c0  f32 = f32 f32 f32       | commutes
   v_mad_f32             141 1c1 1c1  f32 = f32 f32 f32       | commutes
   v_mad_i32_i24         142 1c2 1c2  i32 = i32 i32 i32       | commutes clamp_only
   v_mad_u32_u24         143 1c3 1c3  u32 = u32 u32 u32       | commutes clamp_only
   v_cubeid_f32          144 1c4 1c4  f32 = f32 f32 f32
   v_cubesc_f32          145 1c5 1c5  f32 = f32 f32 f32
   v_cubetc_f32          146 1c6 1c6  f32 = f32 f32 f32
   v_cubema_f32          147 1c7 1c7  f32 = f32 f32 f32
   v_bfe_u32             148 1c8 1c8  u32 = u32 u32 u32
   v_bfe_i32             149 1c9 1c9  i32 = i32 u32 u32
   v_bfi_b32             14a 1ca 1ca  b32 = b32 b32 b32
   v_fma_f32             14b 1cb 1cb  f32 = f32 f32 f32       | commutes
   v_fma_f64             14c 1cc 1cc  f64 = f64 f64 f64       | commutes
   v_lerp_u8             14d 1cd 1cd  b32 = b32 b32 b32       | commutes
   v_alignbit_b32        14e 1ce 1ce  b32 = b32 b32 u32
   v_alignbyte_b32       14f 1cf 1cf  b32 = b32 b32 u32
   v_mullit_f32          150  -   -   f32 = f32 f32 f32
   v_min3_f32            151 1d0 1d0  f32 = f32 f32 f32       | commutes
   v_min3_i32            152 1d1 1d1  i32 = i32 i32 i32       | commutes
   v_min3_u32            153 1d2 1d2  u32 = u32 u32 u32       | commutes
   v_max3_f32            154 1d3 1d3  f32 = f32 f32 f32       | commutes
   v_max3_i32            155 1d4 1d4  i32 = i32 i32 i32       | commutes
   v_max3_u32            156 1d5 1d5  u32 = u32 u32 u32       | commutes
   v_med3_f32            157 1d6 1d6  f32 = f32 f32 f32       | commutes
   v_med3_i32            158 1d7 1d7  i32 = i32 i32 i32       | commutes
   v_med3_u32            159 1d8 1d8  u32 = u32 u32 u32       | commutes
   v_sad_u8              15a 1d9 1d9  u32 = b32 b32 u32       | commutes clamp_only
   v_sad_hi_u8           15b 1da 1da  u32 = b32 b32 u32       | commutes clamp_only
   v_sad_u16             15c 1db 1db  u32 = v2i16 v2i16 u32   | commutes clamp_only
   v_sad_u32             15d 1dc 1dc  u32 = u32 u32 u32       | commutes clamp_only
   v_cvt_pk_u8_f32       15e 1dd 1dd  b32 = f32 u32 b32
   v_div_fixup_f32       15f 1de 1de  f32 = f32 f32 f32
   v_div_fixup_f64       160 1df 1df  f64 = f64 f64 f64
   v_lshl_b64            161  -   -   b64 = b64 u32
   v_lshr_b64            162  -   -   b64 = b64 u32
   v_ashr_i64            163  -   -   i64 = i64 u32
   v_add_f64             164 280 280  f64 = f64 f64           | commutes
   v_mul_f64             165 281 281  f64 = f64 f64           | commutes
   v_min_f64             166 282 282  f64 = f64 f64           | commutes
   v_max_f64             167 283 283  f64 = f64 f64           | commutes
   v_ldexp_f64           168 284 284  f64 = f64 i32
   v_mul_lo_u32          169 285 285  u32 = u32 u32           | commutes quarter
   v_mul_hi_u32          16a 286 286  u32 = u32 u32           | commutes quarter
   v_mul_lo_i32          16b  -   -   i32 = i32 i32           | commutes quarter
   v_mul_hi_i32          16c 287 287  i32 = i32 i32           | commutes quarter
   v_div_scale_f32       16d 1e0 1e0  f32 s:mask = f32 f32 f32
   v_div_scale_f64       16e 1e1 1e1  f64 s:mask = f64 f64 f64
   v_div_fmas_f32        16f 1e2 1e2  f32 = f32 f32 f32 [vcc]
   v_div_fmas_f64        170 1e3 1e3  f64 = f64 f64 f64 [vcc]
   v_msad_u8             171 1e4 1e4  u32 = b32 b32 u32        | clamp_only
   v_qsad_pk_u16_u8       -  1e5 1e5  b64 = b64 b32 b64        | clamp_only
   v_mqsad_pk_u16_u8     173 1e6 1e6  b64 = b64 b32 b64        | clamp_only
   v_mqsad_u32_u8         -  1e7 1e7  v:b128 = b64 b32 v:b128  | clamp_only
   v_trig_preop_f64      174 292 292  f64 = f64 u32
   v_mad_u64_u32          -  1e8 1e8  u64 s:mask = u32 u32 u64 | commutes clamp_only
   v_mad_i64_i32          -  1e9 1e9  i64 s:mask = i32 i32 i64 | commutes clamp_only
   v_mad_f16              -  1ea 203  f16 = f16 f16 f16       | commutes op_sel
   v_mad_u16              -  1eb 204  u16 = u16 u16 u16       | commutes op_sel clamp_only
   v_mad_i16              -  1ec 205  i16 = i16 i16 i16       | commutes op_sel clamp_only
   v_perm_b32             -  1ed 1ed  b32 = b32 b32 b32
   v_fma_f16              -  1ee 206  f16 = f16 f16 f16       | commutes op_sel
   v_div_fixup_f16        -  1ef 207  f16 = f16 f16 f16  | op_sel
   v_mad_legacy_f16       -   -  1ea  f16 = f16 f16 f16       | commutes
   v_mad_legacy_u16       -   -  1eb  u16 = u16 u16 u16       | commutes clamp_only
   v_mad_legacy_i16       -   -  1ec  i16 = i16 i16 i16       | commutes clamp_only
   v_fma_legacy_f16       -   -  1ee  f16 = f16 f16 f16       | commutes
   v_div_fixup_legacy_f16 -   -  1ef  f16 = f16 f16 f16
   v_mad_u32_u16          -   -  1f1  u32 = u16 u16 u32       | commutes op_sel clamp_only
   v_mad_i32_i16          -   -  1f2  i32 = i16 i16 i32       | commutes op_sel clamp_only
   v_xad_u32              -   -  1f3  u32 = u32 u32 u32
   v_min3_f16             -   -  1f4  f16 = f16 f16 f16       | commutes op_sel
   v_min3_i16             -   -  1f5  i16 = i16 i16 i16       | commutes op_sel clamp_only
   v_min3_u16             -   -  1f6  u16 = u16 u16 u16       | commutes op_sel clamp_only
   v_max3_f16             -   -  1f7  f16 = f16 f16 f16       | commutes op_sel
   v_max3_i16             -   -  1f8  i16 = i16 i16 i16       | commutes op_sel clamp_only
   v_max3_u16             -   -  1f9  u16 = u16 u16 u16       | commutes op_sel clamp_only
   v_med3_f16             -   -  1fa  f16 = f16 f16 f16       | commutes op_sel
   v_med3_i16             -   -  1fb  i16 = i16 i16 i16       | commutes op_sel clamp_only
   v_med3_u16             -   -  1fc  u16 = u16 u16 u16       | commutes op_sel clamp_only
   v_lshl_add_u32         -   -  1fd  u32 = u32 u32 u32
   v_add_lshl_u32         -   -  1fe  u32 = u32 u32 u32       | commutes
   v_add3_u32             -   -  1ff  u32 = u32 u32 u32       | commutes
   v_lshl_or_b32          -   -  200  b32 = b32 u32 b32
   v_and_or_b32           -   -  201  b32 = b32 b32 b32       | commutes
   v_or3_b32              -   -  202  b32 = b32 b32 b32       | commutes
   v_lshlrev_b64          -  28f 28f  b64 = u32 b64
   v_lshrrev_b64          -  290 290  b64 = u32 b64
   v_ashrrev_i64          -  291 291  i64 = u32 i64
   v_cvt_pknorm_i16_f16   -   -  299  v2i16 = f16 f16  | op_sel
   v_cvt_pknorm_u16_f16   -   -  29a  v2i16 = f16 f16  | op_sel
   v_add_i32              -   -  29c  i32 = i32 i32           | commutes clamp_only
   v_sub_i32              -   -  29d  i32 = i32 i32 | clamp_only
   v_add_i16              -   -  29e  i16 = i16 i16           | commutes op_sel clamp_only
   v_sub_i16              -   -  29f  i16 = i16 i16  | op_sel clamp_only
   v_pack_b32_f16         -   -  2a0  v2f16 = f16 f16  | op_sel no_omod_clamp
''', flags=['reads_exec'])

VOP3P = table('vop3p', '''
   v_pk_mad_i16           -  -  0  v2i16 = v2i16 v2i16 v2i16  | commutes
   v_pk_mul_lo_u16        -  -  1  v2i16 = v2i16 v2i16        | commutes
   v_pk_add_i16           -  -  2  v2i16 = v2i16 v2i16        | commutes
   v_pk_sub_i16           -  -  3  v2i16 = v2i16 v2i16
   v_pk_lshlrev_b16       -  -  4  v2i16 = v2i16 v2i16
   v_pk_lshrrev_b16       -  -  5  v2i16 = v2i16 v2i16
   v_pk_ashrrev_i16       -  -  6  v2i16 = v2i16 v2i16
   v_pk_max_i16           -  -  7  v2i16 = v2i16 v2i16        | commutes
   v_pk_min_i16           -  -  8  v2i16 = v2i16 v2i16        | commutes
   v_pk_mad_u16           -  -  9  v2i16 = v2i16 v2i16 v2i16  | commutes
   v_pk_add_u16           -  -  a  v2i16 = v2i16 v2i16        | commutes
   v_pk_sub_u16           -  -  b  v2i16 = v2i16 v2i16
   v_pk_max_u16           -  -  c  v2i16 = v2i16 v2i16        | commutes
   v_pk_min_u16           -  -  d  v2i16 = v2i16 v2i16        | commutes
   v_pk_fma_f16           -  -  e  v2f16 = v2f16 v2f16 v2f16  | commutes
   v_pk_add_f16           -  -  f  v2f16 = v2f16 v2f16        | commutes
   v_pk_mul_f16           -  - 10  v2f16 = v2f16 v2f16        | commutes
   v_pk_min_f16           -  - 11  v2f16 = v2f16 v2f16        | commutes
   v_pk_max_f16           -  - 12  v2f16 = v2f16 v2f16        | commutes
   # Sources are f32, or with op_sel_hi the half of a register that op_sel says; neg_hi is abs.
   v_mad_mix_f32          -  - 20  f32 = f32 f32 f32          | commutes mix
   v_mad_mixlo_f16        -  - 21  f16 = f32 f32 f32 f16@0    | commutes mix
   v_mad_mixhi_f16        -  - 22  f16 = f32 f32 f32 f16@0    | commutes mix
'''.replace(' mix', ' mix omod_clamp'), flags=['reads_exec', 'op_sel'])

FLOAT_COMPARES = ('f', 'lt', 'eq', 'le', 'gt', 'lg', 'ge', 'o', 'u', 'nge', 'nlg', 'ngt', 'nle',
                  'neq', 'nlt', 'tru')
INT_COMPARES = ('f', 'lt', 'eq', 'le', 'gt', 'ne', 'ge', 't')
SYMMETRIC = ('f', 'eq', 'lg', 'o', 'u', 'nlg', 'neq', 'tru', 'ne', 't')

# First opcode of each family of compares: gfx6, gfx8 and gfx9; cmpx follows 16 later.
FLOAT_FIRST = {'f16': ('-', 0x20), 'f32': (0x00, 0x40), 'f64': (0x20, 0x60)}
INT_FIRST = {'i16': ('-', 0xa0), 'u16': ('-', 0xa8), 'i32': (0x80, 0xc0), 'u32': (0xc0, 0xc8),
             'i64': (0xa0, 0xe0), 'u64': (0xe0, 0xe8)}
CLASS_OPCODES = {'f32': (0x88, 0x98, 0x10, 0x11), 'f64': (0xa8, 0xb8, 0x12, 0x13),
                 'f16': ('-', '-', 0x14, 0x15)}


def compare_line(name, gfx6, gfx8, signature, notes=''):
   ops = ['-' if gfx6 == '-' else f'{gfx6:x}', f'{gfx8:x}', f'{gfx8:x}']
   defs = 'vcc [exec]' if name.startswith('v_cmpx') else 'vcc'
   return f'{name} {" ".join(ops)} {defs} = {signature} | {notes}'


def compares():
   lines = []
   for families, names in ((FLOAT_FIRST, FLOAT_COMPARES), (INT_FIRST, INT_COMPARES)):
      for type, (gfx6, gfx8) in families.items():
         for x, cmp in ((0, 'v_cmp'), (16, 'v_cmpx')):
            for n, name in enumerate(names):
               lines.append(compare_line(f'{cmp}_{name}_{type}',
                                         gfx6 if gfx6 == '-' else gfx6 + x + n, gfx8 + x + n,
                                         f'{type} {type}', 'commutes' if name in SYMMETRIC else ''))
   for type, (gfx6, gfx6x, gfx8, gfx8x) in CLASS_OPCODES.items():
      other = 'b16' if type == 'f16' else 'b32'
      lines.append(compare_line(f'v_cmp_class_{type}', gfx6, gfx8, f'{type} {other}'))
      lines.append(compare_line(f'v_cmpx_class_{type}', gfx6x, gfx8x, f'{type} {other}'))
   return '\n'.join(lines)


VOPC = table('vopc', compares(), flags=['reads_exec'])

ROWS = VOP1 + VOP2 + VOPC + VOP3 + VOP3P
