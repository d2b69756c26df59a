# SPDX-License-Identifier: MIT
"""spirv_grammar.h, spirv_grammar.c: the grammar of SPIR-V, from the JSON files of the Khronos
headers, with what spirv/opcodes.py says of each instruction.

   spirv.gen_grammar OUTPUT_H OUTPUT_C FOLDER

Operands are written as a layout: a byte each, what it is in the low six bits and how often it
stands there in the upper two; 0 ends it. src/spirv/grammar.h says what the bytes mean.
"""

import json
import pathlib
import sys

from codegen.spirv import opcodes as spirv_opcodes
from codegen.emit import op_name, opening, string, write
from codegen.ir.ops import OPS
from codegen.ir.schema import require
from codegen.spirv.names import c_name, constant

SOURCE = 'spirv/gen_grammar.py'
SETS = {'GLSL': 'extinst.glsl.std.450.grammar.json',
        'OPENCL': 'extinst.opencl.std.100.grammar.json'}
LITERALS = {'LiteralInteger': 'LITERAL', 'LiteralString': 'STRING',
            'LiteralContextDependentNumber': 'NUMBER', 'LiteralExtInstInteger': 'LITERAL',
            'LiteralSpecConstantOpInteger': 'SPEC_OP', 'PairLiteralIntegerIdRef': 'CASE'}
PAIRS = {'PairIdRefLiteralInteger': ['IdRef', 'LiteralInteger'],
         'PairIdRefIdRef': ['IdRef', 'IdRef']}
FIRST_ENUM = 16


class Grammar:
   """The files, read once: instructions by number (the first name of each), kinds of operands.

   What the grammar itself leaves out of its pages (private extensions) is not known to the reader.
   """

   def __init__(self, folder):
      core = self.load(folder, 'spirv.core.grammar.json')
      self.version = f'{core["major_version"]}.{core["minor_version"]}'
      self.all = core['instructions']
      self.kinds = {k['kind']: k for k in core['operand_kinds']}
      self.enums = [k['kind'] for k in core['operand_kinds']
                    if k['category'] in ('BitEnum', 'ValueEnum')]
      for i in self.all:
         # Operands of extended instructions are ids and numbers, as their set says.
         if i['opname'] == 'OpExtInst':
            i['operands'][-1]['kind'] = 'LiteralInteger'
      self.instructions = {}
      for i in self.all:
         if i.get('class') != '@exclude' or i['opname'][2:] in spirv_opcodes.ROWS:
            self.instructions.setdefault(i['opcode'], i)
      # What extended instructions take is their set's to say: mostly ids, but numbers too.
      for i in self.all:
         if i['opname'] == 'OpExtInst':
            i['operands'][-1]['kind'] = 'LiteralInteger'
      self.sets = {name: self.load(folder, file)['instructions'] for name, file in SETS.items()}

   @staticmethod
   def load(folder, name):
      return json.loads((pathlib.Path(folder) / name).read_text(encoding='utf-8'))

   def enumerants(self, kind):
      """(value, enumerant) in order, the first name of each value."""
      values = {}
      for e in self.kinds[kind]['enumerants']:
         values.setdefault(int(str(e['value']), 0), e)
      return sorted(values.items())


class Pool:
   """Byte strings laid end to end, equal ones and tails of others once."""

   def __init__(self, strings):
      self.bytes, self.places = b'', {}
      for s in sorted(set(strings), key=lambda s: (-len(s), s)):
         at = self.bytes.find(s)
         if at < 0:
            at = len(self.bytes)
            self.bytes += s
         self.places[s] = at
      require(len(self.bytes) < 1 << 16, 'grammar', 'a pool has more than 65536 bytes')

   def __getitem__(self, s):
      return self.places[s]


def layout(grammar, operands):
   """The bytes of a list of operands, result type and result left out."""
   result = b''
   for operand in operands:
      kind, quantifier = operand['kind'], operand.get('quantifier', '')
      if kind in ('IdResultType', 'IdResult'):
         continue
      often = {'': 0, '?': 1, '*': 2}[quantifier] << 6
      for part in PAIRS.get(kind, [kind]):
         if part in grammar.enums:
            code = FIRST_ENUM + grammar.enums.index(part)
         else:
            code = OPERANDS.index(LITERALS.get(part, 'ID'))
         require(code < 64, kind, 'too many kinds of operands')
         result += bytes([code | often])
   return result + b'\0'


