#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do compute shaders with images mean the same to Heddle as to lavapipe?

    test_images.py --heddle=TOOL --vulkan=HOST --scratch=FOLDER [--on=WAY,...] [NAME...]

The shaders are those of image_shaders.py; the ways and the rest are as in test_corpus.py.
"""
import argparse
import concurrent.futures
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'house')]
import cases  # noqa: E402
import image_shaders  # noqa: E402
import judges  # noqa: E402
import test_corpus  # noqa: E402
from tap import Tap  # noqa: E402


def compiled(folder, names):
   """(key, case, module) of each shader."""
   for name, text in image_shaders.all_shaders():
      if names and name not in names:
         continue
      path = os.path.join(folder, name + '.comp')
      if not os.path.exists(path) or open(path, encoding='utf-8').read() != text:
         with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
      case = cases.Case(path)
      yield name, case, cases.compile_case(case, '', folder)


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--heddle', required=True)
   parser.add_argument('--vulkan')
   parser.add_argument('--scratch', required=True)
   parser.add_argument('--on', default='wave,O2,gfx900,gfx803,gfx600')
   parser.add_argument('--jobs', type=int, default=2)
   parser.add_argument('names', nargs='*')
   args = parser.parse_args()
   missing = cases.missing_tools()
   if missing:
      print(f"1..0 # SKIP not installed: {', '.join(missing)}")
      return
   folder = os.path.join(args.scratch, 'heddle')
   os.makedirs(folder, exist_ok=True)
   pairs = list(compiled(args.scratch, args.names))
   try:
      judge = judges.Vulkan(args.vulkan)
   except judges.Unable as error:
      print(f'1..0 # SKIP nothing is compared: {error}')
      return
   wanted = judge.run(pairs, os.path.join(args.scratch, judge.name), os.path.join(args.scratch, 'known'))
   runner, tap = test_corpus.Runner(args.heddle, folder), Tap()
   with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
      running = [(key, way, pool.submit(test_corpus.check, runner, key, case, path, way, wanted[key], None))
                 for key, case, path in pairs if not isinstance(wanted[key], str) for way in args.on.split(',')]
      for key, way, future in running:
         fault = future.result()
         tap.check(f'{key} on {way}', not fault, fault)
   refused = [f'{key}: {answer}' for key, answer in wanted.items() if isinstance(answer, str)]
   tap.check(f'{judge.name} runs all', not refused, '\n'.join(refused))
   tap.finish()


if __name__ == '__main__':
   main()
