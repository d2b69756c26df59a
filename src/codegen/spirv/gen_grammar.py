# SPDX-License-Identifier: MIT
"""spirv_grammar.h, spirv_grammar.c: the grammar of SPIR-V, with what spirv/opcodes.py says of each instruction.

   spirv.gen_grammar OUTPUT_H OUTPUT_C GRAMMAR

GRAMMAR is what spirv/grammar.py reads. Operands are written as a layout: a number each, what it is in the low bits and
how often it stands there in the upper two; 0 ends it. src/spirv/grammar.h says what the numbers mean.
"""

import sys

from codegen.emit import op_name, opening, write
from codegen.ir.ops import OPS
from codegen.ir.schema import require
from codegen.spirv import grammar as spirv_grammar
from codegen.spirv import opcodes as spirv_opcodes
from codegen.spirv.grammar import FIRST_ENUM, OPERANDS, OPTIONAL, REPEATED, REST, is_known, layout
from codegen.spirv.names import c_name, constant

SOURCE = 'spirv/gen_grammar.py'
# A module may name what the grammar does not have: who reads it decides what becomes of it.
OPEN = {'Capability', 'ExecutionMode', 'SourceLanguage'}
# Kinds whose enumerants are named in what the reader says.
NAMED = ('Capability', 'BuiltIn')
# As many as spirv_opcode.ids holds; others are checked as the rest of the layout is.
MOST_IDS = 15
# Opcodes that are found together: where their table is smallest.
PAGE = 32


class Pool:
   """Strings, of bytes or of characters, laid end to end; equal ones and tails of others once."""

   def __init__(self, strings):
      self.all, self.places = strings[0][:0], {}
      for s in sorted(set(strings), key=lambda s: (-len(s), s)):
         at = self.all.find(s)
         if at < 0:
            at = len(self.all)
            self.all += s
         self.places[s] = at

   def __getitem__(self, s):
      return self.places[s]

   def __len__(self):
      return len(self.all)

   def numbers(self):
      return [c if isinstance(c, int) else ord(c) for c in self.all]


class Tables:
   """What header and source are made from: a grammar, and the pools that its names and layouts lie in."""

   def __init__(self, grammar):
      self.grammar = grammar
      self.instructions = sorted((i for i in grammar.instructions.values() if is_known(i)), key=lambda i: i.number)
      self.names = Pool([text(i.name) for i in self.instructions])
      self.reasons = Pool([text(spirv_opcodes.reason_of(i.names)) for i in self.instructions])
      self.layouts = Pool(['\0'] + [characters(layout(grammar, i.operands)) for i in self.instructions]
                          + [characters(layout(grammar, e.operands)) for k in grammar.enums for e in k.items.values()])
      self.num_enumerants = sum(len(k.items) for k in grammar.enums)

   def layout(self, item):
      """Where an instruction's or enumerant's layout begins."""
      return self.layouts[characters(layout(self.grammar, item.operands))]

   def place_type(self):
      """The smallest type of C that holds a place in any of them."""
      longest = max(len(self.names), len(self.reasons), len(self.layouts), self.num_enumerants, len(OPS))
      return number_type(longest)

   def value_type(self, kinds):
      """The same for the values of enumerants, as the tables have them."""
      return number_type(max(stored_value(k, value) for k in kinds for value in k.items))


def number_type(highest):
   return 'uint16_t' if highest < 1 << 16 else 'uint32_t'


def stored_value(kind, value):
   """One that is a bit of a set is the number of the bit; what is none or several has no row."""
   return max(value.bit_length() - 1, 0) if kind.category == 'bits' else value


def text(name):
   return name.encode() + b'\0'


def characters(codes):
   return ''.join(map(chr, codes))


def enum(name, values):
   """Constants of an enumeration are ints; greater ones are macros."""
   small = [(n, v) for n, v in values if int(str(v), 0) < 1 << 31]
   lines = [f'enum {name} {{'] + [f'   {n} = {v},' for n, v in small] + ['};'] if small else []
   return lines + [f'#define {n} {v}u' for n, v in values if (n, v) not in small] + ['']


