#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does the tool say the same on another host, byte for byte?

    hosts.py [--quick | --all] [--build=FOLDER] [--reference=FOLDER] [--jobs=N] ROW...

Each row builds the tool for a host or with a compiler, beside one for this machine with its own, and compares what both
write of every shader of tests, examples and bench, and of every module of the SPIR-V corpus: text, binary form,
divergence, the optimised shader, the reconverging graph, a code object, and machine code: of three chips of GCN by two
lowerings, of Gen9 and of Nyuzi. Then the test of constants is run, and the text tests with the row's tool: they run shaders
with inputs, on the interpreter and in the simulator. Where the programs are emulated, that is every fifth shader and the text tests that run code, unless
--all is given. --quick takes a tenth of the shaders and no text tests.
--reference names a release build of this machine to compare with, where there is one already.

Cases are TAP. Exit status 1: something differs.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir))
sys.path[:0] = [os.path.join(ROOT, folder) for folder in ('scripts', 'packaging', os.path.join('tests', 'house'))]
import llvm_programs  # noqa: E402
import same_code  # noqa: E402
import symbol_map  # noqa: E402
from tap import Tap  # noqa: E402

# A cross file, a compiler, what runs the programs, how their names end, and options of Meson.
ROWS = {
    'clang': (None, 'clang', [], '', []),
    'musl': (None, 'musl-gcc', [], '', []),
    'i686': ('i686', None, [], '', []),
    's390x': ('s390x', None, ['qemu-s390x'], '', []),
    'aarch64': ('aarch64', None, ['qemu-aarch64'], '', []),
    'riscv64': ('riscv64', None, ['qemu-riscv64'], '', []),
    # The tool loads the libraries from where it is told to; wine's folder is not the user's own.
    'mingw': ('x86_64-w64-mingw32', None, ['env', 'WINEDEBUG=-all', 'WINEPREFIX={place}/wine', 'WINEPATH={place}', 'wine'],
              '.exe', ['-Ddefault_library=shared']),
}
# Programs that need no library to be there where they run.
OPTIONS = ['-Dbuildtype=release', '-Ddefault_library=static', '-Dexamples=false', '-Dc_link_args=-static', '-Dwerror=true']
SECONDS = 900
# All of them are built.
BACKENDS = sorted(entry.name for entry in os.scandir(os.path.join(ROOT, 'src', 'backend')) if entry.is_dir())

WRITES = {
    'text': ['print'],
    'binary form': ['convert', '--to=binary', '-o', '-'],
    'divergence': ['divergence'],
    'optimised': ['opt', '-O2'],
    'reconverging': ['reconverge'],
    'code object': ['compile', '--abi=hsa', '--to=object', '-o', '-'],
}
for chip, lowering in (('gfx600', 'reconverging'), ('gfx803', 'tree'), ('gfx900', 'tree'), ('gfx900', 'reconverging')):
   WRITES[f'{chip}, {lowering}'] = ['compile', f'--target={chip}', f'--lowering={lowering}', '--stats', '--to=code', '-o', '-']
for machine in ('gen9', 'nyuzi', 'r700'):
   WRITES[machine] = ['compile', f'--target={machine}', '--stats', '--to=code', '-o', '-']
# A quick run: one shader of so many, and these.
QUICK_SHARE = 10
EMULATED_SHARE = 5
EMULATED_TEXTS = ['tests/wave', 'tests/backend', 'tests/spirv']
QUICK = ['binary form', 'optimised', 'gfx900, reconverging', 'gen9', 'nyuzi', 'r700']


def build(folder, cross=None, compiler=None, ending='', more=()):
   """The tool and the test of constants, or an error's output."""
   os.makedirs(os.path.dirname(folder), exist_ok=True)
   environment = {**os.environ, 'CC': compiler} if compiler else os.environ
   commands = [['ninja', '-C', folder, '--quiet', 'tools/heddle' + ending, 'tests/portability/constants' + ending]]
   if not os.path.exists(os.path.join(folder, 'build.ninja')):
      where = ['--cross-file', os.path.join(ROOT, 'cross', f'{cross}.ini')] if cross else []
      commands.insert(0, ['meson', 'setup', folder, ROOT, *OPTIONS, *more, *where])
   for command in commands:
      done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors='replace', stdin=subprocess.DEVNULL, check=False)
      if done.returncode:
         return done.stdout
   return None


