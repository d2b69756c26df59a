# SPDX-License-Identifier: MIT
"""Both sides of rewrite rules as data, and their conditions as questions about values.

    run.py gen_exhaust.py MODULE NAME OUTPUT

MODULE.RULES[NAME] is the rule set; MODULE may be a path. exhaust.c evaluates what comes out.
"""

import re
import sys

from codegen.emit import op_name, opening, string, write
from codegen.rules.gen_rules import load
from codegen.rules.language import literal_value
from codegen.ir.schema import ANY

KINDS = {'op': 'SIDE_OP', 'var': 'SIDE_NAME', 'const': 'SIDE_NAME', 'lit': 'SIDE_LITERAL',
         'calc': 'SIDE_CALCULATION'}

# As in exhaust.c.
MAX_COMPS = 4


class Sides:
   """The nodes of the search, then those of the replacement, each before its operands."""

   def __init__(self, rule, functions):
      self.rule, self.functions = rule, functions
      self.classes, self.names, self.nodes, self.places = {}, {}, [], {}
      # Constants come first: conditions on them then leave whole runs of the rest out; wide ones last.
      for node in sorted((n for n in rule.nodes if n.kind in ('var', 'const')),
                         key=lambda n: (8 in n.bits.root().sizes, n.kind)):
         self.names.setdefault(node.name, len(self.names))
      self.add(rule.search)
      self.replace = len(self.nodes)
      self.add(rule.replace)
      self.when, self.asks = self.condition()

   def add(self, node):
      place = len(self.nodes)
      self.nodes.append(None)
      if node.number is not None:
         self.places[node.number] = place
      kids = [self.add(kid) for kid in node.kids]
      if (node.comps.root().fixed or 1) > MAX_COMPS:
         raise SystemExit(f'{self.rule.row}: more than {MAX_COMPS} components')
      size = self.classes.setdefault(node.bits.root(), len(self.classes))
      values, fits = [literal_value(node.name, s) if node.kind == 'lit' else 0 for s in ANY], 0
      for s, value in zip(ANY, values):
         fits |= s if value is not None else 0
      self.nodes[place] = (
         f'{{ {KINDS[node.kind]}, {op_name(node.name) if node.kind == "op" else 0}, {len(kids)}, '
         f'{{ {", ".join(map(str, kids)) or 0} }}, {size}, {node.comps.root().fixed or 1}, '
         f'{self.names.get(node.name, 0)}, {fits}, '
         f'{{ {", ".join(f"UINT64_C({v or 0:#x})" for v in values)} }}, '
         f'{self.calculation(node) if node.kind == "calc" else "NULL"} }}')
      return place

   def calculation(self, node):
      name = f'calculate_{len(self.functions)}'
      text = self.rule.translate(node.name[1:-1])
      if 'value(' in text:
         raise SystemExit(f'{self.rule.row}: a calculation from a constant is not evaluated here')
      self.functions.append(['static uint64_t', f'{name}(const struct facts *m)', '{', '   (void)m;',
                             f'   return {text};', '}', ''])
      return name

   def condition(self):
      """The function, and the nodes whose values it asks about."""
      if not self.rule.when:
         return 'NULL', 0
      self.rule.per_component = False
      text = self.rule.translate(self.rule.when)
      # Sizes are known without a value.
      of_values = re.sub(r'\b(bits|comps|not_const|once)\(m, \d+\)', '', text)
      asked = re.findall(r'\bm, (\d+)', of_values) + re.findall(r'\bdiffer\(m, \d+, (\d+)', of_values)
      name = f'when_{len(self.functions)}'
      count = f'comps(m, {self.rule.first[min(self.rule.constants)]})' if self.rule.per_component else '1'
      self.functions.append(['static bool', f'{name}(const struct facts *m)', '{',
                             f'   for (unsigned c = 0; c < {count}; c++) {{', f'      if (!({text}))',
                             '         return false;', '   }', '   return true;', '}', ''])
      return name, sum(1 << self.places[n] for n in set(map(int, asked)))


def main(module, name, output):
   rule_set = load(module).RULES[name]
   functions, nodes, rows = [], [], []
   for rule in rule_set.rules:
      s = Sides(rule, functions)
      nodes += [f'static const struct side_node nodes_{rule.number}[] = {{', *(f'   {n},' for n in s.nodes), '};']
      places = ', '.join(str(s.places[n]) for n in range(len(rule.nodes)))
      exact = not (rule.inexact or rule.nnan or rule.ninf or rule.nsz or rule.finite)
      rows += [f'   {{ {string(rule.row)}, nodes_{rule.number}, {len(s.nodes)}, {s.replace}, '
               f'{len(s.names)}, {len(s.classes)}, {{ {", ".join(str(sum(c.sizes)) for c in s.classes)} }}, '
               f'{{ {places} }}, {s.when}, {s.asks:#x}, {int(exact)}, {int(rule.has_float)} }},']
   out = opening(f'sides of {name}', 'what rules search and what they make.', 'rules*.py')
   out += ['#include "passes/exhaust_facts.h"', '#include "heddle/op_enum.h"', '']
   for function in functions:
      out += function
   out += nodes + ['', f'const struct sides sides_{name}[] = {{'] + rows + ['};', '']
   write(output, out + [f'const unsigned num_sides_{name} = {len(rows)};'])


if __name__ == '__main__':
   main(*sys.argv[1:])
