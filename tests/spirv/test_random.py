#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do random shaders in GLSL mean the same to Heddle as to lavapipe?

    test_random.py --heddle=TOOL --vulkan=HOST --scratch=FOLDER [--first=SEED] [--count=N]

Each is compiled by glslang and, in turns, rewritten by spirv-opt, then run as test_corpus.py runs a case. A name of a
failure is its seed.
"""
import argparse
import concurrent.futures
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'house')]
import cases  # noqa: E402
import judges  # noqa: E402
import random_glsl  # noqa: E402
import test_corpus  # noqa: E402
from tap import Tap  # noqa: E402

WAYS = ('wave', 'O2', 'gfx900')
TURNS = ('', 'O', 'ssa', '', 'unrolled', 'Os', '', 'loops', 'model', 'wrapped', 'reduced', 'legal')


def make(folder, seed):
   """The case of a seed, and its SPIR-V in both forms: what a judge gets and what is read."""
   path = os.path.join(folder, f'random{seed}.comp')
   with open(path, 'w', encoding='utf-8') as file:
      file.write(random_glsl.Program(seed).text())
   case = cases.Case(path)
   compiled = cases.compile_case(case, '', folder)
   cases.validate(case, compiled)
   how = TURNS[seed % len(TURNS)]
   try:
      return case, compiled, cases.rewrite(compiled, how) if how else compiled
   except cases.Failed as error:
      print(f"# {seed}: {str(error).splitlines()[0]}")
      return case, compiled, compiled


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--heddle', required=True)
   parser.add_argument('--vulkan')
   parser.add_argument('--scratch', required=True)
   parser.add_argument('--first', type=int, default=1)
   parser.add_argument('--count', type=int, default=60)
   parser.add_argument('--jobs', type=int, default=2)
   args = parser.parse_args()
   if not cases.tool('glslangValidator') or not cases.tool('spirv-opt'):
      print('1..0 # SKIP not installed: glslang-tools, spirv-tools')
      return
   os.makedirs(os.path.join(args.scratch, 'heddle'), exist_ok=True)
   try:
      judge = judges.Vulkan(args.vulkan)
   except judges.Unable as error:
      print(f'1..0 # SKIP {error}')
      return
   tap, made = Tap(), []
   for seed in range(args.first, args.first + args.count):
      try:
         made.append((str(seed), *make(args.scratch, seed)))
      except cases.Failed as error:
         tap.check(f'{seed} compiles', False, error)
   wanted = judge.run([(key, case, compiled) for key, case, compiled, _ in made], os.path.join(args.scratch, 'lavapipe'))
   runner = test_corpus.Runner(args.heddle, os.path.join(args.scratch, 'heddle'))
   with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
      running = [(key, way, pool.submit(test_corpus.check, runner, key, case, path, way, wanted[key], None))
                 for key, case, _, path in made for way in WAYS if not isinstance(wanted[key], str)]
      for key, way, future in running:
         fault = future.result()
         tap.check(f'{key} on {way}', not fault, fault)
   tap.finish()


if __name__ == '__main__':
   main()
