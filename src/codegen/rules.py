# SPDX-License-Identifier: MIT
"""The rule sets: which rows, in which order.

Where several rules match the first that applies wins, so what ends a rewrite (a constant, an operand
that is there already) stands before what goes on.
"""

import rules_bits
import rules_choice
import rules_float
import rules_int
import rules_late
import rules_laws
from rule_language import RuleSet

algebraic = RuleSet('algebraic')
for part in (rules_laws, rules_choice, rules_bits, rules_int, rules_float):
   part.add(algebraic.rule)

late = RuleSet('late', rules_late.WEIGHTS, rules_late.COSTS)
rules_late.add(late.rule)

RULES = {rules.name: rules for rules in (algebraic, late)}
