# SPDX-License-Identifier: MIT
"""Rules that are wrong for one case in 256, in 65,536 and in 16,777,216: only who looks at all of
them finds it, and test_exhaust.c must.
"""

from codegen.rules.language import RuleSet

one_wrong = RuleSet('one_wrong', alone=True)
rule = one_wrong.rule
B = (8,)


def one(*named):
   """True for one value of each."""
   text = f'ieq({named[0]}, {71 + len(named)})'
   for name, value in zip(named[1:], (113, 5)):
      text = f'iand({text}, ieq({name}, {value}))'
   return text


rule('ineg(ineg(x:N))', f'iadd(x, b2i({one("x")}))', N=B, free=True, ends='a test')
rule('iadd(ineg(x:N), y)', f'isub(y, iadd(x, b2i({one("x", "y")})))', N=B, free=True, ends='a test')
rule('iadd(ineg(x:N), #k)', f'isub(k, iadd(x, b2i({one("x", "k")})))', N=B, free=True, ends='a test')
rule('iadd(iadd(x:N, y), ineg(z))', f'iadd(isub(x, z), iadd(y, b2i({one("x", "y", "z")})))', N=B,
     free=True, ends='a test')
rule('iadd(iadd(x:N, #a), #b)', f'iadd(x, iadd(iadd(a, b), b2i({one("x", "a", "b")})))', N=B, free=True,
     ends='a test')
# A condition that lets one case too many through.
rule('ult(iadd(x:N, y), #k)', 'false', 'most(x) + most(y) < mask(N) and least(x) + least(y) >= k - 1 and k > 254',
     N=B)
rule('uadd_carry(x:N, y)', 'false', 'most(x) <= mask(N) - most(y) or (least(x) == 255 and least(y) == 255)', N=B)

RULES = {'one_wrong': one_wrong}
