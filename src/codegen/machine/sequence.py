# SPDX-License-Identifier: MIT
"""The language of machine/sequences*.py: functions on values, which are run once and leave steps.

    sequence('iabs', '32', lambda a: pick(lt(a, 0), -a, a))

A row says for an op, in these sizes (`32`, or `32>1` where the result has another one), what computes it. The function
takes the operands of the IR op, and gives the result, or a list of them: the parts of a vector, or of 64 bits, the low
half first.

    a           the first part of an operand; a[n]: the others
    17 0x7f     a constant of 32 bits, also as a float
    + - * & | ^ << ~   of 32 bits; >> shifts in zeros, ashr the sign; mulh: the high half of the product
    & | ^ ~     of booleans (what compares give, and operands of 1 bit): logic of masks
    lt ltu ltf  compares of signed, unsigned and floating-point numbers
    pick        pick(condition, a, b): a where it is true
    row('fdiv') what the machine's row of an op computes of its operands: the row's steps are in the table once

A row of an intrinsic (`intrinsic('ballot_bit_count', ...)`) gives what selection asks it for: the result, or lanes to read
from. start('GROUP_X') is a register that the thread begins with.

Steps are those of machine/sequence.h; each machine says what does one.

Each call is a step, in the order in which Python evaluates, which is defined. What was computed before is not computed
again, constants are folded, and steps that no result reads are left out.
"""
import struct
from dataclasses import dataclass

from codegen.ir.intrinsics import INTRINSICS
from codegen.ir.ops import OPS
from codegen.ir.schema import require

MASK = 0xffffffff
MAX_PARTS = 4
STEPS = ('add_i', 'sub_i', 'mull_i', 'mulh_u', 'mulh_i', 'and', 'or', 'xor', 'shl', 'shr', 'ashr',
         'cmpeq_i', 'cmpne_i', 'cmplt_i', 'cmpgt_i', 'cmple_i', 'cmpge_i', 'cmplt_u', 'cmpgt_u', 'cmple_u', 'cmpge_u',
         'cmpeq_f', 'cmpne_f', 'cmplt_f', 'cmpgt_f', 'cmple_f', 'cmpge_f', 'add_f', 'sub_f', 'mul_f',
         'clz', 'ctz', 'ftoi', 'itof', 'sext_8', 'sext_16', 'reciprocal', 'fma_f', 'rsqrt',
         'floor', 'ceil', 'rint', 'f2i', 'f2u', 'h2f', 'f2h', 'div_u',
         'choose', 'not', 'logic_and', 'logic_or', 'logic_xor')
# Those that a machine has only if its selection.py says so. Of several rows of one op and sizes the last one counts whose
# steps it has.
OPTIONAL_STEPS = {'fma_f', 'rsqrt', 'floor', 'ceil', 'rint', 'f2i', 'f2u', 'h2f', 'f2h', 'div_u'}
# The row that computes such a step where the machine has none, if it has no other row for the op and sizes.
STEP_ROWS = {'floor': ('ffloor', 32, 32), 'ceil': ('fceil', 32, 32), 'rint': ('frint', 32, 32), 'f2i': ('f2i', 32, 32),
             'f2u': ('f2u', 32, 32), 'h2f': ('f2f', 16, 32), 'f2h': ('f2f', 32, 16)}

ROWS = []
BY_NAME = {op.name: op for op in OPS}
INTRINSIC_NAMES = {i.name: i for i in INTRINSICS}


class Value:
   """A constant, a part of an operand, or what a step gives: `number` says which."""

   def __init__(self, kind, number, boolean=False):
      self.kind, self.number, self.boolean = kind, number, boolean

   @property
   def key(self):
      return self.kind, self.number

   def __getitem__(self, n):
      require(self.kind == 'input' and n < 16, 'sequence', 'only operands have parts')
      return Value('input', self.number + n, self.boolean)

   def __add__(self, other): return add(self, other)
   def __radd__(self, other): return add(other, self)
   def __sub__(self, other): return sub(self, other)
   def __rsub__(self, other): return sub(other, self)
   def __mul__(self, other): return mul(self, other)
   def __lshift__(self, other): return shl(self, other)
   def __rlshift__(self, other): return shl(other, self)
   def __rshift__(self, other): return shr(self, other)
   def __and__(self, other): return bitwise('and', self, other)
   def __or__(self, other): return bitwise('or', self, other)
   def __xor__(self, other): return bitwise('xor', self, other)
   def __rand__(self, other): return bitwise('and', other, self)
   def __ror__(self, other): return bitwise('or', other, self)
   def __rxor__(self, other): return bitwise('xor', other, self)
   def __neg__(self): return sub(0, self)
   def __invert__(self): return step('not', self, boolean=True) if self.boolean else self ^ -1