def exports(tap, row, place):
   """The DLLs export the functions that their headers declare, and nothing else."""
   generated = ['ops.h', 'op_enum.h', 'intrinsic_enum.h', 'build_ops.h', 'build_intrinsics.h']
   headers = {'heddle': [], 'heddle-tools': []}
   with open(os.path.join(ROOT, 'include', 'heddle', 'heddle_tools.h'), encoding='utf-8') as file:
      of_tools = {*re.findall(r'"heddle/(\w+\.h)"', file.read()), 'heddle_tools.h'} - {'heddle.h'}
   for header in glob.glob(os.path.join(ROOT, 'include', 'heddle', '*.h')):
      headers['heddle-tools' if os.path.basename(header) in of_tools else 'heddle'].append(header)
   headers['heddle'] += [os.path.join(place, 'include', 'heddle', name) for name in generated]
   for library, declaring in headers.items():
      dll = glob.glob(os.path.join(place, f'lib{library}-[0-9]*.dll'))
      if not tap.check(f'{row}: there is one lib{library}.dll', len(dll) == 1, dll):
         continue
      text = subprocess.run(['x86_64-w64-mingw32-objdump', '-p', dll[0]], stdout=subprocess.PIPE, text=True, check=True).stdout
      table = text[text.index('[Ordinal/Name Pointer] Table'):]
      names = set(re.findall(r'^\s*\[\s*\d+\](?:\s*\+base\[\s*\d+\]\s*[0-9a-f]+)?\s+(\w+)$', table, re.M))
      wanted = set(symbol_map.declared(declaring))
      tap.check(f'{row}: lib{library}.dll exports what headers declare, {len(wanted)} functions', names == wanted,
                f'missing: {sorted(wanted - names)}\nbesides: {sorted(names - wanted)}')


def digest(tool, words, path):
   try:
      done = subprocess.run([*tool, *words, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            stdin=subprocess.DEVNULL, timeout=SECONDS, check=False)
   except subprocess.TimeoutExpired:
      return 'takes too long'
   said = done.stdout + done.stderr
   return f'exit status {done.returncode}, {len(said)} bytes, SHA-256 {hashlib.sha256(said).hexdigest()[:16]}'


def text_tests(tap, row, tool, folders, scratch):
   lits = [shutil.which('lit'), *sorted(glob.glob('/usr/lib/llvm-*/build/utils/lit/lit.py'), reverse=True)]
   lit = next((path for path in lits if path), None)
   check = llvm_programs.find('FileCheck')
   if not lit or not check:
      tap.check(f'{row}: text tests', False, 'lit and FileCheck are not installed')
      return
   parameters = {'tool': ' '.join(tool), 'filecheck': check, 'scratch': scratch, 'backends': ','.join(BACKENDS),
                 'spirv': 'true', 'phases': '', 'sanitized': 'false'}
   words = [word for name, value in parameters.items() for word in ('--param', f'{name}={value}')]
   tap.run(f'{row}: text tests of {", ".join(folders)}',
           [sys.executable, lit, '-q', *words, *(os.path.join(ROOT, where) for where in folders)])


def main():
   parser = argparse.ArgumentParser(description='Does the tool say the same on another host?')
   parser.add_argument('--quick', action='store_true')
   parser.add_argument('--all', action='store_true')
   parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
   parser.add_argument('--reference', default=None)
   parser.add_argument('--jobs', type=int, default=os.cpu_count())
   parser.add_argument('rows', nargs='+', choices=ROWS)
   options = parser.parse_args()
   folder = os.path.abspath(options.build)
   tap = Tap()

   place = os.path.abspath(options.reference or os.path.join(folder, 'reference'))
   error = build(place)
   if error:
      tap.check('reference: builds', False, error)
      tap.finish()
   reference = [os.path.join(place, 'tools', 'heddle')]
   files = sorted([*same_code.shaders(), *same_code.modules(os.path.join(folder, 'modules'))])
   writes = {name: WRITES[name] for name in QUICK} if options.quick else WRITES
   wanted = {}
   with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
      for row in options.rows:
         cross, compiler, runner, ending, more = ROWS[row]
         part = bool(runner) and not options.all
         share = QUICK_SHARE if options.quick else EMULATED_SHARE if part else 1
         work = [(name, path) for path in files[::share] for name in writes]
         missing = [w for w in work if w not in wanted]
         wanted.update(zip(missing, pool.map(lambda w: digest(reference, WRITES[w[0]], w[1]), missing)))
         place = os.path.join(folder, row)
         runner = [word.replace('{place}', place) for word in runner]
         error = build(place, cross, compiler, ending, more)
         if not tap.check(f'{row}: builds without a warning', not error, error or ''):
            continue
         if row == 'mingw':
            exports(tap, row, place)
         tap.run(f'{row}: constants', [*runner, os.path.join(place, 'tests', 'portability', 'constants' + ending)])
         tool = [*runner, os.path.join(place, 'tools', 'heddle' + ending)]
         got = list(pool.map(lambda w, tool=tool: digest(tool, WRITES[w[0]], w[1]), work))
         for name in writes:
            pairs = [(w[1], wanted[w], b) for w, b in zip(work, got) if w[0] == name]
            differ = [f'{os.path.relpath(path, ROOT)}: expected {here}, found {there}'
                      for path, here, there in pairs if here != there]
            tap.check(f'{row}: {name}, {len(pairs)} shaders', not differ, '\n'.join(differ))
         if not options.quick:
            text_tests(tap, row, tool, EMULATED_TEXTS if part else ['tests'], os.path.join(place, 'lit'))
   tap.finish()


if __name__ == '__main__':
   main()
