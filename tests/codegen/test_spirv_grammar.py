# SPDX-License-Identifier: MIT
"""The grammar of SPIR-V is read in whatever shape SPIRV-Headers gave it, from the oldest to those to come.

    test_spirv_grammar.py GRAMMAR SCRATCH COMPILER OPTION...

GRAMMAR is the shipped file of facts. From it folders of JSON files are made as releases had them: names of one number
in entries of their own, as until 2024, or as `aliases` of one entry; and with what no release has yet. The generated
sources of each are compiled.
"""
import copy
import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / 'src'), str(ROOT / 'tests' / 'house')]

from codegen.spirv import ext as spirv_ext  # noqa: E402
from codegen.spirv import grammar as spirv_grammar  # noqa: E402
from tap import Tap  # noqa: E402

CATEGORIES = {short: long for long, short in spirv_grammar.CATEGORIES.items()}


def operand_json(o):
   return {'kind': o.kind, **({'quantifier': o.often} if o.often else {})}


def entries(item, name_key, make, aliases):
   """An entry with aliases, or one for each name."""
   if aliases:
      return [{name_key: item.name, **make(item), **({'aliases': item.names[1:]} if item.names[1:] else {})}]
   return [{name_key: name, **make(item)} for name in item.names]


def instruction_json(item):
   found = {'opcode': item.number}
   if item.operands:
      found['operands'] = [operand_json(o) for o in item.operands]
   if item.hidden:
      found['class'] = '@exclude'
   return found


def core_json(grammar, aliases):
   def enumerant(kind):
      def make(item):
         number = f'0x{item.number:04X}' if kind.category == 'bits' else item.number
         return {'value': number, **({'parameters': [operand_json(o) for o in item.operands]} if item.operands else {})}
      return make

   kinds = []
   for kind in grammar.kinds.values():
      entry = {'category': CATEGORIES[kind.category], 'kind': kind.name}
      if kind.parts:
         entry['bases'] = kind.parts
      if kind.is_enum:
         entry['enumerants'] = [e for item in kind.items.values()
                                for e in entries(item, 'enumerant', enumerant(kind), aliases)]
      kinds.append(entry)
   return {'major_version': grammar.version[0], 'minor_version': grammar.version[1], 'revision': grammar.revision,
           'instructions': [e for item in grammar.instructions.values()
                            for e in entries(item, 'opname', instruction_json, aliases)],
           'operand_kinds': kinds}


def shape(grammar, aliases):
   """The files of a release, by name."""
   files = {spirv_grammar.CORE: core_json(grammar, aliases)}
   for name, file in spirv_grammar.SETS.items():
      files[file] = {'version': 100, 'revision': 2,
                     'instructions': [e for item in grammar.sets[name].values()
                                      for e in entries(item, 'opname', instruction_json, aliases)]}
   return files


def later(files):
   """A release to come: more of everything, and kinds of things that are not there yet."""
   core = files[spirv_grammar.CORE]
   core['revision'] += 100
   for n in range(100):
      core['operand_kinds'].append({'category': 'ValueEnum', 'kind': f'LaterKind{n}', 'enumerants': [
         {'enumerant': 'Some', 'value': n, 'provisional': True}, {'enumerant': 'Most', 'value': (1 << 32) - 1 - n}]})
   core['operand_kinds'] += [
      {'category': 'ValueEnum', 'kind': 'LaterEmpty', 'enumerants': []},
      {'category': 'BitEnum', 'kind': 'LaterBits', 'enumerants': [
         {'enumerant': 'None', 'value': '0x0000'}, {'enumerant': 'Low', 'value': '0x0001'},
         {'enumerant': 'High', 'value': '0x80000000'}, {'enumerant': 'Both', 'value': '0x80000001'}]},
      {'category': 'Literal', 'kind': 'LiteralLater'}, {'category': 'Later', 'kind': 'KindLater'},
      {'category': 'Composite', 'kind': 'PairOfPairs', 'bases': ['PairIdRefIdRef', 'LaterKind99']}]
   free = max(i['opcode'] for i in core['instructions']) + 1
   operand_lists = [
      ['LaterKind99', 'IdRef?'], ['LiteralLater', 'IdRef'], ['IdRef', 'KindLater'], ['NotDeclared'], ['IdRef+'],
      ['IdRef*', 'LiteralInteger'], ['PairOfPairs*'], ['IdResultType', 'IdResult', 'LaterBits']]
   for n, words in enumerate(operand_lists):
      core['instructions'].append({
         'opname': f'OpLater{n}EXT', 'aliases': [f'OpLater{n}KHR', f'OpLater{n}'], 'class': 'Later', 'opcode': free + n,
         'provisional': True, 'operands': [operand_json(spirv_grammar.operand(w)) for w in words]})
   core['instructions'].append({'opname': 'OpLaterHidden', 'class': '@exclude', 'opcode': free + 99})
   for file in spirv_grammar.SETS.values():
      instructions = files[file]['instructions']
      instructions.append({'opname': 'LaterFunction', 'opcode': max(i['opcode'] for i in instructions) + 3})
   return files


