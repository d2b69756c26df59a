# SPDX-License-Identifier: MIT
"""Addresses, loads, stores and blocks of memory of an LLVM function as Heddle instructions.

An address is a part that varies, or none, and an offset that is known. What a getelementptr adds to
the known offset is no instruction: it becomes the `offset` of an access.
"""
import llvm_ir
from llvm_ir import Unsupported, size_of
from llvm_variables import gep_parts, integer, is_copy, is_dropped, is_fill, is_odd, shape, size_text

MOST_ELEMENTS = 1024    # that a copy or a fill is written out for
ATOMIC = {'add': 'iadd', 'max': 'imax', 'min': 'imin', 'umax': 'umax', 'umin': 'umin', 'and': 'iand', 'or': 'ior',
          'xor': 'ixor', 'xchg': 'exchange', 'fadd': 'fadd', 'fmin': 'fmin', 'fmax': 'fmax',
          'uinc_wrap': 'inc_wrap', 'udec_wrap': 'dec_wrap'}
SPACES = {0: 'global', 1: 'global', 4: 'global', 3: 'shared', 5: 'scratch'}


def initial(type_, value):
   """The bytes of a constant in memory."""
   if value is None or value[0] in ('zero', 'undef'):
      return bytes(size_of(type_))
   if value[0] == 'bytes':
      return value[1]
   if value[0] in ('int', 'float'):
      size = size_of(type_)
      return (value[1] & ((1 << 8 * size) - 1)).to_bytes(size, 'little')
   if value[0] != 'agg':
      raise Unsupported(f'a constant in memory that is a {value[0]}')
   made = bytearray(size_of(type_))
   places = llvm_ir.layout(type_)[0] if type_[0] == 'struct' else None
   for n, (part_type, part) in enumerate(value[1]):
      at = places[n] if places else n * size_of(part_type)
      part = initial(part_type, part)
      made[at:at + len(part)] = part
   return bytes(made)


def words(size):
   """A block as words, then what is left as bytes."""
   whole = size // 4 * 4
   return [(at, 4) for at in range(0, whole, 4)] + [(at, 1) for at in range(whole, size)]


class Roots:
   """Which parameter a pointer comes from, and what is known of the memory behind it."""

   def __init__(self, function, pointers):
      self.instrs = {i.name: i for b in function.blocks for i in b.instrs if i.name is not None}
      self.params = {name: attributes for type_, name, attributes in function.params if type_[0] == 'ptr'}
      self.pointers = pointers
      self.stored = {}    # alloca -> values that are stored there
      for b in function.blocks:
         for i in b.instrs:
            if i.op == 'store' and pointers.of(i.args[1][1]):
               self.stored.setdefault(pointers.of(i.args[1][1])[0], []).append(i.args[0][1])
      self.written, self.lost = set(), set()
      for b in function.blocks:
         for i in b.instrs:
            self.note(i)

   def root(self, value):
      while value[0] == 'local' and value[1] not in self.params:
         i = self.instrs.get(value[1])
         if i is None:
            return None
         if i.op in ('getelementptr', 'addrspacecast', 'bitcast', 'freeze'):
            value = i.args[0][1]
         elif i.op == 'load' and self.pointers.of(i.args[0][1]):
            stored = self.stored.get(self.pointers.of(i.args[0][1])[0], [])
            if len(stored) != 1:
               return None
            value = stored[0]
         else:
            return None
      return value[1] if value[0] == 'local' else None

   def note(self, i):
      """Writes through a parameter, and ways in which it gets out of sight."""
      if i.op in ('load', 'getelementptr', 'addrspacecast', 'bitcast', 'freeze', 'icmp') or is_dropped(i):
         return
      if i.op == 'store':
         self.written.add(self.root(i.args[1][1]))
         made = self.pointers.of(i.args[1][1])
         if not made or len(self.stored[made[0]]) > 1:
            self.lost.add(self.root(i.args[0][1]))
         return
      if i.op in ('atomicrmw', 'cmpxchg') or is_fill(i) or is_copy(i):
         self.written.add(self.root(i.args[0][1]))
         return
      values = [v for v, _ in i.more] if i.op == 'phi' else [v for _, v in i.args]
      self.lost.update(map(self.root, values))

   def access(self, type_, value):
      """What an access through a pointer may promise."""
      if type_[1] == 4:
         return 'restrict|readonly'
      root = self.root(value)
      if root is None or 'noalias' not in self.params[root] or root in self.lost:
         return ''
      return 'restrict' if root in self.written else 'restrict|readonly'


