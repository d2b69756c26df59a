#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Both static libraries link in either order, whatever is used of them.

    check_link_order.py SCRATCH LIBHEDDLE LIBHEDDLE_TOOLS ARCHIVE ARCHIVE CC...

A program that names every symbol that the shared libraries export needs every object: what both archives define may be
found in one of them only.
"""
import os
import subprocess
import sys

from check_symbols import symbols
from tap import Tap


def main():
   scratch, shared, archives, compiler = sys.argv[1], sys.argv[2:4], sys.argv[4:6], sys.argv[6:]
   os.makedirs(scratch, exist_ok=True)
   tap = Tap()
   names = sorted({name for library in shared for name in symbols(library, '--defined-only')})
   tap.check('the shared libraries export symbols', len(names) > 100, len(names))
   source = os.path.join(scratch, 'all_symbols.c')
   with open(source, 'w', encoding='utf-8') as file:
      for name in names:
         file.write(f'extern char {name}[];\n')
      file.write('const void *const all[] = {\n' + ''.join(f'   {name},\n' for name in names) + '};\n')
      file.write('int\nmain(int argc, char **argv)\n{\n   (void)argv;\n   return all[argc] == 0;\n}\n')
   for first, second in (archives, archives[::-1]):
      name = f'{os.path.basename(first)}, then {os.path.basename(second)}'
      tap.run(name, [*compiler, source, '-o', os.path.join(scratch, 'all_symbols'), '-Wl,--start-group', first, second,
                     '-Wl,--end-group', '-lm'])
      tap.run(f'{name}: it runs', [os.path.join(scratch, 'all_symbols')])
   tap.finish()


if __name__ == '__main__':
   main()
