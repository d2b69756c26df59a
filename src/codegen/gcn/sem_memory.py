# SPDX-License-Identifier: MIT
"""What instructions of memory move, by their names: how many bytes, into which part of a register,
and what an atomic does. Addresses are those of the formats, and are made in C.
"""

import re

from codegen.gcn.isa_image import SAMPLES

BYTES = {'': 4, 'x2': 8, 'x3': 12, 'x4': 16, 'x8': 32, 'x16': 64}
SMALL = {'ubyte': (1, False), 'sbyte': (1, True), 'ushort': (2, False), 'sshort': (2, True),
         'short': (2, False), 'byte': (1, False), 'u8': (1, False), 'i8': (1, True),
         'u16': (2, False), 'i16': (2, True), 'b8': (1, False), 'b16': (2, False)}
# What is left of the old value `a` and the operands `b` and `c`, and which bits of that are undefined: an
# expression, or a rule as in sem.py. A compare and swap writes `b` where `c` is.
ATOMICS = {
   'swap': ('b', 'ub'),
   'cmpswap': ('a == c ? b : a',
               'equal_undef(a, ua, c, uc) ? (a ^ b) | ua | ub : a == c && !(ua | uc) ? ub : ua'),
   'add': ('a + b', 'up'), 'sub': ('a - b', 'up'), 'rsub': ('b - a', 'up'),
   'smin': ('sign_extend(bits, b) < sign_extend(bits, a) ? b : a', 'any'),
   'smax': ('sign_extend(bits, b) > sign_extend(bits, a) ? b : a', 'any'),
   'umin': ('b < a ? b : a', 'any'), 'umax': ('b > a ? b : a', 'any'),
   'and': ('a & b', 'and_undef(a, ua, b, ub)'), 'or': ('a | b', 'or_undef(a, ua, b, ub)'),
   'xor': ('a ^ b', 'ua | ub'),
   'inc': ('a >= b ? 0 : a + 1', 'any'), 'dec': ('a == 0 || a > b ? b : a - 1', 'any'),
   'wrap': ('a >= b ? a - b : a + c', 'any'), 'mskor': ('(a & ~b) | c', 'any'),
   'fcmpswap': ('hd_float_eq(bits, a, c) ? b : a', 'any'),
   'fmin': ('hd_float_min(bits, a, b)', 'any'), 'fmax': ('hd_float_max(bits, a, b)', 'any'),
   'fadd': ('float_atomic_sum(bits, denorm, a, b)', 'any'),
}
DS_ATOMICS = {'wrxchg': 'swap', 'write': 'swap', 'cmpst': 'cmpswap', 'min_i': 'smin', 'min_u': 'umin',
              'max_i': 'smax', 'max_u': 'umax', 'min_f': 'fmin', 'max_f': 'fmax', 'add_f': 'fadd',
              'cmpst_f': 'fcmpswap'}


class Access:
   """kind: load, store, atomic or none; bytes of one element; two: elements at two offsets; channels: of a texel."""

   def __init__(self, kind, bytes=0, signed=False, d16=False, hi=False, two=0, atomic=None,
                returns=False, buffer=False, relative=False, channels=0):
      self.kind, self.bytes, self.signed, self.d16, self.hi = kind, bytes, signed, d16, hi
      self.two, self.atomic, self.returns, self.buffer = two, atomic, returns, buffer
      self.relative = relative
      self.channels = channels


def vector(name):
   """buffer_, tbuffer_, flat_, global_ and scratch_."""
   match = re.match(r't?buffer_(load|store)_format(_d16)?(_hi)?_(x|xy|xyz|xyzw)\Z', name)
   if match:
      return Access(match[1], d16=bool(match[2]), hi=bool(match[3]), channels=len(match[4]))
   match = re.match(r'[a-z]+_(load|store)_(?:dword(x\d)?|([a-z]+))(_d16)?(_hi)?\Z', name)
   if match:
      kind, wide, small, d16, hi = match.groups()
      size, signed = SMALL[small] if small else (BYTES[wide or ''], False)
      return Access(kind, size, signed, bool(d16), bool(hi))
   match = re.match(r'[a-z]+_atomic_([a-z]+)(_x2)?\Z', name)
   if match:
      return Access('atomic', 8 if match[2] else 4, atomic=match[1])
   if name.startswith('buffer_wbinvl1'):
      return Access('none')
   return None