def write(folder, files):
   shutil.rmtree(folder, ignore_errors=True)
   folder.mkdir(parents=True)
   for name, content in files.items():
      (folder / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding='utf-8')
   return folder


class Generator:
   def __init__(self, tap, scratch, compiler):
      self.tap, self.scratch, self.compiler = tap, scratch, compiler

   def run(self, name, place):
      """The generated files of a grammar, which compile; by their names."""
      out = self.scratch / 'generated' / 'spirv'
      shutil.rmtree(out, ignore_errors=True)
      out.mkdir(parents=True)
      files = [out / f for f in ('spirv_grammar.h', 'spirv_grammar.c', 'spirv_ext_tables.h', 'spirv_ext_tables.c',
                                'spirv_modes.h', 'spirv_modes.c')]
      generate = [sys.executable, ROOT / 'src' / 'codegen' / 'run.py']
      if self.tap.run(f'{name}: tables are made', [*generate, 'spirv.gen_grammar', *files[:2], place]) is None:
         return {}
      if self.tap.run(f'{name}: extended ones too', [*generate, 'spirv.gen_ext', *files[2:4], place]) is None:
         return {}
      if self.tap.run(f'{name}: modes and decorations too', [*generate, 'spirv.gen_modes', *files[4:], place]) is None:
         return {}
      self.tap.run(f'{name}: they compile',
                   [*self.compiler, '-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-fsyntax-only',
                    f'-I{out.parent}', f'-I{out}', f'-I{ROOT / "include"}', f'-I{ROOT / "src"}', files[1], files[5]])
      return {f.name: f.read_text(encoding='utf-8') for f in files}


def check_choices(tap, scratch, shipped, grammar):
   """Which grammar is used: one that has all that the shipped one has, and whose operands are understood."""
   def chosen(files):
      folder = write(scratch / 'installed', files)
      place, faults = spirv_grammar.choose(shipped, [str(scratch / 'absent'), str(folder)])
      return place == str(folder), ' '.join(faults)

   for name, files in (('old', shape(grammar, False)), ('new', shape(grammar, True)),
                       ('later', later(shape(grammar, True)))):
      good, why = chosen(files)
      tap.check(f'the {name} shape is used', good, why)

   older = copy.deepcopy(grammar)
   kinds = older.kinds['Capability'].items
   del kinds[next(n for n, e in kinds.items() if 'QuadControlKHR' in e.names)]
   unread = shape(grammar, True)
   next(i for i in unread[spirv_grammar.CORE]['instructions'] if i['opname'] == 'OpLoad')['operands'][2]['kind'] = 'Later'
   renumbered = shape(grammar, True)
   renumbered[spirv_grammar.CORE]['instructions'][-1]['opcode'] += 1
   broken = {**shape(grammar, True), spirv_grammar.SETS['GLSL']: '{'}
   incomplete = shape(grammar, True)
   del incomplete[spirv_grammar.SETS['OPENCL']]
   listed = {**shape(grammar, True), spirv_grammar.CORE: []}
   for name, files, words in (
         ('older', shape(older, False), 'Capability QuadControlKHR and 0 other names are not in it'),
         ('with unknown operands of OpLoad', unread, 'the operands of op 61 are not understood'),
         ('with other numbers', renumbered, 'are not in it'), ('no JSON', broken, 'cannot be read'),
         ('without a set', incomplete, 'cannot be read'), ('of another form', listed, 'cannot be read')):
      good, why = chosen(files)
      tap.check(f'one that is {name} is not', not good and words in why, why)
   place, faults = spirv_grammar.choose(shipped, [str(scratch / 'absent')])
   tap.check('none installed: the shipped one', place == shipped and not faults, faults)


