#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do pairs of vertex and fragment shaders draw the same here as on lavapipe?

    test_draws.py --heddle=TOOL --vulkan=HOST --scratch=FOLDER [--on=WAY,...] [--share=K/N] [NAME...]

The pairs are those of draw_shaders.py. `wave` is the interpreter on what the reader made, `O1` and `O2` after
standard passes, `linked` after hd_link_stages and O2, a chip's name machine code in the simulator. What attachments and buffers hold is compared within the precision that Vulkan asks for.
"""
import argparse
import concurrent.futures
import os
import re
import shlex
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'house')]
import cases  # noqa: E402
import draw_shaders  # noqa: E402
import draws  # noqa: E402
import images  # noqa: E402
import judges  # noqa: E402
import test_corpus  # noqa: E402
from tap import Tap  # noqa: E402


# What chips have only of stages that are linked: clip distances in fragments.
LINKED_ON_CHIPS = re.compile(r'builtin_clip_distance_')


class Runner(test_corpus.Runner):
   """Runs pairs of shaders by `heddle run --draw`."""

   def run(self, key, case, path, way, lanes=None):
      base = os.path.join(self.folder, key)
      scene, shaders = f'{base}.scene', [draws.vertex_module(path), path]
      lines = case.draw.scene(base)
      if way == 'linked' or way in test_corpus.CHIPS and LINKED_ON_CHIPS.match(key):
         shaders = self.link(shaders, base)
         # Modes are what a module says; its text has them no more.
         lines += ['tests early'] if 'layout(early_fragment_tests)' in case.text else []
      with open(scene, 'w', encoding='utf-8') as file:
         file.write('\n'.join(lines) + '\n')
      words = [self.heddle, 'run', f'--draw={scene}', *shaders]
      words += {'wave': [], 'linked': ['-O2']}.get(way, [f'--target={way}' if way in test_corpus.CHIPS else '-' + way])
      for b in case.buffers:
         words.append(f"{b.place}@{base}.{b.place}.got={self.file(base, b.place, b.bytes({}))}")
      for b in case.images:
         name = b.shape.name(b.place) + (f'@{base}.{b.place}.got' if b.compared else '')
         words.append(f'{name}={self.file(base, b.place, b.bytes({}))}')
      words += [f"sampler@{place}={images.sampler_words(said)}" for place, said in case.samplers]
      if case.push:
         words.append(f"push={self.file(base, 'push', case.push.bytes({}))}")
      done = self.call(words)
      if done.returncode:
         raise test_corpus.Fault(f'{test_corpus.first_line(done)}\n{shlex.join(words)}')
      got = {b.place: judges.read(f'{base}.{b.place}.got') for b in case.outputs()}
      for b in case.buffers + case.images:
         if b.place in got:
            got[b.place] = got[b.place][:b.size]
      return got, shlex.join(words)


   def link(self, shaders, base):
      linked = [f'{base}.vertex.hd', f'{base}.fragment.hd']
      words = [self.heddle, 'link-stages', f'--vertex={linked[0]}', f'--fragment={linked[1]}', *shaders]
      done = self.call(words)
      if done.returncode:
         raise test_corpus.Fault(f'{test_corpus.first_line(done)}\n{shlex.join(words)}')
      return linked


def check(runner, key, case, path, way, wanted):
   """Fault of one pair drawn in one way, or None."""
   try:
      got, repeat = runner.run(f'{key}.{way}', case, path, way)
   except test_corpus.Fault as fault:
      return str(fault)
   fault = judges.fault(case, got, wanted)
   return f'{fault}\n{repeat}' if fault else None


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--heddle', required=True)
   parser.add_argument('--vulkan')
   parser.add_argument('--scratch', required=True)
   parser.add_argument('--on', default='wave,O1,O2,linked,gfx900,gfx803,gfx600')
   parser.add_argument('--share', default='1/1')
   parser.add_argument('--jobs', type=int, default=2)
   parser.add_argument('names', nargs='*')
   args = parser.parse_args()
   missing = cases.missing_tools()
   if missing:
      print(f"1..0 # SKIP not installed: {', '.join(missing)}")
      return
   part, of = map(int, args.share.split('/'))
   folder = os.path.join(args.scratch, 'heddle')
   os.makedirs(folder, exist_ok=True)
   every = [s for s in draw_shaders.all_shaders() if not args.names or s[0] in args.names][part - 1::of]
   pairs = [(name, *draws.make_case(args.scratch, name, draw, vertex, fragment)) for name, draw, vertex, fragment in every]
   try:
      judge = draws.Vulkan(args.vulkan)
   except judges.Unable as error:
      print(f'1..0 # SKIP nothing is compared: {error}')
      return
   wanted = judge.run(pairs, os.path.join(args.scratch, judge.name), os.path.join(args.scratch, 'known'))
   runner, tap = Runner(args.heddle, folder), Tap()
   with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
      running = [(key, way, pool.submit(check, runner, key, case, path, way, wanted[key]))
                 for key, case, path in pairs if not isinstance(wanted[key], str) for way in args.on.split(',')]
      for key, way, future in running:
         fault = future.result()
         tap.check(f'{key} on {way}', not fault, fault)
   refused = [f'{key}: {answer}' for key, answer in wanted.items() if isinstance(answer, str)]
   tap.check(f'{judge.name} runs all', not refused, '\n'.join(refused))
   tap.finish()


if __name__ == '__main__':
   main()
