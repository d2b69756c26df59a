#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run the bench and make tables of it.

    report.py FOLDER [--json FILE] [--only PART,...]

FOLDER has the programs that bench/meson.build builds. Parts are ir, structurizers, optimizer, gcn, gcn_shapes, gcn_large,
spirv, stages, shader_classes, gen9, gen9_ocloc, nyuzi, r700, wave and growth.

Times are nanoseconds of CPU time per instruction of the program in Heddle's form, LLVM's too, so a
ratio of two figures in a row is the ratio of the times for one program. NIR's column is from
measurements of its own on other shaders and machines: an order of magnitude.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gcn  # noqa: E402
import gcn_large  # noqa: E402
import gcn_shapes  # noqa: E402
import gen9  # noqa: E402
import gen9_ocloc  # noqa: E402
import growth  # noqa: E402
import nyuzi  # noqa: E402
import optimizer  # noqa: E402
import peer_llvm  # noqa: E402
import r700  # noqa: E402
import shader_classes  # noqa: E402
import spirv  # noqa: E402
import stages  # noqa: E402
import structurizers  # noqa: E402
from tables import geometric_mean, slope, table  # noqa: E402

# Nanoseconds per NIR instruction (Mesa 22.3 and 23.3, release builds), at 100 to 13,000 instructions.
NIR = {'build': '130', 'print': '488', 'validate': '56-100', 'clone': '82-112', 'write': '44-59',
       'read': '66-91'}
NIR_BYTES = '330-1,100'
NIR_ALU = 193

# What analyses and passes take, at 100 to 13,000 instructions and at 20,000 and more; dominance by the block.
NIR_PASSES = {'dominance': ('170', '409'), 'divergence': ('12', '23'), 'opt_cse': ('37', '159'), 'opt_dce': ('14', '114'),
              'opt_algebraic': ('58', '294'), 'opt_gcm': ('121', '1,171'), 'lower_phis': ('252', '3,694')}

# What the project promises; a figure that misses it is marked.
GOALS = {'validate': 28, 'clone': 41, 'write': 22, 'read': 33}
GOAL_ALU = 96
GOAL_BYTES = 165
GOAL_EXPONENT = 1.25
GOAL_SECONDS = 5.0
GOAL_LANE_OPS = 100

WORK = ['build', 'print', 'parse', 'validate', 'clone', 'write', 'read', 'hash', 'delete']
PEER_WORK = ['parse', 'print', 'validate', 'write', 'read']


def run(bench, folder):
   done = subprocess.run([bench, '--llvm', folder], check=True, stdout=subprocess.PIPE, text=True)
   return [json.loads(line) for line in done.stdout.splitlines()]


def series(results):
   print('Nanoseconds per instruction\n')
   rows = [[r['shape'], f"{r['instructions']:,}", f"{r['blocks']:,}",
            *(f"{r['ns'][w] / r['instructions']:.1f}" for w in WORK)] for r in results]
   table(['shape', 'instructions', 'blocks', *WORK], rows)


def against_nir(results):
   print('Beside NIR, geometric mean over the programs of up to 13,000 instructions\n')
   small = [r for r in results if r['instructions'] <= 13000]
   rows = []
   for w in WORK:
      mean = geometric_mean(r['ns'][w] / r['instructions'] for r in small)
      goal = f'{GOALS[w]}' + ('' if mean <= GOALS[w] else ' missed') if w in GOALS else ''
      rows.append([w, f'{mean:.1f}', NIR.get(w, ''), goal])
   table(['ns per instruction', 'Heddle', 'NIR', 'goal'], rows)

   rows = []
   for r in results:
      live, reserved = r['live'] / r['instructions'], r['reserved'] / r['instructions']
      rows.append([f"{r['shape']} {r['instructions']:,}", f"{r['blocks'] / r['instructions']:.2f}",
                   f'{live:.0f}', f'{reserved:.0f}', f"{r['text'] / r['instructions']:.1f}",
                   f"{r['binary'] / r['instructions']:.1f}"])
   table(['bytes per instruction', 'blocks', 'live', 'reserved', 'as text', 'as binary'], rows)
   total = sum(r['live'] for r in results) / sum(r['instructions'] for r in results)
   mean = geometric_mean(r['live'] / r['instructions'] for r in results)
   print(f"Live memory: {total:.0f} bytes per instruction over all of them, geometric mean {mean:.0f}"
         f" (goal {GOAL_BYTES}{'' if max(total, mean) <= GOAL_BYTES else ', missed'}; NIR {NIR_BYTES})")
   alu = results[0]['alu2']
   print(f"A two-source ALU instruction with its use links: {alu} bytes"
         f" (goal {GOAL_ALU}{'' if alu <= GOAL_ALU else ', missed'}; NIR {NIR_ALU})\n")


def passes(results):
   """Each alone, with the analyses that it asks for."""
   rows = []
   for w, nir in NIR_PASSES.items():
      per = 'blocks' if w == 'dominance' else 'instructions'
      # Of one block nothing is to be learned by the block.
      fit = [r for r in results if r['blocks'] * 20 > r['instructions'] or per != 'blocks']
      sizes = [[r for r in fit if (r['instructions'] <= 13000) == small] for small in (True, False)]
      means = [geometric_mean(r['ns'][w] / r[per] for r in some) for some in sizes]
      rows.append([w, per, *(x for mean, other in zip(means, nir) for x in (f'{mean:.1f}', other))])
   table(['ns for each of the', '', 'to 13,000', 'NIR', 'at 100,000', 'NIR, from 20,000'], rows)


