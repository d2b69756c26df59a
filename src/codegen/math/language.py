# SPDX-License-Identifier: MIT
"""How functions of numbers are written down, and how they become bytes.

A function is Python that computes with values; running it once records which ops it takes:

   @function('step', 'f:N edge, f:N x')
   def step(fmt, edge, x):
      return select(x < edge, fmt(0.0), fmt(1.0))

Values know their size and whether they are numbers with a point (+, <, ... mean the float ops), so
that Python's own numbers can stand beside them. `fmt` is the format that the recording is for; the
same text serves several, and coefficients are fitted for each. There is a function for each op of
ir/ops.py. What else there is: dot, largest, branch, repeat; what is
marked `shared` is recorded once.

A parameter is `kind:bits name`, as in ir/schema.py; N is the size of the first. Sizes that are asked
for: N stands for all of them in one recording; numbers, one recording for each.

A recording becomes bytes, in the order of what is to be built; src/spirv/math.c reads them:

   op dst src...          an hd_op; one more byte, a size, where the instruction chooses it
   int dst size value     a constant of this size (0: N), LEB128 with sign
   float32 dst value      4 bytes;   float64: 8 bytes;   float: 8 bytes, rounded to N
   dot dst x y            the sum of the products of the components
   largest dst x          the largest of the components
   branch condition count other...       what follows runs where it is true;   join count (dst taken)...
   loop count (dst first)...     while condition     again count next...
   call part dst... src...           code that several functions have (2 bytes: its number)
"""

import struct
from decimal import Decimal

from codegen.ir.ops import OPS
from codegen.ir.schema import TableError

PSEUDO = ('int', 'float32', 'float64', 'float', 'dot', 'largest', 'branch', 'join', 'loop', 'while', 'again',
          'call')
SIZE_TWICE = 254

OPS_BY_NAME = {op.name: op for op in OPS}


class Value:
   """Something that was computed: its kind is f, i or b; bits 0 stand for N."""

   def __init__(self, kind, bits):
      self.kind, self.bits = kind, bits

   def _binary(self, name, other, swap=False):
      if self.kind == 'b' and name not in ('and', 'or', 'xor'):
         raise TableError(f'{name} of a boolean')
      prefix = 'i' if name in ('and', 'or', 'xor', 'shl') or self.kind != 'f' else 'f'
      return emit(prefix + name, (other, self) if swap else (self, other))

   def __add__(self, other):
      return self._binary('add', other)

   def __radd__(self, other):
      return self._binary('add', other)

   def __sub__(self, other):
      return self._binary('sub', other)

   def __rsub__(self, other):
      return self._binary('sub', other, True)

   def __mul__(self, other):
      return self._binary('mul', other)

   def __rmul__(self, other):
      return self._binary('mul', other)

   def __neg__(self):
      return emit('fneg' if self.kind == 'f' else 'ineg', (self,))

   def __abs__(self):
      return emit('fabs' if self.kind == 'f' else 'iabs', (self,))

   def __lt__(self, other):
      return self._binary('lt', other)

   def __le__(self, other):
      return self._binary('le', other)

   def __gt__(self, other):
      return self._binary('lt', other, True)

   def __ge__(self, other):
      return self._binary('le', other, True)

   def equals(self, other):
      return self._binary('eq', other)

   def differs(self, other):
      """Also where one is NaN."""
      return emit('fneu' if self.kind == 'f' else 'ine', (self, other))

   def __and__(self, other):
      return self._binary('and', other)

   def __or__(self, other):
      return self._binary('or', other)

   def __xor__(self, other):
      return self._binary('xor', other)

   def __invert__(self):
      return emit('inot', (self,))

   def __lshift__(self, count):
      return emit('ishl', (self, count))

   def __rshift__(self, count):
      """Zeros come in."""
      return emit('ushr', (self, count))


class Recording:
   def __init__(self):
      self.steps = []  # (name, results, operands, size or constant)
      self.known = [{}]
      self.branchy = False

   def add(self, name, results, operands=(), extra=None):
      self.steps.append((name, results, operands, extra))


current = None


def constant(kind, bits, value):
   result = Value(kind, bits)
   if kind == 'f':
      if isinstance(value, Decimal):
         value = float(value)
      current.add({32: 'float32', 64: 'float64'}.get(bits, 'float'), [result], (), float(value))
   else:
      current.add('int', [result], (), int(value))
   return result


