# SPDX-License-Identifier: MIT
"""The language of the rewrite rules, and what every row is checked for when it is read.

A row is rule(search, replace, when, ...). Search and replace are written

   op(a, b)      an op and its operands
   x             any value: the same value wherever the name stands
   #k            a constant, all of whose components are known; `k` in the replacement
   0  -1  1.0    this constant, in whatever size it stands; also 0x.., inf, nan, int_min, int_max
   [N - k]       replacement only: the constant that this expression gives, for each component

   op:N  x:N     its size is called N. A size that is not named is whatever the ops allow
   op@s          the instruction is called s, for conditions

`when` is a condition in Python's words over constants (unsigned, N bits), sizes (N) and the queries
below; all components of the constants have to satisfy it. Commutations are generated: a row is
written once, with constants on the right.

   N=(32, 64)    only these sizes
   inexact       the result may be rounded differently: not where an instruction says exact
   nnan, ninf, nsz   only where all float instructions of the pattern say that it does not matter, or
                 the shader says `finite`, see below, and the pattern does not ask for a NaN (ford, funord)
   finite        only where the shader says so (HD_FLOAT_FINITE) and nothing is exact: as if there were no
                 NaN, no infinity, no denormal and no negative zero
   ends          why it cannot go on for ever, where the order of rules/weight.py does not see it
   free          may make the program longer: what comes out is cheaper in ways not counted in ops
"""

import ast
import re
import struct

from codegen.ir.ops import OPS
from codegen.ir.schema import ANY, TableError

OP = {op.name: op for op in OPS}
# What conditions can ask: v is a value of the pattern, e an expression.
QUERIES = {'once': 'v',            # it has one use
           'known_zero': 've',     # these bits of it are zeros
           'known_one': 've',      # these bits of it are ones
           'nonneg': 'v', 'negative': 'v', 'nonzero': 'v',
           'most': 'v', 'least': 'v',   # no unsigned value of it is above or below
           'differ': 'vv',         # a bit is known to differ
           'not_const': 'v',
           'canonical': 'v',       # a float op made it: no odd NaN, no denormal that would be flushed
           'never_nan': 'v'}
FUNCTIONS = {'is_pow2', 'mask', 'ones', 'sext', 'shl', 'is_low_mask', 'bit_count', 'find_lsb', 'find_msb',
             'float_is_nan', 'float_is_zero', 'float_is_normal', 'float_is_negative', 'float_is_moderate',
             'float_is_inf', 'float_less', 'exact_reciprocal', 'exact_int', 'flushes', 'rtz', 'option'}
TOKEN = re.compile(r'\s*(?:(?P<float>-?\d+\.\d+|-?inf|nan)|(?P<int>-?(?:0x[0-9a-f]+|\d+))'
                   r'|(?P<name>[a-z_][a-z_0-9]*)|(?P<calc>\[[^\]]*\])|(?P<mark>[#(),:@])|(?P<size>[A-Z]))')
WORDS = ('int_min', 'int_max', 'true', 'false')


class Bits:
   """A size, as a set of equal ones."""

   def __init__(self, sizes):
      self.sizes, self.parent = frozenset(sizes), None

   def root(self):
      while self.parent:
         self = self.parent
      return self


class Comps:
   """A component count; `fixed` is None where it is the number of the vector at hand."""

   def __init__(self, fixed=None):
      self.fixed, self.parent = fixed, None

   root = Bits.root


def unify_bits(row, a, b):
   a, b = a.root(), b.root()
   if a is not b:
      both = a.sizes & b.sizes
      if not both:
         raise TableError(f'{row}: sizes do not fit: {sorted(a.sizes)} and {sorted(b.sizes)}')
      b.parent, a.sizes = a, both


def unify_comps(row, a, b):
   a, b = a.root(), b.root()
   if a is not b:
      if a.fixed and b.fixed and a.fixed != b.fixed:
         raise TableError(f'{row}: component counts do not fit')
      b.parent, a.fixed = a, a.fixed or b.fixed


