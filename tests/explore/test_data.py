#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The data of heddle explore: the schema, which line of the input and the source each instruction comes from, what it
became.

    test_data.py TOOL SANITIZED BACKENDS SPIRV
"""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
from harness import ROOT, TAP, finish, heddle, path, put  # noqa: E402
from schema import faults  # noqa: E402
from shaders import BRANCHY, HOSTILE, IRREDUCIBLE, KNOWN, LOOP, TARGETS, branchy, large  # noqa: E402

# What loads and what stores in the code of a target.
ACCESSES = {
   'gfx900': (lambda text: 'load' in text, lambda text: 'store' in text),
   'gen9': (lambda text: text.split()[0] == 'send' and 'EOT' not in text, lambda text: text.split()[0] == 'sends'),
   'nyuzi': (lambda text: 'load' in text, lambda text: 'store' in text),
   'r700': (lambda text: 'VFETCH' in text, lambda text: 'MEM_EXPORT' in text),
}
MACHINES = [TARGETS[name] for name in sys.argv[3].split(',') if name in TARGETS]
SPIRV = sys.argv[4] == 'true'
with open(os.path.join(ROOT, 'doc', 'explorer-schema.json'), encoding='utf-8') as file:
   SCHEMA = json.load(file)


class Side:
   """A side of the data, as the page reads it."""

   def __init__(self, raw):
      self.raw = raw

   def texts(self, step):
      lines, runs = self.raw['lines'], self.raw['steps'][step]['lines']
      return [lines[n] for first, count in zip(runs[::2], runs[1::2]) for n in range(first, first + count)]

   def node(self, step, text):
      found = [line[3] for line in self.texts(step) if text in line[2]]
      assert len(found) == 1, (text, found, self.texts(step))
      return found[0]

   def reach(self, node, forward):
      links = [(n[2], k) for k, n in enumerate(self.raw['nodes']) if n[2] >= 0] + [b[1:] for b in self.raw['became']]
      seen, more = set(), {node}
      while more:
         seen |= more
         more = {b for a, b in (links if forward else [(b, a) for a, b in links]) if a in seen} - seen
      return seen


def explore(name, *args):
   done = heddle('explore', '--json', '--no-times', *args)
   if not TAP.check(f'{name}: data', done.status == 0 and not done.err, done):
      return None
   data = json.loads(done.out)
   wrong = list(faults(data, SCHEMA, SCHEMA))
   TAP.check(f'{name}: as the schema says', not wrong, '\n'.join(wrong[:10]))
   return Side(data['sides'][0])


def test_known():
   side = explore('known', '--passes=O2', put('known.hd', KNOWN))
   lines = KNOWN.splitlines()
   first = side.texts(0)
   TAP.check('the first step is the input', [line[2] for line in first if line[0] == 7] ==
             [line.strip().split(' @"')[0] for line in lines if '=' in line or 'store' in line], first)
   for kind, _, text, node, *_ in first:
      if kind == 7:
         at = side.raw['nodes'][node][3]
         TAP.check(f'{text}: its line of the input', lines[at - 1].strip().startswith(text), at)
   # The product by 8 is a shift afterwards, at the same place of the source.
   last = len(side.raw['steps']) - 1
   shift, product = side.node(last, 'ishl'), side.node(0, 'imul')
   TAP.check('the shift was the product', product in side.reach(shift, False), side.raw['nodes'])
   place = side.raw['places'][side.raw['nodes'][shift][4]]
   TAP.check('... of line 4', [side.raw['files'][place[0]]['name'], place[1]] == ['known.comp', 4], place)
   # Two equal sums are one.
   second = side.node(0, '%6:32 = iadd')
   kept = side.node(last, '= iadd')
   TAP.check('the second sum became the first', kept in side.reach(second, True), side.raw['became'])
   TAP.check('what nothing reads is gone', not any('"unused"' in line[2] for line in side.texts(last)))
   TAP.check('the store stays the same', side.node(0, 'store_buffer') == side.node(last, 'store_buffer'))


def test_determinism():
   name = put('known.hd', KNOWN)
   a, b = (heddle('explore', '--no-times', name) for _ in range(2))
   TAP.check('the same input, the same bytes', a.out == b.out and a.status == 0, a)
   TAP.check('times are told unless they are unwanted',
             b'"nanoseconds"' in heddle('explore', '--json', name).out and b'"nanoseconds"' not in a.out)


def test_forms():
   name = put('known.hd', KNOWN)
   heddle('convert', '-o', path('known.hdb'), name)
   for form, kind in ((name, 'text'), (path('known.hdb'), 'printed')):
      side = explore(kind, '--passes=dce', form)
      TAP.check(f'{kind}: kind', side.raw['input']['kind'] == kind)
      TAP.check(f'{kind}: every instruction has a line',
                all(side.raw['nodes'][line[3]][3] for line in side.texts(0) if line[0] == 7))


def test_module():
   if not SPIRV or not shutil.which('glslangValidator'):
      TAP.check('modules # SKIP no SPIR-V is read or made here', True)
      return
   source = os.path.join(ROOT, 'examples', 'mandelbrot.comp')
   subprocess.run(['glslangValidator', '-g', '-V', '--target-env', 'vulkan1.3', '-o', path('m.spv'), source],
                  stdout=subprocess.DEVNULL, check=True)
   side = explore('module', '--passes=O1', path('m.spv'))
   with open(source, encoding='utf-8') as text:
      wanted = text.read().splitlines()
   TAP.check('its source is in the module', side.raw['files'][0]['lines'] == wanted, side.raw['files'])
   subprocess.run(['glslangValidator', '-g0', '-V', '--target-env', 'vulkan1.3', '-o', path('bare.spv'), source],
                  stdout=subprocess.DEVNULL, check=True)
   bare = explore('bare', '--passes=O1', f'--source={source}', path('bare.spv'))
   TAP.check('a source that no location names is shown', [file['lines'] for file in bare.raw['files']] == [wanted],
             bare.raw['files'])
   words, lines = side.raw['input']['words'], side.raw['input']['lines']
   by_word = dict(zip(words, lines))
   flt = side.node(0, 'flt')
   TAP.check('a compare comes from its instruction', 'OpFOrdGreaterThan' in by_word[side.raw['nodes'][flt][3]])
   TAP.check('... of line 26', side.raw['places'][side.raw['nodes'][flt][4]][1] == 26)
   disassembler = shutil.which('spirv-dis')
   if disassembler:
      theirs = subprocess.run([disassembler, '--raw-id', '--no-indent', '--no-header', path('m.spv')], text=True,
                              stdout=subprocess.PIPE, check=True).stdout
      compare_text(lines, theirs)


def compare_text(ours, theirs):
   """Word by word; floats and strings are written in another way."""
   def words(line):
      return [w for w in line.split(' // ')[0].split() if w[0] in '%O' or w.isalpha()]

   rows = [line for line in theirs.splitlines() if line.startswith(('%', 'Op'))]
   pairs = [(a, b) for a, b in zip(ours, rows) if '"' not in a and words(a) != words(b)]
   TAP.check('modules are shown as spirv-dis shows them', len(ours) == len(rows) and not pairs, pairs[:5])


def code_of(machine, lines, phase):
   runs = machine['phases'][phase]['lines']
   return [lines[n] for first, count in zip(runs[::2], runs[1::2]) for n in range(first, first + count)]


def test_machine(target):
   source = put('branchy.hd', branchy(target))
   side = explore(target, '--target=' + target, source)
   machine, lines = side.raw['machine'], side.raw['lines']
   output = machine['phases'][-1]
   code = [line for line in code_of(machine, lines, -1) if line[0] == 9]
   plain = heddle('compile', '--target=' + target, source).out.decode()
   theirs = [' '.join(re.split(r'(?:^|\s);', line)[0].split()) for line in plain.splitlines()]
   theirs = [line for line in theirs if line and not line.endswith(':')]
   is_load, is_store = ACCESSES[target]
   # R700's are in the order of control flow, and fetches are aligned.
   padding = sum(text.startswith('.long') for text in theirs)
   TAP.check(f'{target}: only R700 has padding, of a word at most', padding <= (target == 'r700'), theirs)
   theirs = [text for text in theirs if not text.startswith('.long')]
   placed = sorted(zip(output['offsets'], output['sizes'], [line[2] for line in code]))
   TAP.check(f'{target}: watched or not, the code is the same', [text for *_, text in placed] == theirs,
             '\n'.join(text for *_, text in placed) + '\n\n' + '\n'.join(theirs))
   TAP.check(f'{target}: in the order of the code, but on R700', target == 'r700' or [line[2] for line in code] == theirs)
   ends = [0] + [offset + size for offset, size, _ in placed]
   gaps = [offset - end for end, (offset, *_) in zip(ends, placed)]
   TAP.check(f'{target}: places of instructions', sorted(gaps)[-1 - padding:] == [0] + [8] * padding and min(gaps) == 0 and
             ends[-1] == machine['code_size'], output)
   store = [line[3] for line in code if is_store(line[2])]
   wanted = side.node(len(side.raw['steps']) - 1, 'store_buffer')
   TAP.check(f'{target}: the store of the IR became the store of the machine',
             store and all(machine['insts'][n] == wanted for n in store), [machine['insts'], store])
   known = [p for p in machine['phases'] if 'live0' in p]
   TAP.check(f'{target}: what is live is known up to register allocation', {'select', 'spill', 'regalloc'} <=
             {p['name'] for p in known}, [p['name'] for p in known])
   for p in known:
      num = sum(line[0] == 9 for line in code_of(machine, lines, machine['phases'].index(p)))
      TAP.check(f'{target} {p["name"]}: a number for each instruction', len(p['live0']) == len(p['live1']) == num)
   # Two of the vector registers hold the lane and what is loaded, at least where they are added up.
   at = next(p for p in known if p['name'] == 'spill')
   TAP.check(f'{target}: some registers are live, not all', 2 <= max(at['live1']) < 20 and at['live1'][-1] < max(at['live1']), at)
   add = [n for n, line in enumerate(code) if machine['insts'][line[3]] == side.node(len(side.raw['steps']) - 1, '"sum"')]
   loads = [n for n, line in enumerate(code) if is_load(line[2])]
   TAP.check(f'{target}: the sum reads what was loaded', any(n in loads for k in add for n in output['reads'][k]),
             [add, loads, output['reads']])
   if target == 'gfx900':
      waits = [n for n, line in enumerate(code) if machine['classes'][line[4]] == 'waits' and 'vmcnt' in line[2]]
      TAP.check('waits are told from others', len(waits) >= 1, code)


def test_why():
   name = put('branchy.hd', BRANCHY)
   side = explore('why', '--passes=dce', name)
   rows = [json.loads(line) for line in heddle('divergence', '--json', name).out.decode().splitlines()]
   number = {int(line[2][1:].split(':')[0].split(' ')[0]): line[3] for line in side.texts(0) if line[2].startswith('%')}
   divergent = {w[0] for w in side.raw['why'] if w[3] == 0 and w[1] == 0}
   TAP.check('divergence is that of heddle divergence', {number[r['value']] for r in rows if 'value' in r and not r['uniform']} ==
             divergent & set(number.values()), [rows, side.raw['why']])
   by_node = {w[0]: w for w in side.raw['why'] if w[3] == 0}
   at, chain = side.node(0, '"sum"'), []
   while at >= 0:
      chain.append(at)
      at = by_node[at][5]
   TAP.check('the chain ends at the lane', chain[-1] == side.node(0, '"lane"') and len(chain) > 1, chain)
   ballot = side.node(0, 'ballot')
   stays = [w[4] for w in side.raw['why'] if w[0] == ballot and w[3] == 1]
   TAP.check('a ballot stays', len(stays) == 1 and 'a different set of lanes is active there' in stays[0], stays)
   side = explore('added', '--passes=lower_structurize', put('irreducible.hd', IRREDUCIBLE))
   added = [w for w in side.raw['why'] if w[3] == 2]
   told = heddle('structurize', '--explain', put('irreducible.hd', IRREDUCIBLE)).err.decode().splitlines()
   TAP.check('what is added has the reasons of heddle structurize', len(added) == len(told) > 0 and
             all(a[4].rpartition(': ')[2] in t for a, t in zip(added, told)), [added, told])
   TAP.check('... in the step that adds it', all(side.raw['steps'][w[1]]['name'] == 'lower_structurize' for w in added), added)


def value_of(wave, name, step):
   """What a value or register holds after a step."""
   held = None
   for at, what, value, *_ in wave['values']:
      held = value if at <= step and what == name else held
   return held


def test_run(target):
   # Lanes below 5 read their number, add it, and flip the bits of those of them that are above 2.
   memory = '0.0=u32:' + ','.join(str(n) for n in range(16))
   source = put('branchy.hd', branchy(target))
   side = explore(target + ' run', '--target=' + target, '--groups=3', source, memory)
   runs = side.raw['run']
   waves = max(1, 16 // side.raw['lanes'])
   for kind, run in runs.items():
      TAP.check(f'{target} {kind}: ends well', run['result'] == 'ok' and
                [(w['workgroup'], w['wave']) for w in run['waves']] == [(g, w) for g in range(3) for w in range(waves)], run['result'])
   run = runs['interpreter']
   total = {what: (times, lanes) for what, times, lanes in run['totals']}
   TAP.check(f'{target}: three workgroups of 16 lanes count theirs', total[side.node(0, '"lane"')] == (3 * waves, 48) and
             total[side.node(0, '"sum"')] == (3, 15), total)
   wave = run['waves'][0]
   steps = [(wave['steps'][n], run['masks'][wave['steps'][n + 1]]) for n in range(0, len(wave['steps']), 2)]
   at = [n for n, (what, _) in enumerate(steps) if what == side.node(0, '"sum"')]
   TAP.check(f'{target}: the sum ran once, for five lanes', len(at) == 1 and int(steps[at[0]][1], 16) == 0x1f, steps)
   name = '%' + side.texts(0)[[line[3] for line in side.texts(0)].index(side.node(0, '"sum"'))][2][1:].split(':')[0]
   held = value_of(wave, name, at[0])
   TAP.check(f'{target}: the sum of each lane', held[:5] == [0, 2, 4, 6, 8] and set(held[5:]) == {None}, held)
   stored = {lane: value for _, where, value, *lane_ in wave['values'] if lane_ for lane in lane_ if where.startswith('buffer')}
   TAP.check(f'{target}: what lanes stored', stored == {n: f'0x{2 * n ^ 0x18:08x}' for n in range(5)}, stored)
   machine = runs['machine']
   theirs = {lane: value for _, where, value, *lane_ in machine['waves'][0]['values'] if lane_ for lane in lane_
             if lane >= 0 and where.startswith('buffer')}
   TAP.check(f'{target}: the machine stored the same', theirs == stored, [theirs, stored])
   done = heddle('run', '--lanes=16', source, memory)
   TAP.check(f'{target}: as heddle run says', all(str(int(value, 16)) in done.out.decode().split() for value in stored.values()), done)
   again = explore(target + ' run again', '--target=' + target, '--groups=3', source, memory)
   TAP.check(f'{target}: runs begin with the same memory', again.raw['run'] == runs)
   side = explore(target + ' failing', '--target=' + target, source)
   TAP.check(f'{target}: without a launch there is no run', 'run' not in side.raw)


def test_failing_run():
   side = explore('failing', '--passes=dce', '--groups=1', put('branchy.hd', BRANCHY))
   run = side.raw['run']['interpreter']
   TAP.check('a run that cannot be is told', run['result'] != 'ok' and run['message'], run)
   side = explore('long', '--passes=dce', '--groups=40', '--limit=100000000', put('loop.hd', LOOP))
   run = side.raw['run']['interpreter']
   TAP.check('long runs are cut with a word', len(run['waves']) == 8 and all(w['cut'] for w in run['waves']) and
             any('first waves' in text for text in side.raw['cut']), side.raw['cut'])
   TAP.check('... and counted whole', max(times for _, times, _ in run['totals']) == 40 * 1001, run['totals'])


def test_refusal():
   if not MACHINES:
      done = heddle('explore', '--json', '--target=gfx900', put('known.hd', KNOWN))
      TAP.check('no target', done.status == 2 and b'no backend' in done.err, done)
      return
   side = explore('refused', put('f.hd', 'shader compute "f" {\n  subgroup 128\n  function @main {\n    b0:\n  }\n}\n'))
   TAP.check('what a target refuses is told', side.raw['refused'] and
             'the shader requires 128' in side.raw['messages'][0]['message'], side.raw['messages'])


def test_hostile():
   side = explore('hostile', '--passes=O1', put('hostile.hd', HOSTILE))
   text = heddle('explore', '--no-times', '--passes=O1', put('hostile.hd', HOSTILE)).out.decode()
   data = text.partition('id="data">')[2].partition('</script>')[0]
   TAP.check('no markup in the data', '<' not in data and json.loads(data)['sides'][0]['name'] == side.raw['name'])


def test_comparison():
   other = KNOWN.replace('imul %2, %0', 'iadd %2, %0')
   done = heddle('explore', '--json', '--no-times', '--passes=opt_dce', put('known.hd', KNOWN), '--against=' + put('other.hd', other))
   data = json.loads(done.out)
   wrong = list(faults(data, SCHEMA, SCHEMA))
   TAP.check('two inputs: as the schema says', not wrong, '\n'.join(wrong[:10]))
   sides = [Side(raw) for raw in data['sides']]
   TAP.check('two inputs: their names', [side.raw['title'] for side in sides] == ['known.hd', 'other.hd'])
   for when, step in (('first', 0), ('last', len(sides[0].raw['steps']) - 1)):
      pairs = data['compare'][when]['pairs']
      of = [{line[3]: line[2] for line in side.texts(step) if line[3] >= 0} for side in sides]
      TAP.check(f'two inputs: {when}: pairs are nodes of that step', all(a in of[0] and b in of[1] for a, b, _ in pairs), pairs)
      changed = [(of[0][a], of[1][b]) for a, b, kind in pairs if kind == 2]
      TAP.check(f'two inputs: {when}: what changed', len(changed) == 1 and 'imul' in changed[0][0] and 'iadd' in changed[0][1], changed)
      TAP.check(f'two inputs: {when}: all else is the same', all(of[0][a] == of[1][b] for a, b, kind in pairs if kind == 0) and
                len(pairs) == len(of[0]) == data['compare'][when]['counts'][0] + 1, pairs)
   done = heddle('explore', '--json', '--passes=O1', put('known.hd', KNOWN), '--against-passes=O2')
   TAP.check('two lists of passes', [len(s['steps']) for s in json.loads(done.out)['sides']][0] != len(json.loads(done.out)['sides'][1]['steps']), done)
   done = heddle('explore', '--passes=O1', '--against-passes=O2', given=KNOWN.encode())
   TAP.check('standard input is read once', done.status == 2 and b'read once' in done.err, done)
   done = heddle('explore', '--passes=O1', path('known.hd'), '--against=' + path('none.hd'))
   TAP.check('no file to compare with', done.status == 2, done)
   if len(MACHINES) > 1:
      data = json.loads(heddle('explore', '--json', '--no-times', f'--target={MACHINES[0]}', f'--against-target={MACHINES[1]}', path('known.hd')).out)
      TAP.check('two targets', [s['target'] for s in data['sides']] == MACHINES[:2] and not list(faults(data, SCHEMA, SCHEMA)) and
                data['compare']['first']['counts'][1:] == [0, 0, 0, 0], data['compare'])
      counts = [dict(zip(s['machine']['classes'], s['machine']['phases'][-1]['counts'])) for s in data['sides']]
      TAP.check('both have vector instructions', all(c['vector'] for c in counts), counts)
   # Of every two targets, and of two shaders for each: both run, and leave the same.
   memory = '0.0=u32:' + ','.join(str(n) for n in range(16))
   for one in MACHINES:
      for other in MACHINES:
         name = put('branchy.hd', branchy(one, other))
         data = json.loads(heddle('explore', '--json', '--no-times', f'--target={one}', f'--against-target={other}', name, memory).out)
         stores = [{(v[1], v[2]) for wave in run['waves'] for v in wave['values'] if len(v) > 3 and v[1].startswith('buffer')}
                   for side in data['sides'] for run in side['run'].values()]
         TAP.check(f'{one} beside {other}: all four runs store the same', [s['target'] for s in data['sides']] == [one, other] and
                   len(stores) == 4 and len(stores[0]) == 5 and all(s == stores[0] for s in stores), stores)
      data = json.loads(heddle('explore', '--json', '--no-times', f'--target={one}', path('known.hd'), '--against=' + put('branchy.hd', branchy(one))).out)
      TAP.check(f'{one}: two shaders', [s['name'] for s in data['sides']] == ['known', 'branchy'] and not list(faults(data, SCHEMA, SCHEMA)) and
                all(s['machine']['figures'] for s in data['sides']))


def test_size():
   name = put('large.hd', large(20000))
   passes = ','.join(['opt_dce', 'opt_cse', 'opt_algebraic', 'opt_copy'] * 10)
   done = heddle('explore', '--passes=' + passes, '-o', path('large.html'), name)
   size = os.path.getsize(path('large.html'))
   TAP.check('20,000 instructions, 40 passes: 20 MB', done.status == 0 and size <= 20e6, f'{done}\n{size}')
   # Two of them, of which each instruction is compared.
   other = put('other.hd', large(20000).replace('imul', 'isub'))
   done = heddle('explore', '--passes=' + passes, '-o', path('two.html'), name, '--against=' + other)
   size = os.path.getsize(path('two.html'))
   text = open(path('two.html'), encoding='utf-8').read().partition('id="data">')[2].partition('</script>')[0]
   TAP.check('two of them: 20 MB, nothing is cut', done.status == 0 and size <= 20e6 and
             not any(side['cut'] for side in json.loads(text)['sides']), f'{done}\n{size}')
   # What is larger is cut.
   names = [put(f'huge{n}.hd', large(90000).replace('imul', op)) for n, op in enumerate(('imul', 'isub'))]
   done = heddle('explore', '--passes=opt_dce,opt_algebraic,opt_cse', '--json', '--no-times', names[0], '--against=' + names[1])
   sides = json.loads(done.out)['sides']
   TAP.check('two of 90,000: cut, with words', len(done.out) < 30e6 and all(any('takes more bytes' in text for text in side['cut']) and
                                                                        any('the input is shown up to' in text for text in side['cut'])
                                                                        for side in sides), [len(done.out), [s['cut'] for s in sides]])
   TAP.check('... is what the schema says', not list(faults(json.loads(done.out), SCHEMA, SCHEMA)))


for test in (test_known, test_determinism, test_forms, test_module, test_why, test_failing_run, test_refusal, test_hostile, test_comparison, test_size):
   test()
for machine in MACHINES:
   test_machine(machine)
   test_run(machine)
finish()