def emit(name, operands, bits=None):
   """One op on values and numbers."""
   op = OPS_BY_NAME[name]
   if len(operands) != len(op.srcs):
      raise TableError(f'{name} has {len(op.srcs)} operands')
   sizes = {}
   for src, operand in zip(op.srcs, operands):
      if isinstance(operand, Value) and src.variable:
         if sizes.setdefault(src.variable, operand.bits) != operand.bits:
            raise TableError(f'{name}: operands of {sizes[src.variable]} and {operand.bits} bits')
   values = []
   for src, operand in zip(op.srcs, operands):
      if not isinstance(operand, Value):
         size = sizes[src.variable] if src.variable else src.sizes[0]
         floating = src.kind == 'f' or (src.kind == 'x' and isinstance(operand, float))
         operand = constant('f' if floating else 'i', size, operand)
      elif not src.variable and operand.bits != src.sizes[0]:
         raise TableError(f'{name}: an operand of {operand.bits} bits')
      values.append(operand)
   key = (name, bits) + tuple(id(v) for v in values)
   for known in reversed(current.known):
      if key in known:
         return known[key]
   kind = {'u': 'i'}.get(op.result.kind, op.result.kind)
   if kind == 'x':
      kind = values[1 if name == 'select' else 0].kind
   if op.sized_by_instruction:
      size = bits
   else:
      size = sizes[op.result.variable] if op.result.variable else op.result.sizes[0]
   result = Value(kind, size)
   current.add(name, [result], tuple(values), bits if op.sized_by_instruction else None)
   current.known[-1][key] = result
   return result


def _op_function(name, sized):
   if sized:
      return lambda *operands, bits: emit(name, operands, bits)
   return lambda *operands: emit(name, operands)


for _op in OPS:
   if not _op.variadic:
      globals()[_op.name] = _op_function(_op.name, _op.sized_by_instruction)


def dot(x, y):
   """The sum of the products of all components."""
   result = Value('f', x.bits)
   current.add('dot', [result], (x, y))
   return result


def largest(x):
   """The largest of all components."""
   result = Value('f', x.bits)
   current.add('largest', [result], (x,))
   return result


def as_int(x):
   """The same bits."""
   return _retyped(x, 'i')


def as_float(x):
   return _retyped(x, 'f')


def _retyped(x, kind):
   result = Value(kind, x.bits)
   current.add('same', [result], (x,))
   return result


def branch(condition, taken, other):
   """taken() where the condition holds, code that other lanes skip; else the values `other`."""
   current.branchy = True
   single = isinstance(other, Value)
   current.add('branch', [], (condition, *([other] if single else other)))
   current.known.append({})
   values = taken()
   current.known.pop()
   values = (values,) if single else values
   results = [Value(v.kind, v.bits) for v in values]
   current.add('join', results, tuple(values))
   return results[0] if single else results


def repeat(first, condition, body):
   """The values `first`, replaced by body(values) as long as condition(values)."""
   current.branchy = True
   values = [Value(v.kind, v.bits) for v in first]
   current.add('loop', values, tuple(first))
   current.known.append({})
   current.add('while', [], (condition(*values),))
   following = body(*values)
   current.known.pop()
   current.add('again', [], tuple(following))
   return values


# ---- parts that functions share -----------------------------------------------------------------

PARTS = {}


class Part:
   """A recording that others call: for these kinds of arguments, and these constants."""

   def __init__(self, text, fmt, arguments):
      global current
      outer, current = current, Recording()
      parameters = [Value(a.kind, a.bits) if isinstance(a, Value) else a for a in arguments]
      results = text(fmt, *parameters)
      self.single = isinstance(results, Value)
      results = [results] if self.single else list(results)
      parameters = [p for p in parameters if isinstance(p, Value)]
      self.branchy, self.num_parameters, self.results = current.branchy, len(parameters), results
      steps = live(forward_same(current.steps, results), results)
      self.code, self.places, _ = encode(text.__name__, parameters, steps, results)
      current = outer


def shared(text):
   """What is called with a format, values and constants."""
   def call(fmt, *arguments):
      shape = tuple((a.kind, a.bits) if isinstance(a, Value) else a for a in arguments)
      key = (text.__name__, fmt.bits, shape)
      if key not in PARTS:
         part = Part(text, fmt, arguments)
         part.number = len(PARTS)
         PARTS[key] = part
      part = PARTS[key]
      values = tuple(a for a in arguments if isinstance(a, Value))
      known_as = ('call', part.number) + tuple(id(v) for v in values)
      for known in current.known:
         if known_as in known:
            return known[known_as]
      made = [Value(v.kind, v.bits) for v in part.results]
      current.branchy |= part.branchy
      current.add('call', made, values, part.number)
      current.known[-1][known_as] = made[0] if part.single else made
      return current.known[-1][known_as]
   return call


# ---- functions ------------------------------------------------------------------------------

FUNCTIONS = {}


class Parameter:
   def __init__(self, text):
      kind, _, rest = text.partition(':')
      bits, _, self.name = rest.partition(' ')
      self.kind = {'u': 'i'}.get(kind, kind)
      self.bits = 0 if bits == 'N' else int(bits)


