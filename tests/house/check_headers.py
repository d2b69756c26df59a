#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each public header compiles alone, as C11 and as C++11 to C++20, without a warning, under each compiler;
and heddle.h includes all of libheddle, heddle_tools.h all of libheddle-tools.

    check_headers.py INCLUDE_DIRECTORIES... -- HEADER... -- HEADER OF TOOLS...
"""
import os
import re
import shutil
import sys
import tempfile

from tap import Tap

WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wcast-qual', '-Werror']
# Only gcc tells these of hosts that may misalign.
STRICT = {'gcc': ['-Wcast-align=strict'], 'g++': ['-Wcast-align=strict']}
# Macros warn where they are used.
USES = {'pass.h': 'hd_run_options checks = HD_RUN_CHECK_ALL;\n'}
# Flags begin with the standard.
LANGUAGES = [
    ('c', '.c', ['-std=c11', '-Wstrict-prototypes', '-Wmissing-prototypes'], ['gcc', 'clang']),
    ('c++', '.cpp', ['-std=c++11'], ['g++', 'clang++']),
    ('c++', '.cpp', ['-std=c++20'], ['g++']),
]


def main():
   split = sys.argv.index('--')
   includes = [arg for folder in sys.argv[1:split] for arg in ('-I', folder)]
   last = len(sys.argv) - 1 - sys.argv[::-1].index('--')
   lists = {'heddle.h': sys.argv[split + 1:last], 'heddle_tools.h': sys.argv[last + 1:]}
   tap = Tap()
   headers = []
   for umbrella, paths in lists.items():
      names = sorted({os.path.basename(path) for path in paths})
      headers += names
      with open(next(path for path in paths if path.endswith(f'/{umbrella}')), encoding='utf-8') as file:
         included = set(re.findall(r'#include "heddle/(\w+\.h)"', file.read()))
      wanted = set(names) - {umbrella} | ({'heddle.h'} if umbrella == 'heddle_tools.h' else set())
      tap.check(f'{umbrella} includes the public headers of its library', included == wanted,
                f'missing: {sorted(wanted - included)}, not of it: {sorted(included - wanted)}')

   with tempfile.TemporaryDirectory() as folder:
      for _, ending, flags, compilers in LANGUAGES:
         for compiler in compilers:
            if not shutil.which(compiler):
               print(f'# {compiler} is not installed')
               continue
            for header in headers:
               source = os.path.join(folder, 'alone' + ending)
               with open(source, 'w', encoding='utf-8') as file:
                  # Twice: the guard must hold. Unused static functions may not warn.
                  file.write(f'#include <heddle/{header}>\n#include <heddle/{header}>\n')
                  file.write(USES.get(header, ''))
                  file.write('int main(void) { return 0; }\n' if ending == '.c'
                             else 'int main() { return 0; }\n')
               tap.run(f'{header} alone, {flags[0][5:]}, {compiler}',
                       [compiler, *flags, *WARNINGS, *STRICT.get(compiler, []), *includes, '-fsyntax-only', source])
   tap.finish()


if __name__ == '__main__':
   main()
