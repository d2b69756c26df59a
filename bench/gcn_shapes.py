#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Machine code of generated programs beside LLVM's: what it has, and its cycles by divergence.

    gcn_shapes.py FOLDER [--only NAME,...] [--kinds KIND,...] [--mode on|off] [--keep FOLDER] [--json FILE]

gcn_programs.py writes each program as Heddle's text and as LLVM IR. Both are compiled for gfx900, both objects
are disassembled by one program and run by our simulator on the same inputs, where 0, 10, 50 and 100 % of the
lanes go their own way, and must leave the same memory; where they do not, the interpreter says whose code is
wrong. The same IR built for the host by the same LLVM, and run lane by lane, is the third judge: it must agree
with our code on every run. All that twice: as it is, and with if-conversion off on both sides.

FOLDER is the build folder of the bench.
"""
import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gcn_object  # noqa: E402
import gcn_programs  # noqa: E402
import host_run  # noqa: E402
import peer_llvm  # noqa: E402
from tables import geometric_mean, table  # noqa: E402

DIVERGENCE = (0, 10, 50, 100)
GROUPS = 16
LIMIT = 20000000        # instructions of a run
OUT, IN = 0x10000, 0x20000     # addresses for the interpreter
MODES = {'on': 'if-conversion on', 'off': 'if-conversion off'}
# Arms that LLVM would run for all lanes, or choose the results of, stay arms.
LLVM_OFF = [f'--set=-{o}=0' for o in ('two-entry-phi-node-folding-threshold', 'phi-node-folding-threshold',
                                      'speculate-one-expensive-inst', 'spec-exec-max-speculation-cost',
                                      'simplifycfg-sink-common', 'simplifycfg-hoist-common')]
OWN_OFF = ['--without=opt_if_convert']
QUICK = ('if', 'loop', 'switch, fallthrough', 'open tree, uniform', 'program 12 1')
GOAL_TIMES = 10.0
WHOLE = ('if', 'break out of two loops', 'irreducible 1', 'program 40 1')    # timed as processes, too


def file_name(program):
   return ''.join(c if c.isalnum() else '_' for c in program.name)


def write(path, content, how='w'):
   with open(path, how, encoding=None if 'b' in how else 'utf-8') as file:
      file.write(content)


def measure_mode(tools, program, base, mode, host):
   row = {'own': tools.own(f'{base}.hd', f'{base}.own.o', OWN_OFF if mode == 'off' else ()),
          'llvm': {'ns': tools.peer(f'{base}.ll', f'{base}.llvm.o', LLVM_OFF if mode == 'off' else ())}}
   for side in ('own', 'llvm'):
      row[side].update(gcn_object.count(tools, f'{base}.{side}.o'))
   row['runs'] = {}
   for percent in (0,) if program.uniform else DIVERGENCE:
      words = gcn_programs.inputs(program.name, 100 if program.uniform else percent, gcn_programs.LANES * GROUPS)
      data = struct.pack(f'<{len(words)}I', *words)
      how = ((gcn_programs.LANES, 1, 1), (GROUPS, 1, 1), [bytes(len(data)), data], LIMIT)
      run = {}
      run['own'], own = gcn_object.run(tools, f'{base}.own.o', f'{base}.own', *how)
      try:
         run['llvm'], llvm = gcn_object.run(tools, f'{base}.llvm.o', f'{base}.llvm', *how)
         why = 'other memory'
      except gcn_object.Wrong as error:
         llvm, why = None, str(error)
      judge = host_run.run(host, gcn_programs.LANES, words)
      if list(struct.unpack(f'<{len(words)}I', own[0])) != judge:
         raise gcn_object.Wrong(f"{mode}, {percent} %: other memory than LLVM's code for the host leaves")
      if own == llvm:
         row['runs'][percent] = run
      elif own[0] == meaning(tools, base, data):
         row.setdefault('llvm is wrong', {})[percent] = why
      else:
         raise gcn_object.Wrong(f'{mode}, {percent} %: other memory than the program means')
   return row


def meaning(tools, base, data):
   """What the source leaves in `out`, by the interpreter."""
   write(f'{base}.words', data, 'wb')
   done = subprocess.run([tools.heddle, 'run', f'--groups={GROUPS}', f'{base}.hd', f'global@{OUT:#x}=zero:{len(data)}',
                          f'global@{IN:#x}=@{base}.words', f'params=u64:{OUT:#x},{IN:#x}'],
                         stdout=subprocess.PIPE, text=True, check=True)
   words = done.stdout.splitlines()[0].split('=')[1].split()
   return struct.pack(f'<{len(words)}I', *map(int, words))


def measure(tools, kind, program, folder, modes):
   base = os.path.join(folder, file_name(program))
   row = {'name': program.name, 'kind': kind, 'fault': None, 'modes': {}}
   write(f'{base}.hd', gcn_programs.heddle(program))
   write(f'{base}.ll', gcn_programs.llvm(program))
   try:
      host = host_run.build(gcn_programs.llvm(program), base)
      for mode in modes:
         row['modes'][mode] = measure_mode(tools, program, base, mode, host)
      if program.name in WHOLE:
         row['process'] = tools.processes(f'{base}.hd', f'{base}.ll', folder)
   except (gcn_object.Wrong, host_run.Failed) as error:
      row['fault'] = str(error)
   except subprocess.CalledProcessError as error:
      row['fault'] = f'{os.path.basename(error.cmd[0])} ended with {error.returncode}'
   return row


def ratio(row, what):
   return row['own'][what] / max(1, row['llvm'][what])


def cycles(row, percent, what='cycles'):
   """Of the own code to LLVM's; None where that was not run."""
   run = row['runs'].get(percent)
   return run['own'][what] / run['llvm'][what] if run else None