class Node:
   """kind: op, var, const, lit, calc. `number` counts the nodes of the search but for literals."""

   def __init__(self, kind, name, kids=(), size=None, label=None):
      self.kind, self.name, self.kids, self.size, self.label = kind, name, list(kids), size, label
      self.number = None
      self.power = False   # of a constant: only powers of two will do, or their negatives
      self.bits = self.comps = None

   def walk(self):
      yield self
      for kid in self.kids:
         yield from kid.walk()

   def key(self):
      """What the node looks like to the automaton."""
      if self.kind == 'op':
         return (self.name,) + tuple(kid.key() for kid in self.kids)
      return {'var': '_', 'const': '#^' if self.power else '#'}.get(self.kind) or ('lit', self.name)

   def __str__(self):
      size = f':{self.size}' if self.size else ''
      if self.kind == 'op':
         label = f'@{self.label}' if self.label else ''
         return f'{self.name}{label}{size}({", ".join(map(str, self.kids))})'
      return {'const': '#', 'calc': ''}.get(self.kind, '') + self.name + size


class Parser:
   def __init__(self, row, text, constants):
      self.row, self.text, self.at = row, text, 0
      self.constants = constants

   def fail(self, what):
      raise TableError(f"{self.row}: {what} at '{self.text[self.at:]}' of '{self.text}'")

   def token(self, peek=False):
      match = TOKEN.match(self.text, self.at)
      if not match:
         if self.text[self.at:].strip():
            self.fail('cannot read')
         return None, None
      if not peek:
         self.at = match.end()
      return match.lastgroup, match[match.lastgroup]

   def accept(self, mark):
      if self.token(True)[1] == mark:
         return self.token()
      return None

   def suffix(self, mark, group):
      if not self.accept(mark):
         return None
      kind, text = self.token()
      if kind != group:
         self.fail(f'a {group} is missing')
      return text

   def expression(self):
      kind, text = self.token()
      if kind in ('float', 'int') or text in WORDS:
         return Node('lit', text, size=self.suffix(':', 'size'))
      if kind == 'calc':
         return Node('calc', text, size=self.suffix(':', 'size'))
      if text == '#':
         kind, text = self.token()
         if kind != 'name':
            self.fail('a name is missing')
         return Node('const', text, size=self.suffix(':', 'size'))
      if kind != 'name':
         self.fail('an expression is missing')
      label = self.suffix('@', 'name')
      size = self.suffix(':', 'size')
      if not self.accept('('):
         return Node('const' if text in self.constants else 'var', text, size=size)
      kids = [self.expression()]
      while self.accept(','):
         kids.append(self.expression())
      if not self.accept(')'):
         self.fail("')' is missing")
      if text not in OP:
         self.fail(f"no op is called '{text}'")
      if len(kids) != len(OP[text].srcs) and not OP[text].variadic:
         self.fail(f"'{text}' has {len(OP[text].srcs)} operands")
      return Node('op', text, kids, size, label)


def parse(row, text, constants=()):
   p = Parser(row, text, constants)
   node = p.expression()
   if p.token(True)[0]:
      p.fail('more than an expression')
   return node


class Typing:
   """Sizes and component counts of one or both sides of a row."""

   def __init__(self, row, sizes, obey_letters=True):
      self.row, self.letters, self.names, self.obey_letters = row, {}, {}, obey_letters
      for letter, allowed in sizes.items():
         self.letters[letter] = Bits(allowed)

   def add(self, node):
      bits, comps = Bits(ANY), Comps()
      if node.kind in ('var', 'const'):
         bits, comps = self.names.setdefault(node.name, (bits, comps))
      if node.size and self.obey_letters:
         unify_bits(self.row, bits, self.letters.setdefault(node.size, Bits(ANY)))
      node.bits, node.comps = bits, comps
      if node.kind != 'op':
         return
      op = OP[node.name]
      variables = {letter: Bits(allowed) for letter, allowed in op.variables.items()}
      linked = Comps()

      def apply(t, n):
         unify_bits(self.row, variables[t.variable] if t.variable else Bits(t.sizes), n.bits)
         unify_comps(self.row, linked if t.linked else Comps(t.max_components), n.comps)

      for i, kid in enumerate(node.kids):
         self.add(kid)
         apply(op.srcs[0 if op.variadic else i], kid)
      if op.variadic:
         unify_comps(self.row, linked, Comps(len(node.kids)))
      apply(op.result, node)


