# SPDX-License-Identifier: MIT
"""Vector floats: arithmetic, functions, conversions, division's three steps."""

from codegen.gcn.sem import row

# ---- arithmetic -----------------------------------------------------------------------------------

for n in (16, 32):
   two, three = f'{n} : {n} {n}', f'{n} : {n} {n} {n}'
   row(f'v_add_f{n}', two, f'fadd({n}, a, b)')
   row(f'v_sub_f{n}', two, f'fsub({n}, a, b)')
   row(f'v_subrev_f{n}', two, f'fsub({n}, b, a)')
   row(f'v_mul_f{n}', two, f'fmul({n}, a, b)')
   row(f'v_min_f{n}', two, f'fmin({n}, a, b)')
   row(f'v_max_f{n}', two, f'fmax({n}, a, b)')
   for name in ('mac', 'mad', 'madmk', 'madak'):
      # The assembler's order, in which the constant of madmk is the second: a * b + c in all.
      row(f'v_{name}_f{n}', three, f'fmad({n}, a, b, c)')
   row(f'v_fma_f{n}', three, f'ffma({n}, a, b, c)')
   row(f'v_min3_f{n}', three, f'fmin({n}, fmin({n}, a, b), c)')
   row(f'v_max3_f{n}', three, f'fmax({n}, fmax({n}, a, b), c)')
   row(f'v_med3_f{n}', three, f'fmed3({n}, a, b, c)')
row('v_mad_legacy_f16', '16 : 16 16 16', 'fmad(16, a, b, c)')
row('v_fma_legacy_f16', '16 : 16 16 16', 'ffma(16, a, b, c)')
row('v_add_f64', '64 : 64 64', 'fadd(64, a, b)')
row('v_mul_f64', '64 : 64 64', 'fmul(64, a, b)')
row('v_min_f64', '64 : 64 64', 'fmin(64, a, b)')
row('v_max_f64', '64 : 64 64', 'fmax(64, a, b)')
row('v_fma_f64', '64 : 64 64 64', 'ffma(64, a, b, c)')
row('v_mul_legacy_f32', '32 : 32 32', 'fmul_legacy(a, b)')
row('v_mad_legacy_f32', '32 : 32 32 32', 'fmad_legacy(a, b, c)')
row('v_mac_legacy_f32', '32 : 32 32 32', 'fmad_legacy(a, b, c)')
row('v_min_legacy_f32', '32 : 32 32', 'flt(32, a, b) ? a : b')
row('v_max_legacy_f32', '32 : 32 32', 'fle(32, b, a) ? a : b')
row('v_mad_mix_f32', '32 : 32 32 32', 'fmad(32, a, b, c)')
row('v_mad_mixlo_f16', '16 : 32 32 32', 'fnarrow(fmad(32, a, b, c))')
row('v_mad_mixhi_f16', '16 : 32 32 32', 'fnarrow(fmad(32, a, b, c))')

# ---- functions of one number ----------------------------------------------------------------------

for n in (16, 32, 64):
   one = f'{n} : {n}'
   for name, mode in (('trunc', 'ZERO'), ('ceil', 'UP'), ('rndne', 'NEAREST_EVEN'),
                      ('floor', 'DOWN')):
      row(f'v_{name}_f{n}', one, f'hd_float_round({n}, fin({n}, a), HD_ROUND_{mode})')
   row(f'v_fract_f{n}', one, f'fout({n}, hd_float_fract({n}, fin({n}, a)))')
   row(f'v_rcp_f{n}', one, f'fout({n}, hd_float_rcp({n}, fin({n}, a)))', slow=True)
   row(f'v_rsq_f{n}', one, f'fout({n}, hd_float_rsq({n}, fin({n}, a)))', slow=True)
   row(f'v_sqrt_f{n}', one,
       f'fout({n}, hd_float_sqrt({n}, fin({n}, a), HD_ROUND_NEAREST_EVEN))', slow=True)
   row(f'v_frexp_mant_f{n}', one, f'hd_float_frexp_sig({n}, fin({n}, a))')
   exponent = 'i16' if n == 16 else 'i32'
   row(f'v_frexp_exp_{exponent}_f{n}', f'{16 if n == 16 else 32} : {n}',
       f'(uint32_t)hd_float_frexp_exp({n}, fin({n}, a))')
   if n < 64:
      for name, function in (('exp', 'exp2'), ('log', 'log2'), ('sin', 'sin'), ('cos', 'cos')):
         row(f'v_{name}_f{n}', one, f'fout({n}, hd_float_{function}({n}, fin({n}, a)))', slow=True)
row('v_exp_legacy_f32', '32 : 32', 'fout(32, hd_float_exp2(32, fin(32, a)))', slow=True)
row('v_log_legacy_f32', '32 : 32', 'fout(32, hd_float_log2(32, fin(32, a)))', slow=True)
row('v_rcp_iflag_f32', '32 : 32', 'fout(32, hd_float_rcp(32, fin(32, a)))', slow=True)
for name, function in (('log', 'log2'), ('rcp', 'rcp'), ('rsq', 'rsq')):
   row(f'v_{name}_clamp_f32', '32 : 32', f'finite(32, fout(32, hd_float_{function}(32, fin(32, a))))',
       slow=True)
   if name != 'log':
      row(f'v_{name}_legacy_f32', '32 : 32',
          f'inf_to_zero(32, fout(32, hd_float_{function}(32, fin(32, a))))', slow=True)
      row(f'v_{name}_clamp_f64', '64 : 64',
          f'finite(64, fout(64, hd_float_{function}(64, fin(64, a))))', slow=True)