def means(rows, what, percent):
   return geometric_mean(r for r in (cycles(row, percent, what) for row in rows) if r)


def cells(name, row):
   own, llvm = row['own'], row['llvm']
   out = [name]
   for what in ('instructions', 'exec', 'branches', 'sgprs', 'vgprs', 'code'):
      out += [own[what], llvm[what]]
   for what in ('cycles', 'instructions'):
      for percent in DIVERGENCE:
         value = cycles(row, percent, what)
         out.append('' if value is None else f'{value:.2f}')
   return [*map(str, out), f"{llvm['ns'] / own['ns']:.0f}x"]


def sums(rows):
   """The line under the rows: sums of what code has, means of what it takes."""
   out = ['sum, or mean']
   for what in ('instructions', 'exec', 'branches'):
      out += [sum(r[side][what] for r in rows) for side in ('own', 'llvm')]
   for what in ('sgprs', 'vgprs'):
      out += [f"{geometric_mean(ratio(r, what) for r in rows):.2f}", '']
   out += [sum(r[side]['code'] for r in rows) for side in ('own', 'llvm')]
   for what in ('cycles', 'instructions'):
      out += [f'{means(rows, what, percent):.2f}' for percent in DIVERGENCE]
   return [*map(str, out), f"{geometric_mean(r['llvm']['ns'] / r['own']['ns'] for r in rows):.0f}x"]


def goal(met, text):
   print(f"{'met' if met else 'missed'}: {text}")


def goals(rows, named):
   for percent in DIVERGENCE:
      mean = means(rows, 'cycles', percent)
      goal(mean <= 1.0, f'{mean:.3f} of the cycles of LLVM in the mean at {percent} % divergence, goal 1')
   mean = geometric_mean(ratio(r, 'instructions') for r in rows)
   goal(mean <= 1.0, f'{mean:.3f} of the instructions of LLVM in the mean, goal 1')
   touched = [(name, r) for name, r in named if r['llvm']['exec']]
   mean = sum(ratio(r, 'exec') for _, r in touched) / max(1, len(touched))
   goal(mean <= 0.75, f'{mean:.3f} of the instructions with exec in the mean, goal 0.75')
   worse = [f"{name} ({r['own']['exec']} and {r['llvm']['exec']})" for name, r in named
            if r['own']['exec'] > r['llvm']['exec']]
   goal(not worse, 'never more instructions with exec than LLVM' + (': ' + ', '.join(worse) if worse else ''))


