#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Our code objects of the kernels in bench/kernels beside clang's: what a loader reads must be the same.

    test_object_format.py HEDDLE

Both are read here, apart from the library. What depends on the code itself (how many registers) must be what our
own descriptor and note say of each other. llvm-readelf, llvm-objdump and ld.lld, where they are installed, must
take our objects without a word of complaint. Without clang the test is skipped.
"""
import concurrent.futures
import os
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, os.pardir)
sys.path[:0] = [os.path.join(ROOT, 'bench'), os.path.join(ROOT, 'scripts')]

import kernels           # noqa: E402
import llvm_programs     # noqa: E402
import test_object_kernels as objects  # noqa: E402

# COMPUTE_PGM_RSRC1: counts of registers, the mode of floats and IEEE_MODE are the compiler's to choose.
RSRC1_CHOICES = 0x3ff | 0xff << 12 | 1 << 23
# COMPUTE_PGM_RSRC2 and KERNEL_CODE_PROPERTIES: who keeps all in registers asks for nothing of scratch: its offset,
# its resource, what flat_scratch is made from. The number of user SGPRs follows.
RSRC2_CHOICES = 1 | 31 << 1
PROPERTIES_CHOICES = 1 << 0 | 1 << 5 | 1 << 6
# The compiler may need scratch where the other does not, and read hidden arguments or not.
SAME = ('.kernarg_segment_size', '.kernarg_segment_align', '.name', '.symbol', '.wavefront_size', '.reqd_workgroup_size',
        '.max_flat_workgroup_size', '.uses_dynamic_stack', '.group_segment_fixed_size')
REQUIRED = SAME[:-4] + ('.group_segment_fixed_size', '.private_segment_fixed_size', '.sgpr_count', '.vgpr_count')


# MessagePack

def unpack(data, at=0):
   """(value, where the next one begins)."""
   head = data[at]
   at += 1

   def number(code, size):
      return struct.unpack_from('>' + code, data, at)[0], at + size

   def items(count, at):
      values = []
      for _ in range(count):
         value, at = unpack(data, at)
         values.append(value)
      return values, at

   def pairs(count, at):
      values, at = items(2 * count, at)
      return dict(zip(values[::2], values[1::2])), at

   def text(size, at):
      return data[at:at + size].decode(), at + size

   if head < 0x80:
      return head, at
   if head >= 0xe0:
      return head - 256, at
   if head < 0x90:
      return pairs(head & 15, at)
   if head < 0xa0:
      return items(head & 15, at)
   if head < 0xc0:
      return text(head & 31, at)
   if head in (0xc2, 0xc3):
      return head == 0xc3, at
   if 0xcc <= head <= 0xcf:
      return number('BHIQ'[head - 0xcc], 1 << (head - 0xcc))
   if 0xd9 <= head <= 0xdb:
      size, at = number('BHI'[head - 0xd9], 1 << (head - 0xd9))
      return text(size, at)
   if 0xdc <= head <= 0xdf:
      count, at = number('HI'[(head - 0xdc) % 2], 2 << (head - 0xdc) % 2)
      return (items if head < 0xde else pairs)(count, at)
   raise ValueError(f'{head:#x}')


# ELF

class Object:
   def __init__(self, path):
      with open(path, 'rb') as file:
         self.data = file.read()
      (self.ident, self.type, self.machine, _, _, self.segments, table, self.flags, _, _, self.num_segments, _, count,
       names) = struct.unpack_from('<16sHHIQQQIHHHHHH', self.data)
      rows = [struct.unpack_from('<IIQQQQIIQQ', self.data, table + n * 64) for n in range(count)]
      strings = rows[names]
      self.sections = {self.string(strings, row[0]): row for row in rows}
      self.rows = rows
      self.note = self.read_note()
      self.kernel = self.note['amdhsa.kernels'][0]
      self.symbols = self.read_symbols()

   def string(self, table, at):
      start = table[4] + at
      return self.data[start:self.data.index(b'\0', start)].decode()

   def read_note(self):
      _, _, _, _, offset, _, *_ = self.sections['.note']
      name, size, kind = struct.unpack_from('<III', self.data, offset)
      assert (name, kind) == (7, 32) and self.data[offset + 12:offset + 19] == b'AMDGPU\0'
      blob = self.data[offset + 20:offset + 20 + size]
      value, end = unpack(blob)
      assert end == size, 'bytes behind the note'
      return value

   def read_symbols(self):
      table = self.sections.get('.symtab', self.sections.get('.dynsym'))
      found = {}
      for at in range(table[4], table[4] + table[5], 24):
         name, info, other, section, value, size = struct.unpack_from('<IBBHQQ', self.data, at)
         found[self.string(self.rows[table[6]], name)] = (info, other, section, value, size)
      return found

   def descriptor(self):
      """By name; the entry is checked by the caller."""
      _, _, section, value, size = self.symbols[self.kernel['.symbol']]
      assert size == 64
      row = self.rows[section]
      raw = self.data[row[4] + value - row[3]:][:64]
      lds, scratch, kernarg, zero, entry, rsrc3, rsrc1, rsrc2, properties, preload, end = struct.unpack(
         '<IIIIq20xIIIHHI', raw)
      assert not zero and not end and not any(raw[24:44]), 'reserved bytes'
      return {'lds': lds, 'scratch': scratch, 'kernarg': kernarg, 'entry': value + entry, 'rsrc1': rsrc1,
              'rsrc2': rsrc2, 'rsrc3': rsrc3, 'properties': properties, 'preload': preload}

   def explicit_args(self):
      return [(a['.offset'], a['.size'], a['.value_kind'], a.get('.address_space')) for a in self.kernel.get('.args', [])
              if not a['.value_kind'].startswith('hidden_')]


def granulated(chip, rsrc1):
   """Registers that the descriptor allocates."""
   vgprs, field = ((rsrc1 & 63) + 1) * 4, rsrc1 >> 6 & 15
   return (field + 1) * 8 if chip == 'gfx600' else (field // 2 + 1) * 16, vgprs


def check_same(chip, ours, theirs):
   """Fields that the interface of the kernel decides."""
   one, other = ours.descriptor(), theirs.descriptor()
   for key, choices in (('lds', 0), ('kernarg', 0), ('rsrc1', RSRC1_CHOICES), ('rsrc2', RSRC2_CHOICES), ('rsrc3', 0),
                        ('properties', PROPERTIES_CHOICES), ('preload', 0)):
      if (one[key] ^ other[key]) & ~choices:
         yield f'descriptor, {key}: {one[key]:#x} instead of {other[key]:#x}'
   for key in SAME:
      if ours.kernel.get(key) != theirs.kernel.get(key):
         yield f'note, {key}: {ours.kernel.get(key)} instead of {theirs.kernel.get(key)}'
   if ours.explicit_args() != theirs.explicit_args():
      yield f'arguments: {ours.explicit_args()} instead of {theirs.explicit_args()}'
   for key in ('amdhsa.target', 'amdhsa.version'):
      if ours.note[key] != theirs.note[key]:
         yield f'{key}: {ours.note[key]} instead of {theirs.note[key]}'
   if ours.ident != theirs.ident or ours.machine != theirs.machine or ours.flags != theirs.flags:
      yield f'header: {ours.ident}, {ours.flags:#x} instead of {theirs.ident}, {theirs.flags:#x}'
   sgprs, vgprs = granulated(chip, one['rsrc1'])
   if not (sgprs - 16 < ours.kernel['.sgpr_count'] <= sgprs and vgprs - 4 < ours.kernel['.vgpr_count'] <= vgprs):
      yield f'{ours.kernel[".sgpr_count"]} and {ours.kernel[".vgpr_count"]} registers, but {sgprs} and {vgprs} allocated'


def check_own(ours):
   """What an object must be in itself."""
   d, kernel = ours.descriptor(), ours.kernel
   missing = [key for key in REQUIRED if key not in kernel]
   if missing:
      yield f'the note has no {", ".join(missing)}'
   if (d['lds'], d['scratch'], d['kernarg']) != (kernel['.group_segment_fixed_size'], kernel['.private_segment_fixed_size'],
                                                 kernel['.kernarg_segment_size']):
      yield 'the descriptor and the note disagree'
   info, other, _, value, size = ours.symbols[kernel['.name']]
   if d['entry'] != value or value % 256:
      yield f'the kernel begins at {d["entry"]:#x}, its symbol is at {value:#x}'
   if info != 0x12 or other != 3 or size != ours.sections['.text'][5]:
      yield f'symbol of the code: info {info:#x}, visibility {other}, {size} bytes'
   info, other, *_ = ours.symbols[kernel['.symbol']]
   if info != 0x11 or other != 3:
      yield f'symbol of the descriptor: info {info:#x}, visibility {other}'
   user = d['rsrc2'] >> 1 & 31
   wanted = sum(n for bit, n in enumerate((4, 2, 2, 2, 2, 2, 1)) if d['properties'] >> bit & 1)
   if user != wanted:
      yield f'{user} user SGPRs, but the properties ask for {wanted}'
   loads = [struct.unpack_from('<IIQQQQQQ', ours.data, ours.segments + n * 56) for n in range(ours.num_segments)]
   for kind, flags, offset, address, _, file_size, size, align in loads:
      if kind == 1 and ((offset - address) % align or flags & 3 == 3):
         yield f'a segment at {address:#x} from {offset:#x}, flags {flags}'


def check_tools(path, chip, folder):
   for name, arguments in (('llvm-readelf', ['-a', '--notes']), ('llvm-objdump', ['-d']),
                           ('ld.lld', ['-shared', '-o', os.path.join(folder, 'linked')])):
      program = llvm_programs.find(name)
      # Of gfx600 this disassembler knows nothing.
      if not program or (name, chip) == ('llvm-objdump', 'gfx600'):
         continue
      done = subprocess.run([program, *arguments, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
      if done.returncode or done.stderr:
         yield f'{name}: exit {done.returncode}: {done.stderr.strip()}'
      if name == 'llvm-readelf' and ('amdhsa.kernels:' not in done.stdout or 'Invalid' in done.stdout):
         yield 'llvm-readelf does not read the note'
      if name == 'llvm-objdump' and ('<unknown>' in done.stdout or 's_endpgm' not in done.stdout):
         yield 'llvm-objdump finds what is no instruction'


def check(heddle, name, chip):
   kernel = kernels.Kernel(name)
   with tempfile.TemporaryDirectory() as folder:
      ours, theirs = os.path.join(folder, 'ours.o'), os.path.join(folder, 'theirs.o')
      try:
         objects.run([heddle, 'compile', os.path.join(kernels.KEPT, f'{name}.hd'), '--target', chip, '-o', ours])
         objects.by_clang(kernel, chip, '2', theirs)
      except objects.Failed as failed:
         return [f'{name}, {chip}: {failed}']
      # What clang wrote is not linked: descriptors refer to no other section but by the entry.
      one, other = Object(ours), Object(theirs)
      found = [*check_same(chip, one, other), *check_own(one), *check_tools(ours, chip, folder)]
      return [f'{name}, {chip}: {what}' for what in found]


def main(heddle):
   if not llvm_programs.find('clang'):
      print('no clang')
      return objects.SKIPPED
   jobs = [(name, chip) for name in kernels.names() for chip in objects.CHIPS]
   with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
      results = list(pool.map(lambda job: check(heddle, *job), jobs))
   for lines in results:
      for line in lines:
         print(line)
   absent = [name for name in ('llvm-readelf', 'llvm-objdump', 'ld.lld') if not llvm_programs.find(name)]
   if absent:
      print(f'not asked, as they are not installed: {", ".join(absent)}')
   print(f'{len(jobs)} objects, {sum(map(len, results))} differences')
   return any(results)


if __name__ == '__main__':
   sys.exit(main(*sys.argv[1:]))
