# SPDX-License-Identifier: MIT
"""What the generators share: file headers, C names and literals."""

import pathlib
import sys

from codegen.ir.schema import KIND_WORDS, TableError


def report(kind, error, trace):
   """A bad row is the table's fault, not the generator's: no trace, only what is wrong with it."""
   if issubclass(kind, TableError):
      print(f'error: {error}', file=sys.stderr)
   else:
      sys.__excepthook__(kind, error, trace)


sys.excepthook = report


# What was written: run.py reads it, so that a file which is only compared counts as no input.
WRITTEN = set()


def write(path, lines):
   """A file that is as it was keeps its time: what includes it is not compiled again."""
   file, text = pathlib.Path(path), '\n'.join(lines) + '\n'
   WRITTEN.add(str(file.absolute()))
   if not file.exists() or file.read_text(encoding='utf-8') != text:
      file.write_text(text, encoding='utf-8')


def columns(text):
   """The rows of a table: a line each, its columns between bars."""
   return [[column.strip() for column in line.split('|')] for line in text.strip().splitlines()]


def between(text, begin, end, lines):
   """The text of a page with these lines between its two marks."""
   before, rest = text.split(begin)
   return before + '\n'.join([begin, *lines, end]) + rest.split(end)[1]


def run(main, count):
   """Call main with the paths given on the command line."""
   if len(sys.argv) != count + 1:
      sys.exit(f'usage: {pathlib.Path(sys.argv[0]).name} ' + ' '.join(['OUTPUT'] * count))
   main(*sys.argv[1:])


def opening(name, what, source):
   return ['/* SPDX-License-Identifier: MIT */',
           f'/* {name} - {what}', ' *', f' * Generated from src/codegen/{source}.', ' */']


def string(text):
   """A C string literal; nothing in the tables needs escapes but quotes and backslashes."""
   return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'


def op_name(op):
   return f'HD_OP_{op.upper()}' if op else 'HD_OP_NONE'


def intrinsic_name(name):
   return f'HD_INTRINSIC_{name.upper()}'


def enum_value(enum, value):
   return f'HD_{enum.prefix.upper()}_{value.upper()}'


def flags(prefix, names):
   return ' | '.join(f'{prefix}{name.upper()}' for name in names) or '0'


def type_info(t):
   """An initialiser of hd_type_info."""
   if t is None:
      return '{ .name = "" }'
   variable = "'" + t.variable + "'" if t.variable else '0'
   tags = ' | '.join(f'HD_OPERAND_{tag.upper()}' for tag in sorted(t.tags)) or '0'
   return (f'{{ {string(t.name)}, HD_KIND_{KIND_WORDS[t.kind]}, {" | ".join(map(str, t.sizes))}, '
           f'{variable}, {t.min_components}, {t.max_components}, {int(t.linked)}, {tags} }}')


class TypeLists:
   """The operands of all rows, equal lists once."""

   def __init__(self):
      self.names = {}

   def initialiser(self, types):
      """What a row has in its `src`."""
      if not types:
         return 'NULL'
      return self.names.setdefault(tuple(map(type_info, types)), f'types_{len(self.names)}')

   def lines(self):
      lines = []
      for types, name in self.names.items():
         lines += [f'static const hd_type_info {name}[] = {{', *(f'   {t},' for t in types), '};', '']
      return lines


# ---- name lookup ----------------------------------------------------------------------------

MASK32 = 0xffffffff


def name_hash(name):
   """FNV-1a; hash_name in the generated C is the same."""
   h = 2166136261
   for byte in name.encode():
      h = (h ^ byte) * 16777619 & MASK32
   return h


def perfect_hash(names):
   """Place names without collisions: (bucket displacements, slots), slots holding numbers from 1.

   The low bits of the hash pick a bucket, the displacement of the bucket moves its names to free
   slots; the fullest buckets choose first, while there is room.
   """
   size = 1
   while size < 2 * len(names):
      size *= 2
   buckets = [[] for _ in range(size // 4)]
   for number, name in enumerate(names, 1):
      h = name_hash(name)
      buckets[h % len(buckets)].append((h, number))
   slots, displacements = [0] * size, [0] * len(buckets)
   for bucket in sorted(range(len(buckets)), key=lambda b: (-len(buckets[b]), b)):
      for displacement in range(1 << 16):
         places = [hash_slot(h, displacement, size) for h, _ in buckets[bucket]]
         if len(set(places)) == len(places) and not any(slots[p] for p in places):
            break
      else:
         raise AssertionError('no perfect hash; make the table larger')
      displacements[bucket] = displacement
      for place, (_, number) in zip(places, buckets[bucket]):
         slots[place] = number
   return displacements, slots


def hash_slot(h, displacement, size):
   return ((h >> 8) + displacement * ((h >> 16) | 1)) % size


def lookup(prefix, names):
   """C tables and a function that finds the number of a name."""
   displacements, slots = perfect_hash(names)
   lines = []
   for table, values in (('displacements', displacements), ('slots', slots)):
      lines += [f'static const uint16_t {prefix}_{table}[{len(values)}] = {{']
      lines += ['   ' + ' '.join(f'{v},' for v in values[i:i + 16])
                for i in range(0, len(values), 16)]
      lines += ['};', '']
   lines += ['/* The only number whose name can be this one, or 0. */',
             'static unsigned', f'find_{prefix}(const char *name, size_t length)', '{',
             '   uint32_t h = 2166136261u;', '',
             '   for (size_t i = 0; i < length; i++)',
             '      h = (h ^ (unsigned char)name[i]) * 16777619u;',
             f'   uint32_t d = {prefix}_displacements[h % {len(displacements)}];',
             f'   return {prefix}_slots[((h >> 8) + d * (h >> 16 | 1)) % {len(slots)}];', '}', '']
   return lines