def report_mode(results, mode):
   named = [(r['name'], r['modes'][mode]) for r in results if mode in r['modes']]
   rows = [row for _, row in named]
   if not rows:
      return
   print(f'Generated programs to gfx900, {MODES[mode]} on both sides: Heddle | LLVM -O2; cycles and issued instructions as'
         ' a share of LLVM\'s\nby the share of lanes that go their own way; how much faster it is made\n')
   head = ['program']
   for what in ('instrs', 'exec', 'branches', 'SGPRs', 'VGPRs', 'bytes'):
      head += [what, 'LLVM']
   head += [f'cyc {p}%' for p in DIVERGENCE] + [f'iss {p}%' for p in DIVERGENCE] + ['time']
   table(head, [*(cells(name, row) for name, row in named), sums(rows)])
   goals(rows, named)
   times = geometric_mean(r['llvm']['ns'] / r['own']['ns'] for r in rows)
   each = geometric_mean(r['own']['ns'] / r['own']['instrs'] for r in rows)
   goal(times >= GOAL_TIMES, f'{times:.1f} times as fast as LLVM in the mean, in process, goal {GOAL_TIMES:.0f}'
        f' ({each:,.0f} ns for an instruction of the source)')
   print()


def report_processes(results):
   rows = [[r['name'], *(f"{r['process'][side] * 1e3:.1f}" for side in ('own', 'opt', 'llc')),
            f"{(r['process']['opt'] + r['process']['llc']) / r['process']['own']:.0f}x"] for r in results if 'process' in r]
   if rows:
      print('From text to a code object as processes, milliseconds of CPU time\n')
      table(['program', 'heddle compile', 'opt -O2', 'llc -O2', 'faster'], rows)


def report_wrong(results):
   """Runs of LLVM's code that do not do what the program means; no cycles of them are above."""
   judged = sum(len(row['runs']) + len(row.get('llvm is wrong', {})) for r in results for row in r['modes'].values())
   print(f"{judged} runs of Heddle's code leave what LLVM's code for the host leaves, lane by lane; LLVM's code for the GPU"
         ' does not for:' if any(row.get('llvm is wrong') for r in results for row in r['modes'].values()) else
         f"{judged} runs leave what LLVM's code for the host leaves, lane by lane")
   for r in results:
      for mode, row in r['modes'].items():
         wrong = row.get('llvm is wrong', {})
         if wrong:
            print(f"LLVM's code is wrong for {r['name']}, {MODES[mode]}: "
                  + ', '.join(f'at {percent} % {why[:80]}' for percent, why in wrong.items()))


def report(tools, folder, only=None, kinds=None, modes=tuple(MODES)):
   results, faults = [], []
   for kind, program in gcn_programs.programs():
      if (only and program.name not in only) or (kinds and kind not in kinds):
         continue
      results.append(measure(tools, kind, program, folder, modes))
      if results[-1]['fault']:
         faults.append(f"{program.name}: {results[-1]['fault']}")
   for mode in modes:
      report_mode(results, mode)
   report_processes(results)
   report_wrong(results)
   for fault in faults:
      print(f'WRONG: {fault}')
   return results, len(faults)


def report_all(programs, seconds=0.02, keep=None, **how):
   """PROGRAMS is the bench's part of the build folder. The raw figures, and how many faults there were."""
   tools = gcn_object.Tools(os.path.dirname(os.path.abspath(programs)), seconds)
   if not tools.complete() or not host_run.available():
      print('LLVM 19 and its tools are needed: nothing is compared')
      return [], 0
   with tempfile.TemporaryDirectory() as scratch:
      folder = keep or scratch
      os.makedirs(folder, exist_ok=True)
      return report(tools, folder, **how)


def main():
   parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
   parser.add_argument('folder')
   parser.add_argument('--only')
   parser.add_argument('--kinds')
   parser.add_argument('--mode', choices=MODES)
   parser.add_argument('--quick', action='store_true')
   parser.add_argument('--keep')
   parser.add_argument('--json')
   options = parser.parse_args()
   results, faults = report_all(os.path.join(options.folder, 'bench'), keep=options.keep,
                                only=QUICK if options.quick else options.only and options.only.split(';'),
                                kinds=options.kinds and options.kinds.split(','),
                                modes=(options.mode,) if options.mode else tuple(MODES))
   if options.json:
      write(options.json, json.dumps(results))
   return 1 if faults else 0


if __name__ == '__main__':
   sys.exit(main())
