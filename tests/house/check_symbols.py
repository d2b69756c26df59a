#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the shared libraries promise to those who link them.

    check_symbols.py BACKENDS LIBRARY STATIC_LIBRARY ALLOWED...

For a shared library and its static twin: the soname is versioned; only hd_ symbols are exported, and
the static one defines no global symbol of another name; nothing is needed but ALLOWED; nothing that ends the process or reads the environment is called;
there is no writable global data; the file, stripped, is below what sizes.py says for these
BACKENDS, joined with + (-: no limit).
"""
import os
import re
import subprocess
import sys

from sizes import limit_of, stripped_size
from tap import Tap

# A driver must survive whatever it is given, and two threads must not meet in hidden state.
UNWANTED = {
    'abort', 'exit', '_exit', '_Exit', 'quick_exit', '__assert_fail', 'raise', 'kill', 'signal',
    'getenv', 'secure_getenv', 'setlocale', 'strtok', 'rand', 'srand', 'strerror', 'system', 'atexit',
}

# Sections that can be written while the program runs.
WRITABLE = re.compile(r'^\.(data|bss|tdata|tbss)(\.(?!rel\.ro)|$)')


def output(*command):
   return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def dynamic(library):
   """(soname, needed libraries)"""
   text = output('readelf', '-dW', library)
   soname = re.findall(r'\(SONAME\).*\[(.*)\]', text)
   return (soname[0] if soname else ''), re.findall(r'\(NEEDED\).*\[(.*)\]', text)


def symbols(library, *options):
   names = []
   for line in output('nm', '-D', *options, library).splitlines():
      # Versions themselves are absolute symbols.
      if line.split()[-2] != 'A':
         names.append(line.split()[-1].split('@')[0])
   return names


def archive_symbols(archive):
   """The global symbols that the members of an archive define."""
   return sorted({line.split()[-1] for line in output('nm', '-g', '--defined-only', archive).splitlines()
                  if len(line.split()) == 3})


def writable_objects(archive):
   """Variables that live in writable memory, as `object: section size`."""
   found = []
   member = ''
   for line in output('readelf', '-SW', archive).splitlines():
      if line.startswith('File:'):
         member = line.split('(')[-1].rstrip(')')
      m = re.match(r'\s*\[\s*\d+\]\s+(\S+)\s+\S+\s+\S+\s+\S+\s+(\S+)', line)
      if m and WRITABLE.match(m[1]) and int(m[2], 16):
         found.append(f'{member}: {m[1]}, {int(m[2], 16)} bytes')
   return found


def main():
   backends, library, archive, allowed = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
   tap = Tap()
   name = os.path.basename(library).split('.so')[0]

   soname, needed = dynamic(library)
   tap.check(f'{name}: versioned soname', re.fullmatch(re.escape(name) + r'\.so\.\d+', soname), soname)
   extra = [n for n in needed if n not in allowed]
   tap.check(f'{name}: needs only {", ".join(allowed)}', not extra, extra)

   exported = symbols(library, '--defined-only')
   foreign = [s for s in exported if not s.startswith('hd_')]
   tap.check(f'{name}: exports hd_ symbols', exported, 'none')
   tap.check(f'{name}: exports nothing else', not foreign, foreign)

   defined = archive_symbols(archive)
   foreign = [s for s in defined if not s.startswith('hd_')]
   tap.check(f'{name}: the static library defines symbols', defined, 'none')
   tap.check(f'{name}: each begins with hd_', not foreign, foreign)

   unwanted = sorted(UNWANTED & set(symbols(library, '--undefined-only')))
   tap.check(f'{name}: never calls abort() or exit(), reads no environment', not unwanted, unwanted)
   writable = writable_objects(archive)
   tap.check(f'{name}: no writable global data', not writable, '\n'.join(writable))

   if backends != '-':
      limit = limit_of([b for b in backends.split('+') if b], library)
      size = stripped_size(library)
      print(f'# {name}: {size} bytes of at most {limit}')
      tap.check(f'{name}: stripped size below {limit} bytes', size < limit, size)
   tap.finish()


if __name__ == '__main__':
   main()
