# SPDX-License-Identifier: MIT
"""The language of gcn/select.py: rows are read, and checked against the tables of ops and of
instructions. gcn/select.py says how they are written.
"""

import re
import struct

from codegen.gcn.isa import GENS, all_rows
from codegen.ir.ops import OPS
from codegen.ir.schema import require

OP_ROWS = {op.name: op for op in OPS}
INSTRUCTIONS = {row.name: row for row in all_rows()}
GEN_DIGITS = '689'
TARGETS = {'6': 'gfx600', '8': 'gfx803', '9': 'gfx900'}
# Of the float size of the op, or of the size that follows.
CONDITIONS = ('flush', 'keep', 'rne', 'rtz')
OUTPUT_MODS = ('clamp', 'mul2', 'mul4', 'div2')
FIXED = {'vcc': ('HD_GCN_VCC', 2, 'scalar'), 'exec': ('HD_GCN_EXEC', 2, 'scalar')}
OPERANDS = 'abce'
MODE_FIELDS = {'round32': 0, 'round64': 2, 'denorm32': 4, 'denorm64': 6}
MODE_VALUES = {'round': {'rne': 0, 'ru': 1, 'rd': 2, 'rtz': 3, '16': None},
               'denor': {'flush': 0, 'keep': 3}}
MAX_TEMPS, MAX_REFS = 64, 8

NUMBER = re.compile(r'-?(\d+|0x[0-9a-f]+)\Z')
FLOAT_NUMBER = re.compile(r'-?(\d+\.\d*(e-?\d+)?|inf)\Z')
NAME = re.compile(r'(?P<name>[a-z]\w*)(?:\[(?P<component>\d+)\])?(?:\.(?P<half>lo|hi))?\Z')


class Value:
   """What is known of a name: dwords, and the file: scalar, vector, mask, or any."""

   def __init__(self, size, file):
      self.size, self.file = size, file


class Ref:
   """One operand of a step. kind: none, src, result, temp, const, fixed, scc."""

   def __init__(self, kind, index=0, part=0, component=0, neg=False, abs_=False, size=0, file='any'):
      self.kind, self.index, self.part, self.component = kind, index, part, component
      self.neg, self.abs, self.size, self.file = neg, abs_, size, file


class Step:
   def __init__(self, op, defs, srcs, mods):
      self.op, self.defs, self.srcs, self.mods = op, defs, srcs, mods


