# SPDX-License-Identifier: MIT
"""Which allocas of an LLVM function become local variables, and where an access lands in them.

An alloca is taken apart into leaves: scalars and vectors, each with the array dimensions around it.

    struct { float w; int t[4][2]; }    leaf 0: offset 0, no dimension
                                        leaf 1: offset 4, dimensions (4, 8 bytes), (2, 4 bytes)

A leaf is a variable; an access with a constant offset and multiples of indices is an element of one
leaf if it has the leaf's shape. An alloca with any other use lies in scratch memory.
"""
from llvm_ir import Unsupported, layout, size_of

DROPPED = ('llvm.lifetime.', 'llvm.assume', 'llvm.experimental.noalias', 'llvm.dbg.', 'llvm.donothing',
           'llvm.invariant.')


def shape(type_):
   """(bits, components) of a value in Heddle. Integers of odd sizes lie in the next whole one."""
   kind = type_[0]
   if kind == 'vec':
      bits, one = shape(type_[2])
      if one != 1 or type_[1] > 16:
         raise Unsupported(f'a vector of {type_[1]} {type_[2][0]}')
      return bits, type_[1]
   if kind == 'int':
      if type_[1] > 64:
         raise Unsupported(f'an integer of {type_[1]} bits')
      return next(bits for bits in (1, 8, 16, 32, 64) if bits >= type_[1]), 1
   if kind == 'float':
      return type_[1], 1
   if kind == 'ptr':
      return size_of(type_) * 8, 1
   raise Unsupported(f'a value of type {kind}')


def size_text(shape_):
   bits, count = shape_
   return f'{bits}x{count}' if count > 1 else f'{bits}'


def is_odd(type_):
   """An integer whose bits lie in a greater one, zero extended."""
   of = type_[2] if type_[0] == 'vec' else type_
   return of[0] == 'int' and of[1] not in (1, 8, 16, 32, 64)


class Leaf:
   def __init__(self, base, dims, type_):
      self.base, self.dims, self.type = base, dims, type_
      self.shape = shape(type_)
      self.count = 1
      for count, _ in dims:
         self.count *= count
      self.var = None    # its name, given by the writer

   def scales(self):
      """Elements that a step of each dimension passes over."""
      steps, over = [], 1
      for count, stride in reversed(self.dims):
         steps.append((stride, over))
         over *= count
      return steps[::-1]

   def constant(self, offset):
      """The element at so many bytes from the alloca, or None. It may be outside: an index adds to it."""
      rest, element = offset - self.base, 0
      for stride, over in self.scales():
         element += rest // stride * over
         rest %= stride
      return element if rest == 0 else None

   def scaled(self, stride):
      """Elements that so many bytes are, or None."""
      for step, over in self.scales():
         if stride % step == 0:
            return stride // step * over
      return None

   def offsets(self):
      """The offset of each element."""
      places = [self.base]
      for count, stride in self.dims:
         places = [place + n * stride for place in places for n in range(count)]
      return places


def leaves(type_, base=0, dims=()):
   if type_[0] == 'arr':
      return leaves(type_[2], base, (*dims, (type_[1], size_of(type_[2]))))
   if type_[0] == 'struct':
      return [leaf for member, offset in zip(type_[1], layout(type_)[0])
              for leaf in leaves(member, base + offset, dims)]
   return [Leaf(base, dims, type_)]


def find(parts, shape_, offset, strides):
   """(leaf, element, multipliers of the indices) of an access, or None."""
   best = None
   for leaf in parts:
      element = leaf.constant(offset)
      scaled = [leaf.scaled(s) for s in strides]
      if leaf.shape != shape_ or element is None or None in scaled:
         continue
      inside = 0 <= element < leaf.count
      if inside or best is None:
         best = (leaf, element, scaled)
         if inside:
            break
   return best


def gep_parts(instr_or_expr, constant):
   """A getelementptr as (bytes that are known, [(type, value, stride)]). `constant` gives the number
   that a value is, or None."""
   source, indices = instr_or_expr
   known, scaled, type_ = 0, [], source
   for n, (index_type, value) in enumerate(indices):
      number = constant(value)
      if n == 0:
         stride = size_of(source)
      elif type_[0] == 'struct':
         known += layout(type_)[0][number]
         type_ = type_[1][number]
         continue
      else:
         type_ = type_[2]
         stride = size_of(type_)
      if number is not None:
         known += number * stride
      else:
         scaled.append((index_type, value, stride))
   return known, scaled


def integer(value):
   if value[0] == 'int':
      return value[1]
   return 0 if value[0] == 'zero' else None


def is_dropped(instr):
   return instr.op == 'call' and instr.more.startswith(DROPPED)


def is_copy(instr):
   return instr.op == 'call' and instr.more.startswith(('llvm.memcpy.', 'llvm.memmove.'))


def is_fill(instr):
   return instr.op == 'call' and instr.more.startswith('llvm.memset.')


