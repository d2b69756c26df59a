# SPDX-License-Identifier: MIT
"""Random compute shaders in GLSL: control flow of every kind, calls, structs, arrays, vectors, on integers.

Each ends, and computes the same on every machine: loops count down fuel that all loops of an invocation share, divisors
are odd, counts of shifts and indices are masked, invocations share nothing.
"""
import random

HEAD = '''//: groups 1
//: in 0.0 u32*64=random:{seed}
//: out 0.1 u32*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In {{ uint a[]; }};
layout(set = 0, binding = 1) writeonly buffer Out {{ uint b[]; }};

struct Pair {{ uint x; uvec2 v; uint row[3]; }};
const uint constants[4] = uint[](3u, 0x80000001u, 17u, 0xffu);
uint fuel = 60u;
uint global = 1u;
'''
BINARY = ['{} + {}', '{} - {}', '{} * {}', '{} ^ {}', '{} & {}', '{} | {}', '{} << ({} & 31u)', '{} >> ({} & 31u)',
          '{} / ({} | 1u)', '{} % ({} | 1u)', 'min({}, {})', 'max({}, {})']
UNARY = ['~{}', '-{}', 'uint(bitCount({}))', 'uint(findLSB({}))', 'bitfieldExtract({}, 3, 9)', 'uint(int({}) >> 3)',
         'uint(int({}) / 3)', 'bitfieldReverse({})', 'uint(float({} & 0xffffu) * 0.5)', 'uint(abs(int({})))']
COMPARE = ['{} < {}', '{} >= {}', '{} == {}', 'int({}) > int({})', '({} & 3u) != ({} & 3u)']


