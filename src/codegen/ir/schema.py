# SPDX-License-Identifier: MIT
"""The language of the op and intrinsic tables, and the rules that a row must keep.

A type is written `kind:bits[components] name`:

   kind        u unsigned integer, i signed integer, f float, b boolean (1 bit), x any bits
   bits        a size, or an upper-case size variable; all uses of one variable have one size
   components  a count, a range `a..b`, or `n`: all types with `n` have equally many components
   name        what documentation calls the operand

A signature is `type, type -> type`. Rows are checked when they are made; a bad one raises
TableError, whose message begins with the row's name, and stops the build.
"""

import re

INT = (8, 16, 32, 64)
ANY = (1, 8, 16, 32, 64)
FLOAT = (16, 32, 64)
SIZES_OF_KIND = {'u': INT, 'i': INT, 'f': FLOAT, 'b': (1,), 'x': ANY}
KIND_WORDS = {'u': 'UINT', 'i': 'INT', 'f': 'FLOAT', 'b': 'BOOL', 'x': 'RAW'}
MAX_COMPONENTS = 16
MAX_OP_SRCS = 4
MAX_INTRINSIC_SRCS = 7
MAX_INDICES = 10
# The most values that one index can enumerate as flags (bits of a uint32_t).
MAX_FLAGS = 32

NAME = re.compile(r'[a-z][a-z0-9]*(_[a-z0-9]+)*\Z')
TYPE = re.compile(r'(?P<kind>[a-z]):(?P<bits>\d+|[A-Z])'
                  r'(?:\[(?P<components>n|\d+|\d+\.\.\d+)\])?'
                  r'(?: (?P<name>[a-z_0-9]+))?(?P<tags>(?: !\w+)*)\Z')


class TableError(Exception):
   """A row that breaks a rule of the tables."""


def require(condition, row, message):
   if not condition:
      raise TableError(f'{row}: {message}')


class Type:
   """One operand or result: kind, sizes, size variable, component count, name, tags."""

   def __init__(self, row, text, variables, default_components, default_name):
      match = TYPE.match(text)
      require(match, row, f"cannot read the type '{text}'")
      self.kind = match['kind']
      require(self.kind in SIZES_OF_KIND, row, f"unknown kind '{self.kind}' in '{text}'")
      self.name = match['name'] or default_name
      self.tags = {tag[1:] for tag in match['tags'].split()}
      self.variable = None
      if match['bits'].isdigit():
         self.sizes = (int(match['bits']),)
      else:
         self.variable = match['bits']
         require(self.variable in variables, row,
                 f"the size variable {self.variable} of '{text}' has no sizes")
         self.sizes = variables[self.variable]
      for size in self.sizes:
         allowed = SIZES_OF_KIND[self.kind]
         require(size in allowed, row, f"'{text}' cannot have {size} bits")
      components = match['components'] or default_components
      require(components, row, f"'{text}' says no component count")
      self.linked = components == 'n'
      low, _, high = ('1', '', str(MAX_COMPONENTS)) if self.linked else components.partition('..')
      self.min_components = int(low)
      self.max_components = int(high or low)
      require(1 <= self.min_components <= self.max_components <= MAX_COMPONENTS, row,
              f"'{text}' has an impossible component count")

   def same_bits(self, other):
      return (self.sizes, self.variable) == (other.sizes, other.variable)

   def components_text(self):
      if self.linked:
         return 'n'
      if self.min_components == self.max_components:
         return str(self.min_components)
      return f'{self.min_components}..{self.max_components}'

   def bits_text(self):
      return self.variable or str(self.sizes[0])


def check_variables(row, variables, types):
   used = {t.variable for t in types if t.variable}
   for name, sizes in variables.items():
      require(re.match(r'[A-Z]\Z', name), row, f"'{name}' is not a size variable or a known field")
      require(name in used, row, f'the size variable {name} is not used')
      require(isinstance(sizes, tuple) and sizes and list(sizes) == sorted(set(sizes)), row,
              f'the sizes of {name} must be an ascending tuple')


def check_sentence(row, field, text, optional=False):
   if optional and not text:
      return
   require(text, row, f'no {field}')
   require('\n' not in text and '"' not in text and '\\' not in text, row,
           f'the {field} must be one line without quotes')
   require(text.endswith('.') and text == text.strip(), row, f'the {field} must end with a period')


