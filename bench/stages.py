#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pairs of vertex and fragment shaders to machine code, beside ACO: how much code each stage has and how long both take.

    stages.py FOLDER [--only NAME,...] [--quick] [--keep FOLDER] [--json FILE]

The pairs are those that tests/spirv/test_draws.py draws. Each is compiled for gfx900 from the same SPIR-V twice, in process:
read, linked and compiled here; as a graphics pipeline by RADV, for a chip that is not there. What is counted is counted
in both assemblies in the same way. Times are CPU time of both stages, the fastest of some rounds.

FOLDER is the bench's part of the build folder.
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'tests', 'spirv')]
import cases  # noqa: E402
import draw_shaders  # noqa: E402
import draws  # noqa: E402
import judges  # noqa: E402
from spirv import count, round_up, tell_of  # noqa: E402
from tables import geometric_mean, table  # noqa: E402

STAGES = ('vertex', 'fragment')
QUICK = ['varying_vec4_smooth', 'derivative_dFdx', 'sample_2d']
# Of ACO's, in the mean over the pairs.
GOALS = {'instructions': 0.85, 'exec writes': 0.6, 'VGPRs': 1.0, 'time': 0.5}
WORST = 12


def color_format(name, blended):
   """What the driver's key says of an attachment: the number of hd_gcn_color_format that RADV chooses, too."""
   base, kind = name.rsplit('_', 1)
   letters = base.rstrip('0123456789')
   bits = int(base[len(letters):]) if base[len(letters):].isdigit() and base not in draws.PACKED else 8
   if base == 'r8':
      return 1
   if kind in ('uint', 'sint'):
      if bits < 32:
         return 7 if kind == 'uint' else 8
   elif kind == 'float' and bits == 16 or bits == 8:
      return 4
   elif bits == 16:
      return 4 if blended else 5 if kind == 'unorm' else 6
   return {1: 3 if blended else 1, 2: 9 if blended else 2}.get(len(letters), 9)


def compile_own(program, pair, folder, seconds):
   """What it takes and makes, or the words of what is wrong."""
   key, case, path = pair
   text = os.path.join(folder, f'{key}.own.s')
   colors = ','.join(str(color_format(c[0], c[2])) for c in case.draw.colors)
   words = [program, f'--seconds={seconds}', f'--text={text}', f'--vertex={draws.vertex_module(path)}', f'--colors={colors}', path]
   done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
   if done.returncode:
      return f'ended with {done.returncode}: {done.stderr.strip().splitlines()[-1:]}'
   row = json.loads(done.stdout)
   if 'error' in row:
      return row['error']
   for stage in STAGES:
      row[stage].update(count(judges.read(f'{text}.{stage}').decode()))
   return row


def compile_aco(host, pairs, folder, seconds):
   """{key: row, or words} of RADV on no hardware."""
   driver = judges.radv(host)
   os.makedirs(folder, exist_ok=True)
   jobs = os.path.join(folder, 'jobs')
   with open(jobs, 'w', encoding='utf-8') as file:
      for key, case, path in pairs:
         file.write(' '.join([f'name={key}', f'file={path}', f'vertex={draws.vertex_module(path)}', *case.draw.pipeline()]) + '\n')
   found = {}
   for line in driver.call('--statistics', f'--assembly={folder}', f'--seconds={seconds}', jobs).splitlines():
      row = json.loads(line)
      found[row['name']] = row.get('error') or row
      for stage in STAGES:
         if stage in row:
            row[stage].update(count(judges.assembly(os.path.join(folder, f"{row['name']}.{stage}.s"))))
   return found


def ratio(own, other):
   """Of what the other has none of, the number."""
   return own / other if other else float(own)


