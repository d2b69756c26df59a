# SPDX-License-Identifier: MIT
"""LLVM IR text as data: types, globals, functions, blocks, instructions.

Reads what clang and opt of LLVM 19 print for code without exceptions. What only matters to LLVM's
own passes (attributes, metadata, linkage, poison-generating flags) is dropped. A line that cannot be
read raises Unsupported, with the line.

A type is a tuple:

    ('int', bits)  ('float', bits)  ('ptr', address space)  ('vec', count, type)  ('arr', count, type)
    ('struct', (types...), packed)  ('void',)

A value is a tuple too:

    ('local', name)  ('global', name)  ('int', number)  ('float', bits of the number in its size)
    ('zero',)  ('undef',)  ('agg', ((type, value)...))  ('bytes', data)
    ('gep', source type, ((type, value)...))  ('cast', op, type, value)
"""
import re
import struct


class Unsupported(Exception):
   """A construct that is not read; the message has the line."""


TOKEN = re.compile(r'''
   (?P<space>\s+)
 | (?P<local>%(?:"[^"]*"|[-\w$.]+))
 | (?P<global>@(?:"[^"]*"|[-\w$.]+))
 | (?P<bytes>c"[^"]*")
 | (?P<string>"[^"]*")
 | (?P<meta>![-\w$.\\]*)
 | (?P<group>\#\d+)
 | (?P<float>-?\d+\.\d*(?:[eE][-+]?\d+)?|0x[HKLMR]?[0-9A-Fa-f]+)
 | (?P<number>-?\d+)
 | (?P<word>[A-Za-z_$.][-\w$.]*)
 | (?P<mark>[()\[\]{}<>,=*:|])
''', re.VERBOSE)

KINDS = {'half': 16, 'float': 32, 'double': 64}
FLAGS = {'nuw', 'nsw', 'exact', 'disjoint', 'nneg', 'samesign', 'inbounds', 'nusw', 'fast', 'nnan', 'ninf',
         'nsz', 'arcp', 'contract', 'afn', 'reassoc', 'volatile', 'tail', 'musttail', 'notail', 'weak'}
CALLING = {'fastcc', 'ccc', 'coldcc', 'spir_func', 'spir_kernel', 'amdgpu_kernel'}
# Attributes of parameters, results and calls that take something in parentheses.
LONG = {'range', 'dereferenceable', 'dereferenceable_or_null', 'align', 'initializes', 'memory', 'captures',
        'nofpclass', 'byval', 'sret', 'allocsize', 'elementtype', 'byref', 'addrspace'}
CASTS = {'trunc', 'zext', 'sext', 'fptrunc', 'fpext', 'fptoui', 'fptosi', 'uitofp', 'sitofp', 'ptrtoint',
         'inttoptr', 'bitcast', 'addrspacecast'}
BINARY = {'add', 'sub', 'mul', 'udiv', 'sdiv', 'urem', 'srem', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor',
          'fadd', 'fsub', 'fmul', 'fdiv', 'frem'}


class Instr:
   """What an instruction is made of; `args` are (type, value) pairs, what else it has depends on the op."""

   __slots__ = ('op', 'name', 'type', 'args', 'flags', 'more', 'line')

   def __init__(self, op, line):
      self.op, self.line = op, line
      self.name, self.type, self.args, self.flags, self.more = None, ('void',), [], (), None


class Block:
   def __init__(self, name):
      self.name, self.instrs = name, []

   def targets(self):
      """Successors as written; a switch's default first."""
      end = self.instrs[-1]
      return end.more['targets'] if end.op in ('br', 'switch') else []


class Function:
   def __init__(self, name, result, params, kernel):
      self.name, self.result, self.kernel = name, result, kernel
      self.params = params    # (type, name, set of attributes)
      self.blocks = []


class Module:
   def __init__(self):
      self.types, self.globals, self.functions = {}, {}, {}


class Global:
   def __init__(self, space, type_, value, constant):
      self.space, self.type, self.value, self.constant = space, type_, value, constant