class Way:
   """One sequence. gens: for which it may be taken; conditions: (word, size); scc: the last step
   leaves a boolean result there.
   """

   def __init__(self, row, text, gens_left):
      self.row = row
      body, at, conditions = text.partition('@')
      self.gens = set(gens_left)
      self.conditions = []
      for word in conditions.split() if at else ():
         self._condition(word)
      self.temps = {}
      self.scc = False
      self.results = {}
      self.steps = [self._step(part.strip()) for part in body.split(';')]
      require(len(self.temps) <= MAX_TEMPS, row.where, 'too many temporary values')
      self._check_result()

   def _condition(self, word):
      if set(word) <= set(GEN_DIGITS):
         self.gens &= set(word)
         return
      match = re.match(r'([a-z]+)(\d*)\Z', word)
      require(match and match[1] in CONDITIONS, self.row.where, f"unknown condition '{word}'")
      size = int(match[2]) if match[2] else self.row.float_size
      require(size, self.row.where, f"'{word}' of which size?")
      self.conditions.append((match[1], size))

   def _fail(self, message, step):
      require(False, self.row.where, f"{message} in '{step}'")

   def _step(self, text):
      left, equals, right = text.partition(' = ')
      require(equals, self.row.where, f"no ' = ' in '{text}'")
      words = right.split(None, 1)
      name, *mods = words[0].split('.')
      if name in INSTRUCTIONS and (len(words) > 1 or name not in self.temps):
         return self._instruction(text, left, name, mods, words[1] if len(words) > 1 else '')
      if name == 'p_join':
         return self._join(text, left, words[1])
      if left == 'mode':
         return self._mode(right, text)
      if left == 'scc':
         src = self._src(right, None, text)
         return Step('to_scc', [], [src], 0)
      if len(words) > 1 or mods and mods[0] not in ('lo', 'hi'):
         self._fail(f"there is no instruction '{name}'", text)
      src = self._src(right, None, text)
      return Step('move', [self._def(left, Value(src.size, src.file), text)], [src], 0)

   def _instruction(self, text, left, name, mods, operands):
      row = INSTRUCTIONS[name]
      for gen in sorted(self.gens):
         if not row.has(GEN_DIGITS.index(gen)):
            self._fail(f'{GENS[GEN_DIGITS.index(gen)]} has no {name}', text)
      bits = 0
      for mod in mods:
         if mod not in OUTPUT_MODS:
            self._fail(f"unknown modifier '{mod}'", text)
         if not row.flags & {'omod_clamp', 'clamp_only'}:
            self._fail(f'{name} takes no modifiers', text)
         bits |= 1 if mod == 'clamp' else (OUTPUT_MODS.index(mod)) << 1
      explicit = [o for o in row.srcs if o.explicit]
      given = [w.strip() for w in operands.split(',')] if operands else []
      if len(given) != len(explicit):
         self._fail(f'{name} takes {len(explicit)} operands', text)
      srcs = [self._src(word, operand, text, row) for word, operand in zip(given, explicit)]
      return Step(name, self._defs(text, left, row, srcs), srcs, bits)

   def _defs(self, text, left, row, srcs):
      words = [w.strip() for w in left.split(',')]
      explicit = [o for o in row.defs if o.explicit]
      if 'scc' in words:
         words.remove('scc')
         self.scc = True
         if not any(o.fixed == 'SCC' for o in row.defs):
            self._fail(f'{row.name} does not write scc', text)
      else:
         self.scc = False
      if len(words) != len(explicit):
         self._fail(f'{row.name} has {len(explicit)} results', text)
      defs = []
      for word, operand in zip(words, explicit):
         if word == '_':
            defs.append(Ref('none'))
         elif word == 'vcc':
            defs.append(Ref('fixed', 'vcc', size=2))
         else:
            file = ('mask' if operand.type == 'mask' else
                    'vector' if 'vgpr' in operand.kinds else 'scalar')
            if file == 'scalar' and operand.size == 2 and any(s.file == 'mask' for s in srcs):
               file = 'mask'
            defs.append(self._def(word, Value(operand.size, file), text))
      return defs

   def _mode(self, words, text):
      """The bits to change, the bits they become, and bit 16: of 32 bits as those of 16 bits."""
      mask = value = copy = 0
      for word in words.split():
         if word == 'shader':
            continue
         field, _, what = word.partition(':')
         if field not in MODE_FIELDS or what not in MODE_VALUES[field[:5]]:
            self._fail(f"unknown mode '{word}'", text)
         shift = MODE_FIELDS[field]
         if what == '16':
            copy = 1
            continue
         mask |= 3 << shift
         value |= MODE_VALUES[field[:5]][what] << shift
      src = Ref('const', mask | value << 8 | copy << 16, size=1)
      return Step('mode', [], [src], 0)

   def _join(self, text, left, operands):
      srcs = [self._src(w.strip(), None, text) for w in operands.split(',')]
      size = sum(max(s.size, 1) for s in srcs)
      file = 'vector' if self.row.cls == 'v' else 'scalar'
      return Step('p_vector', [self._def(left, Value(size, file), text)], srcs, 0)

   def _def(self, word, value, text):
      match = NAME.match(word)
      if not match or match['name'] in OPERANDS or match['name'] in FIXED:
         self._fail(f"'{word}' cannot be written", text)
      half = ('lo', 'hi').index(match['half']) + 1 if match['half'] else 0
      if match['name'] == 'd':
         key = (int(match['component'] or 0), half)
         if key in self.results:
            self._fail(f"'{word}' is there twice", text)
         self.results[key] = value
         return Ref('result', 0, half, key[0], size=value.size, file=value.file)
      if half or match['component'] or match['name'] in self.temps:
         self._fail(f"'{word}' cannot be written", text)
      self.temps[match['name']] = value
      return Ref('temp', list(self.temps).index(match['name']), size=value.size, file=value.file)

   def _src(self, word, operand, text, instruction=None):
      neg = abs_ = False
      plain = word
      if not NUMBER.match(plain) and not FLOAT_NUMBER.match(plain):
         if plain.startswith('-'):
            neg, plain = True, plain[1:]
         if plain.startswith('|') and plain.endswith('|'):
            abs_, plain = True, plain[1:-1]
      if NUMBER.match(plain) or FLOAT_NUMBER.match(plain):
         return self._constant(plain, operand, text)
      if (neg or abs_) and not (instruction and 'neg_abs' in instruction.flags):
         self._fail(f"'{word}': no modifiers here", text)
      if plain in FIXED:
         _, size, file = FIXED[plain]
         ref = Ref('fixed', plain, size=size, file=file)
      else:
         ref = self._named(plain, text)
      ref.neg, ref.abs = neg, abs_
      if operand:
         self._check_src(ref, operand, text, word, instruction)
      return ref

   def _named(self, word, text):
      match = NAME.match(word)
      if not match:
         self._fail(f"cannot read '{word}'", text)
      name, half = match['name'], match['half']
      part = ('lo', 'hi').index(half) + 1 if half else 0
      if name in OPERANDS:
         n = OPERANDS.index(name)
         if n >= len(self.row.src_sizes):
            self._fail(f"the op has no operand '{name}'", text)
         component = int(match['component'] or 0)
         size, kind = self.row.src_sizes[n], self.row.src_kinds[n]
         if component >= self.row.src_components[n]:
            self._fail(f"'{word}' is past the end", text)
         if half and size != 64:
            self._fail(f"'{word}' has no halves", text)
         dwords = 2 if size == 64 and not half else 1
         file = 'any' if self.row.cls == 'v' else 'scalar'
         if kind == 'b' or size == 1:
            dwords, file = (1, 'scalar') if self.row.cls == 's' else (2, 'mask')
         return Ref('src', n, part, component, size=dwords, file=file)
      if name not in self.temps:
         self._fail(f"'{name}' is not known", text)
      value = self.temps[name]
      if half and value.size != 2:
         self._fail(f"'{word}' has no halves", text)
      return Ref('temp', list(self.temps).index(name), part, size=1 if half else value.size,
                 file=value.file)

   def _constant(self, word, operand, text):
      type_ = operand.type if operand else 'b32'
      size = operand.size if operand else 1
      if FLOAT_NUMBER.match(word):
         code = {'f16': 'e', 'f32': 'f', 'f64': 'd', 'b32': 'f', 'u32': 'f'}.get(type_)
         if not code:
            self._fail(f'{word} is a float', text)
         bits = int.from_bytes(struct.pack('<' + code, float(word)), 'little')
      else:
         bits = int(word, 0) & ((1 << 32 * size) - 1)
      return Ref('const', bits, size=size, file='any')

   def _check_src(self, ref, operand, text, word, instruction):
      if ref.size != operand.size:
         self._fail(f"'{word}' has {ref.size} words, {instruction.name} reads {operand.size}", text)
      if ref.file == 'vector' and 'vgpr' not in operand.kinds and 'sgpr' in operand.kinds:
         self._fail(f"'{word}' is a vector value", text)
      if (ref.file == 'mask') != (operand.type == 'mask') and not instruction.name.startswith('s_'):
         self._fail(f"'{word}': a mask and a number", text)

   def _check_result(self):
      row = self.row
      if row.result_kind == 'b' and row.cls == 's' and self.scc and not self.results:
         return
      parts = {}
      for (component, half), value in self.results.items():
         parts.setdefault(component, {})[half] = value
      require(sorted(parts) == list(range(row.result_components)), row.where,
              'components of the result are missing')
      for halves in parts.values():
         want = 2 if row.result_size == 64 else 1
         if row.mask_result:
            want = 2
         require(set(halves) in ({0}, {1, 2}), row.where, 'half of the result is missing')
         for value in halves.values():
            require(value.size * len(halves) == want, row.where,
                    f'the result has {value.size * len(halves)} words, not {want}')
            require(value.file != 'vector' or row.cls == 'v', row.where, 'a scalar row ends in a vector')
            require((value.file == 'mask') == bool(row.mask_result), row.where,
                    'the result is a mask, or should be')


