#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Execution modes of float controls: how results are rounded and what becomes of denormals, against exact fractions.

    test_float_controls.py --tool=HEDDLE --scratch=FOLDER

No driver that runs here has RoundingModeRTZ or DenormFlushToZero. For each size and choice of modes one module adds,
multiplies, converts and compares for each lane, from numbers with all edges among them. It is run as read, and
compiled for each chip, which has one mode for 16 and 64 bits. Where a result is denormal before it is rounded and not afterwards, it may be flushed or not.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'house')]
from tap import Tap  # noqa: E402

LANES = 64
MANTISSA = {16: 10, 32: 23, 64: 52}
EXPONENT = {16: 5, 32: 8, 64: 11}
NAN = 'nan'
MODES = ('', 'RoundingModeRTE DenormPreserve', 'RoundingModeRTZ', 'DenormFlushToZero', 'RoundingModeRTZ DenormFlushToZero')
# What goes by one mode on the chips.
TOGETHER = {16: (16, 64), 32: (32,), 64: (16, 64)}
RUNS = ([], ['-O2'], ['--target=gfx900'], ['--target=gfx803'], ['--target=gfx600'])


class Format:
   """Floats of one size. A value is (negative, Fraction), (negative, 'inf') or NAN."""

   def __init__(self, bits):
      self.bits, self.mantissa = bits, MANTISSA[bits]
      self.bias = (1 << (EXPONENT[bits] - 1)) - 1
      self.least_normal = Fraction(2) ** (1 - self.bias)
      self.most = (2 - Fraction(1, 1 << self.mantissa)) * Fraction(2) ** self.bias
      self.infinity = ((1 << EXPONENT[bits]) - 1) << self.mantissa

   def decode(self, word):
      negative, word = bool(word >> (self.bits - 1)), word & (1 << (self.bits - 1)) - 1
      exponent, fraction = word >> self.mantissa, word & (1 << self.mantissa) - 1
      if word > self.infinity:
         return NAN
      if word == self.infinity:
         return negative, 'inf'
      significand = fraction if not exponent else fraction + (1 << self.mantissa)
      return negative, significand * Fraction(2) ** (max(exponent, 1) - self.bias - self.mantissa)

   def encode(self, value, to_zero):
      if value == NAN:
         return NAN
      negative, x = value
      sign = negative << (self.bits - 1)
      if x == 'inf':
         return sign | self.infinity
      exponent = 1 - self.bias
      while x >= Fraction(2) ** (exponent + 1):
         exponent += 1
      units = x / Fraction(2) ** (exponent - self.mantissa)
      whole = units.numerator // units.denominator
      rest = units - whole
      if not to_zero and (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1)):
         whole += 1
      # A carry out of the significand raises the exponent by itself.
      word = whole + (exponent + self.bias - 1 << self.mantissa)
      if word >= self.infinity:
         word = self.infinity - 1 if to_zero and x != 'inf' else self.infinity
      return sign | word

   def is_denormal(self, value):
      return value != NAN and value[1] != 'inf' and 0 < value[1] < self.least_normal


def number(x):
   return (x < 0, abs(x))


def add(a, b):
   if NAN in (a, b):
      return NAN
   if 'inf' in (a[1], b[1]):
      if a[1] == b[1]:
         return a if a[0] == b[0] else NAN
      return a if a[1] == 'inf' else b
   total = (-a[1] if a[0] else a[1]) + (-b[1] if b[0] else b[1])
   return number(total) if total else (a[0] and b[0], Fraction(0))


def negate(a):
   return NAN if a == NAN else (not a[0], a[1])


def multiply(a, b):
   if NAN in (a, b):
      return NAN
   if 'inf' in (a[1], b[1]):
      return NAN if 0 in (a[1], b[1]) else (a[0] != b[0], 'inf')
   return a[0] != b[0], a[1] * b[1]


def less(a, b):
   def key(v):
      x = Fraction(10) ** 400 if v[1] == 'inf' else v[1]
      return -x if v[0] else x
   return NAN not in (a, b) and key(a) < key(b)


