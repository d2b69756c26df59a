# SPDX-License-Identifier: MIT
"""The grammar of SPIR-V: read from the JSON files of SPIRV-Headers of any age, or from a file that holds the same facts.

   spirv.grammar choose SHIPPED FOLDER...      print the first folder whose grammar can be used, or SHIPPED
   spirv.grammar ship FOLDER OUTPUT            write the facts of the grammar in FOLDER

Wherever this module wants a grammar, a folder with spirv.core.grammar.json and its kin or the file of facts will do.

A line of the file of facts is one of these; names that mean the same are joined by `=`, and behind an operand stands
how often it is there as the grammar says it: `?` at most once, `*` any number of times.

   version MAJOR.MINOR REVISION
   id KIND | literal KIND | composite KIND PART...     kinds of operands
   bits KIND | value KIND                              enumerations; the lines after it: NUMBER NAMES PARAMETER...
   op NUMBER NAMES OPERAND...
   hidden NUMBER NAMES OPERAND...                      one that the pages of the specification leave out, and that
                                                       has a row in opcodes.py
   set NAME                                            extended instructions; the lines after it: NUMBER NAMES OPERAND...
"""

import json
import pathlib
import sys

from codegen.emit import write
from codegen.ir.schema import TableError, require
from codegen.spirv import opcodes

CORE = 'spirv.core.grammar.json'
SETS = {'GLSL': 'extinst.glsl.std.450.grammar.json',
        'OPENCL': 'extinst.opencl.std.100.grammar.json'}
CATEGORIES = {'Id': 'id', 'Literal': 'literal', 'Composite': 'composite', 'BitEnum': 'bits', 'ValueEnum': 'value'}
HEAD = '''# SPDX-License-Identifier: MIT
#
# Names, numbers and operands of SPIR-V, taken by src/codegen/spirv/grammar.py from the grammar files of SPIRV-Headers:
# Copyright 2014-2024 The Khronos Group Inc., License: MIT (the text of the licence stands in LICENSE).
# This is no Khronos standard. The normative files are at https://www.khronos.org/registry/.
'''


class Operand:
   """What stands in one place: a kind, and how often: '', '?', '*', or what a later grammar says."""

   def __init__(self, kind, often=''):
      self.kind, self.often = kind, often

   def __str__(self):
      return self.kind + self.often


class Item:
   """An instruction or an enumerant: a number, all its names, what follows it."""

   def __init__(self, number, names, operands, hidden=False):
      self.number, self.names, self.operands, self.hidden = number, names, operands, hidden

   @property
   def name(self):
      return self.names[0]

   def __str__(self):
      return ' '.join([str(self.number), '='.join(self.names), *map(str, self.operands)])


class Kind:
   """A kind of operand: `parts` are there in a composite, `items` in an enumeration."""

   def __init__(self, name, category, parts=()):
      self.name, self.category, self.parts, self.items = name, category, list(parts), {}

   @property
   def is_enum(self):
      return self.category in ('bits', 'value')


def add_item(items, item):
   """Names of one number are aliases, whether they stand in one entry or in several.

   An entry that is not hidden says what the instruction is called, whatever stands before it.
   """
   old = items.setdefault(item.number, item)
   if old is item:
      return
   if old.hidden and not item.hidden:
      items[item.number] = item
      old, item = item, old
   old.names += [name for name in item.names if name not in old.names]


class Grammar:
   """Instructions by number, kinds of operands by name, sets of extended instructions by number."""

   def __init__(self, version=(0, 0), revision=0):
      self.version, self.revision = version, revision
      self.instructions, self.kinds, self.sets = {}, {}, {}

   @property
   def enums(self):
      return [kind for kind in self.kinds.values() if kind.is_enum]

   def names(self):
      """All that something has a name and a number for, as a set."""
      found = {('op', name, i.number) for i in self.instructions.values() for name in i.names}
      for kind in self.kinds.values():
         found |= {(kind.name, name, e.number) for e in kind.items.values() for name in e.names}
      for set_name, instructions in self.sets.items():
         found |= {(set_name, name, i.number) for i in instructions.values() for name in i.names}
      return found


