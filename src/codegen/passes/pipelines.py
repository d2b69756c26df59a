# SPDX-License-Identifier: MIT
"""The standard pass pipelines, and what is generated from them and from those of the backends that are built.

    passes.pipelines OUTPUT BACKEND...   pipeline_table.c: the lists as data

A pipeline is a fixed list: no fixpoint iteration, so the compile time follows from the size of the shader. If a pass
occurs twice, the reason is beside it. The pipelines of a backend are in its folder: BACKEND/pipelines.py.
"""
import importlib
import re
import sys

from codegen.emit import opening, write
from codegen.ir.schema import TableError
from codegen.passes.passes import PASSES, escaped

ROUND = ('opt_algebraic', 'opt_cse', 'opt_dce')
# Cleanup after any pass. Each pass enables the next, hence rounds: three are enough for most programs, and eight for all
# that were tried. At a fixpoint the runner skips the rest, so further rounds cost nothing where they are not needed.
CLEAN = ('opt_algebraic', 'opt_phi', 'opt_dead_cf', 'opt_cse', 'opt_dce')

# Name, meaning, and the passes in their order.
PIPELINES = [
   ('O0', 'no passes', []),

   # Flat functions stay flat.
   ('O1', 'cheap passes that shrink the code: SROA, mem2reg, algebraic simplification, CSE, DCE', [
      'opt_vars_split',  # before opt_vars_to_ssa, which takes what is no array
      'opt_vars_to_ssa', 'opt_dead_cf', 'opt_algebraic', 'opt_cse', 'opt_dce',
   ]),

   ('O2', 'full optimisation', [
      # The machine needs trees, and most later passes work better on them. Calls hide information. A
      # switch becomes a chain of tests or a binary search.
      'lower_switch',
      'lower_structurize',
      'opt_inline(remove=1)',

      # SSA form and scalar simplification. Constant propagation first: it decides branches, and later
      # passes skip unreachable code. Division by constants that a branch implies waits for the machine
      # pipeline, as it makes code longer.
      'opt_vars_split',
      'opt_vars_to_ssa',
      'opt_sccp(divide=0)',
      'opt_dead_cf',
      'opt_algebraic',
      'opt_vars_to_constants',
      'opt_phi',
      'opt_cse',
      'opt_forward_stores',
      'opt_dead_stores',
      'opt_dce',

      # Control flow, with arms as small as scalar simplification makes them, so that more ifs can be
      # converted to selects; redundant jumps must go first, as an arm that jumps cannot be converted.
      'opt_if',
      'opt_dead_cf',  # decided branches must not hide redundant jumps
      'opt_jump',
      'opt_if_convert(uniform_cost=2,divergent_cost=2)',
      'opt_dead_cf',

      # Code that two converted arms had in common. Selects that are a minimum wait for opt_algebraic
      # below: of 374 programs and 260 SPIR-V modules none is better with one here.
      'opt_phi',
      'opt_cse',

      # Again, now that conditions are simplified and code between adjacent ifs has gone.
      'opt_if',
      'opt_sccp(divide=0)',
      'opt_dead_cf',
      'opt_jump',
      'opt_if_convert(uniform_cost=2,divergent_cost=2)',
      'opt_dead_cf',

      # Code motion. It moves address computations together, so constants combine again and equal
      # expressions show: further rounds for that, and for arrays with an index that has become
      # constant. The runner skips passes that cannot find anything new.
      'opt_gcm',
      *ROUND,
      'opt_vars_split',
      'opt_vars_to_ssa',
      'opt_vars_to_constants',
      *ROUND,
      *ROUND,
   ]),

   ('cleanup', 'simplification and dead code elimination, to a fixpoint', ['opt_dce', *(8 * CLEAN)]),
]


def pipelines(backends):
   """All of them, those of the backends behind the standard ones."""
   rows = list(PIPELINES)
   for backend in backends:
      rows += importlib.import_module(f'codegen.{backend}.pipelines').PIPELINES
   return rows


def check(rows):
   """Each step is a pass with options that it has, or a pipeline that stands before."""
   passes = {p.name: {o.name: o for o in p.options} for p in PASSES}
   seen = set()
   for name, _, steps in rows:
      for step in steps:
         what, told = re.fullmatch(r'(\w+)(?:\((.*)\))?', step).groups()
         if what in seen and not told:
            continue
         if what not in passes:
            raise TableError(f'{name}: there is no pass {what}')
         for option in told.split(',') if told else ():
            key, number = option.split('=')
            o = passes[what].get(key)
            if o is None or not o.low <= int(number, 0) <= o.high:
               raise TableError(f'{name}: {what} has no option {option}')
      if name in seen or name in passes:
         raise TableError(f'two pipelines or passes are called {name}')
      seen.add(name)


def table(rows):
   lines = opening('pipeline_table.c', 'the pipelines as data.', 'passes/pipelines.py')
   lines += ['#include "passes/table.h"', '']
   for name, _, steps in rows:
      lines += [f'static const char *const {name}_steps[] = {{', *(f'   "{step}",' for step in steps), '   NULL,', '};', '']
   lines += ['const hd_pipeline hd_pipeline_table[] = {',
             *(f'   {{ "{name}", "{escaped(meaning)}", {name}_steps }},' for name, meaning, _ in rows), '};', '']
   return lines + ['const unsigned hd_pipeline_table_size = '
                   'sizeof(hd_pipeline_table) / sizeof(hd_pipeline_table[0]);']


def main(output, *backends):
   rows = pipelines(backends)
   check(rows)
   write(output, table(rows))


if __name__ == '__main__':
   main(*sys.argv[1:])