class Module:
   """One size under some modes: its assembly, and what each result may be."""

   def __init__(self, bits, modes, a, b):
      self.f, self.bits, self.modes, self.a, self.b = Format(bits), bits, modes, a, b
      self.to_zero, self.flush = 'RTZ' in modes, 'Flush' in modes
      self.code, self.exact, self.wanted = [], [], []

   def operand(self, word, f):
      value = f.decode(word)
      flushed = self.flush and f.bits in TOGETHER[self.bits] and f.is_denormal(value)
      return (value[0], Fraction(0)) if flushed else value

   def results(self, value):
      """The encodings that a result may have."""
      word = self.f.encode(value, self.to_zero)
      found = {word}
      if self.flush and self.f.is_denormal(value):
         zero = value[0] << (self.bits - 1)
         # Denormal, or only so before rounding.
         found = {zero} if self.f.is_denormal(self.f.decode(word)) else {word, zero}
      return found

   def leave(self, name, kind, expression, expected):
      k = len(self.wanted)
      self.code += [f'%v{k} = {expression}']
      if kind == 'b':
         self.code += [f'%w{k} = OpSelect %u64 %v{k} %one %zero']
      else:
         self.code += [f'%c{k} = OpBitcast %u{self.bits} %v{k}',
                       f'%w{k} = Op{"CopyObject" if self.bits == 64 else "UConvert"} %u64 %c{k}']
         self.exact.append(f'%v{k}')
      self.code += [f'%i{k} = OpIAdd %u32 %lane %row{k}', f'%p{k} = OpAccessChain %ptr %out %u32_0 %i{k}', f'OpStore %p{k} %w{k}']
      self.wanted.append((name, expected))

   def fill(self):
      f = f'%f{self.bits}'
      pairs = [(self.operand(a, self.f), self.operand(b, self.f)) for a, b in zip(self.a, self.b)]
      self.leave('OpFAdd', 'f', f'OpFAdd {f} %a %b', [self.results(add(a, b)) for a, b in pairs])
      self.leave('OpFSub', 'f', f'OpFSub {f} %a %b', [self.results(add(a, negate(b))) for a, b in pairs])
      self.leave('OpFMul', 'f', f'OpFMul {f} %a %b', [self.results(multiply(a, b)) for a, b in pairs])
      self.leave('OpFOrdLessThan', 'b', 'OpFOrdLessThan %bool %a %b', [{int(less(a, b))} for a, b in pairs])
      self.leave('OpFOrdEqual', 'b', 'OpFOrdEqual %bool %a %nought', [{int(a != NAN and a[1] == 0)} for a, _ in pairs])
      for name, is_signed in (('ConvertUToF', False), ('ConvertSToF', True)):
         words = [w & 0xffffffff for w in self.wide]
         if is_signed:
            words = [w - (w >> 31 << 32) for w in words]
         self.leave(name, 'f', f'Op{name} {f} %n32', [self.results(number(Fraction(w))) for w in words])
      for other in (16, 32, 64):
         if other == self.bits:
            continue
         source = Format(other)
         words = [w & (1 << other) - 1 for w in self.wide]
         self.leave(f'OpFConvert from {other}', 'f', f'OpFConvert {f} %wide{other}',
                    [self.results(self.operand(w, source)) for w in words])

   def text(self):
      n, lines = self.bits, []
      capabilities = ['Shader', 'Int16', 'Int64', 'Float16', 'Float64', 'SignedZeroInfNanPreserve']
      modes = [f'OpExecutionMode %main SignedZeroInfNanPreserve {n}']
      for mode in self.modes.split():
         capabilities.append(mode)
         modes += [f'OpExecutionMode %main {mode} {k}' for k in TOGETHER[n]]
      lines += [f'OpCapability {c}' for c in capabilities]
      lines += ['OpMemoryModel Logical GLSL450', 'OpEntryPoint GLCompute %main "main" %id %in %out',
                f'OpExecutionMode %main LocalSize {LANES} 1 1', *modes, 'OpDecorate %id BuiltIn LocalInvocationIndex',
                'OpDecorate %array ArrayStride 8', 'OpDecorate %block Block', 'OpMemberDecorate %block 0 Offset 0']
      lines += [f'OpDecorate {v} NoContraction' for v in self.exact if 'Convert' not in v]
      for k, name in enumerate(('in', 'out')):
         lines += [f'OpDecorate %{name} DescriptorSet 0', f'OpDecorate %{name} Binding {k}']
      lines += ['%void = OpTypeVoid', '%fn = OpTypeFunction %void', '%bool = OpTypeBool']
      lines += [f'%u{k} = OpTypeInt {k} 0' for k in (16, 32, 64)] + [f'%f{k} = OpTypeFloat {k}' for k in (16, 32, 64)]
      lines += ['%array = OpTypeRuntimeArray %u64', '%block = OpTypeStruct %array',
                '%pblock = OpTypePointer StorageBuffer %block', '%ptr = OpTypePointer StorageBuffer %u64',
                '%pid = OpTypePointer Input %u32', '%id = OpVariable %pid Input', '%in = OpVariable %pblock StorageBuffer',
                '%out = OpVariable %pblock StorageBuffer', '%zero = OpConstant %u64 0', '%one = OpConstant %u64 1',
                '%u32_0 = OpConstant %u32 0', f'%lanes = OpConstant %u32 {LANES}', f'%nought = OpConstant %f{n} 0']
      lines += [f'%row{k} = OpConstant %u32 {k * LANES}' for k in range(len(self.wanted))]
      lines += ['%main = OpFunction %void None %fn', '%entry = OpLabel', '%lane = OpLoad %u32 %id',
                '%second = OpIAdd %u32 %lane %lanes', '%third = OpIAdd %u32 %second %lanes',
                '%pa = OpAccessChain %ptr %in %u32_0 %lane', '%pb = OpAccessChain %ptr %in %u32_0 %second',
                '%pw = OpAccessChain %ptr %in %u32_0 %third', '%a64 = OpLoad %u64 %pa', '%b64 = OpLoad %u64 %pb',
                '%n64 = OpLoad %u64 %pw', '%n32 = OpUConvert %u32 %n64', '%n16 = OpUConvert %u16 %n64']
      lines += [f'%wide{k} = OpBitcast %f{k} %n{k}' for k in (16, 32, 64)]
      for v in 'ab':
         word = f'%{v}64' if n == 64 else f'%{v}n'
         if n != 64:
            lines.append(f'{word} = OpUConvert %u{n} %{v}64')
         lines.append(f'%{v} = OpBitcast %f{n} {word}')
      return '\n'.join(lines + self.code + ['OpReturn', 'OpFunctionEnd']) + '\n'


