#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is what a shared library promises the same as in the stored description? doc/abi.md says what may change when.

    abi.py check|write --version=X.Y.Z --headers=FOLDER... LIBRARY... [-- HEADER...]

packaging/LIBRARY.abi.xml has functions and types as abidw describes them; LIBRARY must have been compiled with debugging
information. packaging/LIBRARY.abi has the version with which each function came. `write` renews both; HEADER... are
those that declare the functions. `check` prints TAP.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import symbol_map

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, 'tests', 'house'))
from tap import Tap  # noqa: E402

# A struct that functions of each library take, and no array holds.
GROWS = 'hd_config'

# Bits of abidiff's exit status.
FAILED, CHANGED = 3, 12

# What the C library has in its types is not ours to promise.
SUPPRESSED = '[suppress_type]\n  name = _IO_FILE\n'


def name_of(library):
   return os.path.basename(library).split('.so')[0]


def public_only(folders):
   return [word for folder in folders for word in ('--headers-dir', folder)]


def describe(library, folders):
   """The XML of abidw. Libraries that are needed depend on how it was compiled, for instance with sanitizers."""
   done = subprocess.run(
      ['abidw', *public_only(folders), '--drop-private-types', '--no-corpus-path', '--no-comp-dir-path', '--no-show-locs',
       '--no-elf-needed', '--no-write-default-sizes', '--type-id-style', 'hash', library],
      check=True, stdout=subprocess.PIPE, text=True)
   return done.stdout


def compare(stored, text):
   """abidiff's process for a stored description and the text of one."""
   with tempfile.TemporaryDirectory() as scratch:
      now, suppressed = os.path.join(scratch, 'now.xml'), os.path.join(scratch, 'suppressed')
      for path, words in ((now, text), (suppressed, SUPPRESSED)):
         with open(path, 'w', encoding='utf-8') as file:
            file.write(words)
      return subprocess.run(['abidiff', '--no-added-syms', '--suppressions', suppressed, stored, now], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, check=False)


def reads_stored(library):
   """Is the format of this abidiff that of the stored description? It is said by the first number of both versions."""
   with open(f'{HERE}/{name_of(library)}.abi.xml', encoding='utf-8') as file:
      stored = re.search(r"version='(\d+)", file.readline())[1]
   said = subprocess.run(['abidiff', '--version'], check=True, stdout=subprocess.PIPE, text=True).stdout
   return re.search(r'\d+', said)[0] == stored


def check(tap, library, folders):
   name = name_of(library)
   stored = os.path.join(HERE, f'{name}.abi.xml')
   text = describe(library, folders)
   done = compare(stored, text)
   tap.check(f'{name}: abidiff can read both', not done.returncode & FAILED, done.stdout)
   tap.check(f'{name}: functions and types are those of the stored description', not done.returncode & CHANGED,
             done.stdout + '\ndoc/abi.md says whether this may be; `meson compile -C build/test abi` writes the description'
             ' anew')
   # The comparison itself is no good where it cannot fail.
   gone = re.search(r"<elf-symbol name='(hd_\w+)'", text)[1]
   done = compare(stored, re.sub(rf'\b{gone}\b', gone + '_', text))
   tap.check(f'{name}: {gone} that is gone would be seen', done.returncode & CHANGED and gone in done.stdout, done.stdout)
   grown = re.sub(rf"(<class-decl name='{GROWS}' [^>]*?size-in-bits=')(\d+)", lambda m: m[1] + str(int(m[2]) + 64), text)
   done = compare(stored, grown)
   tap.check(f'{name}: {GROWS} that grew would be seen', done.returncode & CHANGED and 'size changed' in done.stdout,
             done.stdout)


def write(library, folders, headers, version):
   name = name_of(library)
   with open(os.path.join(HERE, f'{name}.abi.xml'), 'w', encoding='utf-8') as file:
      file.write(describe(library, folders))
   path = os.path.join(HERE, f'{name}.abi')
   known = symbol_map.since(path) if os.path.exists(path) else {}
   exported = subprocess.run(['nm', '-D', '--defined-only', library], check=True, stdout=subprocess.PIPE, text=True).stdout
   exported = set(re.findall(r'\bhd_\w+', exported))
   with open(path, 'w', encoding='utf-8') as file:
      file.write(f'# SPDX-License-Identifier: MIT\n# The version with which each function of {name} came; abi.py writes it.\n')
      for function in symbol_map.declared(headers):
         if function in exported:
            file.write(f'function {function} {known.get(function, symbol_map.minor(version))}\n')


def main():
   parser = argparse.ArgumentParser(description='Is what a shared library promises still the same?')
   parser.add_argument('what', choices=['check', 'write'])
   parser.add_argument('--version', required=True)
   parser.add_argument('--headers', action='append', default=[])
   parser.add_argument('libraries', nargs='+')
   split = sys.argv.index('--') if '--' in sys.argv else len(sys.argv)
   options = parser.parse_args(sys.argv[1:split])
   if options.what == 'write':
      for library in options.libraries:
         write(library, options.headers, sys.argv[split + 1:], options.version)
      return
   tap = Tap()
   if not reads_stored(options.libraries[0]):
      print('1..0 # SKIP abidiff has another format than the stored descriptions')
      return
   for library in options.libraries:
      check(tap, library, options.headers)
   tap.finish()


if __name__ == '__main__':
   main()