def require_distinct(rows):
   seen = set()
   for row in rows:
      require(row.name not in seen, row.name, 'the name is there twice')
      seen.add(row.name)


# ---- ops ------------------------------------------------------------------------------------

# Special operands of algebraic laws: the C name and the value as a function of the size.
ELEMENTS = ('zero', 'one', 'all_ones', 'int_min', 'int_max',
            'float_zero', 'float_neg_zero', 'float_one', 'float_inf', 'float_neg_inf', 'float_nan')
SAME_RESULTS = ('operand', 'zero', 'one', 'all_ones', 'true', 'false')
UNDEF_RULES = ('any', 'absorbs', 'product', 'bits', 'chosen', 'moved')


class Op:
   """One ALU op.

   signature    operands and result; without [..] every type is componentwise ([n])
   sizes        N=..., M=...: the sizes of each variable; one that only the result uses is
                chosen by the instruction (conversions)
   expr         the result as a C expression over src0, src1, ... u, x and f operands are
                zero-extended uint64_t (f: the raw bits), i operands sign-extended int64_t, b bool;
                bits above the result's size are cut off. An operand with several fixed components is an array, and
                so is an [n] operand of an op whose result is not [n]; `c` is the component being
                made, `n` the number that [n] stands for; N, M are the sizes; `round` the rounding mode
   commutative  the first two operands may be swapped
   associative  True; or 'inexact': only where reassociation is allowed (no exact flag)
   idempotent   unary: op(op(x)) = op(x);  self_inverse: op(op(x)) = x
   identity     e with op(x, e) = x;   identity_left     e with op(e, x) = x
   absorbing    e with op(x, e) = e;   absorbing_left    e with op(e, x) = e; zero may be of another size
                (a commutative op's laws hold on both sides and are given once)
   same         what op(x, x) is
   inverse      the compare that gives the opposite answer; '~name' takes its operands swapped
   rounds       the result is rounded: the exact flag forbids contraction and reassociation here
   flushes      denormal float operands and results obey the shader's flush mode; by default every
                op that reads or makes floats does
   undef        any: an undefined component read makes the result undefined;  absorbs: unless
                another operand is the absorbing element;  product: of the first two, unless the
                other is zero;  bits: unless the mask, the first, takes no bit from it;  chosen: only the operand taken
                counts;  moved: each result component is a copy of one operand component
   edges        what happens at the edges: NaN, zeros, counts past the size, division by zero
   """

   def __init__(self, name, signature, expr, meaning, edges='', *, commutative=False,
                associative=False, idempotent=False, self_inverse=False, identity=None,
                identity_left=None, absorbing=None, absorbing_left=None, same=None, compare=False,
                inverse=None, rounds=False, flushes=None, undef=None, variadic=False, **variables):
      require(NAME.match(name), name, 'a name is lower case words joined by underscores')
      self.name, self.signature, self.expr = name, signature, expr
      self.meaning, self.edges, self.variables = meaning, edges, variables
      self.commutative, self.associative = commutative, associative
      self.idempotent, self.self_inverse = idempotent, self_inverse
      self.identity, self.absorbing = identity, absorbing
      self.identity_left = identity if commutative else identity_left
      self.absorbing_left = absorbing if commutative else absorbing_left
      self.same, self.compare, self.rounds, self.variadic = same, compare, rounds, variadic
      self.inverse = inverse.lstrip('~') if inverse else None
      self.inverse_swaps = bool(inverse) and inverse.startswith('~')
      self.undef = undef or ('absorbs' if absorbing or absorbing_left else 'any')
      self._parse()
      is_float = any(t.kind == 'f' for t in self.types)
      self.is_float = is_float
      self.flushes = is_float if flushes is None else flushes
      self._check_text()
      self._check_laws()

   def _parse(self):
      operands, arrow, result = self.signature.partition(' -> ')
      require(arrow, self.name, "a signature is 'operands -> result'")
      self.srcs = [Type(self.name, text, self.variables, 'n', 'xyzw'[i] if i < 4 else '?')
                   for i, text in enumerate(operands.split(', '))]
      require(len(self.srcs) <= MAX_OP_SRCS, self.name, f'more than {MAX_OP_SRCS} operands')
      self.result = Type(self.name, result, self.variables, 'n', 'result')
      self.types = self.srcs + [self.result]
      check_variables(self.name, self.variables, self.types)
      for t in self.types:
         require(not t.tags, self.name, 'ops have no operand tags')
         require(t.linked or t.min_components == t.max_components, self.name,
                 'an op has no component ranges')
      src_variables = {t.variable for t in self.srcs}
      self.sized_by_instruction = (self.result.variable is not None
                                   and self.result.variable not in src_variables)
      self.componentwise = all(t.linked for t in self.types)

   def _check_text(self):
      check_sentence(self.name, 'meaning', self.meaning)
      check_sentence(self.name, 'edge note', self.edges, optional=True)
      used = {int(i) for i in re.findall(r'\bsrc(\d)\b', self.expr)}
      expected = set() if self.variadic else set(range(len(self.srcs)))
      for i in sorted(expected - used):
         require(False, self.name, f'the expression does not use src{i}')
      for i in sorted(used - expected):
         require(False, self.name, f'the expression uses src{i}, which is no operand')
      require(self.expr.count('(') == self.expr.count(')'), self.name,
              'the parentheses of the expression do not match')

   def _check_laws(self):
      binary = len(self.srcs) == 2
      endo = binary and all(t.kind == self.result.kind and t.same_bits(self.result)
                            for t in self.srcs)
      if self.commutative:
         require(len(self.srcs) >= 2 and self.srcs[0].kind == self.srcs[1].kind
                 and self.srcs[0].same_bits(self.srcs[1])
                 and self.srcs[0].linked == self.srcs[1].linked, self.name,
                 'commutative needs two operands of one type first')
      require(self.associative in (False, True, 'inexact'), self.name, 'associative is True or inexact')
      require(not self.associative or endo, self.name,
              'associative needs two operands of the type of the result')
      unary = len(self.srcs) == 1 and self.srcs[0].same_bits(self.result)
      for law in ('idempotent', 'self_inverse'):
         require(not getattr(self, law) or unary, self.name,
                 f'{law} needs one operand of the type of the result')
      for law in ('identity', 'identity_left', 'absorbing', 'absorbing_left'):
         element = getattr(self, law)
         if element is None:
            continue
         require(element in ELEMENTS, self.name, f"unknown element '{element}'")
         require(binary, self.name, f'{law} needs two operands')
         special, other = self.srcs if 'left' in law else reversed(self.srcs)
         require(element.startswith('float') == (special.kind == 'f'), self.name,
                 f"the element '{element}' is not of the kind of the operand")
         equal = special if 'absorbing' in law else other
         require(equal.same_bits(self.result) or (equal is special and element == 'zero'), self.name,
                 f'{law} needs a result of the size of its operand')
      require(self.same is None or self.same in SAME_RESULTS, self.name,
              f"op(x, x) cannot be '{self.same}'")
      require(self.same is None or (binary and self.srcs[0].same_bits(self.srcs[1])), self.name,
              'same needs two operands of one size')
      if self.same in ('true', 'false') or self.compare:
         require(self.result.kind == 'b', self.name, 'a compare has a 1-bit result')
      require(self.same != 'operand' or self.result.same_bits(self.srcs[0]), self.name,
              'op(x, x) = x needs a result of the size of its operands')
      require(self.inverse is None or self.compare, self.name, 'only a compare has an inverse')
      require(self.undef in UNDEF_RULES, self.name, f"unknown undef rule '{self.undef}'")
      require(self.undef != 'absorbs' or self.absorbing or self.absorbing_left, self.name,
              'nothing absorbs')
      require(not self.rounds or self.is_float, self.name, 'only float ops round')


