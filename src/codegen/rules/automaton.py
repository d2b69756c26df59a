# SPDX-License-Identifier: MIT
"""The tree automaton of a rule set.

The state of a value says which parts of search patterns it could be: whether it is any value, a
constant, a power of two or the negative of one, this literal, an `iadd` of such and such. It follows from the op and the states of the
operands by looking up a table, so that matching costs the same however many rules there are. A table
has a dimension for each operand that it looks at; states that it need not tell apart are one class
there. An entry says the state of the result, and which forms of which rules match. Of an op with
three operands or more, one table gives the state and one for each set of operands gives the forms
that only look at these; that is many times smaller than one table of all. Forms that look at no
operand are in all entries, or in a list of the op where it has no table of forms for all operands;
those whose first two operands have to be equal are in a list of their own.
"""

from codegen.rules.language import literal_value
from codegen.ir.schema import ANY, TableError

ANYTHING, CONSTANT, POWER = '_', '#', '#^'


class Automaton:
   def __init__(self, rules):
      self.forms = []              # (rule number, path)
      self.roots = {}              # pattern -> numbers of forms
      self.twins = set()           # forms that look at no operand but want the first two to be equal
      self.patterns = {}           # op -> its patterns, in order
      # Patterns that are a part of another: bit number.
      self.inner = {ANYTHING: 0, CONSTANT: 1, POWER: 2}
      for rule in rules:
         for key, path in rule.forms():
            self.roots.setdefault(key, []).append(len(self.forms))
            if not looked_at(key) and any({path[n - 1] for n in pair} == {(0, 0), (0, 1)} for pair in rule.equal):
               self.twins.add(len(self.forms))
            self.forms.append((rule.number, path))
            self._intern(key)
      self._leaves()
      self._close()

   def _intern(self, key):
      """Note a pattern and all its parts, without recursion."""
      work = [key]
      while work:
         key = work.pop()
         if not is_op(key):
            continue
         mine = self.patterns.setdefault(key[0], {})
         if key in mine:
            continue
         mine[key] = len(mine)
         for kid in key[1:]:
            self.inner.setdefault(kid, len(self.inner))
            work.append(kid)

   def _leaves(self):
      """State 0 is any value; then constants that are no literal, then those that are."""
      self.states = {}
      for members in (1, 3, 7):
         self._state(members)
      self.constants = {}          # size -> {value: state}
      for size in ANY:
         values = {}
         for key, bit in self.inner.items():
            if isinstance(key, tuple) and key[0] == 'lit':
               value = literal_value(key[1], size)
               if value is not None:
                  values[value] = values.get(value, 7 if is_power(value, size) else 3) | 1 << bit
         self.constants[size] = {v: self._state(s) for v, s in sorted(values.items())}

   def _state(self, members):
      return self.states.setdefault(members, len(self.states))

   def _close(self):
      """Add states until the tables of all ops stay within them."""
      self.tables = {}             # op -> [Table]
      self.always, self.same = {}, {}   # op -> forms
      for op, patterns in self.patterns.items():
         forms = sorted(f for key in patterns if not looked_at(key) for f in self.roots.get(key, ()))
         self.same[op] = tuple(f for f in forms if f in self.twins)
         self.always[op] = tuple(f for f in forms if f not in self.twins) if arity(patterns) > 2 else ()
      known = 0
      while known != len(self.states):
         known = len(self.states)
         self.entries = {}
         for op, patterns in self.patterns.items():
            inner = {k for k in patterns if k in self.inner}
            outer = {k for k in patterns if k in self.roots}
            operands = tuple(range(arity(patterns)))
            if len(operands) < 3:
               self.tables[op] = [self._table(patterns, inner, outer, operands)]
               continue
            outer = {k for k in outer if looked_at(k)}
            self.tables[op] = [self._table(patterns, inner, set(), operands)]
            for places in sorted({looked_at(k) for k in outer}):
               self.tables[op].append(self._table(
                  patterns, set(), {k for k in outer if looked_at(k) == places}, places))
      if known > 254:
         raise TableError(f'{known} states are too many for a byte')

   def _table(self, patterns, inner, outer, places):
      """(operand, class of each state) of each dimension; its sizes; the entries."""
      wanted_patterns = [k for k in patterns if k in inner or k in outer]
      states = list(self.states)
      maps, masks = [], []
      for place in places:
         wanted = {}
         for number, key in enumerate(wanted_patterns):
            bit = 1 << self.inner[key[1 + place]]
            wanted[bit] = wanted.get(bit, 0) | 1 << number
         relevant = 0
         for bit in wanted:
            relevant |= bit
         classes, of_state = {}, []
         for members in states:
            of_state.append(classes.setdefault(members & relevant, len(classes)))
         maps.append((place, of_state))
         masks.append([sum(found for bit, found in wanted.items() if seen & bit) for seen in classes])
      entries, results = [], {}

      def fill(dimension, matched):
         if dimension < len(places):
            for mask in masks[dimension]:
               fill(dimension + 1, matched & mask)
            return
         if matched not in results:
            found = [key for number, key in enumerate(wanted_patterns) if matched >> number & 1]
            results[matched] = self._entry([k for k in found if k in inner],
                                           [k for k in found if k in outer])
         entries.append(results[matched])

      fill(0, (1 << len(wanted_patterns)) - 1)
      return maps, [len(m) for m in masks], entries

   def _entry(self, inner, outer):
      members = 1
      for key in inner:
         members |= 1 << self.inner[key]
      forms = sorted(form for key in outer for form in self.roots[key] if form not in self.twins)
      return self.entries.setdefault((self._state(members), tuple(forms)), len(self.entries))


def arity(patterns):
   """The operands of an op by its patterns."""
   return len(next(iter(patterns))) - 1


def is_power(value, size):
   """A power of two, or the negative of one."""
   return any(v and not v & (v - 1) for v in (value, -value & ((1 << size) - 1)))


def looked_at(key):
   """The operands of a pattern that are not just anything."""
   return tuple(i for i, kid in enumerate(key[1:]) if kid != ANYTHING)


def is_op(key):
   return isinstance(key, tuple) and key[0] != 'lit'