class Trace:
   """The steps of one row so far: (op, operands); the same one is not made twice."""
   current = None

   def __init__(self):
      self.steps, self.known = [], {}


def value(x):
   return x if isinstance(x, Value) else Value('const', x & MASK)


def signed(x):
   return x - (1 << 32) if x >> 31 else x


# Of constants; what floats compute is left to the machine, but for integers that are floats.
FOLD = {
   'add_i': lambda a, b: a + b, 'sub_i': lambda a, b: a - b, 'mull_i': lambda a, b: a * b,
   'mulh_u': lambda a, b: a * b >> 32, 'and': lambda a, b: a & b, 'or': lambda a, b: a | b,
   'xor': lambda a, b: a ^ b, 'shl': lambda a, b: a << (b & 31), 'shr': lambda a, b: a >> (b & 31),
   'ashr': lambda a, b: signed(a) >> (b & 31), 'clz': lambda a: 32 - a.bit_length(),
}
RELATIONS = {'eq': lambda a, b: a == b, 'ne': lambda a, b: a != b, 'lt': lambda a, b: a < b,
             'le': lambda a, b: a <= b, 'gt': lambda a, b: a > b, 'ge': lambda a, b: a >= b}
# With 0 as the second operand these give the first.
KEEPS = {'add_i', 'sub_i', 'or', 'xor', 'shl', 'shr', 'ashr'}


def folded(op, args):
   """The value of an op on these values, where it needs no step."""
   constants = [a.number for a in args if a.kind == 'const']
   if op == 'choose':
      condition, a, b = args
      if condition.kind == 'const':
         return a if condition.number else b
      return a if a.key == b.key else None
   if op in ('logic_or', 'logic_and') and constants:
      # True decides an or and keeps an and, false the other way round.
      constant, other = args if args[0].kind == 'const' else args[::-1]
      return constant if bool(constant.number) == (op == 'logic_or') else other
   if op in KEEPS and args[1].key == ('const', 0):
      return args[0]
   if len(constants) != len(args):
      return None
   if op in FOLD:
      return value(FOLD[op](*constants))
   if op == 'itof' and abs(signed(constants[0])) < 1 << 24:
      return value(struct.unpack('<I', struct.pack('<f', signed(constants[0])))[0])
   name, _, kind = op.partition('_')
   if name.startswith('cmp') and kind in 'iu':
      numbers = [signed(c) for c in constants] if kind == 'i' else constants
      return Value('const', MASK if RELATIONS[name[3:]](*numbers) else 0, True)
   return None


def step(op, *args, boolean=False):
   args = [value(a) for a in args]
   known = folded(op, args)
   if known:
      return known
   trace = Trace.current
   key = op, *(a.key for a in args)
   if key not in trace.known:
      trace.known[key] = Value('step', len(trace.steps), boolean)
      trace.steps.append((op, args))
   return trace.known[key]


def bitwise(op, a, b):
   a, b = value(a), value(b)
   require(a.boolean == b.boolean, op, 'a boolean and a number')
   return step(f'logic_{op}', a, b, boolean=True) if a.boolean else step(op, a, b)


def numbers(op, count):
   def call(*args):
      require(len(args) == count and not any(value(a).boolean for a in args), op, 'operands')
      return step(op, *args, boolean=op.startswith('cmp'))
   return call


def pick(condition, a, b):
   require(value(condition).boolean and not value(a).boolean and not value(b).boolean, 'pick', 'operands')
   return step('choose', condition, a, b)


