# SPDX-License-Identifier: MIT
"""Kernels whose control flow is a given graph, as Heddle's text and as LLVM IR, to be run.

    @main(out, in): lane i loads x from in[i], walks the graph and stores what came of x to out[i]

Each block computes, and where it has several successors, decides by what was computed: so the input alone
says where lanes diverge. In graphs with cycles a decision also counts how many came before; once they are too
many, it takes the way that is nearer to a return. Where a program is uniform, i is the number of the
workgroup. Variables are in memory, as front ends leave them.

A program is first a list of blocks of instructions in one small language, from which both texts are made:

    (result, op, operands)    op of BINARY, or 'load' (of in), 'select', 'get', 'set' (of a variable)

Operands are names, which begin with a letter, or numbers.
"""
import random

import graphs

LANES = 64
BINARY = {'add': ('iadd', 'add'), 'sub': ('isub', 'sub'), 'mul': ('imul', 'mul'), 'and': ('iand', 'and'),
          'or': ('ior', 'or'), 'xor': ('ixor', 'xor'), 'shl': ('ishl', 'shl'), 'shr': ('ushr', 'lshr'),
          'ult': ('ult', 'icmp ult'), 'ule': ('ule', 'icmp ule')}
CONDITIONS = ('ult', 'ule')
WORDS = 256     # of in that random programs look at

DATA_LAYOUT = ('e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128'
               '-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512'
               '-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9')


def has_cycle(graph):
   pre, post = graphs.depth_first(graph)
   first, last = ({b: n for n, b in enumerate(order)} for order in (pre, post))
   return any(first[t] <= first[b] and last[t] >= last[b] for b, succs in enumerate(graph) for t in succs)


class Program:
   """`busy`: blocks do more than one thing, to several variables, and load."""

   def __init__(self, name, graph, uniform=False, busy=False):
      self.name, self.graph, self.uniform, self.busy = name, graph, uniform, busy
      self.far = graphs.distances(graph)
      self.cyclic = has_cycle(graph)
      # A decision is of so many bits; after three quarters of what they can count, there are no more.
      self.bits = 4 if len(graph) < 20 else 7
      self.variables = ['x', *(['y', 'z', 'w'] if busy else []), *(['n'] if self.cyclic else [])]
      self.rng = random.Random(f'{name} {len(graph)}')
      self.count = 0
      self.blocks = [self.block(b) for b in range(len(graph))]

   def add(self, code, op, *operands):
      self.count += 1
      code.append((f't{self.count}', op, operands))
      return f't{self.count}'

   def get(self, code, variable):
      return self.add(code, 'get', variable)

   @staticmethod
   def set(code, variable, value):
      code.append((None, 'set', (variable, value)))

   def work(self, code):
      """One to six statements about the variables but x."""
      rng = self.rng
      for _ in range(rng.randrange(1, 7)):
         a = self.get(code, rng.choice(self.variables[:4]))
         kind = rng.random()
         if kind < 0.15:
            value = self.add(code, 'load', self.add(code, 'and', a, WORDS - 1))
         elif kind < 0.3:
            value = self.add(code, rng.choice(['shl', 'shr']), a, rng.randrange(1, 20))
         elif kind < 0.5:
            value = self.add(code, rng.choice(['add', 'mul', 'xor', 'and', 'or']), a, rng.getrandbits(16) | 1)
         else:
            b = self.get(code, rng.choice(self.variables[:4]))
            value = self.add(code, rng.choice(['add', 'sub', 'xor', 'and', 'or']), a, b)
         self.set(code, rng.choice(self.variables[1:4]), value)

   def block(self, b):
      """(instructions, how it ends): ('return', value), ('goto', block), ('if', condition, yes, no) or
      ('switch', value, blocks by value, the first for all other values)."""
      code, succs = [], self.graph[b]
      if self.busy:
         self.work(code)
      x = self.add(code, 'add', self.add(code, 'mul', self.get(code, 'x'), 3 + 2 * b), 1000 + b)
      self.set(code, 'x', x)
      if not succs:
         for other in self.variables[1:4] if self.busy else []:
            x = self.add(code, 'xor', x, self.get(code, other))
         return code, ('return', x)
      if len(succs) == 1:
         return code, ('goto', succs[0])
      near = min(range(len(succs)), key=lambda n: (self.far[succs[n]] is None, self.far[succs[n]] or 0))
      many = None
      if self.cyclic:
         n = self.get(code, 'n')
         self.set(code, 'n', self.add(code, 'add', n, 1))
         top = self.add(code, 'shr', x, 32 - self.bits)
         many = self.add(code, 'add', top, n), 3 << (self.bits - 2)
      if len(succs) == 2:
         if not many:
            return code, ('if', self.add(code, 'ult', x, (1 << 31) + 12345 * b), *succs)
         return code, ('if', self.add(code, 'ult', *many), succs[1 - near], succs[near])
      bits = (len(succs) - 1).bit_length()
      value = self.add(code, 'and', self.add(code, 'shr', x, 20), (1 << bits) - 1)
      if many:
         value = self.add(code, 'select', self.add(code, 'ult', *many), value, near)
      return code, ('switch', value, succs)


