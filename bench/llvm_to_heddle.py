#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""LLVM IR text to Heddle text.

    llvm_to_heddle.py [--workgroup X,Y,Z] [--data FILE] FILE.ll

Functions become flat ones, the kernel first and what it calls after it. What nobody can tell from the
result: names, poison flags (freeze is a copy, of poison a zero), metadata, attributes. Float arithmetic
without fast-math flags is `exact`.

    global, constant and generic pointers   64 bits, load_global and store_global
    LDS and scratch pointers                32 bits, load_shared ..., load_scratch ...
    allocas                                 local variables where that is possible (llvm_variables.py), else scratch
    constants in memory                     bytes at DATA_ADDRESS; --data leaves them in a file
    constant parts of addresses             the `offset` of an access
    noalias parameters                      `restrict`, and `readonly` where nothing is written through them
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import llvm_calls  # noqa: E402
import llvm_ir  # noqa: E402
from llvm_ir import Unsupported, size_of  # noqa: E402
from llvm_memory import SPACES, Memory, Roots, initial  # noqa: E402
from llvm_variables import Pointers, integer, is_copy, is_dropped, is_fill, is_odd, shape, size_text  # noqa: E402

DATA_ADDRESS = 0x70000000

INTEGER = {'add': 'iadd', 'sub': 'isub', 'mul': 'imul', 'udiv': 'udiv', 'sdiv': 'idiv', 'urem': 'urem',
           'srem': 'irem', 'and': 'iand', 'or': 'ior', 'xor': 'ixor', 'shl': 'ishl', 'lshr': 'ushr', 'ashr': 'ishr'}
FLOAT = {'fadd': 'fadd', 'fsub': 'fsub', 'fmul': 'fmul', 'fdiv': 'fdiv'}
ICMP = {'eq': ('ieq', 0), 'ne': ('ine', 0), 'slt': ('ilt', 0), 'sgt': ('ilt', 1), 'sle': ('ile', 0),
        'sge': ('ile', 1), 'ult': ('ult', 0), 'ugt': ('ult', 1), 'ule': ('ule', 0), 'uge': ('ule', 1)}
FCMP = {'oeq': ('feq', 0), 'one': ('fne', 0), 'olt': ('flt', 0), 'ogt': ('flt', 1), 'ole': ('fle', 0),
        'oge': ('fle', 1), 'ord': ('ford', 0), 'uno': ('funord', 0), 'ueq': ('fequ', 0), 'une': ('fneu', 0),
        'ult': ('fltu', 0), 'ugt': ('fltu', 1), 'ule': ('fleu', 0), 'uge': ('fleu', 1)}