def constants(prefix, items, skip=0, write_number=str):
   """(name of C, number) of all names, less their first `skip` letters; two that are one in C stand there once."""
   values = {}
   for i in items.values():
      for name in i.names:
         number = values.setdefault(c_name(prefix, name[skip:]), i.number)
         require(number == i.number, name, 'is the name of two numbers')
   return [(name, write_number(number)) for name, number in values.items()]


def header(tables):
   grammar = tables.grammar
   lines = opening('spirv_grammar.h', 'the numbers of SPIR-V.', SOURCE)
   lines += ['#ifndef HEDDLE_SPIRV_GRAMMAR_NUMBERS_H', '#define HEDDLE_SPIRV_GRAMMAR_NUMBERS_H', '',
             '#include <stdint.h>', '',
             f'#define SPV_GRAMMAR_VERSION "{".".join(map(str, grammar.version))}"', '',
             '/* A place in the tables of the grammar. */', f'typedef {tables.place_type()} spirv_place;',
             '/* The value of an enumerant, and of one that has a name here. */',
             f'typedef {tables.value_type(grammar.enums)} spirv_enumerant_value;',
             f'typedef {tables.value_type([grammar.kinds[kind] for kind in NAMED])} spirv_named_value;', '',
             '/* Opcodes of a page. */', f'#define SPIRV_OPCODE_PAGE {PAGE}u', '']
   lines += enum('spv_op', constants('OP', grammar.instructions, skip=2))
   for kind in grammar.enums:
      prefix = constant(kind.name)
      lines += enum(f'spv_{prefix.lower()}',
                    constants(prefix, kind.items, write_number=hex if kind.category == 'bits' else str))
   for name, instructions in grammar.sets.items():
      lines += enum(f'spv_{name.lower()}', constants(name, instructions))
   lines += enum('spirv_kind', [(f'SPIRV_KIND_{constant(k.name)}', n) for n, k in enumerate(grammar.enums)])
   lines += enum('spirv_room', [(f'SPIRV_ROOM_{room.upper()}', n)
                                for n, room in enumerate(spirv_opcodes.ROOMS)])
   lines += enum('spirv_alu_flags', [(f'SPIRV_ALU_{flag.upper()}', 4 << n)
                                     for n, flag in enumerate(spirv_opcodes.FLAGS)])
   lines += enum('spirv_operand', [(f'SPIRV_OPERAND_{name}', n) for n, name in enumerate(OPERANDS)]
                 + [('SPIRV_OPERAND_ENUM', FIRST_ENUM), ('SPIRV_OPERAND_OPTIONAL', OPTIONAL),
                    ('SPIRV_OPERAND_REPEATED', REPEATED)])
   return lines + ['#endif']


def table(declaration, rows):
   return [f'{declaration}[] = {{'] + [f'   {row},' for row in rows] + ['};', '']


def numbers(declaration, values, per_line=16):
   values = [str(v) for v in values]
   return table(declaration, [', '.join(values[n:n + per_line])
                              for n in range(0, len(values), per_line)])


def text_pool(name, pool):
   """As numbers: a string literal may not be as long."""
   return numbers(f'const char hd_spirv_{name}', pool.numbers(), 20)


def opcode_rows(tables):
   """A row an opcode, and the pages that find it: the index of a row, or 0."""
   rows, places = ['{ 0 }'], {}
   op_names = {op.name for op in OPS}
   for i in tables.instructions:
      row = spirv_opcodes.row_of(i.names)
      kinds = {o.kind for o in i.operands}
      flags = [f'SPIRV_HAS_{f}' for f, k in (('TYPE', 'IdResultType'), ('RESULT', 'IdResult'))
               if k in kinds]
      extra = str(tables.reasons[text(spirv_opcodes.reason_of(i.names))])
      codes = layout(tables.grammar, i.operands)
      if row:
         extra = op_name(row.op)
         flags += [f'SPIRV_ALU_{f.upper()}' for f in row.flags]
         require(not row.op or row.op in op_names, i.name, f"'{row.op}' is not an op")
         require(REST not in codes, i.name, 'has operands of a kind that the reader does not know')
      room = row.room if row else 'unsupported'
      places[i.number] = len(rows)
      rows.append(f'{{ {tables.names[text(i.name)]}, {tables.layouts[characters(codes)]}, '
                  f'{extra}, SPIRV_ROOM_{room.upper()}, {min(ids_first(codes), MOST_IDS)}, {" | ".join(flags) or "0"} }}')
   return rows, places


