# SPDX-License-Identifier: MIT
"""Rewrite rules as C.

    rules.gen_rules table MODULE NAME OUTPUT    the tables of a rule set of the library
    rules.gen_rules rows MODULE NAME OUTPUT     its rows as data for tests/passes/test_rules.c
    rules.gen_rules list MODULE NAME            numbers of rules, states and bytes

MODULE.RULES[NAME] is the rule set; MODULE may be a path.
"""

import importlib
import pathlib
import re
import sys

from codegen.rules import shadow
from codegen.rules import weight as rule_weight
from codegen.emit import op_name, opening, string, write
from codegen.ir.ops import OPS
from codegen.rules.automaton import Automaton
from codegen.rules.language import FUNCTIONS, OP, QUERIES, literal_value
from codegen.ir.schema import ANY, TableError

OP_COSTS = {'imul': 4, 'umulhi': 4, 'imulhi': 4, 'umul_wide': 4, 'imul_wide': 4, 'udiv': 40, 'idiv': 40,
            'urem': 40, 'irem': 40, 'imod': 44, 'fdiv': 10, 'frcp': 4, 'fsqrt': 4, 'frsq': 4, 'fexp2': 4,
            'flog2': 4, 'fsin': 4, 'fcos': 4}
FIXED = 0x80
BUILT = 0x40
END = 0
# As in include/heddle/rules.h.
MAX_NODES = 16
MAX_BUILT = 16
MAX_LISTS = 10
FLAGS = 'inexact', 'nnan', 'ninf', 'nsz', 'finite', 'free'


def op_cost(name, rule_set):
   return rule_set.costs.get(name, OP_COSTS.get(name, 1))


class Pool:
   """Runs of numbers below 65,536, each kept once, also as a part of what is there before it."""

   def __init__(self):
      self.text, self.places = '', {}

   @property
   def values(self):
      return [ord(c) for c in self.text]

   def add(self, run):
      run = ''.join(map(chr, run))
      if run not in self.places:
         self.places[run] = self.text.find(run)
         if self.places[run] < 0:
            self.places[run] = len(self.text)
            self.text += run
      return self.places[run]


class Columns:
   """Maps from states to classes, several in the bits of one byte: a map is where its row of bytes
   begins, how far its bits are shifted, and a mask."""

   def __init__(self, length):
      self.length, self.rows, self.free, self.places = length, [], [], {}

   def add(self, classes, size):
      key = tuple(classes)
      if key not in self.places:
         width = (size - 1).bit_length()
         row = next((n for n, free in enumerate(self.free) if free >= width), len(self.rows))
         if row == len(self.rows):
            self.rows.append([0] * self.length)
            self.free.append(8)
         shift = 8 - self.free[row]
         self.free[row] -= width
         self.rows[row] = [old | c << shift for old, c in zip(self.rows[row], classes)]
         self.places[key] = (row * self.length, min(shift, 7), (1 << width) - 1)
      return self.places[key]

   @property
   def values(self):
      return [v for row in self.rows for v in row]


class Names:
   """Numbers for texts, from 0."""

   def __init__(self):
      self.numbers = {}

   def add(self, text):
      return self.numbers.setdefault(text, len(self.numbers))


ASKED = re.compile(rf'\b({"|".join(sorted(FUNCTIONS | QUERIES.keys() | {"bits", "comps", "value"}))})\(')


