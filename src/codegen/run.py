# SPDX-License-Identifier: MIT
"""Run a generator, and tell the build what it read.

    run.py [--depfile=FILE --target=FILE] GENERATOR ARGUMENT...

GENERATOR is a module below src/codegen, as `ir.gen_op_info`, or a path to a script that imports from
there. The depfile names every module of this tree that was imported and every file that was opened for
reading, so no list of them has to be kept beside the generator.
"""

import os
import pathlib
import runpy
import sys
import sysconfig

SRC = pathlib.Path(__file__).resolve().parents[1]


class Reads:
   """The files that this process opens for reading, in an audit hook; Python's own do not count."""

   def __init__(self):
      self.paths = {os.path.abspath(__file__)}
      # What Python imports for itself as it starts (a site's customisation) may lie anywhere.
      self.started = set(sys.modules) - {'__main__'}
      self.own = tuple({os.path.realpath(sysconfig.get_path(name)) + os.sep for name in ('stdlib', 'platstdlib')})
      sys.addaudithook(self.hook)

   def hook(self, event, arguments):
      if event != 'open':
         return
      path, mode, flags = arguments
      if isinstance(path, (str, bytes)) and not (mode and set(mode) & set('wax+')) and \
            not (mode is None and flags & (os.O_WRONLY | os.O_RDWR)):
         self.paths.add(os.path.abspath(os.fsdecode(path)))

   def files(self):
      # A module may come from its cached bytecode; it depends on its source all the same.
      modules = {os.path.abspath(m.__file__) for name, m in sys.modules.items()
                 if name not in self.started and getattr(m, '__file__', None)}
      emit = sys.modules.get('codegen.emit')
      outputs = {os.path.abspath(p) for p in emit.WRITTEN} if emit else set()
      return sorted(p for p in (self.paths | modules) - outputs
                    if os.path.isfile(p) and not os.path.realpath(p).startswith(self.own))

   def write(self, depfile, target):
      names = [p.replace('\\', '/').replace(' ', '\\ ') for p in self.files()]
      pathlib.Path(depfile).write_text(f'{target}: {" ".join(names)}\n', encoding='utf-8')


def main(arguments):
   sys.dont_write_bytecode = True
   options = {}
   while arguments and arguments[0].startswith('--'):
      name, _, value = arguments.pop(0)[2:].partition('=')
      options[name] = value
   if not arguments or set(options) not in (set(), {'depfile', 'target'}):
      sys.exit(__doc__)

   # The folder of this script is no place to import from: a package `math` stands in it.
   sys.path[0] = str(SRC)
   reads = Reads()
   generator, sys.argv = arguments[0], arguments
   if generator.endswith('.py'):
      runpy.run_path(generator, run_name='__main__')
   else:
      runpy.run_module('codegen.' + generator, run_name='__main__', alter_sys=True)
   if options:
      reads.write(options['depfile'], options['target'])


if __name__ == '__main__':
   main(sys.argv[1:])