def ids_first(codes):
   """How many of the operands of a layout are ids before another one comes, or one that may be left out."""
   return next(n for n, code in enumerate(codes) if code != OPERANDS.index('ID'))


def pages(places):
   """Opcodes are found in two steps, page by page, as their numbers lie far apart."""
   index, filled = [], [[0] * PAGE]
   for first in range(0, max(places) + 1, PAGE):
      page = [places.get(opcode, 0) for opcode in range(first, first + PAGE)]
      index.append(len(filled) if any(page) else 0)
      if any(page):
         filled.append(page)
   return index, [n for page in filled for n in page]


def check_rows(grammar):
   known = {name[2:] for i in grammar.instructions.values() for name in i.names}
   for name in spirv_opcodes.ROWS:
      require(name in known, name, 'is not in the grammar')


def source(tables):
   grammar = tables.grammar
   check_rows(grammar)
   rows, places = opcode_rows(tables)
   index, page = pages(places)
   lines = opening('spirv_grammar.c', 'operands, rooms and names of instructions.', SOURCE)
   lines += ['#include "spirv/grammar.h"', '', '#include "heddle/intrinsic_enum.h"', '#include "heddle/op_enum.h"',
             '#include "heddle/ops.h"', '']
   lines += table('const struct spirv_opcode hd_spirv_opcodes', rows)
   lines += numbers('const uint16_t hd_spirv_opcode_pages', index)
   lines += numbers('const uint16_t hd_spirv_opcode_page', page)
   lines += [f'const uint32_t hd_spirv_num_opcode_pages = {len(index)};', '']
   lines += text_pool('names', tables.names) + text_pool('reasons', tables.reasons)
   lines += numbers('const uint16_t hd_spirv_layouts', tables.layouts.numbers())
   lines += enum_tables(tables)
   for kind in NAMED:
      lines += enumerant_names(grammar.kinds[kind])
   return lines


def enum_tables(tables):
   """Values of every kind one after the other, with the layouts of their parameters."""
   values, layouts, kinds = [], [], []
   for kind in tables.grammar.enums:
      bits, first = kind.category == 'bits', len(values)
      for value, e in sorted(kind.items.items()):
         if bits and value.bit_count() != 1:
            continue  # none of the bits, or several that have rows
         values.append(stored_value(kind, value))
         layouts.append(tables.layout(e))
      kinds.append(f'{{ {first}, {len(values) - first}, {str(bits).lower()}, {str(kind.name in OPEN).lower()} }}')
   return (numbers('const spirv_enumerant_value hd_spirv_enumerant_values', values)
           + numbers('const spirv_place hd_spirv_enumerant_layouts', layouts)
           + table('const struct spirv_enum hd_spirv_enums', kinds))


def enumerant_names(kind):
   """A table of numbers and names; hd_spirv_enumerant_name looks into it."""
   name = constant(kind.name).lower()
   values = sorted(kind.items.items())
   pool = Pool([text(e.name) for _, e in values])
   return (text_pool(f'{name}_text', pool)
           + table(f'const struct spirv_enumerant_name hd_spirv_{name}_names',
                   [f'{{ {value}, {pool[text(e.name)]} }}' for value, e in values])
           + [f'const uint32_t hd_spirv_num_{name}s = {len(values)};', ''])


def main(h, c, place):
   tables = Tables(spirv_grammar.read(place))
   write(h, header(tables))
   write(c, source(tables))


if __name__ == '__main__':
   if len(sys.argv) != 4:
      sys.exit('usage: spirv.gen_grammar OUTPUT_H OUTPUT_C GRAMMAR')
   main(*sys.argv[1:])
