# SPDX-License-Identifier: MIT
"""Run examples/driver on its three shaders and compare what it prints.

    run_driver.py PROGRAM SOURCE_DIR

The shaders are compiled by glslangValidator. Numbers in the table of pipelines may change with the
compiler; all other lines are those that doc/driver.md shows.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

SHADERS = ('saxpy', 'blur', 'histogram')


def wanted_lines(page):
   block = re.search(r'```text\n(.*?)```', page, re.S)
   assert block, 'doc/driver.md shows no output'
   return [line for line in block.group(1).splitlines() if line != '...']


def main():
   program, source = sys.argv[1], pathlib.Path(sys.argv[2])
   with tempfile.TemporaryDirectory() as scratch:
      cache = pathlib.Path(scratch, 'cache')
      cache.mkdir()
      modules = []
      for name in SHADERS:
         modules.append(str(pathlib.Path(scratch, name + '.spv')))
         subprocess.run(['glslangValidator', '-V', '--target-env', 'vulkan1.3', '-o', modules[-1],
                         str(source / 'examples/driver' / (name + '.comp'))],
                        check=True, stdout=subprocess.DEVNULL)
      run = subprocess.run([program, str(cache)] + modules, capture_output=True, text=True,
                           check=False, timeout=250)
   table = re.compile(r'(pipeline .*|\w+\.spv +\d+ B( +\d+){4})\Z')
   printed = run.stdout.splitlines()
   if sum(bool(table.match(line)) for line in printed) != 1 + len(SHADERS):
      sys.exit(f'no table of {len(SHADERS)} pipelines:\n{run.stdout}{run.stderr}')
   printed = [line for line in printed if not table.match(line)]
   if run.returncode or run.stderr or printed != wanted_lines((source / 'doc/driver.md').read_text()):
      sys.exit(f'exit status {run.returncode}\n{run.stdout}{run.stderr}')


if __name__ == '__main__':
   main()