def report_stage(stage, rows):
   """One line a measure: sums, and the mean of what each pair says. The ratios in sum."""
   lines, found, worst = [], {}, []
   for what, of in (('instructions', lambda r: r['instructions']), ('exec writes', lambda r: r['exec writes']),
                    ('VGPRs', lambda r: round_up(max(r['vgprs'], 1), 4)), ('SGPRs', lambda r: round_up(max(r['sgprs'], 1), 16)),
                    ('branches', lambda r: r['branches'])):
      both = [(of(a[stage]), of(b[stage])) for _, a, b in rows]
      sums = [sum(n) for n in zip(*both)]
      found[what] = ratio(*sums)
      mean = geometric_mean(ratio(*n) for n in both if n[0] and n[1])
      lines.append([what, *map(str, sums), f'{found[what]:.2f}', f'{mean:.2f}', str(GOALS.get(what, ''))])
   print(f'{stage.capitalize()} shaders to gfx900, beside ACO, of {len(rows)} pairs\n')
   table(['', 'Heddle', 'ACO', 'in sum', 'in the mean', 'goal'], lines)
   for key, a, b in rows:
      worst.append((ratio(a[stage]['instructions'], b[stage]['instructions']), key, a[stage], b[stage]))
   worst.sort(key=lambda w: -w[0])
   if worst and worst[0][0] > 1:
      print('most instructions beside ACO:')
      for r, key, a, b in worst[:WORST]:
         if r > 1:
            print(f"   {key}: {a['instructions']} and {b['instructions']}")
      print()
   return found


def compare(rows):
   """The tables. What misses its goal is named."""
   figures = {stage: report_stage(stage, rows) for stage in STAGES}
   times = [sum(r[n]['ns'] for r in rows) for n in (1, 2)]
   figures['time'] = times[0] / times[1]
   for stage in STAGES:
      for what, goal in GOALS.items():
         if what in figures[stage]:
            now = figures[stage][what]
            print(f"{'met' if now <= goal else 'missed'}: {now:.2f} of ACO's {what} in {stage} shaders, goal {goal}")
   print(f"{'met' if figures['time'] <= GOALS['time'] else 'missed'}: {figures['time']:.2f} of RADV's time for both,"
         f" goal {GOALS['time']}; {times[0] / 1e6:.1f} and {times[1] / 1e6:.1f} ms\n")
   return figures


def report_all(programs, seconds=0.01, only=None, keep=None):
   """PROGRAMS is the bench's part of the build folder. The raw figures, and how many faults there were."""
   missing = cases.missing_tools()
   if missing:
      print(f"stages: not installed: {', '.join(missing)}\n")
      return {}, 0
   host = os.path.join(programs, '..', 'tests', 'spirv', 'host', 'vulkan_host')
   with tempfile.TemporaryDirectory() as scratch:
      folder = keep or scratch
      os.makedirs(folder, exist_ok=True)
      pairs = [(s[0], *draws.make_case(folder, *s)) for s in draw_shaders.all_shaders() if not only or s[0] in only]
      try:
         theirs = compile_aco(host, pairs, os.path.join(folder, 'aco'), seconds)
      except judges.Unable as error:
         print(f'stages: {error}\n')
         return {}, 0
      rows, faults, alone = [], [], []
      for pair in pairs:
         own, other = compile_own(os.path.join(programs, 'spirv_compile'), pair, folder, seconds), theirs.get(pair[0], 'no answer')
         for row, words in ((own, faults), (other, alone)):
            if isinstance(row, str):
               words.append(f'{pair[0]}: {row[:90]}')
         if isinstance(own, dict) and isinstance(other, dict):
            rows.append((pair[0], own, other))
   figures = compare(rows) if rows else {}
   for line in alone:
      print(f'ACO cannot: {line}')
   # What is refused is refused by name; doc/gcn.md lists it.
   for line in faults:
      print(f'Heddle cannot: {line}')
   print()
   return {'ratios': figures, 'pairs': [{'name': k, 'own': a, 'ACO': b} for k, a, b in rows]}, 0


if __name__ == '__main__':
   tell_of(__doc__, report_all, QUICK, 0.01)