# ---- the files of SPIRV-Headers ------------------------------------------------------------------

def json_operands(entries):
   return [Operand(o['kind'], o.get('quantifier', '')) for o in entries]


def json_instructions(entries):
   items = {}
   for i in entries:
      add_item(items, Item(i['opcode'], [i['opname'], *i.get('aliases', [])], json_operands(i.get('operands', [])),
                           i.get('class') == '@exclude'))
   return items


def json_kind(entry):
   kind = Kind(entry['kind'], CATEGORIES.get(entry['category'], entry['category']), entry.get('bases', []))
   for e in entry.get('enumerants', []):
      number = int(str(e['value']), 0)
      add_item(kind.items, Item(number, [e['enumerant'], *e.get('aliases', [])],
                                json_operands(e.get('parameters', []))))
   return kind


def read_folder(folder):
   def load(name):
      return json.loads((folder / name).read_text(encoding='utf-8'))

   core = load(CORE)
   grammar = Grammar((core['major_version'], core['minor_version']), core['revision'])
   grammar.instructions = json_instructions(core['instructions'])
   grammar.kinds = {k['kind']: json_kind(k) for k in core['operand_kinds']}
   grammar.sets = {name: json_instructions(load(file)['instructions']) for name, file in SETS.items()}
   return grammar


# ---- the file of facts ---------------------------------------------------------------------------

def is_known(instruction):
   """Whether the reader knows it at all: what the specification's pages leave out needs a row of its own."""
   return not instruction.hidden or opcodes.row_of(instruction.names) is not None


def facts(grammar):
   lines = [HEAD.rstrip(), f'version {grammar.version[0]}.{grammar.version[1]} {grammar.revision}']
   for kind in grammar.kinds.values():
      lines.append(' '.join([kind.category, kind.name, *kind.parts]))
      lines += [str(e) for _, e in sorted(kind.items.items())]
   lines += [f'{"hidden" if i.hidden else "op"} {i}' for _, i in sorted(grammar.instructions.items()) if is_known(i)]
   for name, instructions in grammar.sets.items():
      lines.append(f'set {name}')
      lines += [str(i) for _, i in sorted(instructions.items())]
   return lines


def operand(word):
   kind = word.rstrip('?*+')
   return Operand(kind, word[len(kind):])


def item(words, hidden=False):
   return Item(int(words[0]), words[1].split('='), [operand(w) for w in words[2:]], hidden)


def read_facts(path):
   grammar, items = Grammar(), None
   for line in path.read_text(encoding='utf-8').splitlines():
      key, *words = line.split()
      if key == '#':
         continue
      if key.isdigit():
         add_item(items, item([key, *words]))
      elif key == 'version':
         grammar.version, grammar.revision = tuple(map(int, words[0].split('.'))), int(words[1])
      elif key in ('op', 'hidden'):
         add_item(grammar.instructions, item(words, key == 'hidden'))
      elif key == 'set':
         items = grammar.sets[words[0]] = {}
      else:
         kind = grammar.kinds[words[0]] = Kind(words[0], key, words[1:])
         items = kind.items
   return grammar


def read(place):
   place = pathlib.Path(place)
   return read_folder(place) if place.is_dir() else read_facts(place)


# ---- operands as the reader takes them -----------------------------------------------------------

# In the order of their codes. REST is what cannot be told apart: a kind or a quantifier that is not known here, and
# all that follows it.
OPERANDS = ['END', 'ID', 'LITERAL', 'STRING', 'NUMBER', 'SPEC_OP', 'CASE', 'REST']
LITERALS = {'LiteralInteger': 'LITERAL', 'LiteralFloat': 'LITERAL', 'LiteralString': 'STRING',
            'LiteralContextDependentNumber': 'NUMBER', 'LiteralExtInstInteger': 'LITERAL',
            'LiteralSpecConstantOpInteger': 'SPEC_OP'}