class Memory:
   """The part of FunctionWriter (llvm_to_heddle.py) that this file is about."""

   # --- addresses ------------------------------------------------------------------------------

   def base(self, type_, value):
      """(the part of an address that varies or None, the offset that is known)."""
      value = self.resolve(value)
      if value[0] == 'global':
         return None, self.program.address(value[1])
      if value[0] == 'zero':
         return None, 0
      if value[0] == 'gep':
         known, scaled = gep_parts((value[1], value[2][1:]), integer)
         if scaled:
            raise Unsupported('a constant address with an index')
         text, offset = self.base(*value[2][0])
         return text, offset + known
      if value[0] == 'cast' and value[1] in ('addrspacecast', 'bitcast', 'inttoptr'):
         return self.base(*value[3]) if value[3][0][0] == 'ptr' else (None, integer(value[3][1]))
      made = self.pointers.of(value)
      if made and made[0] == value[1]:
         if value[1] not in self.frames:
            self.frames[value[1]] = self.program.scratch_address(self.pointers.types[value[1]])
         return None, self.frames[value[1]]
      if value[0] == 'local' and value[1] in self.geps:
         return self.gep_base(value[1])
      return self.plain(type_, value), 0

   def plain(self, type_, value):
      if value[0] == 'local':
         return self.number(value[1])
      return self.undef(shape(type_)) if value[0] == 'undef' else self.ref((('int', size_of(type_) * 8), value))

   def gep_base(self, name):
      """Of a getelementptr, without writing anything: its own number is that of what varies."""
      chain = [name]
      while chain[-1] not in self.bases:
         source = self.resolve(self.geps[chain[-1]].args[0][1])
         if source[0] != 'local' or source[1] not in self.geps:
            break
         chain.append(source[1])
      for each in reversed(chain):
         if each not in self.bases:
            self.bases[each] = self.own_base(self.geps[each])
      return self.bases[name]

   def own_base(self, i):
      text, offset = self.base(*i.args[0])
      known, scaled = gep_parts((i.more, i.args[1:]), integer)
      if text is None and len(scaled) == 1:
         type_, value, stride = scaled[0]
         if stride == 1 and shape(type_)[0] == size_of(i.type) * 8:
            return self.ref((type_, value)), offset + known
      return self.number(i.name) if scaled else text, offset + known

   def pointer(self, type_, value):
      """The whole address as a value."""
      text, offset = self.base(type_, value)
      bits = size_of(type_) * 8
      if text is None:
         return self.constant((bits, 1), offset)
      if not offset:
         return text
      if value[0] == 'local':
         # Written where the pointer is.
         return self.number(value[1] + ' whole')
      return self.emit((bits, 1), f'iadd {text}, {self.constant((bits, 1), offset)}')

   def scaled(self, operand, multiplier, bits, into=None):
      """An index times something, in the size of an address."""
      have = shape(operand[0])[0]
      text = self.ref(operand)
      if have != bits:
         text = self.emit((bits, 1), f'i2i {text}', into if multiplier == 1 else None)
         if multiplier == 1:
            return text
      if multiplier & (multiplier - 1) == 0:
         return self.emit((bits, 1), f'ishl {text}, {self.constant((32, 1), multiplier.bit_length() - 1)}', into) \
            if multiplier > 1 or into else text
      return self.emit((bits, 1), f'imul {text}, {self.constant((bits, 1), multiplier)}', into)

   def write_gep(self, i):
      if i.name not in self.geps:
         return
      bits = size_of(i.type) * 8
      _, scaled = gep_parts((i.more, i.args[1:]), integer)
      own, offset = self.gep_base(i.name)
      if scaled and own == self.number(i.name):
         text, _ = self.base(*i.args[0])
         for n, (type_, value, stride) in enumerate(scaled):
            into = own if n == len(scaled) - 1 else None
            if text is None:
               text = self.scaled((type_, value), stride, bits, into)
            else:
               text = self.emit((bits, 1), f'iadd {text}, {self.scaled((type_, value), stride, bits)}', into)
      if offset and own is not None and i.name in self.whole_uses:
         self.emit((bits, 1), f'iadd {own}, {self.constant((bits, 1), offset)}', self.number(i.name + ' whole'))

   # --- memory ---------------------------------------------------------------------------------

   def place(self, operand, align):
      """The operand and the indices of an access."""
      type_, value = operand
      text, offset = self.base(type_, value)
      bits = size_of(type_) * 8
      if text is None:
         text, offset = self.constant((bits, 1), offset), 0
      access = self.roots.access(type_, value) if SPACES[type_[1]] == 'global' else ''
      return text, (f' offset={offset}' if offset else '') + f' align_mul={align}' + \
         (f' access={access}' if access else '')

   def space(self, type_):
      if type_[1] not in SPACES:
         raise Unsupported(f'a pointer to address space {type_[1]}')
      return SPACES[type_[1]]

   def index(self, leaf, element, scaled):
      """The index of an access to a variable, with the comma before it."""
      if not leaf.dims:
         return ''
      sum_ = None
      for type_, value, multiplier in scaled:
         part = self.scaled((type_, value), multiplier, 32)
         sum_ = self.emit((32, 1), f'iadd {sum_}, {part}') if sum_ else part
      known = self.constant((32, 1), element)
      if sum_ is None:
         return f', {known}'
      return ', ' + (self.emit((32, 1), f'iadd {sum_}, {known}') if element else sum_)

   def variable(self, leaf):
      if leaf.var is None:
         leaf.var = f'$v{len(self.vars)}'
         self.vars.append(f'var {leaf.var}:{size_text(leaf.shape)}' + (f'[{leaf.count}]' if leaf.dims else '') + '\n')
      return leaf.var

   def load(self, i):
      shape_ = shape(i.type)
      found = self.pointers.access(i.args[0][1], shape_)
      if found:
         var = self.variable(found[0])
         return self.emit(shape_, f'load_var {var}{self.index(*found)}', self.number(i.name))
      self.access_size(i.type)
      text, indices = self.place(i.args[0], i.more)
      stored = (max(shape_[0], 8), shape_[1])
      result = self.emit(stored, f'load_{self.space(i.args[0][0])} {text}{indices}',
                         self.number(i.name) if stored == shape_ else None)
      if stored != shape_:
         self.emit(shape_, f'ine {result}, {self.constant(stored, 0)}', self.number(i.name))
      return None

   def access_size(self, type_):
      if is_odd(type_) or type_[0] == 'vec' and shape(type_)[0] == 1:
         raise Unsupported(f'a load or store of {type_}')

   def store(self, i):
      shape_ = shape(i.args[0][0])
      value = self.ref(i.args[0])
      found = self.pointers.access(i.args[1][1], shape_)
      if found:
         index = self.index(*found)
         return self.line(f'store_var {self.variable(found[0])}, {value}{index}')
      self.access_size(i.args[0][0])
      if shape_[0] == 1:
         value = self.emit((8, 1), f'b2i {value}')
      text, indices = self.place(i.args[1], i.more)
      return self.line(f'store_{self.space(i.args[1][0])} {value}, {text}{indices}')

   def read_piece(self, operand, offset, shape_, align):
      """Part of a block of memory that is not in variables; a constant's bytes are a constant."""
      type_, value = operand
      value = self.resolve(value)
      bits, count = shape_
      if value[0] == 'global' and self.program.module.globals[value[1]].constant:
         g = self.program.module.globals[value[1]]
         data, size = initial(g.type, g.value), bits // 8
         return self.constant(shape_, tuple(int.from_bytes(data[offset + n * size:offset + (n + 1) * size], 'little')
                                            for n in range(count)))
      text, indices = self.block_place(operand, offset, align)
      return self.emit(shape_, f'load_{self.space(type_)} {text}{indices}')

   def block_place(self, operand, more, align):
      type_, value = operand
      text, offset = self.base(type_, value)
      offset += more
      if text is None:
         text, offset = self.constant((size_of(type_) * 8, 1), offset), 0
      return text, (f' offset={offset}' if offset else '') + f' align_mul={min(align, 4)}'

   def pieces(self, i, operand, size):
      """How a block is copied or filled: [(offset, shape, leaf or None, element)]."""
      made = self.pointers.of(operand[1])
      if made and self.pointers.parts[made[0]] is not None:
         return [(at, leaf.shape, leaf, element) for at, leaf, element in self.pointers.elements(made[0], made[1], size)]
      return None

   def block(self, i):
      """memcpy, memmove and memset of a known size, written out."""
      size = integer(i.args[2][1])
      if size is None:
         raise Unsupported(f'a block of unknown size: {i.line}')
      to = self.pieces(i, i.args[0], size)
      source = self.pieces(i, i.args[1], size) if is_copy(i) else None
      plain = [(at, (8 * w, 1), None, 0) for at, w in words(size)]
      for list_ in (to, source):
         if list_ is not None and len(list_) > MOST_ELEMENTS:
            raise Unsupported(f'a block of {size} bytes: {i.line}')
      shapes = to or source or plain
      if to and source and [p[:2] for p in to] != [p[:2] for p in source]:
         raise Unsupported(f'a copy between structs of different shapes: {i.line}')
      values = []
      for n, (at, shape_, _, _) in enumerate(shapes):
         if is_fill(i):
            byte = integer(i.args[1][1])
            if byte is None:
               raise Unsupported(f'a fill with what is no constant: {i.line}')
            values.append(self.constant(shape_, (byte & 255) * (((1 << shape_[0]) - 1) // 255)))
         elif source:
            leaf, element = source[n][2:]
            values.append(self.emit(shape_, f'load_var {self.variable(leaf)}{self.index(leaf, element, [])}'))
         else:
            values.append(self.read_piece(i.args[1], at, shape_, 4))
      for n, (at, shape_, _, _) in enumerate(shapes):
         if to:
            leaf, element = to[n][2:]
            self.line(f'store_var {self.variable(leaf)}, {values[n]}{self.index(leaf, element, [])}')
         else:
            text, indices = self.block_place(i.args[0], at, 4)
            self.line(f'store_{self.space(i.args[0][0])} {values[n]}, {text}{indices}')

   def write_atomicrmw(self, i):
      if i.more not in ATOMIC:
         raise Unsupported(f'cannot read: {i.line}')
      text, indices = self.place(i.args[0], 4)
      indices = indices.replace(' align_mul=4', '')
      self.emit(shape(i.type), f'{self.space(i.args[0][0])}_atomic {text}, {self.ref(i.args[1])}'
                f' atomic_op={ATOMIC[i.more]}{indices}', self.number(i.name))

   def write_cmpxchg(self, i):
      text, indices = self.place(i.args[0], 4)
      indices = indices.replace(' align_mul=4', '')
      shape_ = shape(i.args[1][0])
      compare = self.ref(i.args[1])
      old = self.emit(shape_, f'{self.space(i.args[0][0])}_atomic_swap {text}, {compare}, '
                      f'{self.ref(i.args[2])}{indices}')
      self.pairs[i.name] = (old, self.emit((1, 1), f'ieq {old}, {compare}'))