def heddle(program):
   constants, out = {}, []
   where_at = '%group' if program.uniform else '%at'

   def name(operand):
      return f'%{operand}' if isinstance(operand, str) else '%' + constants.setdefault(operand, f'c{len(constants)}')

   def address(base, index, result):
      out.append(f'%{result}w:64 = u2u {index}\n%{result}o:64 = ishl %{result}w, {name(2)}\n'
                 f'%{result}a:64 = iadd %{base}, %{result}o\n')
      return f'%{result}a'

   for b, (code, end) in enumerate(program.blocks):
      out.append(f'b{b}:\n')
      for result, op, operands in code:
         if op == 'get':
            out.append(f'%{result}:32 = load_var ${operands[0]}\n')
         elif op == 'set':
            out.append(f'store_var ${operands[0]}, {name(operands[1])}\n')
         elif op == 'load':
            at = address('in', name(operands[0]), result)
            out.append(f'%{result}:32 = load_global {at} align_mul=4\n')
         elif op == 'select':
            out.append(f'%{result}:32 = select {", ".join(map(name, operands))}\n')
         else:
            bits = 1 if op in CONDITIONS else 32
            out.append(f'%{result}:{bits} = {BINARY[op][0]} {", ".join(map(name, operands))}\n')
      if end[0] == 'return':
         at = address('out', where_at, f'r{b}')
         out.append(f'store_global {name(end[1])}, {at} align_mul=4\nreturn\n')
      elif end[0] == 'goto':
         out.append(f'goto b{end[1]}\n')
      elif end[0] == 'if':
         out.append(f'goto_if %{end[1]}, b{end[2]}, b{end[3]}\n')
      else:
         cases = ', '.join(f'{n}: b{t}' for n, t in enumerate(end[2]) if n)
         out.append(f'switch %{end[1]}, b{end[2][0]} [ {cases} ]\n')
   where = f'%groups:32x3 = workgroup_id\n%group:32 = channel %groups, {name(0)}\n'
   if not program.uniform:
      where += f'%lane:32 = local_invocation_index\n%before:32 = imul %group, {name(LANES)}\n%at:32 = iadd %before, %lane\n'
   body = ''.join(out)
   out.clear()
   at = address('in', where_at, 'first')
   head = [f'%first:32 = load_global {at} align_mul=4\nstore_var $x, %first\n']
   head += [f'store_var ${v}, {name("first" if v != "n" else 0)}\n' for v in program.variables[1:]]
   head = ''.join(out + head)
   return (f'shader kernel "main" {{\nworkgroup {LANES} 1 1\nflat function @main(%out:64, %in:64) {{\n'
           + ''.join(f'var ${v}:32\n' for v in program.variables) + 'start:\n'
           + ''.join(f'%{c}:32 = const {n}\n' for n, c in constants.items())
           + f'{where}{head}goto b0\n{body}}}\n}}\n')


def llvm(program):
   def name(operand):
      return f'%{operand}' if isinstance(operand, str) else str(operand)

   out = [f'target datalayout = "{DATA_LAYOUT}"\ntarget triple = "amdgcn-amd-amdhsa"\n'
          'declare i32 @llvm.amdgcn.workitem.id.x()\ndeclare i32 @llvm.amdgcn.workgroup.id.x()\n'
          'define amdgpu_kernel void @main(ptr addrspace(1) %out, ptr addrspace(1) %in)'
          f' "amdgpu-flat-work-group-size"="{LANES},{LANES}" "uniform-work-group-size"="true" {{\nstart:\n']
   out += [f'  %{v} = alloca i32, align 4, addrspace(5)\n' for v in program.variables]
   where_at = '%group' if program.uniform else '%at'
   out.append('  %group = call i32 @llvm.amdgcn.workgroup.id.x()\n')
   if not program.uniform:
      out.append('  %lane = call i32 @llvm.amdgcn.workitem.id.x()\n'
                 f'  %before = mul i32 %group, {LANES}\n  %at = add i32 %before, %lane\n')

   def address(base, index, result):
      out.append(f'  %{result}w = zext i32 {index} to i64\n'
                 f'  %{result}a = getelementptr i32, ptr addrspace(1) %{base}, i64 %{result}w\n')
      return f'ptr addrspace(1) %{result}a'

   at = address('in', where_at, 'first')
   out.append(f'  %first = load i32, {at}, align 4\n')
   out += [f'  store i32 {"%first" if v != "n" else "0"}, ptr addrspace(5) %{v}, align 4\n' for v in program.variables]
   out.append('  br label %b0\n')
   for b, (code, end) in enumerate(program.blocks):
      out.append(f'b{b}:\n')
      for result, op, operands in code:
         if op == 'get':
            out.append(f'  %{result} = load i32, ptr addrspace(5) %{operands[0]}, align 4\n')
         elif op == 'set':
            out.append(f'  store i32 {name(operands[1])}, ptr addrspace(5) %{operands[0]}, align 4\n')
         elif op == 'load':
            at = address('in', name(operands[0]), result)
            out.append(f'  %{result} = load i32, {at}, align 4\n')
         elif op == 'select':
            out.append(f'  %{result} = select i1 {name(operands[0])}, i32 {name(operands[1])}, i32 {name(operands[2])}\n')
         else:
            out.append(f'  %{result} = {BINARY[op][1]} i32 {", ".join(map(name, operands))}\n')
      if end[0] == 'return':
         at = address('out', where_at, f'r{b}')
         out.append(f'  store i32 {name(end[1])}, {at}, align 4\n  ret void\n')
      elif end[0] == 'goto':
         out.append(f'  br label %b{end[1]}\n')
      elif end[0] == 'if':
         out.append(f'  br i1 %{end[1]}, label %b{end[2]}, label %b{end[3]}\n')
      else:
         cases = ' '.join(f'i32 {n}, label %b{t}' for n, t in enumerate(end[2]) if n)
         out.append(f'  switch i32 %{end[1]}, label %b{end[2][0]} [ {cases} ]\n')
   return ''.join(out) + '}\n'