def float_bits(text, bits):
   """The bits of a float literal."""
   value = float(text)
   if value != value:
      return {16: 0x7e00, 32: 0x7fc00000, 64: 0x7ff8 << 48}[bits]
   code, integer = {16: ('<e', '<H'), 32: ('<f', '<I'), 64: ('<d', '<Q')}[bits]
   return struct.unpack(integer, struct.pack(code, value))[0]


def literal_value(text, bits):
   """The bits of a literal in a size, or None where it cannot be."""
   if text in ('true', 'false'):
      return int(text == 'true') if bits == 1 else None
   if text == 'int_min':
      return 1 << (bits - 1) if bits > 1 else None
   if text == 'int_max':
      return (1 << (bits - 1)) - 1 if bits > 1 else None
   if re.fullmatch(r'-?inf|nan|-?\d+\.\d+', text):
      return float_bits(text, bits) if bits in (16, 32, 64) else None
   value = int(text, 0)
   if value >= 1 << bits or value < -(1 << (bits - 1)):
      return None
   return value & ((1 << bits) - 1)


class Rule:
   """A row, parsed and typed."""

   def __init__(self, number, search, replace, when=None, *, why='', inexact=False, nnan=False, ninf=False,
                nsz=False, finite=False, free=False, law=False, ends='', **sizes):
      self.number, self.search_text, self.replace_text = number, search, replace
      self.when, self.why, self.law, self.free, self.ends = when, why, law, free, ends
      self.inexact, self.nnan, self.ninf, self.nsz = inexact, nnan, ninf, nsz
      self.finite = finite
      self.row = f'{search} -> {replace}'
      self.sizes = sizes
      for letter, allowed in sizes.items():
         if not re.fullmatch('[A-Z]', letter):
            raise TableError(f"{self.row}: no column is called '{letter}'")
      self.search = parse(self.row, search)
      if self.search.kind != 'op':
         raise TableError(f'{self.row}: what is searched is an op')
      self.constants = {n.name for n in self.search.walk() if n.kind == 'const'}
      self.replace = parse(self.row, replace, self.constants)
      self._number()
      self._type()
      self._check()

   def _number(self):
      """Numbers of nodes; the first place of each name; pairs of places that must be equal."""
      self.nodes = [n for n in self.search.walk() if n.kind != 'lit']
      self.first, self.labels, self.equal = {}, {}, []
      for number, node in enumerate(self.nodes):
         node.number = number
         if node.label:
            self.labels[node.label] = number
         if node.kind in ('var', 'const'):
            first = self.first.setdefault(node.name, number)
            if first != number:
               self.equal.append((first, number))
      power = self._asks_for_power()
      for node in self.nodes:
         node.power = power and node.kind == 'const'
      self.has_float = any(OP[n.name].is_float for n in self.search.walk() if n.kind == 'op')

   def _asks_for_power(self):
      """Does the condition hold of powers of two alone, or of their negatives?"""
      if not self.when or len(self.constants) != 1:
         return False
      condition = ast.parse(self.when, mode='eval').body
      terms = condition.values if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And) else [condition]
      return any(re.fullmatch(r'is_pow2\((mask\([A-Z]\) & 0 - )?[a-z]+\)', ast.unparse(t)) for t in terms)

   def _type(self):
      alone = Typing(self.row, {}, obey_letters=False)
      alone.add(self.search)
      before = [(n.bits.root(), n.bits.root().sizes, n.comps.root(), n.comps.root().fixed)
                for n in self.nodes]
      both = Typing(self.row, {k: v for k, v in self.sizes.items()})
      both.add(self.search)
      both.add(self.replace)
      unify_bits(self.row, self.search.bits, self.replace.bits)
      unify_comps(self.row, self.search.comps, self.replace.comps)
      self.letters = both.letters
      self.checks = []
      seen_bits, seen_comps, whole_bits, whole_comps = {}, {}, {}, {}
      for node, (bits, sizes, comps, fixed) in zip(self.nodes, before):
         now, now_comps = node.bits.root(), node.comps.root()
         if bits not in seen_bits:
            seen_bits[bits] = node.number
            if now.sizes != sizes:
               self.checks.append(f'(bits(m, {node.number}) & {sum(now.sizes)}u)')
            if now in whole_bits:
               self.checks.append(f'bits(m, {node.number}) == bits(m, {whole_bits[now]})')
            whole_bits.setdefault(now, node.number)
         if comps not in seen_comps:
            seen_comps[comps] = node.number
            if now_comps.fixed != fixed:
               self.checks.append(f'comps(m, {node.number}) == {now_comps.fixed}')
            elif now_comps in whole_comps and not fixed:
               self.checks.append(f'comps(m, {node.number}) == comps(m, {whole_comps[now_comps]})')
            whole_comps.setdefault(now_comps, node.number)
      self.size_of, self.comps_of = whole_bits, whole_comps

   def size_source(self, bits):
      """Where the size of a node of the replacement comes from: a node's number, or -size."""
      bits = bits.root()
      if bits in self.size_of:
         return self.size_of[bits]
      if len(bits.sizes) == 1:
         return -next(iter(bits.sizes))
      raise TableError(f'{self.row}: a size in the replacement is not known')

   def comps_source(self, comps):
      comps = comps.root()
      if comps.fixed:
         return -comps.fixed
      if comps in self.comps_of:
         return self.comps_of[comps]
      raise TableError(f'{self.row}: a component count in the replacement is not known')

   def _check(self):
      for node in self.replace.walk():
         if node.kind == 'var' and node.name not in self.first:
            raise TableError(f"{self.row}: '{node.name}' is not in the search")
         if node.kind == 'const' and node.name not in self.constants:
            raise TableError(f"{self.row}: '#{node.name}' is not in the search")
         self.size_source(node.bits)
         self.comps_source(node.comps)
         if node.kind == 'lit':
            for size in node.bits.root().sizes:
               if literal_value(node.name, size) is None:
                  raise TableError(f'{self.row}: {node.name} does not fit {size} bits')
      for node in self.search.walk():
         if node.kind == 'calc':
            raise TableError(f'{self.row}: [..] is for the replacement')
         if (node.kind == 'op' and OP[node.name].commutative and node.kids[0].kind in ('lit', 'const')
               and node.kids[1].kind not in ('lit', 'const')):
            raise TableError(f'{self.row}: constants go right')
      self.condition()
      for node in self.replace.walk():
         if node.kind == 'calc':
            self.translate(node.name[1:-1])

   # ---- conditions ----------------------------------------------------------------------------

   def condition(self):
      """The condition as C, or None; and whether it looks at components of constants."""
      terms = list(self.checks)
      self.per_component = False
      if self.when:
         terms.append(self.translate(self.when))
      return ' &&\n             '.join(terms) if terms else None

   def translate(self, text):
      try:
         tree = ast.parse(text, mode='eval').body
      except SyntaxError:
         raise TableError(f"{self.row}: cannot read '{text}'") from None
      return self._c(tree)

   def _c(self, t):
      if isinstance(t, ast.BoolOp):
         word = ' && ' if isinstance(t.op, ast.And) else ' || '
         return '(' + word.join(self._c(v) for v in t.values) + ')'
      if isinstance(t, ast.UnaryOp):
         sign = {ast.Not: '!', ast.Invert: '~', ast.USub: '0 - '}[type(t.op)]
         return f'({sign}{self._c(t.operand)})'
      if isinstance(t, ast.BinOp):
         sign = {ast.Add: '+', ast.Sub: '-', ast.Mult: '*', ast.BitAnd: '&', ast.BitOr: '|',
                 ast.BitXor: '^', ast.LShift: '<<', ast.RShift: '>>', ast.Mod: '%', ast.FloorDiv: '/'}[type(t.op)]
         return f'({self._c(t.left)} {sign} {self._c(t.right)})'
      if isinstance(t, ast.Compare):
         if len(t.ops) != 1:
            raise TableError(f'{self.row}: one comparison at a time')
         sign = {ast.Eq: '==', ast.NotEq: '!=', ast.Lt: '<', ast.LtE: '<=', ast.Gt: '>',
                 ast.GtE: '>='}[type(t.ops[0])]
         return f'({self._c(t.left)} {sign} {self._c(t.comparators[0])})'
      if isinstance(t, ast.Constant) and isinstance(t.value, int):
         return f'UINT64_C({t.value})'
      if isinstance(t, ast.Name):
         if t.id in self.constants:
            self.per_component = True
            return f'value(m, {self.first[t.id]}, c)'
         if t.id in self.letters:
            source = self.size_source(self.letters[t.id])
            return f'bits(m, {source})' if source >= 0 else f'{-source}u'
      if isinstance(t, ast.Call) and isinstance(t.func, ast.Name):
         name = t.func.id
         if name in QUERIES:
            kinds = QUERIES[name]
            if len(t.args) != len(kinds):
               raise TableError(f"{self.row}: '{name}' takes {len(kinds)} arguments")
            args = [self._value(a) if kind == 'v' else self._c(a) for kind, a in zip(kinds, t.args)]
            return f'{name}(m, {", ".join(args)})'
         if name in ('flushes', 'rtz', 'option'):
            return f'{name}(m, {self._c(t.args[0])})'
         if name in FUNCTIONS:
            return f'{name}({", ".join(self._c(a) for a in t.args)})'
      raise TableError(f"{self.row}: '{ast.unparse(t)}' cannot be in a condition")

   def _value(self, t):
      """A value of the pattern, by its number."""
      name = t.id if isinstance(t, ast.Name) else None
      number = self.first.get(name, self.labels.get(name))
      if number is None:
         raise TableError(f"{self.row}: no value is called '{ast.unparse(t)}'")
      return str(number)

   # ---- commutations --------------------------------------------------------------------------

   def forms(self):
      """All orders of operands: each a list of (parent, operand) by node number, and a key.

      Where constants go right the other order is never met; two plain names that stand nowhere
      else, and in no condition but one that asks the same either way round, give the same in both
      orders.
      """
      words = set(re.findall(r'[a-z_0-9]+', self.when or ''))
      counts = {}
      for node in self.nodes:
         counts[node.name] = counts.get(node.name, 0) + 1

      def orders(node):
         """(key, {number: (parent, operand)}) of each order."""
         if node.kind != 'op':
            return [(node.key(), {})]
         pair = node.kids[:2]
         plain = all(k.kind == 'var' and counts[k.name] == 1 for k in pair) and (
            self.when == 'differ(' + ', '.join(k.name for k in pair) + ')'
            or not any(k.name in words for k in pair))
         swaps = [False]
         if OP[node.name].commutative and not plain:
            a, b = node.kids[:2]
            if not (b.kind in ('lit', 'const') and a.kind not in ('lit', 'const')):
               swaps.append(True)
         result = []
         for swap in swaps:
            partial = [((), {})]
            order = list(range(len(node.kids)))
            if swap:
               order[:2] = [1, 0]
            for place, kid_at in enumerate(order):
               kid = node.kids[kid_at]
               extended = []
               for key, places in partial:
                  for kid_key, kid_places in orders(kid):
                     merged = {**places, **kid_places}
                     if kid.kind != 'lit':
                        merged[kid.number] = (node.number, place)
                     extended.append((key + (kid_key,), merged))
               partial = extended
            result += [((op_symbol(node),) + key, places) for key, places in partial]
         return result

      forms, seen = [], set()
      for key, places in orders(self.search):
         path = tuple(places[n] for n in range(1, len(self.nodes)))
         if (key, path) not in seen:
            seen.add((key, path))
            forms.append((key, path))
      return forms


def op_symbol(node):
   """An op as the automaton sees it: vectors of different length are different ops."""
   return (node.name, len(node.kids)) if OP[node.name].variadic else node.name


class RuleSet:
   """Rows in the order in which they are tried."""

   def __init__(self, name, weights=None, costs=None, alone=False):
      """`weights` and `costs` of ops differ from the defaults in this set. `alone`: each rule is tried by itself."""
      self.name, self.rules, self.alone = name, [], alone
      self.weights, self.costs = weights or {}, costs or {}

   def rule(self, search, replace, when=None, **columns):
      self.rules.append(Rule(len(self.rules), search, replace, when, **columns))
      return self.rules[-1]