class Program:
   """A module on its way: where its globals lie."""

   def __init__(self, module, kernel=None):
      self.module = module
      kernels = [f for f in module.functions.values() if f.kernel]
      if not kernels:
         kernels = [f for f in module.functions.values() if f.name in (kernel, 'main')]
      kernels = [f for f in kernels if kernel in (None, f.name)]
      if len(kernels) != 1:
         raise Unsupported(f'{len(kernels)} kernels, expected one')
      self.kernel = kernels[0]
      self.addresses, self.data = {}, bytearray()
      self.shared = self.scratch = 0

   def address(self, name):
      """Where a global lies, in its address space."""
      if name not in self.addresses:
         g = self.module.globals.get(name)
         if not g:
            raise Unsupported(f'no such global: @{name}')
         align = max(llvm_ir.align_of(g.type), 4)
         if g.space == 3:
            self.shared = -(-self.shared // align) * align
            self.addresses[name] = self.shared
            self.shared += size_of(g.type)
         else:
            self.data.extend(bytes(-len(self.data) % align))
            self.addresses[name] = DATA_ADDRESS + len(self.data)
            self.data.extend(initial(g.type, g.value))
      return self.addresses[name]

   def scratch_address(self, type_):
      align = max(llvm_ir.align_of(type_), 4)
      self.scratch = -(-self.scratch // align) * align
      self.scratch += size_of(type_)
      return self.scratch - size_of(type_)

   def text(self, workgroup=(0, 0, 0)):
      written, waiting, texts = set(), [self.kernel.name], []
      while waiting:
         name = waiting.pop(0)
         if name in written:
            continue
         written.add(name)
         if name not in self.module.functions:
            raise Unsupported(f'no such function: @{name}')
         writer = FunctionWriter(self, self.module.functions[name])
         texts.append(writer.text())
         waiting.extend(writer.called)
      head = [f'shader kernel "{self.kernel.name}" {{\n']
      if any(workgroup):
         head.append('workgroup {} {} {}\n'.format(*workgroup))
      if self.shared:
         head.append(f'shared {self.shared}\n')
      if self.scratch:
         head.append(f'scratch {self.scratch}\n')
      return ''.join(head + texts) + '}\n'


class FunctionWriter(Memory):
   def __init__(self, program, function):
      self.program, self.function = program, function
      self.pointers = Pointers(function)
      self.roots = Roots(function, self.pointers)
      self.numbers, self.next = {}, 0
      self.constants, self.vars = {}, []
      self.aliases = {}     # name -> the operand that it is a copy of
      self.geps = {}        # name -> its instruction, where it is a pointer into memory
      self.bases = {}       # name -> (text of the part that varies or None, known offset)
      self.pairs = {}       # name -> the texts of a pair's members
      self.frames = {}      # alloca -> its scratch address
      self.called, self.out = [], []
      self.label_of, self.ends = {}, {}
      self.loops = 0

   # --- values ---------------------------------------------------------------------------------

   def line(self, text):
      self.out.append(text + '\n')

   def new(self):
      self.next += 1
      return f'%{self.next - 1}'

   def number(self, name):
      if name not in self.numbers:
         self.numbers[name] = self.new()
      return self.numbers[name]

   def emit(self, shape_, text, into=None):
      name = into or self.new()
      self.line(f'{name}:{size_text(shape_)} = {text}')
      return name

   def constant(self, shape_, number):
      """The same number in all components, or a tuple of numbers."""
      bits, count = shape_
      numbers = number if isinstance(number, tuple) else (number,) * count
      key = (bits, tuple(n & ((1 << bits) - 1) for n in numbers))
      if key not in self.constants:
         self.constants[key] = self.new()
      return self.constants[key]

   def undef(self, shape_):
      key = (shape_, None)
      if key not in self.constants:
         self.constants[key] = self.new()
      return self.constants[key]

   def resolve(self, value):
      while value[0] == 'local' and value[1] in self.aliases:
         value = self.aliases[value[1]]
      return value

   def ref(self, operand):
      type_, value = operand
      value = self.resolve(value)
      if type_[0] == 'ptr' and value[0] not in ('undef', 'zero'):
         return self.pointer(type_, value)
      if value[0] == 'local':
         if value[1] in self.pairs:
            raise Unsupported(f'a pair as an operand: %{value[1]}')
         return self.number(value[1])
      shape_ = shape(type_)
      if value[0] == 'undef':
         return self.undef(shape_)
      if value[0] == 'zero':
         return self.constant(shape_, 0)
      if value[0] in ('int', 'float'):
         width = type_[2][1] if type_[0] == 'vec' else type_[1]
         return self.constant(shape_, value[1] & ((1 << width) - 1))
      if value[0] == 'agg':
         # An undefined component may be any number.
         return self.constant(shape_, tuple(part[1] if part[0] in ('int', 'float') else 0 for _, part in value[1]))
      if value[0] == 'cast':
         return self.cast_constant(type_, value)
      raise Unsupported(f'an operand that is a {value[0]}')

   def cast_constant(self, type_, value):
      _, op, _, (from_type, from_value) = value
      if op in ('ptrtoint', 'inttoptr', 'addrspacecast', 'bitcast') and shape(from_type) == shape(type_):
         return self.ref((from_type, from_value))
      raise Unsupported(f'an operand that is a {op}')

   def channel(self, vector, bits, n):
      return self.emit((bits, 1), f'channel {vector}, {self.constant((32, 1), n)}')

   def resize(self, text, have, want, count, op='u2u'):
      return text if have == want else self.emit((want, count), f'{op} {text}')

   def whole(self, type_):
      if is_odd(type_):
         raise Unsupported(f'an operation on integers of {type_[-1]} bits')

   def count(self, operand):
      """The number of bits to shift by."""
      bits, n = shape(operand[0])
      known = integer(operand[1])
      if known is not None:
         return self.constant((32, n), known)
      return self.resize(self.ref(operand), bits, 32, n)

   def float_flags(self, i):
      if 'fast' in i.flags:
         return '.nnan.ninf.nsz'
      flags = ''.join(f'.{f}' for f in ('nnan', 'ninf', 'nsz') if f in i.flags)
      return flags if i.flags & {'reassoc', 'contract', 'afn', 'arcp'} else '.exact' + flags

   # --- instructions ---------------------------------------------------------------------------

   def binary(self, i):
      type_, into = i.type, self.number(i.name)
      shape_ = shape(type_)
      if i.op in FLOAT:
         return self.emit(shape_, f'{FLOAT[i.op]}{self.float_flags(i)} {self.ref(i.args[0])}, {self.ref(i.args[1])}', into)
      if i.op not in INTEGER:
         raise Unsupported(f'cannot read: {i.line}')
      op = INTEGER[i.op]
      if is_odd(type_) and i.op in ('sdiv', 'srem', 'ashr'):
         a = self.signed(i.args[0])
         b = self.count(i.args[1]) if i.op == 'ashr' else self.signed(i.args[1])
         return self.narrow(self.emit(shape_, f'{op} {a}, {b}'), type_, into)
      a = self.ref(i.args[0])
      b = self.count(i.args[1]) if i.op in ('shl', 'lshr', 'ashr') else self.ref(i.args[1])
      if shape_[0] == 1:
         # Of booleans: sums and differences are ixor, products iand.
         op = {'iadd': 'ixor', 'isub': 'ixor', 'imul': 'iand'}.get(op, op)
      if is_odd(type_) and i.op in ('add', 'sub', 'mul', 'shl'):
         return self.narrow(self.emit(shape_, f'{op} {a}, {b}'), type_, into)
      return self.emit(shape_, f'{op} {a}, {b}', into)

   def width(self, type_):
      return type_[2][1] if type_[0] == 'vec' else type_[1]

   def narrow(self, text, type_, into):
      """Bits above an odd size are zeros."""
      mask = (1 << self.width(type_)) - 1
      return self.emit(shape(type_), f'iand {text}, {self.constant(shape(type_), mask)}', into)

   def signed(self, operand):
      """An operand with its sign in all bits above it."""
      text, type_ = self.ref(operand), operand[0]
      if not is_odd(type_):
         return text
      bits, n = shape(type_)
      by = self.constant((32, n), bits - self.width(type_))
      return self.emit((bits, n), f'ishr {self.emit((bits, n), f"ishl {text}, {by}")}, {by}')

   def compare(self, i):
      into, shape_ = self.number(i.name), shape(i.type)
      op, swap = (ICMP if i.op == 'icmp' else FCMP)[i.more]
      type_ = i.args[0][0]
      if i.op == 'icmp' and i.more[0] == 's' and is_odd(type_):
         a, b = self.signed(i.args[0]), self.signed(i.args[1])
      else:
         a, b = self.ref(i.args[0]), self.ref(i.args[1])
      if shape(type_)[0] == 1 and op not in ('ieq', 'ine'):
         raise Unsupported(f'cannot read: {i.line}')
      return self.emit(shape_, f'{op} {b}, {a}' if swap else f'{op} {a}, {b}', into)

   def cast(self, i):
      from_type, to = i.args[0][0], i.type
      (have, n), (want, _) = shape(from_type), shape(to)
      into = self.number(i.name)
      op = i.op
      if op in ('fpext', 'fptrunc'):
         return self.emit((want, n), f'f2f {self.ref(i.args[0])}', into)
      if op in ('uitofp', 'sitofp', 'fptoui', 'fptosi'):
         self.whole(from_type if op.endswith('fp') else to)
         name = {'uitofp': 'u2f', 'sitofp': 'i2f', 'fptoui': 'f2u', 'fptosi': 'f2i'}[op]
         if have == 1:
            text = self.emit((want, n), f'b2f {self.ref(i.args[0])}', into if op == 'uitofp' else None)
            return text if op == 'uitofp' else self.emit((want, n), f'fneg {text}', into)
         return self.emit((want, n), f'{name} {self.ref(i.args[0])}', into)
      if op in ('zext', 'sext') and have == 1:
         if op == 'zext':
            return self.emit((want, n), f'b2i {self.ref(i.args[0])}', into)
         ones, zero = self.constant((want, n), -1), self.constant((want, n), 0)
         return self.emit((want, n), f'select {self.ref(i.args[0])}, {ones}, {zero}', into)
      if op == 'trunc' and want == 1:
         low = self.emit((have, n), f'iand {self.ref(i.args[0])}, {self.constant((have, n), 1)}')
         return self.emit((1, n), f'ine {low}, {self.constant((have, n), 0)}', into)
      if op in ('trunc', 'zext', 'ptrtoint', 'inttoptr', 'sext'):
         text = self.signed(i.args[0]) if op == 'sext' else self.ref(i.args[0])
         odd = is_odd(to) and op in ('trunc', 'sext')
         if have != want:
            text = self.emit((want, n), f'{"i2i" if op == "sext" else "u2u"} {text}', None if odd else into)
         elif not odd:
            raise AssertionError('a copy that should be an alias')
         return self.narrow(text, to, into) if odd else text
      return self.bitcast(i, into)

   def bitcast(self, i, into):
      (have, n), (want, m) = shape(i.args[0][0]), shape(i.type)
      text = self.ref(i.args[0])
      if have * n != want * m or is_odd(i.type):
         raise Unsupported(f'cannot read: {i.line}')
      for whole in (64, 32):
         if have * n == whole and n > 1 and m == 1 or m > 1 and n == 1 and whole == have:
            if n > 1:
               return self.emit((whole, 1), f'pack_{whole}_{n}x{have} {text}', into)
            return self.emit((want, m), f'unpack_{whole}_{m}x{want} {text}', into)
         if have * n == whole:
            text = self.emit((whole, 1), f'pack_{whole}_{n}x{have} {text}')
            return self.emit((want, m), f'unpack_{whole}_{m}x{want} {text}', into)
      raise Unsupported(f'cannot read: {i.line}')

   def is_alias(self, i):
      """Whether an instruction is a copy of its operand."""
      if i.op == 'freeze':
         return True
      if i.op in ('bitcast', 'addrspacecast', 'ptrtoint', 'inttoptr', 'zext'):
         if i.op == 'addrspacecast' and {SPACES.get(i.type[1]), SPACES.get(i.args[0][0][1])} != {'global'}:
            raise Unsupported(f'cannot read: {i.line}')
         return shape(i.args[0][0]) == shape(i.type)
      return False

   def select(self, i):
      shape_ = shape(i.type)
      condition = self.ref(i.args[0])
      if shape_[1] > 1 and i.args[0][0][0] != 'vec':
         condition = self.emit((1, shape_[1]), 'vec ' + ', '.join([condition] * shape_[1]))
      return self.emit(shape_, f'select {condition}, {self.ref(i.args[1])}, {self.ref(i.args[2])}', self.number(i.name))

   def phi(self, i):
      shape_ = shape(i.type)
      sources = {}
      for value, name in i.more:
         value = self.resolve(value)
         sources[name] = self.ref((i.type, value))
      self.emit(shape_, 'phi ' + ', '.join(f'{self.label(n)}: {t}' for n, t in sources.items()), self.number(i.name))

   def vector(self, i):
      """extractelement, insertelement, shufflevector."""
      into = self.number(i.name)
      if i.op == 'shufflevector':
         (bits, n), mask = shape(i.args[0][0]), i.args[2][1]
         indices = [0] * shape(i.type)[1] if mask[0] == 'zero' else [integer(v) for _, v in mask[1]]
         parts = []
         for k in indices:
            if k is None or i.args[k // n][1][0] == 'undef':
               parts.append(self.undef((bits, 1)))
            else:
               parts.append(self.channel(self.ref(i.args[k // n]), bits, k % n))
         return self.emit((bits, len(parts)), 'vec ' + ', '.join(parts), into)
      at = i.args[-1]
      index = self.resize(self.ref(at), shape(at[0])[0], 32, 1)
      if integer(at[1]) is not None:
         index = self.constant((32, 1), integer(at[1]))
      op = 'channel' if i.op == 'extractelement' else 'insert_channel'
      return self.emit(shape(i.type), f'{op} ' + ', '.join([*map(self.ref, i.args[:-1]), index]), into)

   def call(self, i):
      if is_dropped(i):
         return None
      if is_copy(i) or is_fill(i):
         return self.block(i)
      if not i.more.startswith('llvm.'):
         self.called.append(i.more)
         text = f'call @{i.more}(' + ', '.join(map(self.ref, i.args)) + ')'
         if i.type == ('void',):
            return self.line(text)
         return self.emit(shape(i.type), text, self.number(i.name))
      mark = len(self.out)
      result = llvm_calls.call(self, i)
      if result is None or i.name is None or i.name in self.pairs:
         return None
      if i.name not in self.numbers:
         self.numbers[i.name] = result
      elif len(self.out) > mark and self.out[-1].startswith(result + ':'):
         # Something before it in the text knows its number.
         self.out[-1] = self.numbers[i.name] + self.out[-1][len(result):]
      else:
         raise Unsupported(f'cannot read: {i.line}')
      return None

   def write(self, i):
      op = i.op
      if op == 'alloca' or i.name in self.aliases or op == 'store' and self.pointers.is_slot(i):
         return
      if op == 'getelementptr':
         self.write_gep(i)
      elif op in INTEGER or op in FLOAT or op == 'frem':
         self.binary(i)
      elif op in llvm_ir.CASTS:
         self.cast(i)
      elif op == 'fneg':
         self.emit(shape(i.type), f'fneg {self.ref(i.args[0])}', self.number(i.name))
      elif op in ('icmp', 'fcmp'):
         self.compare(i)
      elif op in ('load', 'store', 'select', 'phi', 'call'):
         getattr(self, op)(i)
      elif op in ('extractelement', 'insertelement', 'shufflevector'):
         self.vector(i)
      elif op == 'extractvalue':
         if i.args[0][1][0] != 'local' or i.args[0][1][1] not in self.pairs or i.name in self.numbers:
            raise Unsupported(f'cannot read: {i.line}')
         self.numbers[i.name] = self.pairs[i.args[0][1][1]][i.more]
      elif op == 'fence':
         if i.more not in ('singlethread', 'wavefront'):
            self.line('barrier exec_scope=none mem_scope=workgroup semantics=acquire|release memory=global|shared')
      elif op in ('atomicrmw', 'cmpxchg'):
         getattr(self, f'write_{op}')(i)
      else:
         raise Unsupported(f'cannot read: {i.line}')

   def end(self, block):
      i = block.instrs[-1]
      if i.op == 'ret':
         self.line('return' + (f' {self.ref(i.args[0])}' if i.args else ''))
      elif i.op == 'unreachable':
         result = self.function.result
         self.line('return' + (f' {self.undef(shape(result))}' if result != ('void',) else ''))
      elif i.op == 'br' and len(set(i.more['targets'])) == 1:
         self.line(f'goto {self.label(i.more["targets"][0])}')
      elif i.op == 'br':
         then, other = i.more['targets']
         self.line(f'goto_if {self.ref(i.args[0])}, {self.label(then)}, {self.label(other)}')
      elif i.op == 'switch':
         default = i.more['targets'][0]
         mask = (1 << shape(i.args[0][0])[0]) - 1
         cases = [f'{v & mask}: {self.label(t)}' for v, t in i.more['cases'] if t != default]
         if cases:
            self.line(f'switch {self.ref(i.args[0])}, {self.label(default)} [ {", ".join(cases)} ]')
         else:
            self.line(f'goto {self.label(default)}')
      else:
         raise Unsupported(f'cannot read: {i.line}')

   # --- the function ---------------------------------------------------------------------------

   def label(self, name):
      return self.label_of.setdefault(name, f'b{len(self.label_of) + 1}')

   def prepare(self, blocks):
      """What must be known of an instruction before something that stands above it."""
      self.whole_uses = set()
      for b in blocks:
         for i in b.instrs:
            if i.op == 'getelementptr':
               made = self.pointers.made.get(i.name)
               if not made or self.pointers.parts[made[0]] is None:
                  self.geps[i.name] = i
            elif i.op == 'load' and i.name in self.pointers.loaded:
               self.aliases[i.name] = self.pointers.loaded[i.name]
            elif i.op == 'fcmp' and i.more in ('true', 'false'):
               self.aliases[i.name] = ('int', int(i.more == 'true'))
            elif i.op in llvm_ir.CASTS or i.op == 'freeze':
               if self.is_alias(i):
                  self.aliases[i.name] = ('zero',) if i.op == 'freeze' and i.args[0][1][0] == 'undef' else i.args[0][1]
      for b in blocks:
         for i in b.instrs:
            values = [v for v, _ in i.more] if i.op == 'phi' else [v for _, v in i.args]
            if i.op in ('load', 'getelementptr', 'atomicrmw', 'cmpxchg'):
               values = values[1:]
            elif i.op == 'store':
               values = values[:1]
            self.whole_uses.update(v[1] for v in map(self.resolve, values) if v[0] == 'local')

   def reachable(self):
      blocks = {b.name: b for b in self.function.blocks}
      seen, waiting = {self.function.blocks[0].name}, [self.function.blocks[0].name]
      while waiting:
         for name in blocks[waiting.pop()].targets():
            if name not in seen:
               seen.add(name)
               waiting.append(name)
      return [b for b in self.function.blocks if b.name in seen]

   def text(self):
      f = self.function
      params = ', '.join(f'{self.number(name)}:{size_text(shape(type_))}' for type_, name, _ in f.params)
      result = '' if f.result == ('void',) else f' -> {size_text(shape(f.result))}'
      blocks = self.reachable()
      names = {b.name for b in blocks}
      self.prepare(blocks)
      for n, b in enumerate(blocks):
         self.line(f'{self.label(b.name)}:')
         for i in b.instrs[:-1]:
            if i.op == 'phi':
               i.more = [(v, source) for v, source in i.more if source in names]
            self.write(i)
         self.end(b)
      head = [f'flat function @{f.name}({params}){result} {{\n', *self.vars, 'b0:\n']
      for (bits, numbers), name in self.constants.items():
         if numbers is None:
            head.append(f'{name}:{size_text(bits)} = undef\n')
         elif len(numbers) == 1:
            head.append(f'{name}:{bits} = const {constant_text(bits, numbers[0])}\n')
         else:
            text = ', '.join(constant_text(bits, n) for n in numbers)
            head.append(f'{name}:{bits}x{len(numbers)} = const ({text})\n')
      head.append(f'goto {self.label(blocks[0].name)}\n')
      return ''.join(head + self.out) + '}\n'


def constant_text(bits, number):
   return ('false', 'true')[number] if bits == 1 else hex(number) if number > 9999 else str(number)


def convert(text, workgroup=(0, 0, 0), kernel=None):
   """(Heddle text, bytes at DATA_ADDRESS) of a module."""
   program = Program(llvm_ir.read(text), kernel)
   made = program.text(workgroup)
   return made, bytes(program.data)


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--workgroup', default='0,0,0')
   parser.add_argument('--data', help='leave the bytes of constants in memory here')
   parser.add_argument('file')
   args = parser.parse_args()
   with open(args.file, encoding='utf-8') as file:
      try:
         text, data = convert(file.read(), tuple(map(int, args.workgroup.split(','))))
      except Unsupported as error:
         sys.exit(f'{args.file}: {error}')
   sys.stdout.write(text)
   if args.data:
      with open(args.data, 'wb') as out:
         out.write(data)


if __name__ == '__main__':
   main()