class Tables:
   def __init__(self, rule_set, own=False):
      """`own`: rules of a program, whose conditions ask by the public functions."""
      self.set, self.own = rule_set, own
      self.rules = rule_set.rules
      self.automaton = Automaton(self.rules)
      self.paths, self.code, self.lists = Pool(), Pool(), Pool()
      self.conditions, self.calcs, self.literals = Names(), Names(), Names()

   # ---- replacement ---------------------------------------------------------------------------

   def size_code(self, rule, node):
      bits, comps = rule.size_source(node.bits), rule.comps_source(node.comps)
      bits = bits if bits >= 0 else FIXED | ANY.index(-bits)
      comps = comps if comps >= 0 else FIXED | -comps
      return bits << 8 | comps

   def build(self, rule):
      """What makes the replacement, and what it costs."""
      words, cost, built = [], 0, {}

      def emit(node):
         nonlocal cost
         if node.kind in ('var', 'const'):
            return rule.first[node.name]
         key = str(node)
         if key in built:
            return built[key]
         refs = [emit(kid) for kid in node.kids]
         if node.kind == 'op':
            refs += [0] * (4 - len(refs))
            number = 1 + [op.name for op in OPS].index(node.name)
            words.extend([number | len(node.kids) << 10, self.size_code(rule, node), refs[0] << 8 | refs[1]])
            if len(node.kids) > 2:
               words.append(refs[2] << 8 | refs[3])
            if not rule_weight.is_constant(node):
               cost += op_cost(node.name, self.set)
         elif node.kind == 'lit':
            words.extend([0x8000 | self.literals.add(node.name), self.size_code(rule, node)])
         else:
            text = rule.translate(node.name[1:-1])
            words.extend([0xc000 | self.calcs.add(text), self.size_code(rule, node)])
         built[key] = BUILT | len(built)
         return built[key]

      result = emit(rule.replace)
      return self.code.add(words + [END, result]), cost

   # ---- C ------------------------------------------------------------------------------------

   def lines(self):
      name = self.set.name
      if self.own:
         out = [f'/* {name} - rewrite rules as an automaton, made by heddle-rules. */', '#include <heddle/op_enum.h>', '#include <heddle/rules.h>',
                '', f'extern const hd_rule_set {name};', '']
      else:
         out = opening(f'{name}', 'the rewrite rules as an automaton.', 'rules*.py')
         out += ['#include "passes/rule_conditions.h"', '']
      rows, forms = self._rules(), self._forms()
      out += self._functions()
      out += self._array('uint64_t', 'literals', self._literal_values())
      out += self._array('uint16_t', 'code', self.code.values)
      out += self._array('uint8_t', 'paths', self.paths.values)
      out += ['static const hd_rule rules[] = {'] + rows + ['};', '']
      out += forms + self._automaton()
      out += [f'const hd_rule_set {name if self.own else "hd_rules_" + name} = {{',
              '   .version = HD_RULES_VERSION,', '   .num_ops = HD_NUM_OPS,', '   .rules = rules,', '   .forms = forms,', '   .lists = lists,', '   .entries = entries,',
              '   .tables = tables,', '   .maps = maps,', '   .ops = ops,', '   .lookups = lookups,', '   .constants = constants,',
              '   .first_constant = first_constant,', '   .conditions = conditions,',
              '   .calculations = calculations,', '   .literals = literals,', '   .code = code,',
              '   .paths = paths,', '   .costs = costs,', f'   .num_rules = {len(self.rules)},',
              f'   .num_states = {1 + len(self.automaton.states)},', f'   .bytes = {self.size()},', '};']
      return out

   def _rules(self):
      rows = []
      for rule in self.rules:
         condition = rule.condition()
         number = 0
         if condition:
            constant = rule.first[min(rule.constants)] if rule.per_component else None
            number = 1 + self.conditions.add((condition, constant))
         build, cost = self.build(rule)
         equal = self.paths.add([x for pair in rule.equal for x in pair])
         inner = sum(1 << n.number for n in rule.nodes if n.kind == 'op')
         words = [f for f in FLAGS if getattr(rule, f)] + ['float'] * rule.has_float
         flags = ' | '.join(f'HD_RULE_{f.upper()}' for f in words) or '0'
         rows += [f'   /* {rule.number}: {rule.row} */',
                  f'   {{ {inner:#x}, {number}, {build}, {equal}, {len(rule.nodes)}, '
                  f'{len(rule.equal)}, {flags}, {cost} }},']
      return rows

   def _functions(self):
      out = []
      asks = (lambda line: ASKED.sub(r'hd_rule_\1(', line)) if self.own else (lambda line: line)
      for (text, constant), number in self.conditions.numbers.items():
         out += ['static bool', f'when_{number}(const hd_match *m)', '{']
         if constant is None:
            out += ['   (void)m;', f'   return {text};']
         else:
            out += [f'   for (unsigned c = 0; c < comps(m, {constant}); c++) {{',
                    f'      if (!({text}))', '         return false;', '   }', '   return true;']
         out += ['}', '']
      out = [asks(line) for line in out]
      for text, number in self.calcs.numbers.items():
         used = '' if re.search(r'\bc\b', text) else '   (void)c;\n'
         used += '' if re.search(r'\bm\b', text) else '   (void)m;\n'
         out += ['static uint64_t', f'calculate_{number}(const hd_match *m, unsigned c)', '{',
                 *used.splitlines(), f'   return {asks(text)};', '}', '']
      for kind, prefix, names in (('hd_rule_condition', 'when', self.conditions),
                                  ('hd_rule_calculation', 'calculate', self.calcs)):
         table = 'conditions' if prefix == 'when' else 'calculations'
         out += [f'static {kind} *const {table}[] = {{']
         out += [f'   {prefix}_{i},' for i in range(len(names.numbers))] or ['   NULL,']
         out += ['};', '']
      return out

   def _literal_values(self):
      return [literal_value(text, size) or 0 for text in self.literals.numbers for size in ANY]

   def _array(self, kind, name, values):
      values = list(values) or [0]
      suffix = 'u' if kind != 'uint64_t' else ''
      texts = [f'{v:#x}' if kind == 'uint64_t' else f'{v}{suffix}' for v in values]
      if kind == 'uint64_t':
         texts = [f'UINT64_C({t})' for t in texts]
      self.bytes_of = getattr(self, 'bytes_of', {})
      self.bytes_of[name] = len(values) * {'uint8_t': 1, 'uint16_t': 2, 'uint64_t': 8}[kind]
      rows = ['   ' + ' '.join(t + ',' for t in texts[i:i + 16]) for i in range(0, len(texts), 16)]
      return [f'static const {kind} {name}[{len(values)}] = {{'] + rows + ['};', '']

   def _forms(self):
      rows = ['static const hd_rule_form forms[] = {']
      for rule, path in self.automaton.forms:
         place = self.paths.add([parent << 2 | operand for parent, operand in path])
         rows += [f'   {{ {rule}, {place} }},']
      return rows + ['};', '']

   def _automaton(self):
      a = self.automaton
      # The longest first, so that shorter ones are found in them.
      runs = [*(forms for _, forms in a.entries), *a.always.values(), *a.same.values()]
      for run in sorted(runs, key=len, reverse=True):
         self.lists.add(run)
      entries = ['static const hd_rule_entry entries[] = {']
      for state, forms in a.entries:
         place = self.lists.add(forms) if forms else 0
         entries += [f'   {{ {place}, {len(forms)}, {state + 1} }},']
      entries += ['};', '']
      # State 0 is that of what was not visited: any value, as 1 is.
      tables, maps, ops, lookups = Pool(), Columns(1 + len(a.states)), [], []
      symbols = [(f'[{op_name(op.name)}]', op.name) for op in OPS if not op.variadic]
      symbols += [(f'[HD_NUM_OPS + {n}]', (op.name, n)) for op in OPS if op.variadic for n in range(1, 5)]
      for place, symbol in symbols:
         if symbol not in a.tables:
            continue
         if len(a.tables[symbol]) + 2 > MAX_LISTS:
            raise TableError(f'{symbol}: more than {MAX_LISTS} lists of forms')
         fixed = a.always[symbol], a.same[symbol]
         ops += [f'   {place} = {{ {len(lookups)}, {", ".join(str(self.lists.add(f) if f else 0) for f in fixed)}, '
                 f'{len(a.tables[symbol])}, {", ".join(str(len(f)) for f in fixed)} }},']
         for looked, sizes, numbers in a.tables[symbol]:
            digits = [f'{{ {", ".join(map(str, maps.add(m[:1] + m, size)))}, {operand}, {size} }}'
                      for (operand, m), size in zip(looked, sizes)] or ['{ 0 }']
            lookups += [f'   {{ {tables.add(numbers)}, {{ {", ".join(digits)} }}, {len(looked)} }},']
      constants, first = [], [0]
      for size in ANY:
         constants += [f'   {{ UINT64_C({v:#x}), {s + 1} }},' for v, s in a.constants[size].items()]
         first.append(len(constants))
      out = self._array('uint16_t', 'lists', self.lists.values) + entries
      out += self._array('uint16_t', 'tables', tables.values)
      out += self._array('uint8_t', 'maps', maps.values)
      out += ['static const hd_rule_op ops[HD_NUM_OPS + 5] = {'] + ops + ['};', '']
      out += ['static const hd_rule_lookup lookups[] = {'] + lookups + ['};', '']
      out += ['static const hd_rule_constant constants[] = {'] + (constants or ['   { 0, 0 },'])
      out += ['};', '', f'static const uint16_t first_constant[{len(first)}] = '
              f'{{ {", ".join(map(str, first))} }};', '']
      costs = [0] + [op_cost(op.name, self.set) for op in OPS]
      self.bytes_of['entries'] = 4 * len(a.entries)
      self.bytes_of['ops'] = 10 * (len(OPS) + 6)
      self.bytes_of['lookups'] = 32 * len(lookups)
      self.bytes_of['constants'] = 16 * len(constants)
      self.bytes_of['rules'] = 12 * len(self.rules)
      self.bytes_of['forms'] = 4 * len(a.forms)
      return out + self._array('uint8_t', 'costs', costs)

   def size(self):
      """Bytes of all tables; functions come on top."""
      return sum(self.bytes_of.values())