class Function:
   """name, parameters, sizes as the decorator says; exact: float arithmetic stays as written."""

   def __init__(self, name, parameters, sizes, exact, text):
      self.name, self.sizes, self.exact, self.text = name, sizes, exact, text
      self.parameters = [Parameter(p) for p in parameters.split(', ')]


def function(name, parameters, sizes=(0,), exact=False):
   def add(text):
      if name in FUNCTIONS:
         raise TableError(f'{name}: the function is there twice')
      FUNCTIONS[name] = Function(name, parameters, sizes, exact, text)
      return text
   return add


class Program:
   """A recording for one size: bytes, and what the reader must know before them."""

   def __init__(self, f, size, formats):
      global current
      current = Recording()
      parameters = [Value(p.kind, p.bits or size) for p in f.parameters]
      results = f.text(formats[size], *parameters)
      results = list(results) if isinstance(results, (tuple, list)) else [results]
      self.function, self.size = f, size
      self.branchy = current.branchy
      self.float_parameters = [p.kind == 'f' and not p.bits for p in f.parameters]
      self.float_results = [r.kind == 'f' and r.bits == size for r in results]
      steps = live(forward_same(current.steps, results), results)
      self.num_ops = sum(step[0] in OPS_BY_NAME for step in steps)
      self.code, self.results, self.registers = encode(f.name, parameters, steps, results)
      current = None


def forward_same(steps, results):
   """Retyped values are the values themselves."""
   same, kept = {}, []

   def of(v):
      return same.get(id(v), v)
   for name, made, operands, extra in steps:
      if name == 'same':
         same[id(made[0])] = of(operands[0])
      else:
         kept.append((name, made, tuple(of(v) for v in operands), extra))
   results[:] = [of(v) for v in results]
   return kept


def live(steps, results):
   """Without what nobody uses. Control flow stays, with all that it hands on."""
   wanted, kept = {id(v) for v in results}, []
   for step in reversed(steps):
      name, made, operands, _ = step
      if name in ('branch', 'while', 'again', 'loop', 'join') or any(id(v) in wanted for v in made):
         wanted.update(id(v) for v in operands)
         kept.append(step)
   return kept[::-1]


def encode(name, parameters, steps, results):
   """Bytes, the registers of the results, and how many registers there are."""
   last = {id(v): len(steps) for v in results}
   for at in range(len(steps) - 1, -1, -1):
      for v in steps[at][2]:
         last.setdefault(id(v), at)
   register = {id(v): n for n, v in enumerate(parameters)}
   free, top, code = [], len(parameters), bytearray()
   numbers = {op.name: n for n, op in enumerate(OPS, 1)}
   for at, (step, made, operands, extra) in enumerate(steps):
      sources = [register[id(v)] for v in operands]
      for v in {id(v): v for v in operands}.values():
         # A parameter stays: it may be asked for by number.
         if last[id(v)] == at and id(v) in register and register[id(v)] >= len(parameters):
            free.append(register[id(v)])
      places = []
      for v in made:
         if free:
            place = free.pop()
         else:
            place, top = top, top + 1
         register[id(v)] = place
         places.append(place)
      for v in made:
         if id(v) not in last:
            free.append(register[id(v)])
      code += step_bytes(step, places, sources, extra, numbers, made)
   if top > 256:
      raise TableError(f'{name}: {top} values are needed at once')
   return bytes(code), [register[id(v)] for v in results], top


def step_bytes(step, places, sources, extra, numbers, made):
   if step in numbers:
      size = [] if extra is None else [extra]
      return bytes([numbers[step], *places, *sources, *size])
   head = [255 - PSEUDO.index(step)]
   if step == 'int':
      return bytes([*head, *places, made[0].bits]) + leb128(extra)
   if step == 'float32':
      return bytes([*head, *places]) + struct.pack('<f', extra)
   if step in ('float64', 'float'):
      return bytes([*head, *places]) + struct.pack('<d', extra)
   if step == 'branch':
      return bytes([*head, sources[0], len(sources) - 1, *sources[1:]])
   if step in ('join', 'loop'):
      return bytes([*head, len(places)] + [n for p, s in zip(places, sources) for n in (p, s)])
   if step == 'again':
      return bytes([*head, len(sources), *sources])
   if step == 'call':
      return bytes([*head, extra & 0xff, extra >> 8, *places, *sources])
   return bytes([*head, *places, *sources])


def leb128(value):
   if value >= 1 << 63:
      value -= 1 << 64
   out = bytearray()
   while True:
      byte, value = value & 0x7f, value >> 7
      if (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40):
         out.append(byte)
         return bytes(out)
      out.append(byte | 0x80)
