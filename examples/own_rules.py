# SPDX-License-Identifier: MIT
"""Rewrite rules of a driver: own_rules.c applies them."""

from heddle_rules import RuleSet

own_rules = RuleSet('own_rules')
# The machine has no multiplier for integers; option 0 says so.
own_rules.rule('imul(x, #k)', 'isub(ishl(x, [bit_count(k)]), x)', 'option(0) and is_low_mask(k) and k > 1',
               ends='nothing makes a product', free=True)
# It has a reciprocal square root.
own_rules.rule('fdiv(x, fsqrt(y))', 'fmul(x, frsq(y))', inexact=True)