class Line:
   """The tokens of one line, and a place in them."""

   def __init__(self, text):
      self.text, self.at, self.tokens = text, 0, []
      place = 0
      while place < len(text):
         found = TOKEN.match(text, place)
         if not found:
            if text[place] == ';':
               break
            raise Unsupported(f'cannot read: {text.strip()}')
         place = found.end()
         if found.lastgroup != 'space':
            self.tokens.append((found.lastgroup, found.group()))
      self.tokens.append(('end', ''))

   def peek(self):
      return self.tokens[self.at][1]

   def kind(self):
      return self.tokens[self.at][0]

   def next(self):
      self.at += 1
      return self.tokens[self.at - 1][1]

   def accept(self, text):
      if self.tokens[self.at][1] == text and self.kind() != 'string':
         self.at += 1
         return True
      return False

   def expect(self, text):
      if not self.accept(text):
         self.fail()

   def fail(self):
      raise Unsupported(f'cannot read: {self.text.strip()}')

   def skip_parentheses(self):
      depth = 0
      while True:
         depth += {'(': 1, ')': -1}.get(self.next(), 0)
         if depth == 0:
            return


class Reader:
   def __init__(self, text):
      self.module = Module()
      self.lines = text.splitlines()

   # --- types and values -----------------------------------------------------------------------

   def type(self, line):
      kind, word = line.kind(), line.next()
      if word == '<' and line.kind() == 'number':
         made = ('vec', *self.counted(line, '>'))
      elif word == '<':
         line.expect('{')
         made = ('struct', self.members(line), True)
         line.expect('>')
      elif word == '[':
         made = ('arr', *self.counted(line, ']'))
      elif word == '{':
         made = ('struct', self.members(line), False)
      elif word == 'ptr':
         made = ('ptr', self.space(line))
      elif word == 'void':
         made = ('void',)
      elif word in KINDS:
         made = ('float', KINDS[word])
      elif kind == 'local' and word in self.module.types:
         made = self.module.types[word]
      elif re.fullmatch(r'i\d+', word):
         made = ('int', int(word[1:]))
      else:
         raise Unsupported(f'no such type: {line.text.strip()}')
      return made

   def counted(self, line, end):
      count = int(line.next())
      line.expect('x')
      made = self.type(line)
      line.expect(end)
      return count, made

   def members(self, line):
      members = []
      while not line.accept('}'):
         members.append(self.type(line))
         line.accept(',')
      return tuple(members)

   def space(self, line):
      if not line.accept('addrspace'):
         return 0
      line.expect('(')
      number = int(line.next())
      line.expect(')')
      return number

   def value(self, line, type_):
      kind, word = line.kind(), line.next()
      if kind in ('local', 'global'):
         return (kind, word[1:].strip('"'))
      if kind == 'number':
         return ('int', int(word)) if type_[0] != 'float' else ('float', float_bits(float(word), type_[1]))
      if kind == 'float':
         return ('float', float_constant(word, type_[1]))
      if kind == 'bytes':
         return ('bytes', unescape(word[2:-1]))
      if word in ('true', 'false'):
         return ('int', int(word == 'true'))
      if word in ('zeroinitializer', 'null', 'none'):
         return ('zero',)
      if word in ('undef', 'poison'):
         return ('undef',)
      if word == 'splat':
         line.expect('(')
         one = self.typed(line)
         line.expect(')')
         return ('agg', (one,) * type_[1])
      if word in ('[', '<', '{'):
         packed = word == '<' and line.accept('{')
         made = ('agg', tuple(self.list(line, '}' if packed else {'[': ']', '<': '>', '{': '}'}[word])))
         if packed:
            line.expect('>')
         return made
      if word == 'getelementptr' or word in CASTS:
         return self.expression(line, word)
      return line.fail()

   def expression(self, line, word):
      while line.peek() in FLAGS or line.peek() == 'inrange':
         if line.next() == 'inrange' and line.peek() == '(':
            line.skip_parentheses()
      line.expect('(')
      if word == 'getelementptr':
         source = self.type(line)
         line.expect(',')
         return ('gep', source, tuple(self.list(line, ')')))
      of = self.typed(line)
      line.expect('to')
      to = self.type(line)
      line.expect(')')
      return ('cast', word, to, of)

   def list(self, line, end):
      while not line.accept(end):
         yield self.typed(line)
         line.accept(',')

   def typed(self, line):
      type_ = self.type(line)
      self.attributes(line)
      return type_, self.value(line, type_)

   def attributes(self, line):
      """Those that stand here, as a set of words."""
      found = set()
      while True:
         kind, word = line.tokens[line.at]
         if kind == 'string':
            line.next()
            if line.accept('='):
               line.next()
         elif kind == 'group':
            line.next()
         elif kind == 'word' and word in LONG:
            line.next()
            if line.peek() == '(':
               line.skip_parentheses()
            elif line.kind() == 'number':
               line.next()
            found.add(word)
         elif kind == 'word' and word not in VALUES:
            found.add(line.next())
         else:
            return found

   # --- the module -----------------------------------------------------------------------------

   def read(self):
      self.at = 0
      while self.at < len(self.lines):
         text = self.lines[self.at]
         self.at += 1
         if text.startswith('define '):
            self.function(text)
         elif text.startswith('@'):
            self.variable(text)
         elif text.startswith('%'):
            line = Line(text)
            name = line.next()
            line.expect('=')
            line.expect('type')
            self.module.types[name] = self.type(line)
      return self.module

   def variable(self, text):
      line = Line(text)
      name = line.next()[1:].strip('"')
      line.expect('=')
      space = 0
      while line.peek() not in ('global', 'constant'):
         if line.peek() == 'addrspace':
            space = self.space(line)
         elif line.kind() == 'end':
            line.fail()
         else:
            line.next()
            if line.peek() == '(':
               line.skip_parentheses()
      constant = line.next() == 'constant'
      type_ = self.type(line)
      value = self.value(line, type_) if line.kind() not in ('mark', 'end') or line.peek() in ('[', '<', '{') else None
      self.module.globals[name] = Global(space, type_, value, constant)

   def function(self, text):
      line = Line(text)
      line.next()
      words = set()
      while line.kind() == 'word' and line.peek() not in KINDS and line.peek() not in ('void', 'ptr') \
            and not re.fullmatch(r'i\d+', line.peek()):
         word = line.next()
         words.add(word)
         if word in LONG:
            if line.peek() == '(':
               line.skip_parentheses()
            elif line.kind() == 'number':
               line.next()
      result = self.type(line)
      name = line.next()[1:].strip('"')
      line.expect('(')
      params = []
      while not line.accept(')'):
         type_ = self.type(line)
         attributes = self.attributes(line)
         known = line.next()[1:].strip('"') if line.kind() == 'local' else str(len(params))
         params.append((type_, known, attributes))
         line.accept(',')
      function = Function(name, result, params, bool(words & {'amdgpu_kernel', 'spir_kernel'}))
      self.module.functions[name] = function
      self.body(function)

   def body(self, function):
      numbered = [int(name) for _, name, _ in function.params if name.isdigit()]
      block = None
      while True:
         text = self.lines[self.at]
         self.at += 1
         if text.startswith('}'):
            return
         if not text or text[0] == ';':
            continue
         label = re.match(r'("[^"]*"|[-\w$.]+):', text)
         if label:
            block = Block(label[1].strip('"'))
            function.blocks.append(block)
            continue
         if block is None:
            # The number of an entry without a label is the first that parameters leave.
            block = Block(str(len(numbered)))
            function.blocks.append(block)
         if ' switch ' in f' {text} ' and ']' not in text:
            while not self.lines[self.at - 1].strip().startswith(']'):
               text += ' ' + self.lines[self.at].strip()
               self.at += 1
         block.instrs.append(self.instruction(text))

   # --- instructions ---------------------------------------------------------------------------

   def instruction(self, text):
      line = Line(text)
      name = None
      if line.kind() == 'local':
         name = line.next()[1:].strip('"')
         line.expect('=')
      flags = set()
      while line.peek() in ('tail', 'musttail', 'notail'):
         line.next()
      op = line.next()
      instr = Instr(op, text.strip())
      instr.name = name
      while line.peek() in FLAGS:
         flags.add(line.next())
      instr.flags = flags
      how = getattr(self, f'read_{op}', None)
      if op in BINARY:
         self.read_operands(line, instr, 2)
         instr.type = instr.args[0][0]
      elif op in CASTS:
         instr.args = [self.typed(line)]
         line.expect('to')
         instr.type = self.type(line)
      elif how:
         how(line, instr)
      else:
         line.fail()
      return instr

   def read_operands(self, line, instr, count):
      type_ = self.type(line)
      for n in range(count):
         if n:
            line.expect(',')
         instr.args.append((type_, self.value(line, type_)))

   def read_fneg(self, line, instr):
      instr.args = [self.typed(line)]
      instr.type = instr.args[0][0]

   read_freeze = read_fneg

   def read_icmp(self, line, instr):
      predicate = line.next()
      while line.peek() in FLAGS:
         line.next()
      instr.more = predicate
      self.read_operands(line, instr, 2)
      of = instr.args[0][0]
      instr.type = ('vec', of[1], ('int', 1)) if of[0] == 'vec' else ('int', 1)

   read_fcmp = read_icmp

   def read_select(self, line, instr):
      instr.args = [self.typed(line)]
      for _ in range(2):
         line.expect(',')
         instr.args.append(self.typed(line))
      instr.type = instr.args[1][0]

   def read_alloca(self, line, instr):
      instr.more = self.type(line)
      space = 0
      while line.accept(','):
         if line.peek() == 'addrspace':
            space = self.space(line)
         elif line.accept('align'):
            line.next()
         elif line.kind() == 'meta':
            break
         elif self.typed(line)[1] != ('int', 1):
            line.fail()
      instr.type = ('ptr', space)

   def read_load(self, line, instr):
      if line.accept('atomic'):
         line.fail()
      instr.type = self.type(line)
      line.expect(',')
      instr.args = [self.typed(line)]
      instr.more = self.alignment(line)

   def read_store(self, line, instr):
      if line.accept('atomic'):
         line.fail()
      instr.args = [self.typed(line)]
      line.expect(',')
      instr.args.append(self.typed(line))
      instr.more = self.alignment(line)

   def alignment(self, line):
      while line.kind() != 'end':
         if line.next() == 'align':
            return int(line.next())
      return 1

   def read_getelementptr(self, line, instr):
      instr.more = self.type(line)
      while line.accept(','):
         if line.kind() == 'meta':
            break
         instr.args.append(self.typed(line))
      instr.type = instr.args[0][0]

   def read_phi(self, line, instr):
      instr.type = self.type(line)
      instr.more = []
      while True:
         line.expect('[')
         value = self.value(line, instr.type)
         line.expect(',')
         instr.more.append((value, line.next()[1:].strip('"')))
         line.expect(']')
         if not line.accept(',') or line.kind() == 'meta':
            return

   def read_br(self, line, instr):
      if line.peek() != 'label':
         instr.args = [self.typed(line)]
         line.expect(',')
      targets = [self.label(line)]
      if instr.args:
         line.expect(',')
         targets.append(self.label(line))
      instr.more = {'targets': targets}

   def label(self, line):
      line.expect('label')
      return line.next()[1:].strip('"')

   def read_switch(self, line, instr):
      instr.args = [self.typed(line)]
      line.expect(',')
      targets, cases = [self.label(line)], []
      line.expect('[')
      while not line.accept(']'):
         _, value = self.typed(line)
         line.expect(',')
         targets.append(self.label(line))
         cases.append((value[1], targets[-1]))
      instr.more = {'targets': targets, 'cases': cases}

   def read_ret(self, line, instr):
      if not line.accept('void'):
         instr.args = [self.typed(line)]

   def read_unreachable(self, line, instr):
      pass

   def read_call(self, line, instr):
      while line.peek() in CALLING or line.peek() in FLAGS:
         line.next()
      while True:
         # Attributes of the result, then its type.
         if line.kind() == 'word' and line.peek() in LONG:
            line.next()
            if line.peek() == '(':
               line.skip_parentheses()
            elif line.kind() == 'number':
               line.next()
         elif line.kind() == 'word' and line.peek() not in KINDS and line.peek() not in ('void', 'ptr') \
               and not re.fullmatch(r'i\d+', line.peek()):
            line.next()
         else:
            break
      instr.type = self.type(line)
      if line.peek() == '(':
         line.skip_parentheses()
      if line.kind() != 'global':
         line.fail()
      instr.more = line.next()[1:].strip('"')
      line.expect('(')
      while not line.accept(')'):
         if line.peek() == 'metadata':
            while line.peek() not in (',', ')'):
               line.next()
         else:
            instr.args.append(self.typed(line))
         line.accept(',')

   def read_fence(self, line, instr):
      instr.more = line.next()
      if instr.more == 'syncscope':
         line.expect('(')
         instr.more = line.next().strip('"')

   def read_atomicrmw(self, line, instr):
      instr.more = line.next()
      instr.args = [self.typed(line)]
      line.expect(',')
      instr.args.append(self.typed(line))
      instr.type = instr.args[1][0]

   def read_cmpxchg(self, line, instr):
      for n in range(3):
         if n:
            line.expect(',')
         instr.args.append(self.typed(line))
      instr.type = ('struct', (instr.args[1][0], ('int', 1)), False)

   def read_extractvalue(self, line, instr):
      instr.args = [self.typed(line)]
      line.expect(',')
      instr.more = int(line.next())
      of = instr.args[0][0]
      instr.type = of[1][instr.more] if of[0] == 'struct' else of[2]
      if line.peek() == ',' and line.tokens[line.at + 1][0] == 'number':
         line.fail()

   def read_extractelement(self, line, instr):
      instr.args = [self.typed(line)]
      line.expect(',')
      instr.args.append(self.typed(line))
      instr.type = instr.args[0][0][2]

   def read_insertelement(self, line, instr):
      instr.args = [self.typed(line)]
      for _ in range(2):
         line.expect(',')
         instr.args.append(self.typed(line))
      instr.type = instr.args[0][0]

   def read_shufflevector(self, line, instr):
      instr.args = [self.typed(line)]
      for _ in range(2):
         line.expect(',')
         instr.args.append(self.typed(line))
      instr.type = ('vec', instr.args[2][0][1], instr.args[0][0][2])


