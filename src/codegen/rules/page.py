# SPDX-License-Identifier: MIT
"""doc/rules.md, the reference page of the rewrite rules, from the tables."""

from codegen.rules import language as rule_language
from codegen.rules.rules import RULES

INTRO = '''\
<!-- SPDX-License-Identifier: MIT -->
<!-- Generated from src/codegen/rules; after a change there run: meson compile -C build docs -->
# Rewrite rules

`opt_algebraic` and `opt_late` replace what a search finds by its replacement. The first rule in the
order of this page wins. How rules are written:

'''
MACHINERY = '''
All rules of a set are matched at once by a tree automaton (`src/codegen/rules/automaton.py`,
`src/passes/rewrite.h`): an instruction costs the same however many rules there are. The generator
rejects a rule that is not below its search in the order of `rules/weight.py`, so rewriting ends. A
rule that would leave more instructions than before waits until what it replaces has no other use.

`tests/passes/test_exhaust.c` evaluates both sides of a rule on all values of its operands of 8 bits, however
many there are, with the library's own folder; a condition is asked there as if each bit of each operand was
known, so it must hold for all that a pass can come to know. `tests/passes/test_rules.c` lays each rule over its
own search as the library does, in all sizes and modes, on edge cases and random values. To add one, write the
row and run `meson test exhaustive/rules passes/rules`.
'''
OWN = '''
## Rules of a program's own

A driver writes rules for its machine in the same language. `heddle-rules`, which is installed with the library, makes
C of them, and `hd_rewrite` (`heddle/rules.h`) applies them in a pass of the driver. `examples/own_rules.py`:

```python
from heddle_rules import RuleSet

own_rules = RuleSet('own_rules')
own_rules.rule('fdiv(x, fsqrt(y))', 'fmul(x, frsq(y))', inexact=True)
```

```sh
heddle-rules --depfile=own_rules.d own_rules.py own_rules own_rules.c
cc -c own_rules.c $(pkg-config --cflags heddle)
```

`examples/own_rules.c` has the pass. In Meson, `find_program('heddle-rules')` finds the program, also where the library is
a subproject. `RuleSet(name, weights, costs)` changes the order of `rules/weight.py`, and what ops cost on the machine, for
one set; `option(n)` in a condition is the n-th number that `hd_rewrite` is given. Sets are made for the ops of one version
of the library: another one refuses them (`HD_UNSUPPORTED`), so make them anew with each. The library proves its own rules
(above), not yours: compare shaders before and after with `hd_diff_test` (`heddle/compare.h`).

| in conditions | means |
|---|---|
| `once(v)` | the value `v` of the pattern has one use |
| `not_const(v)` | it is no constant |
| `known_zero(v, e)`, `known_one(v, e)` | all bits of `e` are known to be zeros, ones, in it |
| `nonneg(v)`, `negative(v)`, `nonzero(v)` | it is known to be that, as a signed integer |
| `most(v)`, `least(v)` | bounds of it as an unsigned integer |
| `differ(v, w)` | a bit of the two is known to differ |
| `canonical(v)` | a float op made it: no NaN but the canonical one, no denormal that would be flushed |
| `never_nan(v)` | it is known to be no NaN |
| `flushes(N)`, `rtz(N)` | the shader flushes denormals, rounds to zero, in this size |
| `option(n)` | the n-th option |
| `is_pow2(e)`, `is_low_mask(e)` | one bit is set; the low bits are, at least one |
| `mask(N)`, `ones(e)`, `shl(e, n)`, `sext(N, e)` | N ones; e ones; shifts by any count; sign extension |
| `bit_count(e)`, `find_lsb(e)`, `find_msb(e)` | as the ops |
| `float_is_nan(N, e)`, `float_is_inf`, `float_is_zero`, `float_is_negative`, `float_is_normal` | of the encoding `e` |
| `float_is_moderate(N, e)` | zero, or so far from the ends of the range that sums and products of two are normal |
| `float_less(N, e, f)` | less |
| `exact_reciprocal(N, e)` | a power of two whose reciprocal is a normal number |
| `exact_int(N, M)` | each integer of N bits is a float of M bits |
'''
HEADINGS = {'algebraic': 'Always', 'late': 'For machines'}
FLAGS = (('inexact', 'where nothing is exact'), ('nnan', 'nnan'), ('ninf', 'ninf'), ('nsz', 'nsz'),
         ('finite', 'finite, where nothing is exact'),
         ('free', 'may take more instructions'))


def language():
   """The words of the module that reads the rows, without its first paragraph."""
   _, _, rest = rule_language.__doc__.partition('\n\n')
   return '\n'.join(' ' + line if line.startswith('   ') else line for line in rest.strip().split('\n'))


def row(rule):
   needs = [f'`{rule.when}`'] if rule.when else []
   needs += [f'{letter} = {"/".join(map(str, allowed))}' for letter, allowed in rule.sizes.items()]
   needs += [words for flag, words in FLAGS if getattr(rule, flag)]
   if rule.why:
      needs.append(rule.why)
   text = ', '.join(needs).replace('|', '\\|')
   return f'| `{rule.search_text}` | `{rule.replace_text}` | {text} |'


def page(_):
   lines = [INTRO.rstrip('\n'), '', language(), '', '## What runs them', '', MACHINERY.strip('\n'), OWN.rstrip('\n')]
   for name, rules in RULES.items():
      for law in (True, False) if any(r.law for r in rules.rules) else (False,):
         rows = [r for r in rules.rules if r.law == law]
         heading = HEADINGS[name] + (', by the laws of the ops' if law else '')
         lines += ['', f'## {heading}: {len(rows)} rules', '', '| search | replacement | when |',
                   '|---|---|---|']
         lines += [row(r) for r in rows]
   return '\n'.join(lines) + '\n'