add, sub, mul, mulh = (numbers(op, 2) for op in ('add_i', 'sub_i', 'mull_i', 'mulh_u'))
mulhs, shl, shr, ashr = (numbers(op, 2) for op in ('mulh_i', 'shl', 'shr', 'ashr'))
eq, ne, lt, gt, le, ge = (numbers(f'cmp{r}_i', 2) for r in ('eq', 'ne', 'lt', 'gt', 'le', 'ge'))
ltu, gtu, leu, geu = (numbers(f'cmp{r}_u', 2) for r in ('lt', 'gt', 'le', 'ge'))
eqf, nef, ltf, gtf, lef, gef = (numbers(f'cmp{r}_f', 2) for r in ('eq', 'ne', 'lt', 'gt', 'le', 'ge'))
addf, subf, mulf = (numbers(op, 2) for op in ('add_f', 'sub_f', 'mul_f'))
clz, ctz, ftoi, itof = (numbers(op, 1) for op in ('clz', 'ctz', 'ftoi', 'itof'))
sext8, sext16, estimate, rsqrt = (numbers(op, 1) for op in ('sext_8', 'sext_16', 'reciprocal', 'rsqrt'))
floor, ceil, rint, f2i, f2u = (numbers(op, 1) for op in ('floor', 'ceil', 'rint', 'f2i', 'f2u'))
divu = numbers('div_u', 2)
h2f, f2h = (numbers(op, 1) for op in ('h2f', 'f2h'))
fma = numbers('fma_f', 3)


def row(name, sizes='32'):
   """A step that is the machine's row of an op in these sizes."""
   op, (from_size, to_size) = f'{name} {sizes}', sizes_of(sizes)
   STEP_ROWS[op] = name, from_size, to_size
   return lambda *args: step(op, *args, boolean=to_size == 1)


@dataclass
class Row:
   op: str
   from_size: int
   to_size: int
   steps: list       # (op, operands)
   results: list
   needs: str        # a feature of the machine, or none

   @property
   def key(self):
      return self.op, self.from_size, self.to_size


def needed(steps, results):
   """The steps that results read, with numbers that count only these."""
   live, pending = set(), [r.number for r in results if r.kind == 'step']
   while pending:
      n = pending.pop()
      if n not in live:
         live.add(n)
         pending += [a.number for a in steps[n][1] if a.kind == 'step']
   number = {n: k for k, n in enumerate(sorted(live))}

   def renumbered(v):
      return Value('step', number[v.number], v.boolean) if v.kind == 'step' else v
   return [(steps[n][0], [renumbered(a) for a in steps[n][1]]) for n in sorted(live)], \
      [renumbered(r) for r in results]


def traced(name, function, inputs):
   """The steps and results of a function on these values."""
   Trace.current = Trace()
   results = function(*inputs)
   results = [value(r) for r in (results if isinstance(results, (list, tuple)) else [results])]
   require(len(results) <= MAX_PARTS, name, 'too many results')
   return Trace.current.steps, results


def sizes_of(text):
   from_size, _, to_size = text.partition('>')
   return int(from_size), int(to_size or from_size)


def sequence(ops, sizes, function, needs=''):
   """One row for each of these ops and sizes, both separated by blanks; for machines that have what it needs."""
   for name in ops.split():
      require(name in BY_NAME, name, 'no such op')
      for size in sizes.split():
         from_size, to_size = sizes_of(size)
         inputs = [Value('input', 16 * n, from_size == 1) for n in range(len(BY_NAME[name].srcs))]
         steps, results = traced(name, function, inputs)
         require(all(r.boolean == (to_size == 1) for r in results), name, 'a boolean is no number')
         ROWS.append(Row(name, from_size, to_size, *needed(steps, results), needs))


def start(name):
   return Value('start', name)


def intrinsic(names, function):
   """One row for each of these intrinsics."""
   for name in names.split():
      require(name in INTRINSIC_NAMES, name, 'no such intrinsic')
      inputs = [Value('input', 16 * n) for n in range(len(INTRINSIC_NAMES[name].srcs))]
      ROWS.append(Row(name, 0, 0, *needed(*traced(name, function, inputs)), ''))