VALUES = {'true', 'false', 'zeroinitializer', 'null', 'none', 'undef', 'poison', 'splat', 'getelementptr', 'to',
          *CASTS}


def unescape(text):
   return re.sub(rb'\\([0-9A-Fa-f]{2})', lambda m: bytes([int(m[1], 16)]), text.encode('latin-1'))


def float_bits(number, bits):
   """A number as the bits of a float of that size."""
   code = {16: '<e', 32: '<f', 64: '<d'}[bits]
   return int.from_bytes(struct.pack(code, number), 'little')


def float_constant(word, bits):
   """Hexadecimal constants are doubles, whatever their type; those of 16 bits have a letter."""
   if not word.startswith('0x'):
      return float_bits(float(word), bits)
   if word[2] == 'H':
      return int(word[3:], 16)
   if word[2] in 'KLMR':
      raise Unsupported(f'no such float: {word}')
   pattern = int(word, 16)
   if bits == 64:
      return pattern
   number, = struct.unpack('<d', pattern.to_bytes(8, 'little'))
   if number != number:
      # NaNs keep sign and the bits that fit.
      return {32: (pattern >> 32 & 0x80000000) | 0x7f800000 | (pattern >> 29 & 0x7fffff),
              16: (pattern >> 48 & 0x8000) | 0x7c00 | (pattern >> 42 & 0x3ff)}[bits]
   return float_bits(number, bits)


