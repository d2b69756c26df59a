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
HEADINGS = {'algebraic': 'Always', 'late': 'For machines'}
FLAGS = (('inexact', 'where nothing is exact'), ('nnan', 'nnan'), ('ninf', 'ninf'), ('nsz', 'nsz'),
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
   lines = [INTRO.rstrip('\n'), '', language(), '', '## What runs them', '', MACHINERY.strip('\n')]
   for name, rules in RULES.items():
      for law in (True, False) if any(r.law for r in rules.rules) else (False,):
         rows = [r for r in rules.rules if r.law == law]
         heading = HEADINGS[name] + (', by the laws of the ops' if law else '')
         lines += ['', f'## {heading}: {len(rows)} rules', '', '| search | replacement | when |',
                   '|---|---|---|']
         lines += [row(r) for r in rows]
   return '\n'.join(lines) + '\n'