class Pointers:
   """For each local pointer of a function that is an alloca plus something: what it is made of."""

   def __init__(self, function):
      self.made = {}     # name -> (alloca's name, known offset, [(type, value, stride)])
      self.parts = {}    # alloca's name -> leaves, or None where it lies in scratch memory
      self.types = {}    # alloca's name -> type
      instrs = [i for b in function.blocks for i in b.instrs]
      self.find_slots(instrs)
      self.find_allocas(instrs)
      # What a phi or a select chooses among is no one alloca: uses that are not known below say so.
      for i in instrs:
         self.check_use(i)

   def find_slots(self, instrs):
      """Allocas that hold one pointer, stored once: what is loaded there is that pointer."""
      allocas = {i.name: i.type for i in instrs if i.op == 'alloca' and i.more[0] == 'ptr'}
      stored, loads, others = {}, {}, set()
      for i in instrs:
         if i.op == 'load' and i.args[0][1][0] == 'local' and i.type[0] == 'ptr':
            loads[i.name] = i.args[0][1][1]
            continue
         values = [v for v, _ in i.more] if i.op == 'phi' else [v for _, v in i.args]
         if i.op == 'store' and i.args[1][1][0] == 'local' and i.args[0][0][0] == 'ptr':
            stored.setdefault(i.args[1][1][1], []).append(i.args[0][1])
            values = values[:1]
         if not is_dropped(i):
            others.update(v[1] for v in values if v[0] == 'local')
      self.slots = {a: stored[a][0] for a in allocas if len(stored.get(a, ())) == 1 and a not in others
                    and stored[a][0][0] == 'local'}
      self.loaded = {name: self.slots[a] for name, a in loads.items() if a in self.slots}

   def find_allocas(self, instrs):
      """Pointers that are allocas plus something. In the order of the text a base may come late."""
      pending = []
      for i in instrs:
         if i.op == 'alloca':
            self.made[i.name] = (i.name, 0, [])
            self.types[i.name] = i.more
            try:
               self.parts[i.name] = leaves(i.more)
            except Unsupported:
               self.parts[i.name] = None
         elif i.op == 'getelementptr':
            pending.append((i.name, i.args[0][1], i))
         elif i.name in self.loaded:
            pending.append((i.name, self.loaded[i.name], None))
      while pending:
         rest = []
         for name, base, gep in pending:
            if base[0] != 'local' or base[1] not in self.made:
               rest.append((name, base, gep))
               continue
            alloca, offset, scaled = self.made[base[1]]
            known, more = gep_parts((gep.more, gep.args[1:]), integer) if gep else (0, [])
            self.made[name] = (alloca, offset + known, scaled + more)
         if len(rest) == len(pending):
            break
         pending = rest
      # A slot is of no interest where what it holds is not such a pointer, or its variable is memory.
      self.loaded = {name: value for name, value in self.loaded.items() if name in self.made}

   def of(self, value):
      return self.made.get(value[1]) if value[0] == 'local' else None

   def access(self, value, shape_):
      """(leaf, element, [(type, index, multiplier)]) of an access through a pointer to a variable; None
      where the pointer is to memory."""
      made = self.of(value)
      if not made or self.parts[made[0]] is None:
         return None
      alloca, offset, scaled = made
      found = find(self.parts[alloca], shape_, offset, [s for _, _, s in scaled])
      if not found:
         raise AssertionError('an access that was looked at before')
      return found[0], found[1], [(t, v, m) for (t, v, _), m in zip(scaled, found[2])]

   def spill(self, value):
      made = self.of(value)
      if made:
         self.parts[made[0]] = None

   def is_slot(self, i):
      """A store of a pointer whose loads are known to be that pointer."""
      return i.args[1][1][0] == 'local' and i.args[1][1][1] in self.slots and self.of(i.args[0][1]) is not None

   def check_use(self, i):
      """The allocas that an instruction uses in a way that variables don't have go to scratch."""
      if is_dropped(i) or i.op in ('alloca', 'getelementptr'):
         if i.op == 'getelementptr':
            for _, value in i.args[1:]:
               self.spill(value)
         return
      if i.op == 'load':
         return self.check_access(i.args[0][1], i.type)
      if i.op == 'store' and self.is_slot(i):
         return None
      if i.op == 'store':
         self.spill(i.args[0][1])
         return self.check_access(i.args[1][1], i.args[0][0])
      if is_copy(i) or is_fill(i):
         for n in (0, 1) if is_copy(i) else (0,):
            self.check_block(i.args[n][1], integer(i.args[2][1]))
         return
      values = [v for v, _ in i.more] if i.op == 'phi' else [v for _, v in i.args]
      for value in values:
         self.spill(value)

   def check_access(self, value, type_):
      made = self.of(value)
      if made and self.parts[made[0]] is not None:
         alloca, offset, scaled = made
         if not find(self.parts[alloca], shape(type_), offset, [s for _, _, s in scaled]):
            self.parts[alloca] = None

   def check_block(self, value, size):
      """A run of bytes must be whole elements from a known place."""
      made = self.of(value)
      if made and self.parts[made[0]] is not None:
         alloca, offset, scaled = made
         if scaled or size is None or self.elements(alloca, offset, size) is None:
            self.parts[alloca] = None

   def elements(self, alloca, offset, size):
      """[(offset, leaf, element)] of what lies in a run of bytes, or None if it cuts one."""
      found = []
      for leaf in self.parts[alloca]:
         width = size_of(leaf.type)
         for element, at in enumerate(leaf.offsets()):
            if at + width <= offset or at >= offset + size:
               continue
            if at < offset or at + width > offset + size:
               return None
            found.append((at - offset, leaf, element))
      return sorted(found, key=lambda f: f[0])
