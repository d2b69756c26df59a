# SPDX-License-Identifier: MIT
"""explore_module.h: instructions and enumerations of SPIR-V with their names, for showing modules as text.

   explore.gen_module OUTPUT GRAMMAR

GRAMMAR is what spirv/grammar.py reads; layouts are those that it makes.
"""

from codegen.emit import opening, run, string, write
from codegen.spirv import grammar as spirv_grammar
from codegen.spirv.grammar import FIRST_ENUM, OPERANDS, OPTIONAL, REPEATED, layout


class Layouts:
   """Layouts one behind the other, equal ones once; the first is empty."""

   def __init__(self):
      self.all, self.places = [0], {(0,): 0}

   def place(self, codes):
      if codes not in self.places:
         self.places[codes] = len(self.all)
         self.all += codes
      return self.places[codes]


def rows_of(items, grammar, layouts):
   for _, i in sorted(items.items()):
      kinds = [o.kind for o in i.operands]
      flags = ('IdResultType' in kinds) + 2 * ('IdResult' in kinds)
      yield f'   {{ {string(i.name)}, {i.number}u, {layouts.place(layout(grammar, i.operands))}, {flags} }},'


def table(name, rows):
   return ['', f'static const struct item {name}[] = {{', *rows, '};']


def main(output, place):
   grammar = spirv_grammar.read(place)
   layouts = Layouts()
   lines = table('opcodes', rows_of(grammar.instructions, grammar, layouts))
   kinds = []
   for kind in grammar.enums:
      rows = list(rows_of(kind.items, grammar, layouts))
      lines += table(f'of_{kind.name}', rows)
      kinds.append(f'   {{ of_{kind.name}, {len(rows)}, {"true" if kind.category == "bits" else "false"} }},')
   for name, items in grammar.sets.items():
      rows = list(rows_of(items, grammar, layouts))
      lines += table(f'set_{name}', rows) + [f'#define NUM_{name} {len(rows)}u']
   write(output, [*opening('explore_module.h', 'the names of SPIR-V.', 'explore/gen_module.py'), '',
                  'enum operand_kind {', *(f'   OPERAND_{name},' for name in OPERANDS), '};',
                  f'#define FIRST_ENUM {FIRST_ENUM}u', f'#define OPTIONAL {OPTIONAL}u', f'#define REPEATED {REPEATED}u',
                  f'#define NUM_OPCODES {len(grammar.instructions)}u', *lines, '',
                  'static const struct enumeration {', '   const struct item *items;', '   unsigned num;',
                  '   bool bits;', '} enumerations[] = {', *kinds, '};', '',
                  'static const uint16_t layouts[] = {', '   ' + ', '.join(map(str, layouts.all)), '};'])


if __name__ == '__main__':
   run(main, 2)
