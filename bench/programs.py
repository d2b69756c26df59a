# SPDX-License-Identifier: MIT
"""One program for a graph, as Heddle's text and as LLVM IR.

Every block logs its number: in a hash that each lane keeps, and that is stored when the lane
returns. A branch asks for the lane's next decision. In Heddle these are a few instructions, over a
counter of the lane's decisions; in LLVM IR they are calls of functions that exist nowhere, which
passes must leave as they are:

    i32 @log(i32 block, i32 value)     what the block makes of the value
    i32 @decide(i32 block)             0 or 1, for a branch
    i32 @choose(i32 block, i32 n)      0 to n - 1, for a switch

Such a call differs between lanes; `readfirstlane` of it does not. After LIMIT decisions a lane takes
the way that is nearer to a return, so that it ends wherever it can.

A Program says which blocks have a phi of what their predecessors made, and which branches are
uniform. What a block makes is read in the blocks after it that it dominates, so that values live
across what structurizers insert.
"""
import random
import re

import graphs

LIMIT = 24
LANES = 64

# The parts of a lane's next decision, as a 32-bit number of many random bits.
DECISION = '''%k{n}:32 = load_var $k
%k{n}n:32 = iadd %k{n}, %one
store_var $k, %k{n}n
%d{n}a:32 = imul %k{n}, %mix
%d{n}b:32 = ixor %d{n}a, {seed}
%d{n}c:32 = imul %d{n}b, %mix
%d{n}d:32 = ushr %d{n}c, %sixteen
%d{n}e:32 = ixor %d{n}c, %d{n}d
%d{n}f:32 = imul %d{n}e, %mix2
%d{n}:32 = ushr %d{n}f, %sixteen
%e{n}:1 = ult %k{n}, %limit
'''

HEAD = '''%zero:32 = const 0
%one:32 = const 1
%four:32 = const 4
%sixteen:32 = const 16
%mix:32 = const 0x9e3779b1
%mix2:32 = const 0x85ebca6b
%limit:32 = const {limit}
%lane:32 = subgroup_invocation
%at:32 = imul %lane, %four
%seed:32 = imul %lane, %mix2
%true:1 = const true
%false:1 = const false
store_var $k, %zero
store_var $h, %zero
'''

RETURN = '''%hr{n}:32 = load_var $h
store_buffer %hr{n}, %zero, %at
return
'''


class Program:
   def __init__(self, name, graph, values=False, uniform=0.0):
      rng = random.Random(f'{name} {len(graph)}')
      self.name, self.graph = name, graph
      self.preds = graphs.predecessors(graph)
      self.far = graphs.distances(graph)
      self.uniform = [len(s) == 2 and rng.random() < uniform for s in graph]
      self.phis = [values and len(p) > 1 and rng.random() < 0.6 for p in self.preds]
      self.values = values
      idom = graphs.dominators(graph) if values else {}
      # The value that a block without phi reads: of some block that dominates it.
      self.reads = []
      for b in range(len(graph)):
         up = None
         if values and b:
            up = idom[b]
            while up and rng.random() < 0.3:
               up = idom[up]
         self.reads.append(up)

   def nearest(self, b):
      """The index of the successor from which a return is nearest."""
      return min(range(len(self.graph[b])),
                 key=lambda n: (self.far[self.graph[b][n]] is None, self.far[self.graph[b][n]] or 0))


# --- Heddle ---------------------------------------------------------------------------------------


def log_text(out, n, block, value):
   """%v<n> is what the block makes of a value."""
   out.append(f'%n{n}:32 = const {block}\n%h{n}:32 = load_var $h\n%h{n}a:32 = imul %h{n}, %mix\n'
              f'%h{n}b:32 = iadd %h{n}a, %n{n}\n%v{n}:32 = iadd %h{n}b, {value}\nstore_var $h, %v{n}\n')


def decide_text(out, n, near, uniform=False):
   """%c<n>: the decision of a branch, 1 bit."""
   out.append(DECISION.format(n=n, seed='%seed'))
   late = '%true' if near == 0 else '%false'
   out.append(f'%b{n}:32 = iand %d{n}, %one\n%b{n}n:1 = ine %b{n}, %zero\n'
              f'%c{n}{"l" if uniform else ""}:1 = select %e{n}, %b{n}n, {late}\n')
   if uniform:
      out.append(f'%c{n}:1 = read_first %c{n}l\n')


def choose_text(out, n, ways, near):
   """%s<n>: which way a switch goes. Its cases 0, 1, ... go to the second successor, the third, ..., and
   what none is equal to goes to the first."""
   out.append(DECISION.format(n=n, seed='%seed'))
   out.append(f'%w{n}:32 = const {ways}\n%m{n}:32 = urem %d{n}, %w{n}\n%l{n}:32 = const {near - 1 if near else ways - 1}\n'
              f'%s{n}:32 = select %e{n}, %m{n}, %l{n}\n')


