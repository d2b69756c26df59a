# SPDX-License-Identifier: MIT
"""Segments of buffers: TYPE*COUNT=PATTERN, the bytes they start with and how bytes are compared.

corpus/README.md tells what can be written. Everything is deterministic, on every machine.
"""
import math
import re
import struct

# name: (struct code, bytes, kind)
TYPES = {
    'u8': ('B', 1, 'u'), 'i8': ('b', 1, 'i'), 'u16': ('H', 2, 'u'), 'i16': ('h', 2, 'i'), 'f16': ('e', 2, 'f'),
    'u32': ('I', 4, 'u'), 'i32': ('i', 4, 'i'), 'f32': ('f', 4, 'f'),
    'u64': ('Q', 8, 'u'), 'i64': ('q', 8, 'i'), 'f64': ('d', 8, 'f'),
}
VECTORS = {'uvec': 'u32', 'ivec': 'i32', 'vec': 'f32', 'dvec': 'f64'}
EDGES = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 65504.0, -65504.0, 0.5, -0.5, 2.0, 1e-3, -3.75, 100.0, 0.1]
UNWRITTEN = 0xcd


class BadCase(Exception):
   """A head that makes no sense."""


class Random:
   """Marsaglia's xorshift on 64 bits, with a multiplication at the end."""

   def __init__(self, seed):
      self.state = (seed * 0x9e3779b97f4a7c15 + 0x1234567) & (1 << 64) - 1 or 1
      for _ in range(4):
         self.next()

   def next(self):
      x = self.state
      x ^= x >> 12
      x = (x ^ x << 25) & (1 << 64) - 1
      x ^= x >> 27
      self.state = x
      return (x * 0x2545f4914f6cdd1d & (1 << 64) - 1) >> 11


def number(text, kind):
   if kind == 'f':
      return float(text)
   return int(float(text)) if 'e' in text.lower() and not text.lower().startswith('0x') else int(text, 0)


class Segment:
   """So many elements of a type, what they are before, and how they are compared afterwards."""

   def __init__(self, text):
      found = re.fullmatch(r'(\w+?)(?:\*(\d+))?(?:=(.*))?', text)
      if not found:
         raise BadCase(f'{text}: TYPE*COUNT=PATTERN was expected')
      name, count, self.pattern = found[1], int(found[2] or 1), found[3]
      vector = re.fullmatch(r'([a-z]+)([234])', name)
      if vector and vector[1] in VECTORS:
         name, count = VECTORS[vector[1]], count * int(vector[2])
      if name not in TYPES:
         raise BadCase(f'{text}: {name} is no type')
      self.type, self.count = name, count
      self.code, self.width, self.kind = TYPES[name]
      self.ulp, self.abs, self.skip, self.equals = None, None, False, None

   @property
   def size(self):
      return self.count * self.width

   def option(self, word):
      key, _, value = word.partition('=')
      if key == 'ulp':
         self.ulp = float(value)
      elif key == 'abs':
         self.abs = float(value)
      elif key == 'equals':
         self.equals = value
      elif word == 'skip':
         self.skip = True
      else:
         raise BadCase(f'{word}: what is this?')

   def references(self, addresses):
      """(element, name of the memory) of those that are addresses, and the addresses themselves."""
      name, _, offset = self.pattern[4:].partition('+')
      if name not in addresses:
         raise BadCase(f'{self.pattern}: no such memory')
      return name, addresses[name] + int(offset or '0', 0)

   def is_reference(self):
      return self.pattern is not None and self.pattern.startswith('ref=')

   def values(self, pattern, addresses):
      key, *rest = pattern.split(':') if not pattern.startswith('ref=') else ['ref']
      if key == 'ref':
         return [self.references(addresses)[1]] * self.count
      args = [number(r, self.kind if key != 'random' or k else 'u') for k, r in enumerate(rest)]
      if key == 'zero':
         return [0] * self.count
      if key == 'iota':
         start, step = (args + [0, 1][len(args):])[:2]
         return [start + k * step for k in range(self.count)]
      if key == 'fill':
         return [args[0]] * self.count
      if key == 'random':
         return self.random(*args)
      if key == 'edges':
         return [EDGES[k % len(EDGES)] for k in range(self.count)]
      listed = [number(v, self.kind) for v in pattern.split(',')]
      return [listed[k % len(listed)] for k in range(self.count)]

   def random(self, seed, low=None, high=None):
      source = Random(seed)
      if self.kind == 'f':
         low, high = (-10.0, 10.0) if low is None else (low, high)
         return [low + (high - low) * (source.next() & 0xffffff) / 0x1000000 for _ in range(self.count)]
      if low is None:
         return [source.next() << 13 ^ source.next() for _ in range(self.count)]
      return [low + source.next() % (high - low + 1) for _ in range(self.count)]

   def pack(self, values):
      if self.kind == 'f':
         return struct.pack(f'<{self.count}{self.code}', *values)
      mask = (1 << 8 * self.width) - 1
      return struct.pack(f"<{self.count}{self.code.upper()}", *(v & mask for v in values))

   def bytes(self, addresses):
      if self.pattern is None:
         return bytes([UNWRITTEN]) * self.size
      return self.pack(self.values(self.pattern, addresses))

   def ordered(self, data):
      """The elements as integers in the order of the numbers: a step of 1 is a ulp."""
      sign = 1 << 8 * self.width - 1
      raw = struct.unpack(f"<{self.count}{ {2: 'H', 4: 'I', 8: 'Q'}[self.width]}", data)
      return [r if r < sign else sign - r for r in raw]

   def differ(self, got, wanted, exactly=False):
      """What is wrong with the bytes `got`, in words; None if nothing is."""
      if self.skip or self.is_reference() or got == wanted:
         return None
      p, q = (struct.unpack(f'<{self.count}{self.code}', d) for d in (got, wanted))
      ordered = (self.ordered(got), self.ordered(wanted)) if self.kind == 'f' else None
      faults, shown, worst = 0, '', 0
      for k, (x, y) in enumerate(zip(p, q)):
         if x == y and (self.kind != 'f' or math.copysign(1, x) == math.copysign(1, y) or self.lenient(exactly)):
            continue
         if self.kind == 'f':
            if math.isnan(x) and math.isnan(y):
               continue
            ulps = abs(ordered[0][k] - ordered[1][k])
            if not exactly and self.near(x, y, ulps):
               continue
            worst = max(worst, ulps)
         faults += 1
         if faults <= 3:
            shown += f' [{k}] {x!r} instead of {y!r}'
      if not faults:
         return None
      return f'{faults} of {self.count} {self.type}{f", up to {worst} ulp" if worst else ""}:{shown}'

   def lenient(self, exactly):
      return not exactly and (self.ulp is not None or self.abs is not None)

   def near(self, x, y, ulps):
      if self.ulp is not None and ulps <= self.ulp:
         return True
      return self.abs is not None and abs(x - y) <= self.abs
