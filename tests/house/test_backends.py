#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library and the tool build without warnings with none of the backends and with each alone, and the library has no
more bytes than sizes.py says.

    test_backends.py MESON SOURCE_ROOT SCRATCH

Build directories stay in SCRATCH: another run compiles what has changed.
"""
import os
import re
import subprocess
import sys

from sizes import limit_of, stripped_size
from tap import Tap

SHADER = 'shader compute "t" {\n  workgroup 64 1 1\n  function @main {\n    b0:\n      return\n  }\n}\n'
# A backend, one of its targets, and a header of it.
MACHINES = {'gcn': ('gfx803', 'gcn.h'), 'gen9': ('gen9', 'gen9.h'), 'nyuzi': ('nyuzi', 'nyuzi.h'),
            'r700': ('r700', 'r700.h')}


def heddle(tool, *arguments):
   done = subprocess.run([tool, *arguments], input=SHADER, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         check=False)
   return done.returncode, done.stdout


def check_tool(tap, name, tool, backends):
   status, text = heddle(tool, 'opt', '-O2')
   tap.check(f'{name}: heddle opt', status == 0, text)
   for backend, (target, _) in MACHINES.items():
      there = backend in backends
      status, text = heddle(tool, 'compile', f'--target={target}')
      tap.check(f'{name}: heddle compile --target={target}', (status == 0) == there, text)
      message = f"not '{target}'" if backends else 'this build has no backend'
      tap.check(f'{name}: says what it has', there or message in text, text)
   if backends:
      status, text = heddle(tool, 'compile')
      tap.check(f'{name}: heddle compile has a default', status == 0, text)
   for topic in ('compile', '--man'):
      status, text = heddle(tool, 'help', topic)
      wrong = [b for b, (target, _) in MACHINES.items() if (re.search(rf'\b{target}\b', text) is None) == (b in backends)]
      tap.check(f'{name}: heddle help {topic} names its targets, no others', status == 0 and not wrong, wrong)
   status, text = heddle(tool, 'compare')
   tap.check(f'{name}: heddle compare', (status == 0) == bool(backends), text)
   for backend, (target, _) in MACHINES.items():
      tap.check(f'{name}: heddle compare has a row for {target} or not', (f'\n{target} ' in text) == (backend in backends), text)


def check_headers(tap, name, root, build, backends):
   """What heddle.h includes is what is built."""
   code = '#include <heddle/heddle.h>\n'
   for backend, (_, header) in MACHINES.items():
      guard = 'HEDDLE_' + header.upper().replace('.', '_')
      code += f'#if{"n" if backend in backends else ""}def {guard}\n#error {header}\n#endif\n'
   source = os.path.join(build, 'includes.c')
   with open(source, 'w', encoding='utf-8') as file:
      file.write(code)
   includes = [f'-I{os.path.join(folder, "include")}' for folder in (root, build)]
   tap.run(f'{name}: heddle.h', ['cc', '-std=c11', '-Wall', '-Wextra', '-Werror', *includes, '-fsyntax-only', source])


def main():
   meson, root, scratch = sys.argv[1].split(), sys.argv[2], sys.argv[3]
   tap = Tap()
   for backends in ([], *([backend] for backend in MACHINES)):
      name = '+'.join(backends) or 'none'
      build = os.path.join(scratch, name)
      if not os.path.exists(os.path.join(build, 'build.ninja')):
         tap.run(f'{name}: configures', [*meson, 'setup', build, root, '-Dbuildtype=release', '-Dwerror=true',
                                         '-Ddefault_library=shared', '-Dtests=false', '-Dexamples=false',
                                         '-Dbackends=' + ','.join(backends)])
      tap.run(f'{name}: builds', ['ninja', '-C', build])
      tool, library = os.path.join(build, 'tools', 'heddle'), os.path.join(build, 'libheddle.so')
      if not os.path.exists(tool):
         continue
      size, limit = stripped_size(library), limit_of(backends, library)
      print(f'# {name}: {size} bytes of at most {limit}')
      tap.check(f'{name}: stripped size below {limit} bytes', size < limit, size)
      check_tool(tap, name, tool, backends)
      check_headers(tap, name, root, build, backends)
   tap.finish()


if __name__ == '__main__':
   main()