def small_function(program):
   """As few instructions as a block can have that does something and decides: what takes time is the
   graph. Not for running."""
   out = [f'flat function @{program.name} {{\nvar $k:32\nvar $h:32\nstart:\n', HEAD.format(limit=LIMIT),
          'goto b0\n']
   for b, succs in enumerate(program.graph):
      out.append(f'b{b}:\n%k{b}:32 = load_var $k\nstore_var $h, %k{b}\n')
      if not succs:
         out.append('return\n')
      elif len(succs) == 1:
         out.append(f'goto b{succs[0]}\n')
      elif len(succs) == 2:
         out.append(f'%c{b}:1 = ine %k{b}, %seed\ngoto_if %c{b}, b{succs[0]}, b{succs[1]}\n')
      else:
         cases = ', '.join(f'{n}: b{t}' for n, t in enumerate(succs[1:]))
         out.append(f'switch %k{b}, b{succs[0]} [ {cases} ]\n')
   out.append('}\n')
   return ''.join(out)


def heddle_function(program):
   out = [f'flat function @{program.name} {{\nvar $k:32\nvar $h:32\nstart:\n', HEAD.format(limit=LIMIT),
          'goto b0\n']
   for b, succs in enumerate(program.graph):
      out.append(f'b{b}:\n')
      value = '%zero'
      if program.phis[b]:
         sources = ', '.join(f'b{p}: %v{p}' for p in program.preds[b])
         out.append(f'%p{b}:32 = phi {sources}\n')
         value = f'%p{b}'
      elif program.reads[b] is not None:
         value = f'%v{program.reads[b]}'
      log_text(out, b, b, value)
      if not succs:
         out.append(RETURN.format(n=b))
      elif len(succs) == 1:
         out.append(f'goto b{succs[0]}\n')
      elif len(succs) == 2:
         decide_text(out, b, program.nearest(b), program.uniform[b])
         out.append(f'goto_if %c{b}, b{succs[0]}, b{succs[1]}\n')
      else:
         choose_text(out, b, len(succs), program.nearest(b))
         cases = ', '.join(f'{n}: b{t}' for n, t in enumerate(succs[1:]))
         out.append(f'switch %s{b}, b{succs[0]} [ {cases} ]\n')
   out.append('}\n')
   return ''.join(out)


def heddle_shader(functions):
   return f'shader compute "graphs" {{\nworkgroup {LANES} 1 1\n' + ''.join(functions) + '}\n'


# --- LLVM IR --------------------------------------------------------------------------------------

DECLARATIONS = '''target triple = "amdgcn-amd-amdhsa"
declare i32 @log(i32, i32)
declare i32 @decide(i32)
declare i32 @choose(i32, i32)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
'''


def llvm_function(program):
   out = [f'define void @{program.name}() {{\n']
   for b, succs in enumerate(program.graph):
      out.append(f'b{b}:\n')
      value = '0'
      if program.phis[b]:
         sources = ', '.join(f'[ %v{p}, %b{p} ]' for p in program.preds[b])
         out.append(f'  %p{b} = phi i32 {sources}\n')
         value = f'%p{b}'
      elif program.reads[b] is not None:
         value = f'%v{program.reads[b]}'
      out.append(f'  %v{b} = call i32 @log(i32 {b}, i32 {value})\n')
      if not succs:
         out.append('  ret void\n')
      elif len(succs) == 1:
         out.append(f'  br label %b{succs[0]}\n')
      elif len(succs) == 2:
         out.append(f'  %d{b} = call i32 @decide(i32 {b})\n')
         what = f'%d{b}'
         if program.uniform[b]:
            out.append(f'  %u{b} = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %d{b})\n')
            what = f'%u{b}'
         out.append(f'  %c{b} = icmp ne i32 {what}, 0\n'
                    f'  br i1 %c{b}, label %b{succs[0]}, label %b{succs[1]}\n')
      else:
         cases = ' '.join(f'i32 {n}, label %b{t}' for n, t in enumerate(succs[1:]))
         out.append(f'  %s{b} = call i32 @choose(i32 {b}, i32 {len(succs)})\n'
                    f'  switch i32 %s{b}, label %b{succs[0]} [ {cases} ]\n')
   out.append('}\n')
   return ''.join(out)


def llvm_module(functions):
   return DECLARATIONS + ''.join(functions)


# --- from LLVM IR, after passes, to Heddle --------------------------------------------------------

OPERAND = r'(%[-\w.$]+|-?\d+|true|false|poison|undef)'
PHI = re.compile(r'(%\S+) = phi (i1|i32) (.*)$')
PHI_SOURCE = re.compile(r'\[ ' + OPERAND + r', %([-\w.$]+) \]')
CALL = re.compile(r'(%\S+) = call i32 @(log|decide|choose)\(i32 (\d+)(?:, i32 ' + OPERAND + r')?\)')
FIRST = re.compile(r'(%\S+) = call i32 @llvm.amdgcn.readfirstlane.i32\(i32 ' + OPERAND + r'\)')
ICMP = re.compile(r'(%\S+) = icmp (?:samesign )?(\w+) i32 ' + OPERAND + ', ' + OPERAND)
BINARY = re.compile(r'(%\S+) = (xor|and|or|add|sub) (?:nuw |nsw |disjoint )*(i1|i32) ' + OPERAND + ', ' + OPERAND)
SELECT = re.compile(r'(%\S+) = select i1 ' + OPERAND + ', (i1|i32) ' + OPERAND + r', (?:i1|i32) ' + OPERAND)
COMPARE = {'eq': ('ieq', 0), 'ne': ('ine', 0), 'slt': ('ilt', 0), 'sgt': ('ilt', 1), 'sle': ('ile', 0),
           'sge': ('ile', 1), 'ult': ('ult', 0), 'ugt': ('ult', 1), 'ule': ('ule', 0), 'uge': ('ule', 1)}


