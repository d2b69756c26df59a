# SPDX-License-Identifier: MIT
"""Run examples/driver on its shaders and compare what it prints, and show what it drew.

    run_driver.py PROGRAM SOURCE_DIR

The shaders are compiled by glslangValidator. Numbers in the table of pipelines and of lanes may change with
the compiler; all other lines are those that doc/driver.md shows, the hash of the picture among them. Of the lanes
of a wave that it writes some are helpers, but none where it exports.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

SHADERS = ('saxpy.comp', 'blur.comp', 'histogram.comp', 'scene.vert', 'scene.frag')
NUM_COMPUTE = 3
WIDTH, HEIGHT = 160, 120


def wanted_lines(page):
   block = re.search(r'```text\n(.*?)```', page, re.S)
   assert block, 'doc/driver.md shows no output'
   return [line for line in block.group(1).splitlines() if line != '...' and ' waves of fragments: ' not in line]


def check_lanes(path):
   steps = [json.loads(line) for line in path.read_text().splitlines()]
   helpers = {step['text'].split()[0]: int(step['mask'], 16) & ~int(step['covered'], 16) for step in steps}
   assert helpers['image_sample'], 'no helper lane where the shader samples'
   assert not helpers['exp'], 'a helper lane exports'


def check_picture(source, scratch):
   out = scratch / 'scene.png'
   said = subprocess.run([sys.executable, '-B', str(source / 'examples/pictures.py'), 'scene', str(WIDTH), str(HEIGHT),
                          str(scratch / 'scene.rgba'), str(scratch / 'scene.lanes'), str(out)],
                         capture_output=True, text=True, check=True).stdout
   assert re.search(r'^ *\d+ [.#h]*h[.#h]* ', said, re.M), said
   assert out.read_bytes().startswith(b'\x89PNG'), 'no picture'


def main():
   program, source = sys.argv[1], pathlib.Path(sys.argv[2])
   with tempfile.TemporaryDirectory() as scratch:
      cache = pathlib.Path(scratch, 'cache')
      cache.mkdir()
      modules = []
      for name in SHADERS:
         modules.append(str(pathlib.Path(scratch, name + '.spv')))
         subprocess.run(['glslangValidator', '-V', '--target-env', 'vulkan1.3', '-o', modules[-1],
                         str(source / 'examples/driver' / name)],
                        check=True, stdout=subprocess.DEVNULL)
      written = [str(pathlib.Path(scratch, 'scene' + ending)) for ending in ('.rgba', '.lanes')]
      run = subprocess.run([program, str(cache)] + modules + written, capture_output=True, text=True,
                           check=False, timeout=250)
      if not run.returncode:
         check_lanes(pathlib.Path(written[1]))
         check_picture(source, pathlib.Path(scratch))
   table = re.compile(r'(pipeline .*|[\w.]+\.spv +\d+ B( +\d+){4})\Z')
   printed = run.stdout.splitlines()
   if sum(bool(table.match(line)) for line in printed) != 1 + NUM_COMPUTE:
      sys.exit(f'no table of {NUM_COMPUTE} pipelines:\n{run.stdout}{run.stderr}')
   lanes = re.compile(r'\d+ waves of fragments: [\d.]+ of 64 lanes run an instruction, [\d.]+ of them helpers\Z')
   assert sum(bool(lanes.match(line)) for line in printed) == 1, run.stdout
   printed = [line for line in printed if not table.match(line) and not lanes.match(line)]
   if run.returncode or run.stderr or printed != wanted_lines((source / 'doc/driver.md').read_text()):
      sys.exit(f'exit status {run.returncode}\n{run.stdout}{run.stderr}')


if __name__ == '__main__':
   main()