def numbers(bits, seed):
   """Ends of all ranges, and anything; neighbours of ties and of the least normal number among them."""
   chance, f = random.Random(seed), Format(bits)
   one = f.bias << f.mantissa
   least = 1 << f.mantissa
   edges = [0, 1, least - 1, least, least + 1, least >> 1, one, one + 1, one - 1, f.infinity - 1, f.infinity,
            f.infinity + 1, one + (f.mantissa + 1 << f.mantissa), one - (f.mantissa + 1 << f.mantissa), 3 * least]
   edges += [e | 1 << (bits - 1) for e in edges]
   near = [chance.getrandbits(f.mantissa + 2) for _ in range(8)]
   middle = [one - 4 * least + chance.getrandbits(f.mantissa + 3) for _ in range(18)]
   every = edges + near + middle + [chance.getrandbits(bits) for _ in range(8)]
   chance.shuffle(every)
   return every[:LANES]


def wide_numbers(bits, seed):
   """64 bits each, of which the low 32 and 16 are used as well: near what the size can hold, whichever is read."""
   chance = random.Random(seed)
   for k in range(LANES):
      target = Format(bits)
      value = chance.choice([target.least_normal, target.least_normal / 4, target.most, target.most * 2, Fraction(1)])
      value *= 1 + Fraction(chance.getrandbits(60), 1 << 60)
      sign = chance.getrandbits(1)
      if k % 4 == 3:
         yield chance.getrandbits(64)
      else:
         wide = Format(64 if bits != 64 or k % 2 else 32)
         yield wide.encode((bool(sign), value), True)


def run(tap, tool, path, module, options):
   data = ','.join(map(str, module.a + module.b + module.wide))
   command = [tool, 'run', path, '--json', f'--lanes={LANES}', f'0.0=u64:{data}', f'0.1=zero:{8 * LANES * len(module.wanted)}']
   done = subprocess.run(command + options, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
   name = ' '.join([f'{module.bits} bits', module.modes or 'no modes', *options])
   if done.returncode:
      tap.check(name, False, done.stderr)
      return
   words = json.loads(done.stdout.splitlines()[-1])['memory']['0.1']
   wrong = []
   for row, (what, wanted) in enumerate(module.wanted):
      for lane in range(LANES):
         at = 2 * (row * LANES + lane)
         got = (words[at] or 0) | (words[at + 1] or 0) << 32
         is_nan = NAN in wanted[lane] and module.f.decode(got) == NAN
         if got not in wanted[lane] and not is_nan:
            may = ' or '.join(w if w == NAN else hex(w) for w in wanted[lane])
            wrong.append(f'{what}: {module.a[lane]:#x} {module.b[lane]:#x} {module.wide[lane]:#x}: {got:#x} instead of {may}')
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
   for bits in (16, 32, 64):
      for n, modes in enumerate(MODES):
         module = Module(bits, modes, numbers(bits, bits + n), numbers(bits, bits + n + 1))
         module.wide = list(wide_numbers(bits, bits + n))
         module.fill()
         path = os.path.join(args.scratch, f'floats{bits}_{n}.spv')
         done = subprocess.run(['spirv-as', '--target-env', 'spv1.6', '-', '-o', path], input=module.text(), text=True,
                               stderr=subprocess.PIPE, check=False)
         if not tap.check(f'{bits} bits, {modes or "no modes"}: assembled', done.returncode == 0, done.stderr):
            continue
         for options in RUNS:
            run(tap, args.tool, path, module, options)
   tap.finish()


if __name__ == '__main__':
   main()