# ---- rows for the test --------------------------------------------------------------------------

KINDS = {'op': 'ROW_OP', 'var': 'ROW_VAR', 'const': 'ROW_CONST', 'lit': 'ROW_LITERAL'}


def row_nodes(rule, classes):
   """The search in preorder, each node with its kids' places."""
   out = []

   def add(node):
      place = len(out)
      out.append(None)
      kids = [add(kid) for kid in node.kids]
      bits = classes.setdefault(node.bits.root(), len(classes))
      comps = node.comps.root().fixed or 0
      name = op_name(node.name) if node.kind == 'op' else '0'
      first = rule.first.get(node.name, 255) if node.kind in ('var', 'const') else 255
      values = '{ 0 }'
      if node.kind == 'lit':
         values = ', '.join(f'UINT64_C({literal_value(node.name, s) or 0:#x})' for s in ANY)
         values = f'{{ {values} }}'
      out[place] = (f'{{ {KINDS[node.kind]}, {name}, {len(kids)}, {{ {", ".join(map(str, kids)) or 0} }}, '
                    f'{bits}, {comps}, {first}, {values} }}')
      return place

   add(rule.search)
   return out


def asked(rule):
   """Names of values whose bits the condition asks about."""
   return [name for name, number in rule.first.items()
           if re.search(rf'\b(known_zero|known_one|nonneg|negative|nonzero|most|least|differ)\([^()]*\b{name}\b', rule.when or '')]


