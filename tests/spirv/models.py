# SPDX-License-Identifier: MIT
"""What a few cases compute, in Python: those that lavapipe gets wrong, as of Mesa 22.3; the last as of 26.

A model gets the words of the inputs by their place, and answers with those of the outputs.

- flow_do_while, subgroup_loop: a value of a lane's last iteration that is read after the loop is that of the last
  lane's last iteration there
- asm_integers: OpSMod of a negative divisor that is constant
- asm_ptr_access_chain: OpPtrDiff
- asm_float_remainders: OpFMod of small numbers
- asm_float_controls: x - x of infinities and NaNs
"""
import math
import struct

MASK = 0xffffffff


def signed(x):
   return x - (1 << 32) if x >> 31 else x


def floats(words):
   return struct.unpack(f'<{len(words)}f', struct.pack(f'<{len(words)}I', *words))


def bits(x):
   return struct.unpack('<I', struct.pack('<f', x))[0]


def flow_do_while(inputs):
   out = []
   for x in inputs['0.0']:
      digits = str(x)
      out.append(int(digits[::-1]) * 16 + len(digits))
   return {'0.1': out}


def subgroup_loop(inputs):
   values = inputs['0.0']
   return {'0.1': [values.count(n) for n in range(8)], '0.2': [3 * x + 1 for x in values]}


def asm_ptr_access_chain(inputs):
   a, out = inputs['0.0'], []
   for i, x in enumerate(a):
      s = i
      for k in range(x & 15):
         s = (s * 3 + a[3 + k]) & MASK
      out.append(s ^ (x & 15))
   return {'0.1': out}


def asm_integers(inputs):
   out = []
   for x in inputs['0.0']:
      s = signed(x)
      negative = -x & MASK
      field = x >> 5 & 0x1ff
      field -= field >> 8 << 9
      quotient = abs(s) // 7 * (-1 if s > 0 else 1)
      remainder = abs(s) % 7 * (1 if s > 0 else -1)
      r = (s % -7 + remainder & MASK) ^ quotient & MASK
      r = (r + x % 1000) * 5 + (x * negative >> 32)
      r = (r ^ s * s >> 32) + (x + negative >> 32)
      r = (r * 3 + (negative < x)) ^ x << 3
      r = ((r + (s >> 5) ^ (x & 0xffff) >> 2) + bin(x).count('1')) ^ field
      reverse = int(f'{x:032b}'[::-1], 2)
      out.append(r + (reverse & ~(0x7ff << 4) | (x & 0x7ff) << 4) & MASK)
   return {'0.1': out}


def asm_float_remainders(inputs):
   out = []
   for x, f in zip(inputs['0.0'], floats(inputs['0.0'])):
      half = struct.unpack('<e', struct.pack('<e', f))[0]
      towards = [math.fmod(f, 3.0), math.fmod(f, 3.0), math.fmod(f, -2.0), math.fmod(f, -2.0)]
      for k, divisor in ((1, 3.0), (2, -2.0)):
         if towards[k] and math.copysign(1, towards[k]) != math.copysign(1, divisor):
            towards[k] += divisor
      b = [bits(v) for v in towards]
      r = b[0] * 3 + b[1] ^ b[2]
      r = r * 5 + b[3] ^ bits(-half)
      r = r * 7 + bits(float(int(f))) ^ bits(float(x))
      out.append(r + int(f) & MASK)
   return {'0.1': out}


def asm_float_controls(inputs):
   out = []
   for x in floats(inputs['0.0']):
      third = struct.unpack('<f', struct.pack('<f', x * floats([bits(1 / 3)])[0]))[0]
      nan = math.isnan(x)
      parts = [1 if nan else bits(x + 0.0), 2 if math.isnan(x * -0.0) else bits(x * -0.0), 3 if math.isnan(x - x) else 4,
                  5 if nan else bits(third), 6 if nan else bits(-(x + 0.0)), 7 if math.isinf(third) else 9]
      r = (parts[0] ^ parts[1]) * 3 + parts[2] & MASK
      out.append((r ^ parts[3]) * 5 + parts[4] + parts[5] & MASK)
   return {'0.1': out}


MODELS = {m.__name__: m for m in (flow_do_while, subgroup_loop, asm_ptr_access_chain, asm_integers, asm_float_remainders,
                                  asm_float_controls)}


class Model:
   """A judge as those of judges.py are."""

   name = 'model'
   device = {'name': 'models in Python'}

   @staticmethod
   def can(case):
      return case.name in MODELS

   @staticmethod
   def run(pairs, _folder, _known=None):
      found = {}
      for key, case, _ in pairs:
         inputs = {b.place: words(b.bytes(case.addresses)) for b in case.buffers}
         outputs = MODELS[case.name](inputs)
         found[key] = {place: struct.pack(f'<{len(v)}I', *(w & MASK for w in v)) for place, v in outputs.items()}
      return found


def words(data):
   return struct.unpack(f'<{len(data) // 4}I', data)
