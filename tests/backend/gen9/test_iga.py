#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gen9's instructions against Intel's assembler: the same bytes of each text, the same text of all bytes.

    test_iga.py IGA64 CODE_TOOL [SEED]

Each row of the table, with each kind of operand, region, modifier, predicate, condition and option, one at a time, and
random combinations of them. Texts are compared without the width of blanks; what Intel's disassembler explains in
comments is left out.
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / 'src'), str(ROOT / 'tests' / 'house')]

from codegen.gen9 import compaction
from codegen.gen9.isa import CONDITIONS, PREDICATES, ROWS, TYPES
from tap import Tap

REGISTER_TYPES = [t[0] for t in TYPES if t[2] is not None]
THREE_TYPES = [t[0] for t in TYPES if t[4] is not None]
SIZES = {t[0]: t[1] for t in TYPES}
REGIONS = [f'<{v};{w},{h}>' for v in (0, 1, 2, 4, 8, 16, 32) for w in (1, 2, 4, 8, 16) for h in (0, 1, 2, 4)]
FLAGS = ('f0.0', 'f0.1', 'f1.0', 'f1.1')
ARCHITECTURE = ('null', 'a0.0', 'a0.4', 'acc0.0', 'acc1.0', 'f0.0', 'f1.0', 'ce', 'sp.0', 'sr0.0', 'sr1.0', 'cr0.0',
                'n0.0', 'ip', 'tdr0.0', 'tm0.0', 'dbg0.0')
INDIRECT = ('r[a0.0]', 'r[a0.15,511]', 'r[a0.7,-512]', 'r[a0.3,-1]')
CHANNELS = [(1 << e, m) for e in range(6) for m in range(0, 32, 4) if m % max(4, 1 << e) == 0 and m + (1 << e) <= 32]
OPTIONS = ('AccWrEn', 'Atomic', 'Breakpoint', 'NoDDChk', 'NoDDClr', 'Switch')
IMMEDIATES = ('0:d', '-1:d', '2147483647:d', '-2147483648:d', '0x0:ud', '0xFFFFFFFF:ud', '7:w', '-32768:w', '0xFFFF:uw',
              '1.5:f', '-0.0:f', '0.1:f', '1e+09:f', '1.4013e-45:f', '0x7F7FFFFF:f', 'inf:f', '-inf:f', 'qnan(0x0):f',
              'snan(0x1):f', '-qnan(0x12345):f', '-5.219532e-20:f', '1.0:hf', '0x3555:hf', '-8.454323e-04:hf',
              'inf:hf', 'qnan(0x1):hf', '0x76543210:v', '0x76543210:uv', '0x76543210:vf')
WIDE_IMMEDIATES = ('0:q', '-9223372036854775808:q', '0x123456789ABCDEF0:uq', '1.5:df', '0x3FD5555555555555:df',
                   '-inf:df', 'qnan(0x5):df')


def num_sources(row):
   return {'unary': 1, 'math1': 1, 'binary': 2, 'math2': 2, 'ternary': 3}.get(row.shape, 0)