def check_ops(rows):
   """Rules between rows."""
   require_distinct(rows)
   by_name = {row.name: row for row in rows}
   for row in rows:
      if row.inverse is None:
         continue
      require(row.inverse in by_name, row.name, f"the inverse '{row.inverse}' does not exist")
      back = by_name[row.inverse]
      require((back.inverse, back.inverse_swaps) == (row.name, row.inverse_swaps), row.name,
              f"'{row.inverse}' does not name it as its inverse")
   return rows


# ---- intrinsics -----------------------------------------------------------------------------

DIVERGENCE = ('none', 'uniform', 'divergent', 'operands', 'memory', 'cluster')
EFFECTS = ('write', 'barrier', 'demote')
HELPERS = ('run', 'skip', 'uncounted', 'needed')
STAGES = ('compute', 'kernel', 'vertex', 'fragment')
SPECULATION = ('never', 'always', 'access')
SRC_TAGS = {'uniform', 'defined', 'descriptor'}


class Enum:
   """An enumeration: an index of an intrinsic takes one of its values, or, as flags, any union.

   values: (name, meaning[, op]) in order; op names the ALU op that combines two values.
   prefix: how the C names of the values begin, if not with the name.
   """

   def __init__(self, name, meaning, values, prefix=None, flags=False):
      self.name, self.meaning, self.flags = name, meaning, flags
      self.prefix = prefix or name
      require(NAME.match(name), name, 'a name is lower case words joined by underscores')
      check_sentence(name, 'meaning', meaning)
      require(values, name, 'no values')
      require(not flags or len(values) <= MAX_FLAGS, name, f'more than {MAX_FLAGS} flags')
      self.values = [(v + (None,))[:3] for v in values]
      for value, text, _ in self.values:
         require(NAME.match(value), name, f"'{value}' is not a name")
         check_sentence(name, f"meaning of '{value}'", text)
      names = [v[0] for v in self.values]
      require(len(set(names)) == len(names), name, 'a value is there twice')