OPERANDS = ['END', 'ID', 'LITERAL', 'STRING', 'NUMBER', 'SPEC_OP', 'CASE']


def enum(name, values):
   return [f'enum {name} {{'] + [f'   {n} = {v},' for n, v in values] + ['};', '']


def header(grammar):
   lines = opening('spirv_grammar.h', 'the numbers of SPIR-V.', SOURCE)
   lines += ['#ifndef HEDDLE_SPIRV_GRAMMAR_NUMBERS_H', '#define HEDDLE_SPIRV_GRAMMAR_NUMBERS_H', '',
             f'#define SPV_GRAMMAR_VERSION "{grammar.version}"', '']
   lines += enum('spv_op', [(c_name('OP', i['opname'][2:]), i['opcode']) for i in grammar.all])
   for kind in grammar.enums:
      prefix = constant(kind)
      lines += enum(f'spv_{prefix.lower()}',
                    [(c_name(prefix, e['enumerant']), hex(int(str(e['value']), 0))
                      if grammar.kinds[kind]['category'] == 'BitEnum' else e['value'])
                     for e in grammar.kinds[kind]['enumerants']])
   for name, instructions in grammar.sets.items():
      lines += enum(f'spv_{name.lower()}',
                    [(c_name(name, i['opname']), i['opcode']) for i in instructions])
   lines += enum('spirv_room', [(f'SPIRV_ROOM_{room.upper()}', n)
                                for n, room in enumerate(spirv_opcodes.ROOMS)])
   lines += enum('spirv_alu_flags', [(f'SPIRV_ALU_{flag.upper()}', f'1u << {n}')
                                     for n, flag in enumerate(spirv_opcodes.FLAGS)])
   lines += enum('spirv_operand', [(f'SPIRV_OPERAND_{name}', n) for n, name in enumerate(OPERANDS)]
                 + [('SPIRV_OPERAND_ENUM', FIRST_ENUM)])
   return lines + ['#endif']


def table(declaration, rows):
   return [f'{declaration}[] = {{'] + [f'   {row},' for row in rows] + ['};', '']


def numbers(declaration, values, per_line=16):
   values = [str(v) for v in values]
   return table(declaration, [', '.join(values[n:n + per_line])
                              for n in range(0, len(values), per_line)])


def text_pool(name, pool):
   """As numbers: a string literal may not be as long."""
   return numbers(f'const char hd_spirv_{name}', pool.bytes, 20)


def opcode_rows(grammar, names, layouts, reasons):
   """A row an opcode, and the pages that find it: the index of a row, or 0."""
   rows, places = ['{ 0 }'], {}
   op_names = {op.name for op in OPS}
   aliases = {}
   for i in grammar.all:
      aliases.setdefault(i['opcode'], []).append(i['opname'][2:])
   for opcode, i in sorted(grammar.instructions.items()):
      name, operands = i['opname'][2:], i.get('operands', [])
      row = next((spirv_opcodes.ROWS[n] for n in aliases[opcode] if n in spirv_opcodes.ROWS), None)
      kinds = {o['kind'] for o in operands}
      flags = [f'SPIRV_HAS_{f}' for f, k in (('TYPE', 'IdResultType'), ('RESULT', 'IdResult'))
               if k in kinds]
      extra, alu = str(reasons[spirv_opcodes.reason_of(name).encode() + b'\0']), '0'
      if row:
         extra = op_name(row.op)
         alu = ' | '.join(f'SPIRV_ALU_{f.upper()}' for f in row.flags) or '0'
         require(not row.op or row.op in op_names, name, f"'{row.op}' is not an op")
      room = row.room if row else 'unsupported'
      places[opcode] = len(rows)
      rows.append(f'{{ {names[i["opname"].encode() + bytes(1)]}, {layouts[layout(grammar, operands)]}, '
                  f'{extra}, SPIRV_ROOM_{room.upper()}, {" | ".join(flags) or "0"}, {alu}, '
                  f'{ids_first(layout(grammar, operands))} }}')
   return rows, places


