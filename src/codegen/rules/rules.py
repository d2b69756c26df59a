# SPDX-License-Identifier: MIT
"""The rule sets: which rows, in which order.

Where several rules match the first that applies wins, so what ends a rewrite (a constant, an operand
that is there already) stands before what goes on.
"""

from codegen.rules import bits, choice, floats, ints, laws
from codegen.rules import late as late_rules
from codegen.rules.language import RuleSet

algebraic = RuleSet('algebraic')
for part in (laws, choice, bits, ints, floats):
   part.add(algebraic.rule)

late = RuleSet('late', late_rules.WEIGHTS, late_rules.COSTS)
late_rules.add(late.rule)

RULES = {rules.name: rules for rules in (algebraic, late)}
