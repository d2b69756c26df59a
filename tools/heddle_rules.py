# SPDX-License-Identifier: MIT
"""What a file of rewrite rules imports, and the program heddle-rules.

    from heddle_rules import RuleSet

    my_rules = RuleSet('my_rules')
    my_rules.rule('fmul(x, 2.0)', 'fadd(x, x)')
"""

import importlib.util
import pathlib
import sys

from codegen.ir.schema import TableError
from codegen.rules import gen_rules
from codegen.rules.language import RuleSet
from codegen.run import Reads

__all__ = ['RuleSet', 'TableError', 'main']

USAGE = '''usage: heddle-rules [--depfile=FILE] RULES.py NAME OUTPUT.c

Make C of the rewrite rules that are the RuleSet NAME of RULES.py, to be compiled with the program and applied
with hd_rewrite (heddle/rules.h). A rule that cannot be read, has no end, or can never fire is an error.
FILE gets what the output depends on, as make and ninja read it.'''


def load(path):
   spec = importlib.util.spec_from_file_location('rules_of_program', path)
   module = importlib.util.module_from_spec(spec)
   sys.path.insert(0, str(path.resolve().parent))
   spec.loader.exec_module(module)
   return module


def rule_set(path, name):
   """The set of that name: by the name that the file gives it, or its own."""
   found = [s for s in vars(load(path)).values() if isinstance(s, RuleSet) and s.name == name]
   if not found:
      raise TableError(f'{path}: there is no RuleSet {name!r}')
   if not name.isidentifier() or not name.isascii():
      raise TableError(f'{path}: {name!r} is no name in C')
   return found[0]


def main(arguments):
   depfile = None
   if arguments and arguments[0].startswith('--depfile='):
      depfile = arguments.pop(0).partition('=')[2]
   if arguments in (['--help'], ['-h']):
      print(USAGE)
      return 0
   if len(arguments) != 3 or arguments[0].startswith('-'):
      print(USAGE, file=sys.stderr)
      return 2
   sys.dont_write_bytecode = True
   reads = Reads()
   path, name, output = arguments
   try:
      gen_rules.make(rule_set(pathlib.Path(path), name), output)
   except (TableError, OSError, SyntaxError) as error:
      print(f'heddle-rules: {error}', file=sys.stderr)
      return 1
   if depfile:
      reads.write(depfile, output)
   return 0
