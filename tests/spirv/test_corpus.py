#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does the corpus mean the same to Heddle as to the judges?

    test_corpus.py --heddle=TOOL --vulkan=HOST --opencl=HOST --scratch=FOLDER [--on=WAY,...] [--share=K/N]
                   [--libraries=K/N] [--through=HOW,...] [--jobs=N] [NAME...]

Each case is read from SPIR-V and run in several ways: `wave` is the interpreter on what the reader made, `O2` after
the standard passes, a chip's name the simulator on machine code for it, `CHIP+starved` the same with so few registers that most of what
it computes is spilled, on GCN on both sides of what an offset in an instruction reaches, and `WAY+inside` with buffers that are
promised to be accessed inside. What the outputs hold is compared with
lavapipe's or PoCL's answer, within what the case's head allows, and with what the head itself says. Where a result
depends on the size of subgroups and the judge's is not the machine's, machine code is compared with the interpreter
at 64 lanes. A failure's line tells how to repeat it. --share takes each N-th case, the K-th first; --libraries does so with those of the folder `libraries`, before. --through takes
what spirv-opt makes of each module instead of the module, in one of the ways of cases.REWRITERS or `all`; the
answers are those to the module as it was.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'house')]
import cases  # noqa: E402
import images  # noqa: E402
import judges  # noqa: E402
from tap import Tap  # noqa: E402

CHIPS = ('gfx900', 'gfx803', 'gfx600')
WAYS = ('wave', 'O2') + CHIPS
# The lanes of a wave. What the others of these machines lack they refuse, and say so: those cases are left out.
MACHINE_LANES = {**dict.fromkeys(CHIPS, 64), 'gen9': 8, 'gen9x16': 16, 'nyuzi': 16, 'r700': 64}
# On GCN, what --max-vgprs leaves is at most for one tuple of 16, twice.
STARVED = {**dict.fromkeys(CHIPS, ['--max-sgprs=40', '--max-vgprs=24', '--extra-scratch=4000']),
           **dict.fromkeys(('gen9', 'gen9x16'), ['--max-sgprs=12', '--max-vgprs=24']),
           'nyuzi': ['--max-sgprs=12', '--max-vgprs=6'], 'r700': ['--max-vgprs=16']}
REFUSALS = ('unsupported', 'only compute shaders and kernels', 'the shader requires', 'expected an atomic of 32 bits',
            'expected a store of whole dwords', 'waves cannot wait for each other')
SECONDS = 120


class Fault(Exception):
   """What went wrong, in words."""


class Refused(Exception):
   """The machine does not have what the case asks for."""


class Runner:
   def __init__(self, heddle, folder):
      self.heddle, self.folder = heddle, folder

   def command(self, case, path, way, lanes, base):
      """A call of the tool; its inputs are written beside."""
      words = [self.heddle, 'run', '--json', path, f"--groups={','.join(map(str, case.workgroups()))}"]
      if case.entry:
         words.append(f'--entry={case.entry}')
      if case.specs:
         words.append('--spec=' + ','.join(f'{number}={bits(segment)}' for number, segment in case.specs))
      chip, *how = way.split('+')
      if 'inside' in how:
         words.append('--in-bounds')
      if chip in MACHINE_LANES:
         words += [f'--target={chip}', *(STARVED[chip] if 'starved' in how else [])]
         words += ['--lowering=numbers'] if 'numbers' in how else []
         words += ['--check'] if how not in ([], ['inside']) else []
      elif lanes:
         words.append(f'--lanes={lanes}')
      if case.is_kernel:
         words += [f"--group-size={','.join(map(str, case.local))}", *self.arguments(case, base)]
      for b in case.buffers:
         words.append(f'{b.place}={self.file(base, b.place, b.bytes(case.addresses))}')
      for b in case.images:
         words.append(f'{b.shape.name(b.place)}={self.file(base, b.place, b.bytes({}))}')
      words += [f"sampler@{place}={images.sampler_words(said)}" for place, said in case.samplers]
      for b in case.stage:
         words.append(f'{b.place}={self.file(base, b.place, b.bytes({}))}')
      if case.lanes:
         words += [*([] if chip in MACHINE_LANES else [f'--lanes={case.lanes}']), f'--group-size={case.lanes}']
      for m in case.memory:
         words.append(f'global@{case.addresses[m.place]}={self.file(base, m.place, m.bytes(case.addresses))}')
      if case.push:
         words.append(f"push={self.file(base, 'push', case.push.bytes(case.addresses))}")
      return words

   def arguments(self, case, base):
      """Of a kernel, by their position."""
      for n, argument in enumerate(case.arguments):
         if isinstance(argument, int):
            yield f'arg@{n}=local:{argument}'
         elif isinstance(argument, list):
            yield f"arg@{n}={self.file(base, f'arg{n}', b''.join(s.bytes({}) for s in argument))}"
         elif isinstance(argument, cases.Sampler):
            yield f'sampler@{argument.place}={images.sampler_words(argument.words)}'
         elif isinstance(argument, cases.Image):
            yield f'{argument.shape.name(argument.place)}={self.file(base, argument.place, argument.bytes({}))}'
         else:
            yield f"arg@{n}=&{self.file(base, f'arg{n}', argument.bytes({}))}"

   @staticmethod
   def file(base, place, data):
      # The tool prints whole words.
      path = f'{base}.{place}.bin'
      judges.write(path, data + bytes(-len(data) % 4))
      return f'@{path}'

   def call(self, words):
      try:
         return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors='replace',
                               stdin=subprocess.DEVNULL, timeout=SECONDS, check=False)
      except subprocess.TimeoutExpired as error:
         raise Fault(f'takes more than {SECONDS} seconds') from error

   def run(self, key, case, path, way, lanes=None):
      """{place: bytes} of the outputs, and the command in words."""
      base = os.path.join(self.folder, key)
      words = self.command(case, path, way, lanes, base) + (['-O2'] if way.split('+')[0] == 'O2' else [])
      done = self.call(words)
      if done.returncode and way.partition('+')[0] not in CHIPS and any(said in done.stdout + done.stderr for said in REFUSALS):
         raise Refused(first_line(done))
      if done.returncode:
         raise Fault(f'{first_line(done)}\n{shlex.join(words)}')
      printed = json.loads(done.stdout.strip().splitlines()[-1])['memory']
      return {b.place: self.output(case, b, printed) for b in case.outputs()}, shlex.join(words)

   @staticmethod
   def output(case, buffer, printed):
      name = buffer.place
      if name in case.addresses:
         name = f'global@{case.addresses[name]}'
      elif isinstance(buffer, cases.Image):
         name = buffer.shape.name(name)
      elif name.startswith('arg'):
         name = f'arg@{name[3:]}'
      words = printed.get(name)
      if words is None:
         raise Fault(f'{name} is not printed')
      if None in words:
         raise Fault(f'{name}: word {words.index(None)} is undefined')
      return b''.join(w.to_bytes(4, 'little') for w in words)[:buffer.size]