class Index:
   """A constant of an intrinsic: `type` is uint, int, bool or the name of an Enum."""

   def __init__(self, name, type, meaning, default=0):
      self.name, self.type, self.meaning, self.default = name, type, meaning, default
      require(NAME.match(name), name, 'a name is lower case words joined by underscores')
      check_sentence(name, 'meaning', meaning)
      require(isinstance(default, int) and 0 <= default < 1 << 32, name,
              'a default is a 32-bit number')


class Intrinsic:
   """One intrinsic.

   signature    'operands -> result' or 'operands' or '-> result'; every type says its components.
                An operand tagged !uniform must be the same in all lanes; !descriptor too, unless
                the access index says nonuniform; !defined must not be undefined (an address, a lane)
   indices      names of the constants, in order
   reads/writes classes of memory that it touches
   cross_lane   it reads values of other lanes, so it keeps exactly its lanes
   divergence   of the result: uniform, divergent, operands (uniform if all operands are), memory
                (as operands, unless the access says volatile or coherent), cluster (uniform if the
                cluster_size is 0, the whole subgroup), none (no result)
   effects      write: memory or an output;  barrier: waits or orders;  demote: lanes become helpers
   speculate    never; always (also with lanes that did not ask); access: where the access index
                says speculatable
   helpers      what helper lanes do: run as the others;  skip: nothing happens, a result is
                undefined;  uncounted: they get a result, but don't count in it;  needed: the
                others read their values
   stages       where it may stand; all by default
   """

   def __init__(self, name, signature, meaning, note='', *, indices='', reads='', writes='',
                cross_lane=False, divergence=None, effects='', speculate=None, helpers='run',
                stages='', **variables):
      require(NAME.match(name), name, 'a name is lower case words joined by underscores')
      self.name, self.signature, self.meaning, self.note = name, signature, meaning, note
      self.variables = variables
      self.indices = indices.split()
      self.reads, self.writes = reads.split(), writes.split()
      self.cross_lane, self.helpers = cross_lane, helpers
      self.effects = effects.split()
      self.stages = stages.split() or list(STAGES)
      self._parse()
      self.divergence = divergence or 'none'
      self.eliminate = not self.effects
      self.speculate = speculate or 'never'
      self._check()

   def _parse(self):
      operands, arrow, result = self.signature.partition('->')
      texts = [text.strip() for text in operands.split(',') if text.strip()]
      self.srcs = [Type(self.name, text, self.variables, None, None) for text in texts]
      self.result = (Type(self.name, result.strip(), self.variables, None, 'result')
                     if arrow else None)
      self.types = self.srcs + ([self.result] if arrow else [])
      check_variables(self.name, self.variables, self.types)

   def shape_is_chosen(self):
      """Whether operands leave open the components or bits of the result."""
      if self.result is None:
         return False, False
      r = self.result
      components = (r.min_components != r.max_components
                    and not (r.linked and any(s.linked for s in self.srcs)))
      bits = len(r.sizes) > 1 and r.variable not in {s.variable for s in self.srcs}
      return components, bits

   def _check(self):
      name = self.name
      check_sentence(name, 'meaning', self.meaning)
      check_sentence(name, 'note', self.note, optional=True)
      require(len(self.srcs) <= MAX_INTRINSIC_SRCS, name, f'more than {MAX_INTRINSIC_SRCS} operands')
      require(len(self.indices) <= MAX_INDICES, name, f'more than {MAX_INDICES} indices')
      require(len(set(self.indices)) == len(self.indices), name, 'an index is there twice')
      for s in self.srcs:
         require(s.name, name, 'every operand of an intrinsic has a name')
         require(s.tags <= SRC_TAGS, name, f"unknown tag in {sorted(s.tags)}")
         require('descriptor' not in s.tags or 'access' in self.indices, name,
                 'a descriptor operand needs the access index')
      names = [s.name for s in self.srcs] + self.indices
      require(len(set(names)) == len(names), name, 'an operand or index has the name of another')
      require(self.divergence in DIVERGENCE, name, f"unknown divergence '{self.divergence}'")
      require((self.divergence == 'none') == (self.result is None), name,
              'divergence is said exactly if there is a result')
      require(self.divergence != 'memory' or (self.reads and 'access' in self.indices), name,
              'divergence by memory needs reads and the access index')
      require(self.divergence != 'cluster' or 'cluster_size' in self.indices, name,
              'divergence by cluster needs the cluster_size index')
      for effect in self.effects:
         require(effect in EFFECTS, name, f"unknown effect '{effect}'")
      for effect, written in (('write', set(self.writes) - {'helper'}),
                              ('demote', set(self.writes) & {'helper'})):
         require((effect in self.effects) == bool(written), name,
                 f'the {effect} effect does not fit what is written')
      require(self.speculate in SPECULATION, name, f"unknown speculation '{self.speculate}'")
      require(self.speculate != 'access' or 'access' in self.indices, name,
              'speculation by access needs the access index')
      require(self.speculate == 'never' or not (self.effects or self.cross_lane), name,
              'what has an effect or reads other lanes cannot be speculated')
      require(self.speculate != 'always' or not self.reads, name,
              'reading memory is never safe for all lanes')
      require(self.speculate != 'always' or all('defined' not in s.tags for s in self.srcs), name,
              'an operand that must be defined need not be for lanes that did not ask')
      require(self.helpers != 'uncounted' or 'helper' in self.reads, name,
              'what does not count helper lanes reads which they are')
      require(self.helpers in HELPERS, name, f"unknown helper rule '{self.helpers}'")
      # A helper's own memory is as good as its variables: nobody else sees it.
      own = list(self.writes) == ['scratch']
      require('write' not in self.effects or self.helpers == ('run' if own else 'skip'), name,
              'helper lanes skip what writes, but to their own memory')
      require(self.helpers not in ('uncounted', 'needed') or self.cross_lane, name,
              'only cross-lane intrinsics count or need helper lanes')
      for stage in self.stages:
         require(stage in STAGES, name, f"unknown stage '{stage}'")


def check_intrinsics(rows, indices, enums, ops):
   """Rules between the intrinsics and what they name."""
   require_distinct(rows)
   require_distinct(indices)
   require_distinct(enums)
   index_names = {index.name for index in indices}
   enum_by_name = {enum.name: enum for enum in enums}
   op_names = {op.name for op in ops}
   classes = {value[0] for value in enum_by_name['memory_class'].values}
   for index in indices:
      require(index.type in ('uint', 'int', 'bool') or index.type in enum_by_name, index.name,
              f"unknown index type '{index.type}'")
   for enum in enums:
      for value, _, op in enum.values:
         require(op is None or op in op_names, enum.name, f"'{value}' names no op: '{op}'")
   for row in rows:
      require(row.name not in op_names, row.name, 'an op has the same name')
      for index in row.indices:
         require(index in index_names, row.name, f"unknown index '{index}'")
      for memory in row.reads + row.writes:
         require(memory in classes, row.name, f"unknown memory class '{memory}'")
   used = {index for row in rows for index in row.indices}
   for index in indices:
      require(index.name in used, index.name, 'no intrinsic has this index')
   return rows