class Reader:
   """Turns one function's blocks into a Heddle function. What a phi reads from a constant is a
   constant of the start block."""

   def __init__(self, program, blocks):
      self.program, self.blocks = program, blocks
      self.constants, self.out = {}, []
      self.names = {}
      self.logs = 0

   def value(self, text, bits):
      if text.startswith('%'):
         return '%' + self.names.setdefault(text, f'x{len(self.names)}')
      key = (text, bits)
      return '%' + self.constants.setdefault(key, f'q{len(self.constants)}')

   def define(self, text, bits, what):
      self.out.append(f'{self.value(text, bits)}:{bits} = {what}\n')

   def instruction(self, line):
      found = PHI.match(line)
      if found:
         bits = int(found[2][1:])
         sources = [f'{label(name)}: {self.value(v, bits)}' for v, name in PHI_SOURCE.findall(found[3])]
         return self.define(found[1], bits, 'phi ' + ', '.join(dict.fromkeys(sources)))
      found = CALL.match(line)
      if found:
         return self.call(found[1], found[2], int(found[3]), found[4])
      found = FIRST.match(line)
      if found:
         return self.define(found[1], 32, f'read_first {self.value(found[2], 32)}')
      found = ICMP.match(line)
      if found:
         op, swap = COMPARE[found[2]]
         a, b = self.value(found[3], 32), self.value(found[4], 32)
         return self.define(found[1], 1, f'{op} {b}, {a}' if swap else f'{op} {a}, {b}')
      found = BINARY.match(line)
      if found:
         bits = int(found[3][1:])
         op = {'xor': 'ixor', 'and': 'iand', 'or': 'ior', 'add': 'iadd', 'sub': 'isub'}[found[2]]
         return self.define(found[1], bits, f'{op} {self.value(found[4], bits)}, {self.value(found[5], bits)}')
      found = SELECT.match(line)
      if found:
         bits = int(found[3][1:])
         return self.define(found[1], bits, f'select {self.value(found[2], 1)}, '
                            f'{self.value(found[4], bits)}, {self.value(found[5], bits)}')
      raise ValueError(f'{self.program.name}: no way to read: {line}')

   def call(self, result, name, block, operand):
      """A block's call may have been moved; it was not copied, so the block's number is unique."""
      if name == 'log':
         log_text(self.out, block, block, self.value(operand, 32))
         self.names[result] = f'v{block}'
      elif name == 'decide':
         near = self.program.nearest(block)
         decide_text(self.out, block, near)
         self.out.append(f'%z{block}:32 = select %c{block}, %one, %zero\n')
         self.names[result] = f'z{block}'
      else:
         ways = len(self.program.graph[block])
         choose_text(self.out, block, ways, self.program.nearest(block))
         self.names[result] = f's{block}'

   def text(self):
      # Names of calls' results must be known where a phi reads them before.
      for block in self.blocks:
         for line in block.lines:
            found = CALL.match(line)
            if found:
               self.names[found[1]] = {'log': 'v', 'decide': 'z', 'choose': 's'}[found[2]] + found[3]
      for block in self.blocks:
         self.out.append(f'{label(block.name)}:\n')
         for line in block.lines:
            self.instruction(line)
         self.terminator(block)
      head = [f'flat function @{self.program.name} {{\nvar $k:32\nvar $h:32\nstart:\n', HEAD.format(limit=LIMIT)]
      for (text, bits), name in self.constants.items():
         head.append(f'%{name}:{bits} = ' + ('undef\n' if text in ('poison', 'undef') else f'const {text}\n'))
      head.append(f'goto {label(self.blocks[0].name)}\n')
      return ''.join(head + self.out) + '}\n'

   def terminator(self, block):
      names = list(dict.fromkeys(map(label, block.targets)))
      if block.kind in ('ret', 'unreachable'):
         self.logs += 1
         self.out.append(RETURN.format(n=self.logs))
      elif len(names) == 1:
         self.out.append(f'goto {names[0]}\n')
      elif block.kind == 'br':
         cond = re.match(r'br i1 ' + OPERAND, block.terminator)[1]
         self.out.append(f'goto_if {self.value(cond, 1)}, {names[0]}, {names[1]}\n')
      else:
         selector = re.match(r'switch i32 ' + OPERAND, block.terminator)[1]
         cases = ', '.join(f'{v}: {label(name)}' for v, name in block.cases)
         self.out.append(f'switch {self.value(selector, 32)}, {names[0]} [ {cases} ]\n')


def label(name):
   return 'l_' + re.sub(r'\W', '_', name)


def heddle_again(program, blocks):
   return Reader(program, blocks).text()