class Row:
   """A row of gcn/select.py."""

   def __init__(self, op, size, cls, ways):
      self.op, self.size, self.cls = op, size, cls
      self.where = f'gcn/select.py: {op} {size} {cls}'
      require(op in OP_ROWS, self.where, 'there is no such op')
      require(cls in ('s', 'v'), self.where, 'a class is s or v')
      self.info = OP_ROWS[op]
      from_, arrow, to = size.partition('>')
      self.from_size = int(from_)
      self.to_size = int(to) if arrow else None
      require(bool(arrow) == bool(self.info.sized_by_instruction), self.where,
              'a size of the result is given where the instruction chooses it')
      # Where no operand's size is open there is but one row.
      self.key = self.from_size if any(t.variable for t in self.info.srcs) else 0
      self._sizes()
      self.ways = ways

   def parse(self):
      left = set(GEN_DIGITS)
      parsed = []
      for text in self.ways:
         require(left, self.where, f"'{text}' is never taken")
         way = Way(self, text, left)
         require(way.gens, self.where, f"'{text}' is never taken")
         parsed.append(way)
         if not way.conditions:
            left -= way.gens
      self.parsed = parsed
      self.gens_left = left
      return self

   def _bits(self, t):
      if t.variable is None:
         return t.sizes[0]
      if self.to_size is not None and t is self.info.result:
         require(self.to_size in t.sizes, self.where, 'the op has no such result')
         return self.to_size
      require(self.from_size in t.sizes, self.where, 'the op has no such size')
      return self.from_size

   def _sizes(self):
      info = self.info
      self.src_sizes = [self._bits(t) for t in info.srcs]
      self.src_kinds = [t.kind for t in info.srcs]
      self.src_components = [1 if t.linked else t.max_components for t in info.srcs]
      self.result_size = self._bits(info.result)
      self.result_kind = info.result.kind
      if not any(t.variable for t in info.srcs):
         require(self.from_size in self.src_sizes + [self.result_size], self.where,
                 'the op has no such size')
      self.result_components = 1 if info.result.linked else info.result.max_components
      self.mask_result = self.cls == 'v' and self.result_size == 1
      floats = [s for s, k in [(self.result_size, self.result_kind)]
                + list(zip(self.src_sizes, self.src_kinds)) if k == 'f']
      self.float_size = floats[0] if floats else None

   def modifiable(self, way):
      """Float operands that are only read where modifiers can be."""
      sizes = []
      for n, kind in enumerate(self.src_kinds):
         uses = [(step, k) for step in way.steps for k, ref in enumerate(step.srcs)
                 if ref.kind == 'src' and ref.index == n]
         # What is chosen may be the negation of a float: its sign is another one, and no NaN is made canonical.
         good = (kind == 'f' or (self.op == 'select' and n > 0)) and bool(uses) and all(
            step.op in INSTRUCTIONS and 'neg_abs' in INSTRUCTIONS[step.op].flags
            # A second result leaves no place for abs in the encoding.
            and len(INSTRUCTIONS[step.op].defs) == 1
            and step.srcs[k].part == 0 and step.srcs[k].component == 0
            and INSTRUCTIONS[step.op].srcs[k].type == f'f{self.src_sizes[n]}'
            and self.src_components[n] == 1
            for step, k in uses)
         sizes.append(good)
      return sizes
