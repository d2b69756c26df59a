# SPDX-License-Identifier: MIT
"""Wrong rules, each of a kind that is easily written: test_rules.c must catch every one."""

from codegen.rules.language import RuleSet

broken = RuleSet('broken', alone=True)
rule = broken.rule
rule('isub(x, y)', 'iadd(x, y)')
rule('isub(x, isub(y, x))', 'y')                                     # off by a sign
rule('ult(iadd(x, #a), #b)', 'ult(x, isub(b, a))')                   # wraps
rule('ilt(iadd(x, #a), #b)', 'ilt(x, isub(b, a))', 'a == 1')         # wraps for one operand only
rule('idiv(x, #k)', 'ishr(x, find_lsb(k))', 'is_pow2(k)')            # rounds down
rule('irem(x, #k)', 'iand(x, isub(k, 1))', 'is_pow2(k)')             # negative dividends
rule('ishr(ishl(x:N, #k), #k)', 'x', 'k < N')                        # loses the sign
rule('ushr(ishl(x, y), y)', 'x')
rule('iabs(x)', 'x', 'not_const(x)')
rule('i2i:C(i2i:B(x:A))', 'i2i(x)', ends='it gets shorter')          # the middle may be narrow
rule('u2u:A(u2u:B(x:A))', 'x')
rule('select(c, x, y)', 'x')
rule('select(ult(x, y), x, y)', 'umax(x, y)')
rule('fadd(x, 0.0)', 'x')                                            # -0, NaNs, denormals
rule('fadd(x, -0.0)', 'x')                                           # signaling NaNs, denormals
rule('fmul(x, 1.0)', 'x')                                                # signaling NaNs
rule('fsub(x, x)', '0.0')                                            # infinities
rule('fneg(fsub(x, y))', 'fsub(y, x)', nnan=True)                    # zero
rule('fmul(x, -1.0)', 'fneg(x)')                                     # NaN
rule('fmin(fmax(x, y), x)', 'x')
rule('fmax(fmin(x, 1.0), 0.0)', 'fsat(x)')                           # NaN
rule('inot(flt(x, y))', 'fle(y, x)', ends='one op less')             # NaN
rule('flt(x, y)', 'fle(x, y)', ends='once')
rule('fdiv(x, #k)', 'fmul(x, frcp(k))', 'not_const(x)')              # rounds twice
rule('fdiv(1.0, x)', 'frcp(x)')                                      # rounds to nearest only
rule('f2f:C(f2f:B(x:A))', 'f2f(x)')                                  # rounds twice
rule('u2f(i2i(x))', 'u2f(x)')
rule('fadd(fadd(x, #a), #b)', 'fadd(x, fadd(a, b))')                 # not associative
rule('fadd(fmul(x, y), z)', 'ffma(x, y, z)', ends='one op')          # rounds once
rule('bit_count(iadd(x, x))', 'bit_count(x)')
rule('unpack_32_2x16(x)', 'unpack_32_2x16(rotr(x, 16))', free=True, ends='test of packing')
rule('rotr(x:N, y)', 'funnel_shr(x, 0, y)', ends='test of funnel_shr')
rule('iand(x, #k)', 'x', 'known_zero(x, k)')                         # the condition is upside down
rule('udiv(udiv(x, #a), #b)', 'udiv(x, imul(a, b))', 'a != 0 and b != 0')
rule('umin(x, #k)', 'x', 'least(x) <= k')

RULES = {'broken': broken}