class Writer:
   """Texts of one row: a plain instruction in which parts are replaced."""

   def __init__(self, row):
      self.row, self.sources = row, num_sources(row)
      self.texts = []

   def plain(self):
      logic = 'logic' in self.row.flags
      t = 'ud' if logic or self.row.name.startswith(('bf', 'fb', 'lz', 'cb', 'addc', 'subb', 'avg', 'mach', 'sh', 'as',
                                                     'sm', 'math.i')) and self.row.name != 'math.inv' else 'f'
      t = 'uw' if self.row.name.startswith('sad') else t
      parts = {'pred': '', 'channels': (8, 0), 'cond': '', 'sat': '', 'dst': 'r7.0<1>', 'dtype': t, 'options': ''}
      for n in range(self.sources):
         three = ('<2;1>', '<2;1>', '<1>')[n]
         region = three if self.sources == 3 else '<8;8,1>'
         base = 'r[a0.0]' if 'indirect' in self.row.flags else f'r{20 + n}.0'
         parts.update({f'mod{n}': '', f'src{n}': base, f'region{n}': region, f'type{n}': t})
      return parts

   def add(self, **changes):
      p = {**self.plain(), **changes}
      sources = [f'{p[f"mod{n}"]}{p[f"src{n}"]}{p[f"region{n}"]}' + (f':{p[f"type{n}"]}' if p[f'type{n}'] else '')
                 for n in range(self.sources)]
      pred = f'({p["pred"]}) ' if p['pred'] else ''
      cond = f'({p["cond"]}) ' if p['cond'] and '(' not in p['cond'] else p['cond'] + ' '
      options = f' {{{p["options"]}}}' if p['options'] else ''
      self.texts.append(f'{pred}{self.row.name} ({p["channels"][0]}|M{p["channels"][1]}) {cond}{p["sat"]}{p["dst"]}:'
                        f'{p["dtype"]} {" ".join(sources)}{options}')

   def predicates(self, **changes):
      if 'no_predicate' in self.row.flags:
         self.add(pred='W', **changes)
         return
      names = PREDICATES[2:] if self.sources != 3 else ()
      for flag in FLAGS:
         for before in ('', '~', 'W&', 'W&~'):
            self.add(pred=before + flag, **changes)
      for name in names:
         self.add(pred=f'f0.1.{name}', **changes)
         self.add(pred=f'W&~f1.0.{name}', **changes)
      self.add(pred='W', **changes)

   def conditions(self):
      if self.row.flags & {'math', 'no_condition'}:
         return
      for cond in filter(None, CONDITIONS):
         for flag in FLAGS:
            self.add(cond=f'({cond}){flag}')
         self.add(cond=f'({cond})f1.1', pred='W' if 'no_predicate' in self.row.flags else '~f1.1')

   def types(self):
      types = THREE_TYPES if self.sources == 3 else REGISTER_TYPES
      for dst in types:
         for src in types:
            if self.sources == 3:
               self.add(dtype=dst, **{f'type{n}': src for n in range(3)})
            for n in range(self.sources if self.sources != 3 else 0):
               self.add(dtype=dst, **{f'type{n}': src})

   def registers(self):
      for reg in (0, 1, 63, 126, 127):
         self.add(dst=f'r{reg}.0<1>')
         for n in range(self.sources):
            if 'indirect' not in self.row.flags:
               self.add(**{f'src{n}': f'r{reg}.0'})
      if self.sources == 3:
         return
      for name in ARCHITECTURE:
         self.add(dst=f'{name}<1>', channels=(1, 0))
         for n in range(self.sources):
            if 'indirect' not in self.row.flags:
               self.add(**{f'src{n}': name, f'region{n}': '<0;1,0>'})
      for name in INDIRECT:
         self.add(dst=f'{name}<2>')
         for n in range(self.sources):
            self.add(**{f'src{n}': name})
            self.add(**{f'src{n}': name, f'region{n}': '<1,0>'})
            self.add(**{f'src{n}': name, f'region{n}': '<4,1>'})

   def parts(self):
      """Subregisters."""
      types = THREE_TYPES if self.sources == 3 else REGISTER_TYPES
      for t in types:
         for at in range(32 // SIZES[t]):
            if self.sources == 3:
               # Vectors of three begin at multiples of 8 bytes of what they are read by.
               same = {'dtype': t, **{f'type{n}': t for n in range(3)}}
               scalar = {'region0': '<0;0>', 'region1': '<0;0>', 'region2': '<0>'}
               self.add(dst=f'r7.{at}<1>', channels=(1, 0), **scalar, **same)
               for n in range(3):
                  self.add(**{f'src{n}': f'r30.{at}'}, channels=(4, 0), **scalar, **same)
            else:
               self.add(dst=f'r7.{at}<1>', dtype=t, channels=(1, 0))
               for n in range(self.sources if 'indirect' not in self.row.flags else 0):
                  self.add(**{f'src{n}': f'r30.{at}', f'region{n}': '<0;1,0>', f'type{n}': t})

   def regions(self):
      for n in range(self.sources):
         if self.sources == 3:
            self.add(**{f'region{n}': '<0>' if n == 2 else '<0;0>'})
         else:
            for region in REGIONS:
               self.add(**{f'region{n}': region})
      for stride in (1, 2, 4):
         if self.sources != 3:
            self.add(dst=f'r7.0<{stride}>')

   def modifiers_of_source(self):
      if 'no_modifiers' in self.row.flags:
         return ()
      return ('~',) if 'logic' in self.row.flags else ('-', '(abs)', '-(abs)')

   def modifiers(self):
      for n in range(self.sources):
         for mod in ('~', '-', '(abs)', '-(abs)'):
            self.add(**{f'mod{n}': mod})
      if 'no_saturate' not in self.row.flags:
         self.add(sat='(sat)')

   def immediates(self):
      if self.sources == 3 or 'indirect' in self.row.flags:
         return
      n = self.sources - 1
      for imm in IMMEDIATES + (WIDE_IMMEDIATES if n == 0 else ()):
         self.add(**{f'src{n}': imm, f'region{n}': '', f'type{n}': ''})

   def all(self):
      self.predicates()
      self.conditions()
      self.types()
      self.registers()
      self.parts()
      self.regions()
      self.modifiers()
      self.immediates()
      for channels in CHANNELS:
         if self.sources != 3 or channels[0] in (1, 2, 4, 8, 16):
            self.add(channels=channels)
      for option in OPTIONS:
         self.add(options=option)
      self.add(options='AccWrEn,Atomic,Breakpoint,NoDDChk,NoDDClr')
      return self.texts

   def mixed(self, rng, count):
      """Random combinations."""
      types = THREE_TYPES if self.sources == 3 else REGISTER_TYPES
      for _ in range(count):
         flag = rng.choice(FLAGS)
         p = {'channels': rng.choice([c for c in CHANNELS if c[0] in (1, 2, 4, 8, 16)]), 'dtype': rng.choice(types),
              'sat': rng.choice(('', '(sat)')) if 'no_saturate' not in self.row.flags else '', 'options': rng.choice(('', *OPTIONS)), 'dst': f'r{rng.randrange(128)}.0<1>'}
         if rng.random() < .5 and 'no_predicate' not in self.row.flags:
            p['pred'] = rng.choice(('', '~', 'W&', 'W&~')) + flag
         if rng.random() < .5 and not self.row.flags & {'math', 'no_condition'}:
            p['cond'] = f'({rng.choice([c for c in CONDITIONS if c])}){flag}'
         three = rng.choice(types)
         if self.sources == 3:
            p['dtype'] = three
         for n in range(self.sources):
            p[f'type{n}'] = three if self.sources == 3 else rng.choice(types)
            if 'indirect' not in self.row.flags:
               p[f'src{n}'] = f'r{rng.randrange(128)}.0'
            p[f'mod{n}'] = rng.choice(self.modifiers_of_source() or ('',))
            three_regions = ('<0>', '<1>') if n == 2 else ('<0;0>', '<2;1>')
            p[f'region{n}'] = rng.choice(REGIONS if self.sources != 3 else three_regions)
         self.add(**p)
      return self.texts


def branch_texts(row):
   """Branches, between labels of the file that they are put into."""
   texts = []
   targets = {'branch': ('A',), 'diverge': ('A',), 'branch2': ('A B', 'B B', 'B A'), 'diverge2': ('A B', 'B A'),
              'jump': ('A', 'B'), 'call': ('r3.0 A', 'r3.4 B'), 'ret': ('r3.0', 'r127.2')}[row.shape]
   names = [row.name] + ([f'{row.name}.b'] if 'control' in row.flags else [])
   for name in names:
      for target in targets:
         if row.shape == 'jump':
            texts += [f'({p}) {name} {target}' for p in ('W', 'W&f0.0', 'W&~f1.1', 'W&f0.1.any8h', 'W&~f0.0.all16h')]
            continue
         for channels in CHANNELS:
            texts.append(f'{name} ({channels[0]}|M{channels[1]}) {target}')
         for pred in ('W', 'f0.0', '~f0.1', 'W&f1.0', 'W&~f1.1', 'f0.0.any8h', '~f1.0.all16h', 'f0.1.anyv', 'f0.1.allv'):
            if pred != 'W' and 'no_predicate' in row.flags:
               break
            texts.append(f'({pred}) {name} (8|M0) {target}')
   return texts


def message_texts(row):
   texts = []
   split = row.shape == 'sends'
   source = 'r20 r30' if split else 'r20'
   mlen = 0x40 if split else 0
   def add(channels='8|M0', dst='r10', src=source, ex=0xA + mlen, desc='0x02106E01', pred='', options=''):
      texts.append(f'{pred}{row.name} ({channels}) {dst} {src} 0x{ex:X} {desc}{options}')
   for e, m in CHANNELS:
      if e in (1, 8, 16):
         add(channels=f'{e}|M{m}')
   for pred in ('(f0.0) ', '(W&~f1.1) ', '(f0.1.any16h) ', '(W) '):
      add(pred=pred)
   for dst in ('null', 'r0', 'r127', 'null:w', 'r5:f', 'r5:w', 'r5:d', 'r5:uw', 'r5:hf', 'r5:ub'):
      add(dst=dst)
   for sfid in range(16):
      if sfid not in (1, 2, 7, 8, 9, 11, 13, 14, 15):
         add(ex=sfid + mlen)
   for bits in range(16, 32):
      add(ex=0xC + mlen + (1 << bits))
   for desc in ('0x00000000', '0x7FFFFFFF', '0x02000010', 'a0.0', *(f'0x{1 << b:08X}' for b in range(31))):
      add(desc=desc)
   for src in (('r0 null', 'r127 r126') if split else ('r0', 'r127')):
      add(src=src, ex=0xC + (0 if 'null' in src else mlen))
   for options in (' {NoSrcDepSet}', ' {Atomic}', ' {Switch}', ' {NoDDClr}', ' {Breakpoint}'):
      if 'DD' not in options:
         add(options=options)
   texts.append(f'{row.name} (8|M0) null {source} 0x{0x27 + mlen:X} 0x02000010 {{EOT}}')
   if split:
      texts.append(f'{row.name} (8|M0) r10 {source} a0.2 0x02106E01')
      texts.append(f'{row.name} (8|M0) r10 {source} a0.4 a0.0')
   return texts


def texts_of(row, rng, count):
   if num_sources(row):
      writer = Writer(row)
      writer.all()
      return writer.mixed(rng, count)
   if row.shape in ('send', 'sends'):
      return message_texts(row)
   if row.shape == 'wait':
      return ['wait n0.0<0;1,0>:ud', '(W) wait n0.1<0;1,0>:ud']
   if row.shape == 'plain':
      return [row.name]
   return branch_texts(row)


class Judge:
   def __init__(self, iga, tool, folder):
      self.iga, self.tool, self.folder = iga, tool, pathlib.Path(folder)

   def assemble(self, lines):
      """Bytes of lines, 16 each, and which lines were refused: (bytes or None, messages)."""
      source, code = self.folder / 'code.asm', self.folder / 'code.krn'
      source.write_text('\n'.join(lines) + '\n', encoding='utf-8')
      code.unlink(missing_ok=True)
      done = subprocess.run([self.iga, '-a', '-p=9', '-q', '-Xno-ir-checking', str(source), '-o', str(code)], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
      return (code.read_bytes() if done.returncode == 0 and code.exists() else None), done.stdout

   def disassemble(self, code):
      path = self.folder / 'code.bin'
      path.write_bytes(code)
      done = subprocess.run([self.iga, '-d', '-p=9', '-q', '-Xprint-pc', str(path)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, check=False)
      self.refused = {int(at, 16) for at in re.findall(r'byte offset 0x([0-9A-Fa-f]+): error', done.stderr)}
      return {int(at, 16): plain(text)[0] for at, text in re.findall(r'(?m)^/\* \[([0-9A-F]+)\]\s*\*/ (.*)$', done.stdout)
              if plain(text)}

   def ours(self, what, data):
      return subprocess.run([self.tool, what], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def plain(text):
   """Lines without comments, labels' lines of their own, and repeated blanks."""
   lines = (re.sub(r'\s+', ' ', line.split('//')[0]).strip() for line in text.splitlines())
   # Intel's disassembler begins a block after each branch, too.
   return [line for line in lines if line and not re.fullmatch(r'L\d+:', line)]


def accepted(judge, lines, label):
   """The lines that Intel's assembler takes, with the bytes of all."""
   refused = []
   while lines:
      code, messages = judge.assemble([*lines, *label])
      if code is not None:
         return lines, code, refused
      bad = {int(n) - 1 for n in re.findall(r'line (\d+)\.\d+: error', messages)}
      bad |= {int(n, 16) // 16 for n in re.findall(r'byte offset 0x([0-9A-Fa-f]+): error', messages)}
      if not bad:
         raise RuntimeError(messages)
      refused += [lines[n] for n in sorted(bad) if n < len(lines)]
      lines = [line for n, line in enumerate(lines) if n not in bad]
   return [], b'', refused


def differences(wanted, got, lines):
   return [f'{a}\n   not {b}\n   of  {c}' for a, b, c in zip(wanted, got, lines) if a != b]


def check_row(tap, judge, row, rng, count):
   lines = list(dict.fromkeys(texts_of(row, rng, count)))
   total = len(lines)
   label = ['A:', 'nop', 'B:', 'nop']
   lines, code, refused = accepted(judge, lines, label)
   tap.check(f'{row.name}: {len(lines)} of {total} texts', len(lines) * 10 > total * 9, '\n'.join(refused[:20]))
   taken = [line for line in refused if judge.ours('as', '\n'.join([line, *label, '']).encode()).returncode == 0]
   tap.check(f'{row.name}: the others are refused', not taken, '\n'.join(taken[:10]))
   text = '\n'.join([*lines, *label]) + '\n'
   done = judge.ours('as', text.encode())
   if not tap.check(f'{row.name}: assembled', done.returncode == 0,
                    '\n'.join(f'{m}: {lines[int(m.split(":")[0]) - 1]}' for m in done.stderr.decode().splitlines())):
      return
   wanted = [code[n:n + 16].hex() for n in range(0, len(code), 16)]
   got = [done.stdout[n:n + 16].hex() for n in range(0, len(done.stdout), 16)]
   bad = differences(wanted, got, lines)
   tap.check(f'{row.name}: bytes', len(wanted) == len(got) and not bad, '\n'.join(bad[:5]))
   wanted, got = list(judge.disassemble(code).values()), plain(judge.ours('dis', code).stdout.decode())
   bad = differences(wanted, got, lines)
   tap.check(f'{row.name}: text', len(wanted) == len(got) and not bad, '\n'.join(bad[:5]))


def short_forms(rng):
   """Short instructions of every index of every table."""
   ops = {False: [r.opcode for r in ROWS if r.shape in ('unary', 'binary')], True: [0x5b, 0x18]}
   codes = []
   for ternary, tables in ((False, compaction.BASIC), (True, compaction.TERNARY)):
      for low, bits, _ in tables.values():
         for index in range(1 << bits):
            for _ in range(400):
               word = rng.getrandbits(64) & ~(0xf << 24 | 1 << 28)
               word = word & ~(((1 << bits) - 1) << low) | index << low
               word = word & ~0xff | rng.choice(ops[ternary])
               # Registers of the lower half: architecture registers have few numbers.
               word &= (1 << 64) - 1 if ternary else ~(0x808080 << 40)
               codes.append((word & ~(1 << 7) | 1 << 29, low, index))
   return codes


def check_short_forms(tap, judge, rng):
   """Of every index, what is an instruction for both disassemblers has the same text."""
   forms = short_forms(rng)
   ours = plain(judge.ours('dis', b''.join(word.to_bytes(8, 'little') for word, _, _ in forms)).stdout.decode())
   good = [(form, text) for form, text in zip(forms, ours) if not text.startswith('.quad')]
   theirs = {}
   while not theirs and good:
      theirs = judge.disassemble(b''.join(word.to_bytes(8, 'little') for (word, _, _), _ in good))
      if not theirs:
         # Short forms whose second source is no general register are not all taken.
         good = [form for n, form in enumerate(good) if 8 * n not in judge.refused]
   bad = [f'{theirs.get(8 * n)}\n   not {text}' for n, (_, text) in enumerate(good) if theirs.get(8 * n) != text]
   seen = {form[1:] for form, _ in good}
   tap.check(f'short forms: {len(good)} texts, {len(seen)} indices', len(good) > 1000 and not bad, '\n'.join(bad[:10]))


def main():
   iga, tool = sys.argv[1:3]
   seed = int(sys.argv[3] if len(sys.argv) > 3 else os.environ.get('HD_TEST_SEED', '20261'), 0)
   print(f'# HD_TEST_SEED={seed}')
   rng = random.Random(seed)
   tap = Tap()
   with tempfile.TemporaryDirectory() as folder:
      judge = Judge(iga, tool, folder)
      for row in ROWS:
         check_row(tap, judge, row, rng, 100)
      check_short_forms(tap, judge, rng)
   tap.finish()


if __name__ == '__main__':
   main()