def bits(segment):
   return hex(int.from_bytes(segment.bytes({}), 'little'))


def first_line(done):
   lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
   if done.returncode < 0:
      found = [line for line in lines if 'ERROR' in line or 'Assertion' in line or 'runtime error' in line]
      return f'crashes with signal {-done.returncode}: {(found or lines or [""])[0]}'
   return f'exit status {done.returncode}: {lines[0] if lines else ""}'


def check(runner, key, case, path, way, wanted, asked):
   """Fault of one case run in one way, or None."""
   chip = way.partition('+')[0]
   # Those who judge have other lanes than the machines that refuse: the interpreter has any number.
   judged = chip in WAYS
   lanes = MACHINE_LANES.get(chip, case.subgroup) if case.subgroup or not judged else None
   try:
      got, repeat = runner.run(f'{key}.{way}', case, path, way, lanes)
      if not judged or (case.subgroup and lanes != asked):
         wanted = runner.run(f'{key}.{way}.64', case, path, 'wave', lanes)[0]
   except Fault as fault:
      return str(fault)
   except (ValueError, KeyError) as error:
      return f'its output makes no sense: {error!r}'
   # What a case says of its outputs may be what 64 lanes give.
   fault = (judges.fault if MACHINE_LANES.get(chip, 64) == 64 else judges.difference)(case, got, wanted)
   return f'{fault}\n{repeat}' if fault else None


def answers(args, pairs):
   """{key: outputs} of the judges, and the size of subgroups of the one who has them."""
   found, asked = {}, None
   for judge in judges.present(args.vulkan, args.opencl, args.scratch):
      asked = judge.device.get('subgroup', asked)
      able = [p for p in pairs if judge.can(p[1])]
      for key, got in judge.run(able, os.path.join(args.scratch, judge.name),
                                os.path.join(args.scratch, 'known')).items():
         if not isinstance(got, str):
            found[key] = got
   return found, asked


def rewritten(pairs, wanted, ways):
   """What spirv-opt makes of them; the answers to what it was made of are put beside."""
   for key, case, path in pairs:
      for how in [w for w in ways if w not in case.unlike]:
         try:
            made = cases.rewrite(path, how)
         except cases.Failed as error:
            print(f'# {key} through {how}: {str(error).splitlines()[-1]}')
            continue
         if key in wanted:
            wanted[f'{key}.{how}'] = wanted[key]
         yield f'{key}.{how}', case, made


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--heddle', required=True)
   parser.add_argument('--vulkan')
   parser.add_argument('--opencl')
   parser.add_argument('--scratch', required=True)
   parser.add_argument('--on', default=','.join(WAYS))
   parser.add_argument('--share', default='1/1')
   parser.add_argument('--libraries', default='1/1')
   parser.add_argument('--through')
   parser.add_argument('--jobs', type=int, default=2)
   parser.add_argument('names', nargs='*')
   args = parser.parse_args()
   missing = cases.missing_tools()
   if missing:
      print(f"1..0 # SKIP not installed: {', '.join(missing)}")
      return
   folder = os.path.join(args.scratch, 'heddle')
   os.makedirs(folder, exist_ok=True)
   pairs = []
   for case in cases.share(cases.all_cases(args.names, args.libraries), args.share):
      for variant in cases.variants(case):
         key = f"{case.file}{'.' + variant if variant else ''}"
         pairs.append((key, case, cases.compile_case(case, variant, args.scratch)))
   ways = args.on.split(',')
   wanted, asked = answers(args, pairs) if any(way.partition('+')[0] in WAYS for way in ways) else ({}, None)
   if args.through:
      pairs = list(rewritten(pairs, wanted, cases.REWRITERS if args.through == 'all' else args.through.split(',')))
   runner, tap, refused = Runner(args.heddle, folder), Tap(), dict.fromkeys(ways, 0)
   with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
      running = [(key, way, pool.submit(check, runner, key, case, path, way, wanted.get(key), asked))
                 for key, case, path in pairs for way in ways if case.runs]
      for key, way, future in running:
         try:
            fault = future.result()
         except Refused as error:
            print(f'# {key} on {way} is refused: {error}')
            refused[way] += 1
            continue
         tap.check(f'{key} on {way}', not fault, fault)
   for way in [] if args.names else ways:
      tap.check(f'{way}: {refused[way]} of {len(running) // len(ways)} cases are refused', 2 * refused[way] * len(ways) <= len(running))
   tap.finish()


if __name__ == '__main__':
   main()
