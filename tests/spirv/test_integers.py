#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every instruction on integers and booleans, in every size: SPIR-V against the words of its specification, in Python.

    test_integers.py --tool=HEDDLE --scratch=FOLDER

For each size one module computes all of them for each lane, from numbers with all edges among them, and leaves the
results as 64 bits each. It is run as read, and optimised and compiled.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'house')]
from tap import Tap  # noqa: E402

LANES = 64
SIZES = (8, 16, 32, 64)


def mask(bits):
   return (1 << bits) - 1


def signed(x, bits):
   x &= mask(bits)
   return x - (1 << bits) if x >> (bits - 1) else x


def held(x, low, high):
   return min(max(x, low), high)


def quotient(a, b):
   return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def field(x, at, count):
   return x >> at & mask(count)


# name, operands, result, meaning. Operands and results: t a number, u8 ... another size, b a boolean, n a count below
# the size; the meaning takes unsigned numbers and the size.
ROWS = [
   ('SNegate', 't', 't', lambda n, a: -a),
   ('IAdd', 'tt', 't', lambda n, a, b: a + b),
   ('ISub', 'tt', 't', lambda n, a, b: a - b),
   ('IMul', 'tt', 't', lambda n, a, b: a * b),
   ('UDiv', 'tz', 't', lambda n, a, b: a // b),
   ('UMod', 'tz', 't', lambda n, a, b: a % b),
   ('SDiv', 'tz', 't', lambda n, a, b: quotient(signed(a, n), signed(b, n))),
   ('SRem', 'tz', 't', lambda n, a, b: signed(a, n) - signed(b, n) * quotient(signed(a, n), signed(b, n))),
   ('SMod', 'tz', 't', lambda n, a, b: signed(a, n) % signed(b, n)),
   ('Not', 't', 't', lambda n, a: ~a),
   ('BitwiseOr', 'tt', 't', lambda n, a, b: a | b),
   ('BitwiseXor', 'tt', 't', lambda n, a, b: a ^ b),
   ('BitwiseAnd', 'tt', 't', lambda n, a, b: a & b),
   ('ShiftLeftLogical', 'tn', 't', lambda n, a, c: a << c),
   ('ShiftRightLogical', 'tn', 't', lambda n, a, c: a >> c),
   ('ShiftRightArithmetic', 'tn', 't', lambda n, a, c: signed(a, n) >> c),
   ('IEqual', 'tt', 'b', lambda n, a, b: a == b),
   ('INotEqual', 'tt', 'b', lambda n, a, b: a != b),
   ('ULessThan', 'tt', 'b', lambda n, a, b: a < b),
   ('ULessThanEqual', 'tt', 'b', lambda n, a, b: a <= b),
   ('UGreaterThan', 'tt', 'b', lambda n, a, b: a > b),
   ('UGreaterThanEqual', 'tt', 'b', lambda n, a, b: a >= b),
   ('SLessThan', 'tt', 'b', lambda n, a, b: signed(a, n) < signed(b, n)),
   ('SLessThanEqual', 'tt', 'b', lambda n, a, b: signed(a, n) <= signed(b, n)),
   ('SGreaterThan', 'tt', 'b', lambda n, a, b: signed(a, n) > signed(b, n)),
   ('SGreaterThanEqual', 'tt', 'b', lambda n, a, b: signed(a, n) >= signed(b, n)),
   ('Select', 'btt', 't', lambda n, c, a, b: a if c else b),
   ('LogicalNot', 'b', 'b', lambda n, a: not a),
   ('LogicalAnd', 'bb', 'b', lambda n, a, b: a and b),
   ('LogicalOr', 'bb', 'b', lambda n, a, b: a or b),
   ('LogicalEqual', 'bb', 'b', lambda n, a, b: a == b),
   ('LogicalNotEqual', 'bb', 'b', lambda n, a, b: a != b),
   ('BitCount', 't', 't', lambda n, a: bin(a).count('1')),
   ('BitReverse', 't', 't', lambda n, a: int(f'{a:0{n}b}'[::-1], 2)),
   ('BitFieldUExtract', 'tnm', 't', field),
   ('BitFieldSExtract', 'tnm', 't', field),
   ('BitFieldInsert', 'ttnm', 't', field),
   ('IAddCarry', 'tt', '2', lambda n, a, b: (a + b, a + b >> n)),
   ('ISubBorrow', 'tt', '2', lambda n, a, b: (a - b, a < b)),
   ('UMulExtended', 'tt', '2', lambda n, a, b: (a * b, a * b >> n)),
   ('SMulExtended', 'tt', '2', lambda n, a, b: (a * b, signed(a, n) * signed(b, n) >> n)),
   ('UCountLeadingZerosINTEL', 't', 't', lambda n, a: n - a.bit_length()),
   ('UCountTrailingZerosINTEL', 't', 't', lambda n, a: (a & -a).bit_length() - 1 if a else n),
   ('AbsISubINTEL', 'tt', 't', lambda n, a, b: abs(signed(a, n) - signed(b, n))),
   ('AbsUSubINTEL', 'tt', 't', lambda n, a, b: abs(a - b)),
   ('IAddSatINTEL', 'tt', 't', lambda n, a, b: hold(n, signed(a, n) + signed(b, n))),
   ('UAddSatINTEL', 'tt', 't', lambda n, a, b: min(a + b, mask(n))),
   ('ISubSatINTEL', 'tt', 't', lambda n, a, b: hold(n, signed(a, n) - signed(b, n))),
   ('USubSatINTEL', 'tt', 't', lambda n, a, b: max(a - b, 0)),
   ('IAverageINTEL', 'tt', 't', lambda n, a, b: signed(a, n) + signed(b, n) >> 1),
   ('UAverageINTEL', 'tt', 't', lambda n, a, b: a + b >> 1),
   ('IAverageRoundedINTEL', 'tt', 't', lambda n, a, b: signed(a, n) + signed(b, n) + 1 >> 1),
   ('UAverageRoundedINTEL', 'tt', 't', lambda n, a, b: a + b + 1 >> 1),
]


def hold(bits, x):
   return held(x, -(1 << (bits - 1)), mask(bits - 1))


def bit_field(name):
   """The meaning of a row of fields: they take the count last, and offset and count stay within the size."""
   def extract(n, a, at, count):
      x = field(a, at, count)
      return signed(x, count) if name == 'BitFieldSExtract' and count else x

   def insert(n, base, value, at, count):
      m = mask(count) << at
      return base & ~m | value << at & m
   return insert if name == 'BitFieldInsert' else extract


def conversions():
   """Between sizes, with and without saturation."""
   for to in SIZES:
      yield 'UConvert', to, '', lambda n, a, to=to: a
      yield 'SConvert', to, '', lambda n, a, to=to: signed(a, n)
      yield 'SatConvertSToU', to, '', lambda n, a, to=to: held(signed(a, n), 0, mask(to))
      yield 'SatConvertUToS', to, '', lambda n, a, to=to: min(a, mask(to - 1))
      yield 'UConvert', to, 'SaturatedConversion', lambda n, a, to=to: min(a, mask(to))
      yield 'SConvert', to, 'SaturatedConversion', lambda n, a, to=to: hold(to, signed(a, n))


def lanes_of(word, count, bits):
   return [word >> bits * k & mask(bits) for k in range(count)]


def dots():
   """Of four bytes: packed in a word, and as a vector. Results have 32 bits, or the 16 that they need not fit in."""
   for name, x_signed, y_signed in (('SDot', 1, 1), ('UDot', 0, 0), ('SUDot', 1, 0)):
      def dot(a, b, xs=x_signed, ys=y_signed):
         pick = [lambda v: v, lambda v: signed(v, 8)]
         return sum(pick[xs](x) * pick[ys](y) for x, y in zip(lanes_of(a, 4, 8), lanes_of(b, 4, 8)))

      def saturated(bits, a, b, c, dot=dot, is_signed=x_signed):
         if is_signed:
            return hold(bits, dot(a, b) + signed(c, bits))
         return min(dot(a, b) + c, mask(bits))
      for form in ('word', 'bytes'):
         yield name, form, 32, lambda a, b, c, dot=dot: dot(a, b)
         for bits in (16, 32, 64):
            yield name + 'AccSat', form, bits, lambda a, b, c, f=saturated, bits=bits: f(bits, a, b, c & mask(bits))


class Module:
   """The assembly of one size, and for each result what it must be."""

   def __init__(self, bits, a, b):
      self.bits, self.a, self.b = bits, a, b
      self.code, self.decorations, self.wanted, self.next = [], [], [], 0

   def fresh(self):
      self.next += 1
      return f'%r{self.next}'

   def do(self, kind, name, *operands):
      result = self.fresh()
      self.code.append(f'{result} = Op{name} {kind} ' + ' '.join(operands))
      return result

   def leave(self, what, value, bits, expected):
      """Store a result of so many bits, zero extended; a boolean has 1."""
      if bits == 1:
         value = self.do('%u64', 'Select', value, '%one', '%zero')
      elif bits != 64:
         value = self.do('%u64', 'UConvert', value)
      at = self.do('%u32', 'IAdd', '%lane', f'%row{len(self.wanted)}')
      place = self.do('%ptr', 'AccessChain', '%out', '%u32_0', at)
      self.code.append(f'OpStore {place} {value}')
      self.wanted.append((f'Op{what} of {self.bits} bits', [int(e) & mask(bits) for e in expected]))

   def operands(self, kinds):
      """Ids, and for each lane the numbers."""
      n, ids, values = self.bits, [], []
      for place, kind in enumerate(kinds):
         name, numbers = ('%b', self.b) if place % 2 else ('%a', self.a)
         small = [x & mask(n) for x in numbers]
         if kind == 't':
            ids.append(name + 't')
            values.append(small)
         elif kind == 'z':  # not 0, and no quotient that does not fit
            ids.append('%bz')
            values.append([x | 1 if x | 1 != mask(n) else 3 for x in small])
         elif kind == 'b':
            ids.append(name + 'b')
            values.append([x & 1 for x in numbers])
         else:  # a count below the size; a second one fits above the first
            half = n // 2
            ids.append('%cn' if kind == 'n' else '%cm')
            values.append([(x >> (3 if kind == 'n' else 9)) % half for x in self.b])
      return ids, list(zip(*values))

   def rows(self):
      for name, kinds, result, meaning in ROWS:
         if name.startswith('BitField'):
            meaning = bit_field(name)
         ids, values = self.operands(kinds)
         expected = [meaning(self.bits, *v) for v in values]
         if result == '2':
            pair = self.do('%pair', name, *ids)
            for k in range(2):
               part = self.do('%t', 'CompositeExtract', pair, str(k))
               self.leave(name, part, self.bits, [e[k] for e in expected])
         else:
            kind = '%bool' if result == 'b' else '%t'
            self.leave(name, self.do(kind, name, *ids), 1 if result == 'b' else self.bits, expected)

   def conversions(self):
      for name, to, decoration, meaning in conversions():
         if to == self.bits and not name.startswith('Sat'):
            continue
         result = self.do(f'%u{to}', name, '%at')
         if decoration:
            self.decorations.append(f'OpDecorate {result} {decoration}')
         self.leave(f'{name} {decoration} to {to}', result, to, [meaning(self.bits, x & mask(self.bits)) for x in self.a])

   def dots(self):
      for name, form, bits, meaning in dots():
         kind = f'%u{bits}'
         operands = ['%aw', '%bw'] if form == 'word' else ['%av', '%bv']
         if name.endswith('AccSat'):
            operands.append(f'%acc{bits}')
         if form == 'word':
            operands.append('PackedVectorFormat4x8Bit')
         self.leave(f'{name} of a {form} to {bits}', self.do(kind, name, *operands), bits,
                    [meaning(a & mask(32), b & mask(32), b) for a, b in zip(self.a, self.b)])

   def text(self):
      n, lines = self.bits, []
      for capability in ('Shader', 'Int8', 'Int16', 'Int64', 'DotProduct', 'DotProductInputAll',
                         'DotProductInput4x8Bit', 'DotProductInput4x8BitPacked'):
         lines.append(f'OpCapability {capability}')
      lines += ['OpMemoryModel Logical GLSL450', 'OpEntryPoint GLCompute %main "main" %id %in %out',
                f'OpExecutionMode %main LocalSize {LANES} 1 1', 'OpDecorate %id BuiltIn LocalInvocationIndex',
                'OpDecorate %array ArrayStride 8', 'OpDecorate %block Block', 'OpMemberDecorate %block 0 Offset 0']
      for k, name in enumerate(('in', 'out')):
         lines += [f'OpDecorate %{name} DescriptorSet 0', f'OpDecorate %{name} Binding {k}']
      lines += self.decorations
      lines += ['%void = OpTypeVoid', '%fn = OpTypeFunction %void', '%bool = OpTypeBool']
      lines += [f'%u{k} = OpTypeInt {k} 0' for k in SIZES]
      lines += ['%v4 = OpTypeVector %u8 4', f'%pair = OpTypeStruct %u{n} %u{n}', '%array = OpTypeRuntimeArray %u64',
                '%block = OpTypeStruct %array', '%pblock = OpTypePointer StorageBuffer %block',
                '%ptr = OpTypePointer StorageBuffer %u64', '%pid = OpTypePointer Input %u32',
                '%id = OpVariable %pid Input', '%in = OpVariable %pblock StorageBuffer',
                '%out = OpVariable %pblock StorageBuffer', '%zero = OpConstant %u64 0', '%one = OpConstant %u64 1',
                '%u32_0 = OpConstant %u32 0', f'%lanes = OpConstant %u32 {LANES}', '%three = OpConstant %u64 3',
                '%nine = OpConstant %u64 9', f'%half = OpConstant %u64 {n // 2}', f'%tone = OpConstant %u{n} 1',
                f'%tthree = OpConstant %u{n} 3', f'%ones = OpConstant %u{n} {mask(n)}']
      lines += [f'%row{k} = OpConstant %u32 {k * LANES}' for k in range(len(self.wanted))]
      lines += ['%main = OpFunction %void None %fn', '%entry = OpLabel', '%lane = OpLoad %u32 %id',
                '%next = OpIAdd %u32 %lane %lanes', '%pa = OpAccessChain %ptr %in %u32_0 %lane',
                '%pb = OpAccessChain %ptr %in %u32_0 %next', '%a64 = OpLoad %u64 %pa', '%b64 = OpLoad %u64 %pb']
      for name in 'ab':
         convert = f'OpCopyObject %u{n}' if n == 64 else f'OpUConvert %u{n}'
         lines += [f'%{name}t = {convert} %{name}64', f'%{name}1 = OpBitwiseAnd %u64 %{name}64 %one',
                   f'%{name}b = OpINotEqual %bool %{name}1 %zero', f'%{name}w = OpUConvert %u32 %{name}64',
                   f'%{name}v = OpBitcast %v4 %{name}w']
      lines += [f'%odd = OpBitwiseOr %u{n} %bt %tone', f'%bad = OpIEqual %bool %odd %ones',
                f'%bz = OpSelect %u{n} %bad %tthree %odd', '%c3 = OpShiftRightLogical %u64 %b64 %three',
                '%c9 = OpShiftRightLogical %u64 %b64 %nine', '%cn6 = OpUMod %u64 %c3 %half',
                '%cm6 = OpUMod %u64 %c9 %half', '%cn = OpUConvert %u32 %cn6', '%cm = OpUConvert %u32 %cm6',
                '%acc64 = OpCopyObject %u64 %b64', '%acc32 = OpUConvert %u32 %b64', '%acc16 = OpUConvert %u16 %b64']
      lines += self.code + ['OpReturn', 'OpFunctionEnd']
      return '\n'.join(lines).replace('%t ', f'%u{n} ') + '\n'


def numbers(seed):
   """As many as there are lanes: ends of all ranges, and anything."""
   chance = random.Random(seed)
   edges = [0, 1, 2, 3, mask(64)] + [x for n in SIZES for x in (mask(n - 1), 1 << (n - 1), mask(n), mask(n) - 1)]
   edges += [mask(64) ^ x for x in edges[5:]]
   chance.shuffle(edges)
   wide = [chance.getrandbits(64) >> chance.choice((0, 0, 16, 32, 48)) for _ in range(LANES)]
   return (edges[:LANES // 2] + wide)[:LANES]


def run(tap, tool, path, module, options):
   data = ','.join(map(str, module.a + module.b))
   command = [tool, 'run', path, '--json', f'--lanes={LANES}', f'0.0=u64:{data}', f'0.1=zero:{8 * LANES * len(module.wanted)}']
   done = subprocess.run(command + options, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
   name = ' '.join([f'{module.bits} bits', *options])
   if done.returncode:
      tap.check(name, False, done.stderr)
      return
   words = json.loads(done.stdout.splitlines()[-1])['memory']['0.1']
   got = [words[2 * k] | words[2 * k + 1] << 32 if isinstance(words[2 * k], int) and isinstance(words[2 * k + 1], int)
          else None for k in range(len(words) // 2)]
   wrong = []
   for row, (what, wanted) in enumerate(module.wanted):
      for lane in range(LANES):
         value = got[row * LANES + lane]
         if value != wanted[lane]:
            wrong.append(f'{what}: {module.a[lane]:#x} {module.b[lane]:#x}: {value} instead of {wanted[lane]:#x}')
            break
   tap.check(f'{name}: {len(module.wanted)} results', not wrong, '\n'.join(wrong))


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--tool', required=True)
   parser.add_argument('--scratch', required=True)
   args = parser.parse_args()
   if not shutil.which('spirv-as'):
      print('1..0 # SKIP not installed: spirv-as')
      return
   os.makedirs(args.scratch, exist_ok=True)
   tap = Tap()
   for bits in SIZES:
      module = Module(bits, numbers(bits), numbers(bits + 1))
      module.rows()
      module.conversions()
      if bits == 32:
         module.dots()
      path = os.path.join(args.scratch, f'integers{bits}.spv')
      done = subprocess.run(['spirv-as', '--target-env', 'spv1.6', '-', '-o', path], input=module.text(), text=True,
                            stderr=subprocess.PIPE, check=False)
      if not tap.check(f'{bits} bits: assembled', done.returncode == 0, done.stderr):
         continue
      run(tap, args.tool, path, module, [])
      run(tap, args.tool, path, module, ['--target=gfx900'])
   tap.finish()


if __name__ == '__main__':
   main()
