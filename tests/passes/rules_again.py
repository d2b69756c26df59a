# SPDX-License-Identifier: MIT
"""The library's rules as a program's own, made by heddle-rules: they must do the same (test_own_rules.c)."""

from codegen.rules.rules import RULES
from heddle_rules import RuleSet


def again(name):
   rules = RuleSet(f'{name}_again', RULES[name].weights, RULES[name].costs)
   rules.rules = RULES[name].rules
   return rules


algebraic, late = again('algebraic'), again('late')