class Program:
   def __init__(self, seed):
      self.chance = random.Random(seed)
      self.seed, self.names, self.functions = seed, 0, []
      self.lines, self.depth = [], 0
      self.loops, self.switches = 0, 0

   def one(self, *choices):
      return self.chance.choice(choices)

   def name(self):
      self.names += 1
      return f'v{self.names}'

   def emit(self, text):
      self.lines.append('   ' * self.depth + text)

   # Expressions: unsigned numbers

   def leaf(self):
      kind = self.chance.random()
      if kind < 0.2:
         return f'{self.chance.choice([0, 1, 2, 5, 31, 255, 0x7fffffff, 0xfffffff0])}u'
      if kind < 0.25:
         return f'constants[{self.one(*self.numbers)} & 3u]'
      if kind < 0.3:
         return 'global'
      if kind < 0.45 and self.pairs:
         p = self.one(*self.pairs)
         return self.one(f'{p}.x', f'{p}.v.y', f'{p}.v[{self.one(*self.numbers)} & 1u]', f'{p}.row[{self.one(*self.numbers)} % 3u]')
      if kind < 0.55 and self.arrays:
         return f'{self.one(*self.arrays)}[{self.one(*self.numbers)} & 3u]'
      return self.one(*self.numbers)

   def number(self, depth=2):
      kind = self.chance.random()
      if depth == 0 or kind < 0.25:
         return self.leaf()
      if kind < 0.4:
         return self.one(*UNARY).format(f'({self.number(depth - 1)})')
      if kind < 0.5:
         return f'({self.condition(depth - 1)} ? {self.number(depth - 1)} : {self.number(depth - 1)})'
      if kind < 0.58 and self.functions and self.calls:
         self.calls -= 1
         callee, takes = self.one(*self.functions)
         return f"{callee}({self.number(depth - 1)}{', ' + self.one(*self.places) if takes else ''})"
      return '(' + self.one(*BINARY).format(self.number(depth - 1), self.number(depth - 1)) + ')'

   def condition(self, depth=1):
      kind = self.chance.random()
      if depth and kind < 0.25:
         return f"({self.condition(depth - 1)} {self.one('&&', '||')} {self.condition(depth - 1)})"
      if depth and kind < 0.3:
         return f'!{self.condition(depth - 1)}'
      return '(' + self.one(*COMPARE).format(self.number(depth), self.number(depth)) + ')'

   # Statements

   def block(self, size):
      """Between braces; what it declares is forgotten."""
      kept = list(self.numbers), list(self.places), list(self.arrays), list(self.pairs)
      self.depth += 1
      for _ in range(self.chance.randint(1, size)):
         self.statement(size - 1)
      self.depth -= 1
      self.numbers, self.places, self.arrays, self.pairs = kept

   def assign(self):
      kind = self.chance.random()
      if kind < 0.15 and self.arrays:
         place = f'{self.one(*self.arrays)}[{self.leaf()} & 3u]'
      elif kind < 0.3 and self.pairs:
         p = self.one(*self.pairs)
         if self.chance.random() < 0.2:
            self.emit(f'{p} = {self.one(*self.pairs)};')
            return
         place = self.one(f'{p}.x', f'{p}.v.x', f'{p}.v[{self.leaf()} & 1u]', f'{p}.row[{self.leaf()} % 3u]')
      else:
         place = self.one(*self.places, 'global')
      self.emit(f"{place} {self.one('=', '=', '+=', '^=', '*=')} {self.number()};")

   def declare(self):
      name = self.name()
      kind = self.chance.random()
      if kind < 0.7:
         self.emit(f'uint {name} = {self.number()};')
         self.numbers.append(name)
         self.places.append(name)
      elif kind < 0.85:
         self.emit(f"uint {name}[4] = uint[]({', '.join(self.leaf() for _ in range(4))});")
         self.arrays.append(name)
      else:
         self.emit(f'Pair {name} = Pair({self.leaf()}, uvec2({self.leaf()}, {self.leaf()}), uint[]({self.leaf()}, {self.leaf()}, {self.leaf()}));')
         self.pairs.append(name)

   def loop(self, size):
      kind, counter = self.one('for', 'while', 'do', 'ever'), self.name()
      self.emit(f'uint {counter} = {self.leaf()} & 7u;')
      burn = 'fuel-- > 1u'
      self.numbers.append(counter)
      if kind == 'for':
         self.emit(f'for (; {counter} < {self.chance.randint(2, 9)}u && {burn}; {counter}++) {{')
      elif kind == 'while':
         self.emit(f'while ({self.condition()} && {burn}) {{')
      else:
         self.emit('do {' if kind == 'do' else 'for (;;) {')
      if kind == 'ever':
         self.emit(f'   if (fuel-- <= 1u || {self.condition()})')
         self.emit('      break;')
      self.loops, outer, self.switches = self.loops + 1, self.switches, 0
      self.block(size)
      self.loops, self.switches = self.loops - 1, outer
      self.emit(f'}} while ({self.condition()} && {burn});' if kind == 'do' else '}')
      # What a loop ended with for want of fuel ends the loops around it too.
      self.emit('if (fuel == 0u) fuel = 1u;')

   def switch(self, size):
      self.emit(f'switch ({self.number(1)} & 7u) {{')
      values = self.chance.sample(range(8), self.chance.randint(1, 5))
      default = self.chance.randint(-1, len(values))
      self.switches += 1
      for k, value in enumerate(values):
         if k == default:
            self.emit('default:')
         self.emit(f'case {value}u:')
         if self.chance.random() < 0.25 and k + 1 < len(values):
            continue
         self.block(size)
         if self.chance.random() < 0.7:
            self.emit('   break;')
      self.switches -= 1
      # The last of all must hold a statement.
      self.emit('   global ^= 5u;')
      self.emit('}')

   def statement(self, size):
      kind = self.chance.random()
      if size <= 0 or kind < 0.3:
         self.assign()
      elif kind < 0.42:
         self.declare()
      elif kind < 0.62:
         self.emit(f'if ({self.condition()}) {{')
         self.block(size)
         if self.chance.random() < 0.5:
            self.emit('} else {')
            self.block(size)
         self.emit('}')
      elif kind < 0.76:
         self.loop(size)
      elif kind < 0.86:
         self.switch(size)
      elif kind < 0.95 and (self.loops or self.switches):
         # `continue` leaves a do-while by way of its condition, which burns fuel.
         self.emit(f"if ({self.condition()}) {self.one('break', 'continue') if self.loops else 'break'};")
      elif kind < 0.97:
         self.emit(f'if ({self.condition()}) return {self.number(1)};')
      else:
         self.assign()

   def function(self, name, takes, size):
      self.numbers, self.places, self.arrays, self.pairs = ['p'], ['p'], [], []
      self.calls = 3
      if takes:
         self.numbers.append('q')
         self.places.append('q')
      self.emit(f"uint {name}(uint p{', inout uint q' if takes else ''}) {{")
      self.depth += 1
      self.declare()
      self.depth -= 1
      numbers = list(self.numbers), list(self.places), list(self.arrays), list(self.pairs)
      self.block(size)
      self.numbers, self.places, self.arrays, self.pairs = numbers
      self.emit(f'   return {self.number()};')
      self.emit('}')
      self.functions.append((name, takes))

   def text(self):
      for k in range(self.chance.randint(0, 2)):
         self.function(f'f{k}', self.chance.random() < 0.5, self.chance.randint(1, 3))
      self.function('body', False, self.chance.randint(3, 5))
      end = ['void main() {', '   uint i = gl_GlobalInvocationID.x;', '   uint r = body(a[i]);', '   b[i] = r * 31u + global * 7u + fuel;', '}']
      return HEAD.format(seed=self.seed) + '\n'.join(self.lines + end) + '\n'