def main(shipped, scratch, *compiler):
   scratch, tap = pathlib.Path(scratch), Tap()
   grammar = spirv_grammar.read(shipped)
   text = pathlib.Path(shipped).read_text(encoding='utf-8').splitlines()
   tap.check('the shipped file is as it would be written', '\n'.join(spirv_grammar.facts(grammar)).splitlines() == text)
   for name, table in (('GLSL', spirv_ext.GLSL), ('OPENCL', spirv_ext.OPENCL)):
      missing = [i.name for i in grammar.sets[name].values() if not set(i.names) & set(table)]
      tap.check(f'{name}: each instruction has a row', not missing, missing)

   generator = Generator(tap, scratch, compiler)
   wanted = generator.run('shipped', shipped)
   for name, aliases in (('repeated entries', False), ('aliases', True)):
      folder = write(scratch / 'shape', shape(grammar, aliases))
      tap.check(f'{name}: the same facts', '\n'.join(spirv_grammar.facts(spirv_grammar.read(folder))).splitlines() == text)
      tap.check(f'{name}: the same tables', generator.run(name, folder) == wanted)

   got = generator.run('later', write(scratch / 'later', later(shape(grammar, True))))
   for file, words in (('spirv_grammar.h', ('SPV_OP_LATER7 =', 'SPV_OP_LATER7_EXT =', 'SPV_LATER_KIND99_SOME = 99',
                                            'SPV_LATER_KIND0_MOST 4294967295u', 'SPV_LATER_BITS_HIGH 0x80000000u')),
                       ('spirv_ext_tables.c', ('LaterFunction', 'it is not known'))):
      for word in words:
         tap.check(f'later: {word}', word in got.get(file, ''))
   tap.check('later: what is hidden and has no row is not known', 'OpLaterHidden' not in got.get('spirv_grammar.c', ''))

   known = spirv_grammar.read(scratch / 'later')
   rest, id_, literal = (spirv_grammar.OPERANDS.index(n) for n in ('REST', 'ID', 'LITERAL'))
   layouts = {i.names[-1]: spirv_grammar.layout(known, i.operands) for i in known.instructions.values()}
   last = spirv_grammar.codes(known, 'LaterKind99')[0]
   repeated, optional = spirv_grammar.REPEATED, spirv_grammar.OPTIONAL
   for name, codes in (
         ('OpLater0', (last, id_ | optional, 0)), ('OpLater1', (rest, 0)), ('OpLater2', (id_, rest, 0)),
         ('OpLater3', (rest, 0)), ('OpLater4', (rest, 0)), ('OpLater5', (id_ | repeated, rest, 0)),
         ('OpLater6', (id_ | repeated, id_ | repeated, last | repeated, 0)),
         ('OpExtInst', (id_, literal, literal | repeated, 0))):
      tap.check(f'operands of {name}', layouts[name] == codes, (layouts[name], codes))
   tap.check('kinds of operands have numbers of their own',
             last == spirv_grammar.FIRST_ENUM + len(grammar.enums) + 99)
   check_choices(tap, scratch, shipped, grammar)
   tap.finish()


if __name__ == '__main__':
   if len(sys.argv) < 4:
      sys.exit(__doc__)
   main(*sys.argv[1:])