row('v_ldexp_f32', '32 : 32 32', 'fldexp(32, a, (int32_t)b)')
row('v_ldexp_f64', '64 : 64 32', 'fldexp(64, a, (int32_t)b)')
row('v_ldexp_f16', '16 : 16 16', 'fldexp(16, a, (int32_t)sext16(b))')
for name in ('id', 'sc', 'tc', 'ma'):
   row(f'v_cube{name}_f32', '32 : 32 32 32', f'cube_{name}(m, a, b, c)')
row('v_trig_preop_f64', '64 : 64 32', 'trig_preop(a, b)', slow=True)

# ---- division -------------------------------------------------------------------------------------

for n in (32, 64):
   row(f'v_div_scale_f{n}', f'{n} m : {n} {n} {n}',
       (f'div_scale({n}, a, b, c)', f'div_scale_flag({n}, b, c)'),
       (f'any{n}(ua | ub | uc)', 'any1(ub | uc)'), slow=True)
   row(f'v_div_fmas_f{n}', f'{n} : {n} {n} {n} m', f'div_fmas({n}, a, b, c, d)', slow=True)
   row(f'v_div_fixup_f{n}', f'{n} : {n} {n} {n}', f'div_fixup({n}, a, b, c)', slow=True)
row('v_div_fixup_f16', '16 : 16 16 16', 'div_fixup(16, a, b, c)', slow=True)
row('v_div_fixup_legacy_f16', '16 : 16 16 16', 'div_fixup(16, a, b, c)', slow=True)

# ---- conversions ----------------------------------------------------------------------------------

for n in (32, 64):
   row(f'v_cvt_f{n}_i32', f'{n} : 32', f'fout({n}, hd_float_from_int({n}, sext32(a), frnd({n})))')
   row(f'v_cvt_f{n}_u32', f'{n} : 32', f'fout({n}, hd_float_from_uint({n}, a, frnd({n})))')
   row(f'v_cvt_i32_f{n}', f'32 : {n}', f'hd_float_to_int({n}, fin({n}, a), 32, HD_ROUND_ZERO)')
   row(f'v_cvt_u32_f{n}', f'32 : {n}', f'hd_float_to_uint({n}, fin({n}, a), 32, HD_ROUND_ZERO)')
row('v_cvt_f16_i16', '16 : 16', 'hd_float_from_int(16, sext16(a), frnd(16))')
row('v_cvt_f16_u16', '16 : 16', 'hd_float_from_uint(16, a, frnd(16))')
row('v_cvt_i16_f16', '16 : 16', 'hd_float_to_int(16, fin(16, a), 16, HD_ROUND_ZERO)')
row('v_cvt_u16_f16', '16 : 16', 'hd_float_to_uint(16, fin(16, a), 16, HD_ROUND_ZERO)')
row('v_cvt_f16_f32', '16 : 32', 'fnarrow(a)')
row('v_cvt_f32_f16', '32 : 16', 'hd_float_convert(16, 32, fin(16, a), HD_ROUND_NEAREST_EVEN)')
row('v_cvt_f32_f64', '32 : 64', 'fout(32, hd_float_convert(64, 32, fin(64, a), frnd(32)))')
row('v_cvt_f64_f32', '64 : 32', 'hd_float_convert(32, 64, fin(32, a), HD_ROUND_NEAREST_EVEN)')
row('v_cvt_rpi_i32_f32', '32 : 32', 'cvt_rpi(fin(32, a))')
row('v_cvt_flr_i32_f32', '32 : 32', 'hd_float_to_int(32, fin(32, a), 32, HD_ROUND_DOWN)')
row('v_cvt_off_f32_i4', '32 : 32', 'cvt_off(a)', 'any32(ua & 15)')
for byte in range(4):
   row(f'v_cvt_f32_ubyte{byte}', '32 : 32',
       f'hd_float_from_uint(32, a >> {8 * byte} & 255, frnd(32))', f'any32(ua >> {8 * byte} & 255)')
row('v_cvt_pkrtz_f16_f32', '32 : 32 32', 'narrow_rtz(a) | narrow_rtz(b) << 16',
    '(ua ? 0xffffu : 0) | (ub ? 0xffff0000u : 0)')
for kind in 'iu':
   row(f'v_cvt_pknorm_{kind}16_f32', '32 : 32 32',
       f'norm_{kind}16(32, a) | norm_{kind}16(32, b) << 16',
       '(ua ? 0xffffu : 0) | (ub ? 0xffff0000u : 0)')
   row(f'v_cvt_pknorm_{kind}16_f16', '32 : 16 16',
       f'norm_{kind}16(16, a) | norm_{kind}16(16, b) << 16',
       '(ua ? 0xffffu : 0) | (ub ? 0xffff0000u : 0)')
   row(f'v_cvt_norm_{kind}16_f16', '16 : 16', f'norm_{kind}16(16, a)')
for name in ('v_cvt_pk_u8_f32', 'v_cvt_pkaccum_u8_f32'):
   row(name, '32 : 32 32 32', 'cvt_pk_u8(m, a, b, c)',
       'ub & 3 ? any32(ub & 3) : (uc & ~(255u << 8 * (b & 3))) | (ua ? 255u << 8 * (b & 3) : 0)')