FIRST_ENUM = len(OPERANDS)
OPTIONAL, REPEATED = 1 << 14, 1 << 15
OFTEN = {'': 0, '?': OPTIONAL, '*': REPEATED}
REST = OPERANDS.index('REST')


def codes(grammar, kind_name):
   """What a kind is made of, as codes without a quantifier."""
   kind = grammar.kinds.get(kind_name)
   category = kind.category if kind else ''
   if category == 'id':
      return [OPERANDS.index('ID')]
   if category == 'literal':
      return [OPERANDS.index(LITERALS.get(kind_name, 'REST'))]
   if kind_name == 'PairLiteralIntegerIdRef':
      return [OPERANDS.index('CASE')]  # as long as what OpSwitch selects by
   if category == 'composite':
      return [code for part in kind.parts for code in codes(grammar, part)]
   if kind and kind.is_enum:
      code = FIRST_ENUM + grammar.enums.index(kind)
      require(code < OPTIONAL, kind_name, 'too many kinds of operands')
      return [code]
   return [REST]


def layout(grammar, operands):
   """The codes of a list of operands, result type and result left out; 0 ends it."""
   result, of_set = [], False
   for o in operands:
      if o.kind in ('IdResultType', 'IdResult'):
         continue
      # What extended instructions take is their set's to say: mostly ids, but numbers too.
      part = 'LiteralInteger' if of_set and o.kind == 'IdRef' else o.kind
      of_set |= o.kind == 'LiteralExtInstInteger'
      if result and result[-1] & REPEATED and o.often != '*':
         result.append(REST)  # nothing says where the repeated ones end
      elif o.often in OFTEN:
         result += [code | OFTEN[o.often] if code != REST else REST for code in codes(grammar, part)]
      else:
         result.append(REST)
      if result[-1] == REST:
         break
   return (*result, 0)


# ---- which grammar is used -----------------------------------------------------------------------

def layouts(grammar):
   """{('op' or kind, number): layout} of all that has operands."""
   found = {('op', i.number): layout(grammar, i.operands) for i in grammar.instructions.values()}
   for kind in grammar.enums:
      found |= {(kind.name, e.number): layout(grammar, e.operands) for e in kind.items.values()}
   return found


def fault(grammar, shipped):
   """Why a grammar cannot stand in for the shipped one, or None."""
   missing = sorted(shipped.names() - grammar.names())
   if missing:
      return f'{missing[0][0]} {missing[0][1]} and {len(missing) - 1} other names are not in it'
   theirs = layouts(grammar)
   for key, codes_ in layouts(shipped).items():
      if REST in theirs[key] and REST not in codes_:
         return f'the operands of {key[0]} {key[1]} are not understood'
   return None


def choose(shipped, folders):
   """The first folder whose grammar has all that the shipped one has, or the shipped file; and why not the others."""
   known, faults = read(shipped), []
   for folder in dict.fromkeys(folders):
      if not (pathlib.Path(folder) / CORE).exists():
         continue
      try:
         why = fault(read(folder), known)
      except (OSError, ValueError, KeyError, TypeError, AttributeError, TableError) as error:
         why = f'it cannot be read: {error!r}'
      if not why:
         return folder, faults
      faults.append(f'{folder}: {why}')
   return shipped, faults


def main(arguments):
   if arguments[:1] == ['choose'] and len(arguments) > 1:
      place, faults = choose(arguments[1], arguments[2:])
      print(place)
      for why in faults:
         print(why, file=sys.stderr)
   elif arguments[:1] == ['ship'] and len(arguments) == 3:
      write(arguments[2], facts(read(arguments[1])))
   else:
      sys.exit(__doc__)


if __name__ == '__main__':
   main(sys.argv[1:])