# --- layout ---------------------------------------------------------------------------------------


def size_of(type_):
   """Bytes, padding to the alignment included."""
   kind = type_[0]
   if kind == 'int':
      return next(n for n in (1, 2, 4, 8, 16) if n * 8 >= type_[1])
   if kind == 'float':
      return type_[1] // 8
   if kind == 'ptr':
      return 4 if type_[1] in (2, 3, 5, 6) else 8
   if kind == 'vec':
      return -(-store_size(type_) // align_of(type_)) * align_of(type_)
   if kind == 'arr':
      return type_[1] * size_of(type_[2])
   if kind == 'struct':
      return layout(type_)[1]
   raise Unsupported(f'a value of type {kind} has no size')


def store_size(type_):
   """Bytes that a load or store touches."""
   if type_[0] != 'vec':
      return size_of(type_)
   of = type_[2]
   return -(-type_[1] * (of[1] if of[0] in ('int', 'float') else size_of(of) * 8) // 8)


def align_of(type_):
   kind = type_[0]
   if kind == 'vec':
      size = store_size(type_)
      return 1 << (size - 1).bit_length()
   if kind == 'arr':
      return align_of(type_[2])
   if kind == 'struct':
      return 1 if type_[2] else max(map(align_of, type_[1]), default=1)
   return size_of(type_)


def layout(type_):
   """Offsets of a struct's members, and its size."""
   offsets, at = [], 0
   for member in type_[1]:
      align = 1 if type_[2] else align_of(member)
      at = -(-at // align) * align
      offsets.append(at)
      at += size_of(member)
   align = align_of(type_)
   return offsets, -(-at // align) * align


def read(text):
   """The Module that a text says."""
   return Reader(text).read()