# --- the shapes -----------------------------------------------------------------------------------

SHAPES = {
    'if': [[1, 2], [2], []],
    'if / else': [[1, 2], [3], [3], []],
    'four nested ifs': [[1, 8], [2, 7], [3, 6], [4, 5], [5], [6], [7], [8], []],
    'else-if chain of 5': [[1, 2], [9], [3, 4], [9], [5, 6], [9], [7, 8], [9], [9], []],
    'loop': [[1], [2, 3], [1], []],
    'break and continue': [[1], [2, 6], [5, 3], [6, 4], [5], [1], []],
    'break out of two loops': [[1], [2, 9], [3], [4, 7], [9, 5], [6, 7], [3], [8], [1], []],
    'return in nested ifs': [[1, 4], [2, 3], [], [4], []],
    'return in a loop': [[1], [2, 5], [3, 4], [], [1], []],
    'switch, 8 cases': [[9, *range(1, 9)], *([10] for _ in range(9)), []],
    'switch, fallthrough': [[9, *range(1, 9)], *([b + 1 if b % 2 else 10] for b in range(1, 10)), []],
    'goto into a loop': [[1, 2], [2], [1, 3], []],
    'two crossing gotos': [[1, 2], [2, 3], [3], []],
    'three crossing gotos': [[1, 3], [2, 4], [3, 5], [4], [5], []],
    'loop with two entries': [[1, 2], [2, 3], [1, 3], []],
    'open tree': [[1], [2, 3], [4], [1, 2], []],
    '(a && b) || c': [[1, 2], [3, 2], [3, 4], [5], [5], []],
}
RANDOM_SEEDS = 3
RANDOM_BLOCKS = 200
BUSY = ((12, 6), (40, 6))   # blocks, programs


class Structured(graphs.Code):
   """Without gotos: out of the innermost loop, or a return."""

   def jump(self, at, ends, loops):
      return super().jump(at, [], loops[-1:])


def structured(rng, num):
   code = Structured(rng, num)
   at = code.block()
   while code.budget > 0:
      at = code.sequence(at, [], [], 0)
      if at is None:
         raise ValueError('a sequence has no end')
   return graphs.tidy(code.graph)


def programs():
   """(kind, program) of all: shapes, the same with uniform branches, large random ones, busy ones."""
   for name, graph in SHAPES.items():
      yield 'shape', Program(name, graph)
   for name, graph in SHAPES.items():
      yield 'uniform', Program(f'{name}, uniform', graph, uniform=True)
   for make, what in ((structured, 'structured'), (graphs.reducible, 'reducible'), (graphs.irreducible, 'irreducible')):
      for n in range(RANDOM_SEEDS):
         yield 'random', Program(f'{what} {n + 1}', make(random.Random(f'{what} {n}'), RANDOM_BLOCKS))
   for blocks, count in BUSY:
      for n in range(count):
         make = graphs.gotos if n % 2 else structured
         yield 'busy', Program(f'program {blocks} {n + 1}', make(random.Random(f'busy {blocks} {n}'), blocks), busy=True)


def inputs(name, percent, words):
   """So many words for lanes: that share of lanes has one of its own, the others the one of their wave."""
   rng = random.Random(f'{name} {percent}')
   made = []
   for n in range(words):
      if n % LANES == 0:
         shared = rng.getrandbits(32)
      own = rng.getrandbits(32)
      made.append(own if rng.random() * 100 < percent else shared)
   return made
