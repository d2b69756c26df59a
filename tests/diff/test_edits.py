#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heddle diff finds the edits that were made to a shader, and no others.

    test_edits.py TOOL SANITIZED SPIRV
"""
import collections
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
from harness import ROOT, SANITIZED, TAP, finish, heddle, path, put  # noqa: E402

HEAD = 'shader compute "edits" {\n  workgroup 64 1 1\n  function @main {\n'
TAIL = '  }\n}\n'
SPIRV = sys.argv[3] == 'true'

# An if and a loop, with memory that is written between reads.
CODE = '''    b0:
      %zero:32 = const 0
      %two:32 = const 2
      %lane:32 = local_invocation_index
      %at:32 = ishl %lane, %two
      %first:32 = load_buffer %zero, %at align_mul=4
      %sum:32 = iadd %first, %lane
      %product:32 = imul %first, %lane
      store_buffer %sum, %zero, %at align_mul=4
      %second:32 = load_buffer %zero, %at align_mul=4
      %less:1 = ult %second, %product
      if %less {
        b1:
          %in:32 = ixor %product, %two
          store_buffer %in, %two, %at align_mul=4
      } else {
        b2:
      }
    b3:
      loop {
        b4:
          %count:32 = phi b3: %zero, b8: %next
          %more:1 = ult %count, %lane
          if %more {
            b5:
          } else {
            b6:
              break
          }
        b7:
      } continue {
        b8:
          %next:32 = iadd %count, %two
      }
    b9:
      store_buffer %product, %zero, %at align_mul=4
'''


def shader(code):
   return HEAD + code + TAIL


def diff(name, before, after):
   done = heddle('diff', '--json', put('before.hd', before), put('after.hd', after))
   TAP.check(f'{name}: compared', done.status in (0, 1) and not done.err, done)
   data = json.loads(done.out)
   TAP.check(f'{name}: exit status', done.status == (0 if data['equal'] else 1), done)
   return data


def check(name, before, after, **wanted):
   """How many of each kind, and what their texts name."""
   data = diff(name, shader(before), shader(after))
   counts = {kind: n for kind, n in data['counts'].items() if kind != 'same' and n}
   TAP.check(f'{name}: found', counts == {kind: len(words) for kind, words in wanted.items()}, json.dumps(data, indent=1))
   for kind, words in wanted.items():
      side = 'after' if kind == 'added' else 'before'
      found = [e[side]['text'] for e in data['entries'] if e['kind'] == kind]
      TAP.check(f'{name}: what is {kind}', len(found) == len(words) and all(w in t for w, t in zip(words, found)), found)
   return data


def replaced(*pairs):
   code = CODE
   for old, new in pairs:
      assert old in code, old
      code = code.replace(old, new, 1)
   return code


def test_edits():
   check('nothing', CODE, CODE)
   check('names', CODE, re.sub(r'%([a-z]+)', r'%other_\1', CODE))
   check('numbers of blocks', CODE, re.sub(r'b(\d)', lambda m: f'b{int(m[1]) + 40}', CODE))
   check('insert', CODE, replaced(('      %product', '      %new:32 = isub %first, %two\n      %product')), added=['isub'])
   check('remove', replaced(('      %product', '      %new:32 = isub %first, %two\n      %product')), CODE, removed=['isub'])
   check('another op', CODE, replaced(('imul %first', 'isub %first')), changed=['imul'])
   check('another operand', CODE, replaced(('iadd %first, %lane', 'iadd %first, %two')), changed=['iadd'])
   check('another constant', CODE, replaced(('const 2', 'const 3')), changed=['const 2'])
   check('another binding', CODE, replaced(('store_buffer %in, %two', 'store_buffer %in, %zero')), changed=['store_buffer'])
   check('operands swapped', CODE, replaced(('ult %count, %lane', 'ult %lane, %count')), changed=['ult'])
   check('between two instructions', CODE, replaced(('%less:1 = ult %second, %product', '%new:32 = iadd %second, %two\n      %less:1 = ult %new, %product')),
         added=['iadd'], changed=['ult'])
   sum_line, product_line = '      %sum:32 = iadd %first, %lane\n', '      %product:32 = imul %first, %lane\n'
   check('independent instructions in another order', CODE, replaced((sum_line + product_line, product_line + sum_line)))
   store, load = ('      store_buffer %sum, %zero, %at align_mul=4\n', '      %second:32 = load_buffer %zero, %at align_mul=4\n')
   check('a load before a store', CODE, replaced((store + load, load + store)), moved=['load_buffer'])
   check('to another block', CODE, replaced(('          %in:32 = ixor %product, %two\n', ''), ('      %less', '      %in:32 = ixor %product, %two\n      %less')), moved=['ixor'])
   two = '      store_buffer %lane, %zero, %two align_mul=4\n'
   check('stores in another order', replaced((store, store + two)), replaced((store, two + store)), moved=['store_buffer'])
   shared = '      store_shared %lane, %at align_mul=4\n'
   check('stores to other memory in another order', replaced((store, store + shared)), replaced((store, shared + store)))
   twin = '      %twin:32 = iadd %first, %lane\n'
   one, other = replaced((sum_line, sum_line + twin), ('ult %second, %product', 'ult %second, %twin')), replaced((sum_line, twin + sum_line), ('ult %second, %product', 'ult %second, %twin'))
   check('twins in another order', one, other)
   check('an if that is new', CODE, replaced(('    b9:\n', '    b9:\n      if %less {\n        b10:\n          %new:32 = isub %at, %two\n          store_buffer %new, %two, %at align_mul=4\n'
                                              '      } else {\n        b11:\n      }\n    b12:\n')),
         added=['b9', 'if', 'b10', 'isub', 'store_buffer', 'b11'])
   head = diff('head', shader(CODE), shader(CODE).replace('workgroup 64', 'workgroup 32'))
   TAP.check('what stands before the functions', head['headers_differ'] and not head['entries'], head)
   calls = '  function @f(%x:32) -> 32x1 {\n    b0:\n      %y:32 = iadd %x, %x\n      return %y\n  }\n'
   data = diff('a function', shader(CODE), shader(CODE)[:-2] + calls + '}\n')
   TAP.check('... is added', data['counts']['added'] == 5 and not data['counts']['changed'], data)


def test_text():
   done = heddle('diff', put('a.hd', shader(CODE)), put('b.hd', shader(replaced(('imul %first', 'isub %first')))))
   TAP.check('text', done.status == 1 and b'@main b0\n~ ' in done.out and b'=>' in done.out and
             done.out.endswith(b'1 changed, 0 removed, 0 added\n'), done)
   TAP.check('one file', heddle('diff', path('a.hd')).status == 2)
   TAP.check('no such file', heddle('diff', path('a.hd'), path('none.hd')).status == 2)
   TAP.check('bad text', heddle('diff', path('a.hd'), put('bad.hd', 'shader')).status == 1)


def straight(num, seed):
   """So many instructions in one block that depend on some of those before."""
   chance = random.Random(seed)
   lines = ['    b0:', '      %v0:32 = local_invocation_index', '      %v1:32 = const 7']
   for n in range(2, num):
      a, b = chance.randrange(max(0, n - 40), n), chance.randrange(n)
      lines.append(f'      %v{n}:32 = {chance.choice(("iadd", "isub", "imul", "ixor", "umin"))} %v{a}, %v{b}')
   return lines + [f'      store_buffer %v{num - 1}, %v1, %v0 align_mul=1']


def shuffled(lines, seed):
   """Another order that has each instruction behind what it reads."""
   chance, done, out = random.Random(seed), set(), lines[:1]
   waiting = {n: {m for m in re.findall(r'%v\d+', line.split('=', 1)[1])} if '= ' in line else set() for n, line in enumerate(lines)}
   readers, ready = {}, []
   for n, line in enumerate(lines[1:-1], 1):
      waiting[n].discard(line.split(':')[0].strip())
      for name in waiting[n]:
         readers.setdefault(name, []).append(n)
      if not waiting[n]:
         ready.append(n)
   while ready:
      n = ready.pop(chance.randrange(len(ready)))
      out.append(lines[n])
      name = lines[n].split(':')[0].strip()
      done.add(name)
      for reader in readers.get(name, ()):
         waiting[reader].discard(name)
         if not waiting[reader]:
            ready.append(reader)
   return out + lines[-1:]


def test_random():
   for seed in range(20):
      lines = straight(60, seed)
      data = diff(f'random order {seed}', shader('\n'.join(lines) + '\n'), shader('\n'.join(shuffled(lines, seed)) + '\n'))
      TAP.check(f'random order {seed}: equal', data['equal'], json.dumps(data, indent=1))


def test_size():
   num = 20000
   lines = straight(num, 1)
   edited = shuffled(lines, 2)
   for n in range(1000, num, 1000):
      edited[n] = edited[n].replace('iadd', 'iand').replace('isub', 'iand').replace('imul', 'iand').replace('ixor', 'iand').replace('umin', 'iand')
   begin = time.monotonic()
   data = diff('20,000 instructions', shader('\n'.join(lines) + '\n'), shader('\n'.join(edited) + '\n'))
   took = time.monotonic() - begin
   TAP.check('20,000 instructions: seconds', took < (30 if SANITIZED else 3), took)
   TAP.check('20,000 instructions: 19 edits', data['counts']['changed'] == 19 and data['counts']['same'] == num - 17, data['counts'])


def test_corpus():
   """What is printed is what was read."""
   names = sorted(glob.glob(os.path.join(ROOT, 'tests', 'passes', '*.hd')))[::1 if not SANITIZED else 8]
   bad, num = [], 0
   for name in names:
      printed = heddle('print', name)
      if printed.status:
         continue
      num += 1
      if heddle('diff', name, put('printed.hd', printed.out)).status:
         bad.append(name)
   TAP.check(f'{num} files of tests and what is printed of them', num > 4 and not bad, bad)


def test_spirv():
   if not SPIRV or not shutil.which('glslangValidator'):
      TAP.check('modules # SKIP no SPIR-V is read or made here', True)
      return
   subprocess.run(['glslangValidator', '-g', '-V', '--target-env', 'vulkan1.3', '-o', path('m.spv'),
                   os.path.join(ROOT, 'examples', 'mandelbrot.comp')], stdout=subprocess.DEVNULL, check=True)
   printed = heddle('print', path('m.spv'))
   done = heddle('diff', path('m.spv'), put('m.hd', printed.out))
   TAP.check('a module is its text', done.status == 0, done)
   edited = printed.out.replace(b' = flt', b' = feq', 1)
   done = heddle('diff', '--json', path('m.spv'), put('e.hd', edited))
   data = json.loads(done.out)
   TAP.check('... and is not another one', data['counts']['changed'] == 1 and not data['counts']['added'], done)


def counted(lines):
   """What spirv-diff has found: changed, removed and added instructions. An instruction that only names another one's new
   number is no difference, nor is one that stands elsewhere.
   """
   hunk, names, gone, new = [[], []], {}, [], []
   for line in [*lines, ' ']:
      if line.startswith(('-', '+')) and ' Bound: ' not in line:
         hunk[line[0] == '+'].append(line[1:].split())
         continue
      for minus, plus in zip(*hunk):
         if minus[1:2] == plus[1:2] == ['=']:
            names[plus[0]] = minus[0]
      gone, new, hunk = gone + hunk[0], new + hunk[1], [[], []]
   # What does the same elsewhere has a new number, too.
   twins = {tuple(words[1:]): words[0] for words in gone if words[1:2] == ['=']}
   for words in new:
      twin = twins.get(tuple(names.get(word, word) for word in words[1:]))
      if twin and words[0] not in names:
         names[words[0]] = twin
   gone = collections.Counter(tuple(words) for words in gone)
   new = collections.Counter(tuple(names.get(word, word) for word in words) for words in new)
   removed, added = (gone - new).total(), (new - gone).total()
   changed = min(removed, added)
   return [changed, removed - changed, added - changed]


def test_spirv_diff():
   """The same edits of a module, as spirv-diff sees them."""
   if not SPIRV or not all(map(shutil.which, ('glslangValidator', 'spirv-dis', 'spirv-as', 'spirv-diff'))):
      TAP.check('spirv-diff # SKIP it is not here: Debian 12 and 13 have none, later ones have it in spirv-tools', True)
      return
   subprocess.run(['glslangValidator', '-V', '--target-env', 'vulkan1.3', '-o', path('plain.spv'),
                   os.path.join(ROOT, 'examples', 'mandelbrot.comp')], stdout=subprocess.DEVNULL, check=True)
   text = subprocess.run(['spirv-dis', '--no-header', path('plain.spv')], stdout=subprocess.PIPE, check=True).stdout.decode()
   product = re.search(r' *(%\w+) = OpFMul (%\w+) (%\w+) (%\w+)\n', text)
   line, _, kind, left, right = product[0], *product.groups()
   new = f'%new = OpFSub {kind} {right} {left}\n'
   loads = re.search(r'( *%\w+ = OpLoad %\w+ %\w+\n)( *%\w+ = OpLoad %\w+ %\w+\n)', text)
   edits = {
      'nothing': (text, text),
      'another op': (text, text.replace('OpFAdd', 'OpFSub', 1)),
      'another op at the end': (text, 'OpUDiv'.join(text.rsplit('OpIMul', 1))),
      'another operand': (text, text.replace(line, line.replace(left + ' ', right + ' '))),
      'another constant': (text, text.replace('OpConstant %float 4\n', 'OpConstant %float 5\n')),
      'inserted': (text, text.replace(line, line + new)),
      'removed': (text.replace(line, line + new), text),
      'two edits': (text, text.replace(line, line + new).replace('OpFOrdGreaterThan', 'OpFOrdLessThan', 1)),
      'two loads in another order': (text, text.replace(loads[0], loads[2] + loads[1])),
      'other numbers': (text, re.sub(r'%(\d+)\b', lambda match: f'%{int(match[1]) + 500}', text)),
   }
   for name, pair in edits.items():
      for which, code in zip(('a', 'b'), pair):
         subprocess.run(['spirv-as', '--target-env', 'vulkan1.3', '-', '-o', path(which + '.spv')], input=code.encode(), check=True)
      theirs = subprocess.run(['spirv-diff', path('a.spv'), path('b.spv')], stdout=subprocess.PIPE, check=True).stdout.decode()
      ours = json.loads(heddle('diff', '--json', path('a.spv'), path('b.spv')).out)['counts']
      TAP.check(f'spirv-diff: {name}', (name == 'nothing') or pair[0] != pair[1], name)
      TAP.check(f'spirv-diff: {name}: as many instructions', counted(theirs.splitlines()) == [ours[kind] for kind in ('changed', 'removed', 'added')]
                and not ours['moved'], f'{ours}\n{theirs}')


for test in (test_edits, test_text, test_random, test_size, test_corpus, test_spirv, test_spirv_diff):
   test()
finish()