def ids_first(operands):
   """How many of the operands of a layout are ids before another one comes, or one that may be left out."""
   required = bytes([OPERANDS.index('ID')])
   return len(operands) - len(operands.lstrip(required))


def pages(places):
   """Opcodes are found in two steps, 64 to a page, as their numbers lie far apart."""
   index, filled = [], [[0] * 64]
   for first in range(0, max(places) + 1, 64):
      page = [places.get(opcode, 0) for opcode in range(first, first + 64)]
      index.append(len(filled) if any(page) else 0)
      if any(page):
         filled.append(page)
   return index, [n for page in filled for n in page]


def check_rows(grammar):
   """A name that no version of the grammar has is a slip; extensions come and go."""
   known = {i['opname'][2:] for i in grammar.all}
   for name in spirv_opcodes.ROWS:
      require(name in known or name[-1].isupper(), name, 'is not in the grammar')


def source(grammar):
   check_rows(grammar)
   instructions = grammar.instructions.values()
   names = Pool([i['opname'].encode() + b'\0' for i in instructions])
   reasons = Pool([spirv_opcodes.reason_of(i['opname'][2:]).encode() + b'\0'
                   for i in instructions])
   parameters = [layout(grammar, e.get('parameters', [])) for k in grammar.enums
                 for _, e in grammar.enumerants(k)]
   layouts = Pool([b'\0'] + [layout(grammar, i.get('operands', [])) for i in instructions]
                  + parameters)
   rows, places = opcode_rows(grammar, names, layouts, reasons)
   index, page = pages(places)
   lines = opening('spirv_grammar.c', 'operands, rooms and names of instructions.', SOURCE)
   lines += ['#include "spirv/grammar.h"', '', '#include "heddle/ops.h"', '']
   lines += table('const struct spirv_opcode hd_spirv_opcodes', rows)
   lines += numbers('const uint8_t hd_spirv_opcode_pages', index)
   lines += numbers('const uint16_t hd_spirv_opcode_page', page)
   lines += [f'const uint32_t hd_spirv_num_opcode_pages = {len(index)};', '']
   lines += text_pool('names', names) + text_pool('reasons', reasons)
   lines += numbers('const uint8_t hd_spirv_layouts', layouts.bytes)
   lines += enum_tables(grammar, layouts)
   for kind in ('Capability', 'BuiltIn'):
      lines += enumerant_names(grammar, kind)
   return lines


def enum_tables(grammar, layouts):
   """Values of every kind one after the other, with the layouts of their parameters."""
   values, kinds = [], []
   for kind in grammar.enums:
      bits = grammar.kinds[kind]['category'] == 'BitEnum'
      first = len(values)
      for value, e in grammar.enumerants(kind):
         if bits and value == 0:
            continue
         number = value.bit_length() - 1 if bits else value
         require(number < 1 << 16, kind, f'the value {value} is too large')
         values.append(f'{{ {number}, {layouts[layout(grammar, e.get("parameters", []))]} }}')
      kinds.append(f'{{ {first}, {len(values) - first}, {str(bits).lower()} }}')
   return (table('const struct spirv_enumerant hd_spirv_enumerants', values)
           + table('const struct spirv_enum hd_spirv_enums', kinds))


def enumerant_names(grammar, kind):
   """A table of numbers and names; hd_spirv_enumerant_name looks into it."""
   values = grammar.enumerants(kind)
   name = constant(kind).lower()
   pool = Pool([e['enumerant'].encode() + b'\0' for _, e in values])
   return (text_pool(f'{name}_text', pool)
           + table(f'const struct spirv_enumerant_name hd_spirv_{name}_names',
                   [f'{{ {value}, {pool[e["enumerant"].encode() + bytes(1)]} }}'
                    for value, e in values])
           + [f'const uint32_t hd_spirv_num_{name}s = {len(values)};', ''])


def main(h, c, folder):
   grammar = Grammar(folder)
   write(h, header(grammar))
   write(c, source(grammar))


if __name__ == '__main__':
   if len(sys.argv) != 4:
      sys.exit('usage: spirv/gen_grammar.py OUTPUT_H OUTPUT_C FOLDER')
   main(*sys.argv[1:])