def against_llvm(results):
   if not peer_llvm.available():
      print('llvm-as, llvm-dis and opt of LLVM 19 are not installed: no table beside LLVM\n')
      return
   print(f'Beside {peer_llvm.version()}, the same programs as LLVM IR, nanoseconds per instruction'
         ' (Heddle | LLVM, times faster)\n')
   rows, ratios = [], {w: [] for w in PEER_WORK}
   for r in results:
      # Below that, what a tool takes to start drowns what it does.
      if r['instructions'] < 50000:
         continue
      peer = peer_llvm.measure(r['llvm'])
      row = [r['shape'], f"{r['instructions']:,}"]
      for w in PEER_WORK:
         own, other = r['ns'][w] / r['instructions'], peer[w] / r['instructions']
         ratios[w].append(other / own)
         row.append(f'{own:.0f} | {other:.0f}, {other / own:.1f}x')
      rows.append(row)
   rows.append(['geometric mean', '', *(f'{geometric_mean(ratios[w]):.1f}x' for w in PEER_WORK)])
   table(['shape', 'instructions', *PEER_WORK], rows)


def extremes(results):
   print('Extremes: seconds at this size, and the exponent with which time grows from a quarter of it to'
         ' twice\n')
   work = [w for w in WORK if w != 'hash']
   rows, missed = [], []
   for name in dict.fromkeys(r['shape'] for r in results):
      group = sorted((r for r in results if r['shape'] == name), key=lambda r: r['size'])
      full = group[-2]
      row = [f"{full['size']:,} {full['what']}"]
      for w in work:
         exponent = slope([(r['size'], r['ns'][w]) for r in group])
         seconds = full['ns'][w] / 1e9
         row.append(f'{seconds:.3f} n^{exponent:.2f}')
         # Caches give an exponent some slack; freeing is too short to have one.
         if seconds > GOAL_SECONDS or (exponent > GOAL_EXPONENT and seconds > 0.02):
            missed.append(f'{name} {w}: {seconds:.2f} s, n^{exponent:.2f}')
      rows.append(row)
   table(['', *work], rows)
   if missed:
      print(f'Over {GOAL_SECONDS:.0f} s or n^{GOAL_EXPONENT}:')
      for line in missed:
         print(f'   {line}')
      print()


def ir(folder):
   with tempfile.TemporaryDirectory() as scratch:
      results = run(os.path.join(folder, 'bench'), scratch)
      ordinary = [r for r in results if not r['extreme']]
      series(ordinary)
      against_nir(ordinary)
      passes(ordinary)
      against_llvm(ordinary)
      extremes([r for r in results if r['extreme']])
   return results, 0


def wave(folder):
   """The interpreter is an oracle only if it is fast enough to be asked often."""
   print(f'The wave interpreter on 64 lanes (goal: over {GOAL_LANE_OPS} million lane operations a second)\n')
   done = subprocess.run([os.path.join(folder, '..', 'tests', 'wave', 'bench_wave')], check=True, stdout=subprocess.PIPE, text=True)
   figures = {}
   for line in done.stdout.splitlines():
      name, number = re.match(r'(.*?) +(\d+) million', line).groups()
      figures[name] = int(number)
      print(line + ('' if figures[name] > GOAL_LANE_OPS else '  missed'))
   print()
   return figures, 0


PARTS = {
    'ir': ir,
    'structurizers': lambda folder: structurizers.report(os.path.join(folder, 'structure')),
    'optimizer': optimizer.report_all,
    'gcn': gcn.report_all,
    'gcn_shapes': gcn_shapes.report_all,
    'gcn_large': gcn_large.report_all,
    'spirv': spirv.report_all,
    'stages': stages.report_all,
    'shader_classes': shader_classes.report_all,
    'gen9': lambda folder: gen9.report(os.path.join(folder, '..', 'tools', 'heddle')),
    'gen9_ocloc': lambda folder: gen9_ocloc.report(os.path.join(folder, '..', 'tools', 'heddle')),
    'nyuzi': lambda folder: nyuzi.report(os.path.join(folder, '..', 'tools', 'heddle')),
    'r700': lambda folder: r700.report(os.path.join(folder, '..', 'tools', 'heddle')),
    'wave': wave,
    'growth': lambda folder: (growth.report_all(os.path.join(folder, 'growth'), os.path.join(folder, 'growth_counted')), 0),
}


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('folder')
   parser.add_argument('--json', help='also leave the raw figures here')
   parser.add_argument('--only', help='these parts')
   args = parser.parse_args()
   figures, wrong = {}, 0
   for part in args.only.split(',') if args.only else PARTS:
      figures[part], faults = PARTS[part](args.folder)
      wrong += faults
   if args.json:
      with open(args.json, 'w', encoding='utf-8') as file:
         json.dump(figures, file, indent=1)
   return 1 if wrong else 0


if __name__ == '__main__':
   sys.exit(main())
