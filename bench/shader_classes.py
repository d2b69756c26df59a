#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compute shaders of the kinds that engines and libraries have, by class, beside ACO.

    shader_classes.py FOLDER [--only NAME,...] [--keep FOLDER] [--json FILE] [--worst N]

The shaders are those of tests/spirv/corpus whose names begin with a class of CLASSES. Both compilers take the same
SPIR-V (spirv.py); what their code has is counted from the assembly by the kind of unit that runs it. A row of the
first table is the geometric mean of Heddle / ACO over a class; of what either has none, one more is counted on both
sides. A loop that only one of them unrolls says little of either's code, so the shaders in which both leave the same
number of loops, back edges of the assembly, have a row and goals of their own. The second table has the shaders of which Heddle's code is longest beside ACO's, the worst first.

FOLDER is the bench's part of the build folder.
"""
import argparse
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'tests', 'spirv')]
import cases  # noqa: E402
import judges  # noqa: E402
import spirv  # noqa: E402
from tables import geometric_mean, table  # noqa: E402

CLASSES = {'nn': 'inference', 'img': 'image filters', 'sort': 'sorting', 'phys': 'physics', 'mat': 'matrices'}
UNITS = ('instructions', 'valu', 'salu', 'smem', 'vmem', 'lds', 'waits', 'scratch', 'exec', 'branches')
GOALS = {'instructions': 0.95, 'valu': 0.95, 'vmem': 0.95}
LOOPS_GOALS = {'valu': 0.95, 'vmem': 0.95}
# No shader has more than this many times ACO's instructions, unless doc/gcn.md names it and says why.
MUCH = 1.5
REASONS = os.path.join(HERE, '..', 'doc', 'gcn.md')


def count(text):
   """How many instructions of each unit the assembly has."""
   lines = [line.split(';')[0].split('//')[0].strip() for line in text.splitlines()
            if re.match(r'\s+[sv]_|\s+(ds|buffer|global|flat|scratch|tbuffer|image)_', line)]
   while lines and lines[-1].split()[0] in ('s_nop', 's_code_end'):
      lines.pop()
   n = dict.fromkeys(UNITS, 0)
   for line in lines:
      op = line.split()[0]
      n['instructions'] += 1
      n['exec'] += bool(re.match(r'v_cmpx|s_\w+saveexec', op) or re.match(r'\S+\s+exec\b', line))
      if op.startswith('v_'):
         n['valu'] += 1
      elif op.startswith('ds_'):
         n['lds'] += 1
      elif re.match(r's_(buffer_)?(load|store|scratch)|s_dcache|s_memtime', op):
         n['smem'] += 1
      elif op.startswith('s_waitcnt'):
         n['waits'] += 1
      elif re.match(r's_c?branch', op):
         n['branches'] += 1
      elif op.startswith('s_'):
         n['salu'] += op not in ('s_nop', 's_endpgm', 's_barrier')
      else:
         n['vmem'] += 1
   return n


def back_edges(text):
   """How many branches go back: a loop has one at least."""
   places, found = set(), 0
   for line in text.splitlines():
      label = re.match(r'\s*([\w.$]+):', line)
      branch = re.match(r'\s+s_c?branch\w*\s+([\w.$]+)', line)
      if label:
         places.add(label[1])
      found += bool(branch and branch[1] in places)
   return found


def class_of(case):
   return CLASSES.get(case.name.split('_')[0]) if case.kind == '.comp' else None


def measure(folder, chosen, scratch):
   """[(name, ours, theirs)], and words of what could not be measured."""
   host = os.path.join(folder, '..', 'tests', 'spirv', 'host', 'vulkan_host')
   own = spirv.Own(folder, 0, scratch)
   pairs = [(c.file, c, cases.compile_case(c, cases.variants(c)[-1], scratch)) for c in chosen]
   theirs = judges.radv(host).statistics(pairs, os.path.join(scratch, 'aco'), 0)
   rows, faults = [], []
   for key, case, path in pairs:
      ours, other = own.measure(key, case, path), theirs.get(key, {'error': 'no answer'})
      if isinstance(ours, str) or 'error' in other:
         faults.append(f"{key}: {ours if isinstance(ours, str) else other['error']}")
         continue
      text = judges.read(os.path.join(scratch, f'{key}.own.s')).decode()
      mine, its = count(text), count(other['assembly'])
      mine['scratch'], mine['vgprs'], mine['ns'] = ours['scratch'], ours['vgprs'], ours['ns']
      its['scratch'], its['vgprs'], its['ns'] = other['scratch_size'], other['vgprs'], other['ns']
      mine['loops'], its['loops'] = back_edges(text), back_edges(other['assembly'])
      rows.append((case, mine, its))
   return rows, faults


def mean(rows, unit):
   """Of Heddle / ACO."""
   pairs = [(a[unit], b[unit]) for _, a, b in rows]
   return geometric_mean((a + 1) / (b + 1) if not a or not b else a / b for a, b in pairs)


def tell_goals(rows, goals, where):
   for unit, goal in goals.items():
      got = mean(rows, unit)
      print(f"{'met' if got <= goal else 'missed'}: {got:.2f} of ACO's {unit} in the geometric mean{where}, goal {goal}")


def report(rows, faults, worst):
   heads = [u for u in UNITS if u != 'scratch'] + ['vgprs']
   groups = [(name, [r for r in rows if class_of(r[0]) == name]) for name in CLASSES.values()]
   same_loops = [r for r in rows if r[1]['loops'] == r[2]['loops']]
   groups += [('all', rows), ('same loops', same_loops)]
   print('Shaders by class to gfx900: Heddle / ACO, geometric means\n')
   table(['', 'shaders', *heads, 'scratch', 'ACO'],
         [[name, str(len(g)), *(f'{mean(g, u):.2f}' for u in heads), str(sum(bool(a['scratch']) for _, a, _ in g)),
           str(sum(bool(b['scratch']) for _, _, b in g))] for name, g in groups if g])
   tell_goals(rows, GOALS, '')
   if same_loops:
      tell_goals(same_loops, LOOPS_GOALS, f' of the {len(same_loops)} with the same number of loops')
   bad = [c.name for c, a, b in rows if a['scratch'] and not b['scratch']]
   print(f"{'missed' if bad else 'met'}: scratch where ACO has none in {len(bad)} shaders {' '.join(bad)}, goal 0")
   rows = sorted(rows, key=lambda r: -r[1]['instructions'] / r[2]['instructions'])
   reasons = judges.read(REASONS).decode()
   much = [c.name for c, a, b in rows if a['instructions'] > MUCH * b['instructions']]
   why_not = [name for name in much if f"`{name.split('.')[0]}`" not in reasons]
   print(f"{'missed' if why_not else 'met'}: more than {MUCH} times ACO's instructions in {len(much)} shaders {' '.join(much)}, "
         f'{len(why_not)} of them without a reason in doc/gcn.md, goal 0\n')
   pair = ('instructions', 'valu', 'vmem', 'lds', 'waits', 'branches')
   table(['worst', 'ratio', *(h for u in pair for h in (u, 'ACO'))],
         [[c.name, f"{a['instructions'] / b['instructions']:.2f}", *(str(x[u]) for u in pair for x in (a, b))]
          for c, a, b in rows[:worst]])
   for fault in faults:
      print(f'WRONG: {fault}')
   print()


def report_all(programs, only=None, keep=None, worst=20):
   """PROGRAMS is the bench's part of the build folder. The raw figures, and how many shaders could not be measured."""
   missing = cases.missing_tools()
   if missing:
      print(f"Shaders by class: not installed: {', '.join(missing)}\n")
      return [], 0
   chosen = [c for c in cases.all_cases(only) if not c.is_graphics and class_of(c)]
   with tempfile.TemporaryDirectory() as scratch:
      folder = keep or scratch
      os.makedirs(folder, exist_ok=True)
      try:
         rows, faults = measure(programs, chosen, folder)
      except judges.Unable as error:
         print(f'Shaders by class: {error}\n')
         return [], 0
   report(rows, faults, worst)
   return [{'name': c.name, 'own': a, 'ACO': b} for c, a, b in rows], len(faults)


def main():
   parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
   parser.add_argument('folder')
   parser.add_argument('--only')
   parser.add_argument('--keep')
   parser.add_argument('--json')
   parser.add_argument('--worst', type=int, default=20)
   args = parser.parse_args()
   only = args.only.split(',') if args.only else None
   results, faults = report_all(args.folder, only, args.keep, args.worst)
   if args.json:
      with open(args.json, 'w', encoding='utf-8') as file:
         json.dump(results, file, indent=1)
   return 1 if faults else 0


if __name__ == '__main__':
   sys.exit(main())