def scalar(name):
   match = re.match(r's_(buffer_)?(load|store)_dword(x\d+)?\Z', name)
   if match:
      return Access(match[2], BYTES[match[3] or ''], buffer=bool(match[1]))
   match = re.match(r's_(buffer_)?atomic_([a-z]+)(_x2)?\Z', name)
   if match:
      return Access('atomic', 8 if match[3] else 4, atomic=match[2], buffer=bool(match[1]))
   if re.match(r's_(memtime|memrealtime|dcache_(inv|wb)(_vol)?)\Z', name):
      return Access('none')
   return None


def lds(name):
   if name in ('ds_nop', 'ds_swizzle_b32', 'ds_permute_b32', 'ds_bpermute_b32'):
      return Access('none')
   match = re.match(r'ds_(read|write)(2|2st64)?_([ubi])(\d+)(_d16)?(_hi)?\Z', name)
   if match:
      kind = 'load' if match[1] == 'read' else 'store'
      two = {None: 0, '2': 1, '2st64': 64}[match[2]]
      return Access(kind, int(match[4]) // 8, match[3] == 'i' and int(match[4]) < 32,
                    bool(match[5]), bool(match[6]), two)
   match = re.match(r'ds_(read|write)_addtid_b32\Z', name)
   if match:
      return Access('load' if match[1] == 'read' else 'store', 4)
   if name in ('ds_append', 'ds_consume'):
      return Access('atomic', 4, atomic='add' if name == 'ds_append' else 'sub', returns=True)
   match = re.match(r'ds_([a-z]+)_src2_([uibf])(\d+)\Z', name)
   if match:
      what = DS_ATOMICS.get(f'{match[1]}_{match[2]}') or DS_ATOMICS.get(match[1], match[1])
      return Access('atomic', int(match[3]) // 8, atomic=what, relative=True)
   match = re.match(r'ds_wrxchg(2|2st64)_rtn_b(\d+)\Z', name)
   if match:
      return Access('atomic', int(match[2]) // 8, two={'2': 1, '2st64': 64}[match[1]],
                    atomic='swap', returns=True)
   match = re.match(r'ds_([a-z]+)(_rtn)?_([uibf])(\d+)\Z', name)
   if match:
      what = DS_ATOMICS.get(f'{match[1]}_{match[3]}') or DS_ATOMICS.get(match[1], match[1])
      return Access('atomic', int(match[4]) // 8, atomic=what, returns=bool(match[2]))
   return None


def image(name):
   """Texels, which are as large as their format says; of an atomic the first 32 bits."""
   if name == 'image_get_resinfo':
      return Access('none')
   match = re.match(r'image_atomic_([a-z]+)\Z', name)
   if match:
      return Access('atomic', 4, atomic=match[1])
   if name == 'image_get_lod' or name in SAMPLES:
      return Access('load')
   match = re.match(r'image_(load|store)(_mip)?\Z', name)
   return match and Access(match[1])


def image_parts(name):
   """The hd_gcn_image_kind, and which flags of hd_gcn_image_op are set."""
   sample = SAMPLES.get(name)
   if name == 'image_get_lod':
      return 'LEVEL_OF', []
   if not sample:
      return IMAGE_KINDS[image(name).kind], ['mip'] if name.endswith('_mip') else []
   flags = ('offset', 'bias', 'compare', 'gradients', 'level', 'clamp', 'zero')
   return 'GATHER' if sample.gather else 'SAMPLE', [flag for flag in flags if getattr(sample, flag)]


# hd_gcn_image_kind
IMAGE_KINDS = {'load': 'READ', 'store': 'WRITE', 'atomic': 'CHANGE', 'none': 'RESINFO'}


def access(op):
   if op.format == 'mimg':
      return image(op.name)
   if op.format == 'smem':
      return scalar(op.name)
   return lds(op.name) if op.format == 'ds' else vector(op.name)