def row_lines(rule_set):
   name = rule_set.name
   out = opening(f'rows of {name}', 'the searches as data.', 'rules*.py')
   out += ['#include "passes/row.h"', '#include "heddle/op_enum.h"', '']
   rows = []
   for rule in rule_set.rules:
      classes = {}
      nodes = row_nodes(rule, classes)
      out += [f'static const struct row_node nodes_{rule.number}[] = {{']
      out += [f'   {n},' for n in nodes] + ['};']
      sizes = [sum(c.sizes) for c in classes]
      queries = sum(1 << rule.first[v] for v in asked(rule))
      canonical = sum(1 << number for v, number in rule.first.items()
                      if re.search(rf'\b(canonical|never_nan)\({v}\b', rule.when or ''))
      flags = ' | '.join(f'HD_RULE_{f.upper()}' for f in FLAGS if getattr(rule, f)) or '0'
      rows += [f'   {{ {string(rule.row)}, nodes_{rule.number}, {len(nodes)}, {len(sizes)}, '
               f'{{ {", ".join(map(str, sizes))} }}, {queries:#x}, {canonical:#x}, {flags}, '
               f'{int(rule.has_float)}, {int("option(" in (rule.when or ""))} }},']
   out += ['', f'const struct row rows_{name}[] = {{'] + rows + ['};', '']
   return out + [f'const unsigned num_rows_{name} = {len(rows)};']


def check(rule, rule_set):
   """What the C side counts on."""
   rule_weight.check(rule, rule_set.weights)
   if len(rule.nodes) > MAX_NODES or rule.search.kind != 'op':
      raise TableError(f'{rule.row}: more than {MAX_NODES} nodes')
   if sum(1 for _ in rule.replace.walk()) > MAX_BUILT:
      raise TableError(f'{rule.row}: more than {MAX_BUILT} values are built')


def load(module):
   path = pathlib.Path(module)
   if path.suffix == '.py':
      sys.path.insert(0, str(path.parent))
      module = path.stem
   return importlib.import_module(module)


def make(rule_set, output):
   """The C of a program's own rules."""
   for rule in rule_set.rules:
      check(rule, rule_set)
   write(output, Tables(rule_set, own=True).lines())


def main(what, module, name, output=None):
   rule_set = load(module).RULES[name]
   for rule in rule_set.rules:
      check(rule, rule_set)
   if not rule_set.alone:
      shadow.check(rule_set.rules)
   if what == 'rows':
      write(output, row_lines(rule_set))
      return
   tables = Tables(rule_set)
   lines = tables.lines()
   if what == 'list':
      a = tables.automaton
      print(f'{name}: {len(rule_set.rules)} rules, {len(a.forms)} forms, {len(a.states)} states, '
            f'{len(a.entries)} entries, {tables.size()} bytes of tables:')
      print(', '.join(f'{k} {v}' for k, v in tables.bytes_of.items()))
      return
   write(output, lines)


if __name__ == '__main__':
   main(*sys.argv[1:])
