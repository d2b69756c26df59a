# SPDX-License-Identifier: MIT
"""nyuzi_sequences.c: the rows of nyuzi/sequences*.py as data for select/sequence.c."""

from codegen.emit import intrinsic_name, op_name, opening, run, write
from codegen.ir.intrinsics import INTRINSICS
from codegen.ir.ops import OPS
from codegen.ir.schema import require
from codegen.nyuzi.sequence import MAX_PARTS, ROWS
import codegen.nyuzi.sequences        # noqa: F401
import codegen.nyuzi.sequences_float  # noqa: F401
import codegen.nyuzi.sequences_lanes  # noqa: F401

REFS = {'step': 'STEP', 'const': 'CONSTANT', 'input': 'INPUT'}
# Those that are no instruction of the machine alone.
OWN = ('choose', 'not', 'logic_and', 'logic_or', 'logic_xor')
# What the walk has room for.
MAX_STEPS = 512


def main(output):
   constants, steps, places = {}, [], {}

   def ref(v):
      if v.kind == 'start':
         return f'HD_NYUZI_INPUT + HD_NYUZI_INPUT_START + HD_NYUZI_START_{v.number}'
      number = constants.setdefault(v.number, len(constants)) if v.kind == 'const' else v.number
      return f'HD_NYUZI_{REFS[v.kind]} + {number}'

   def line(op, args):
      refs = [ref(a) for a in args]
      number = f'STEP_{op.upper()}' if op in OWN else op.upper()
      return f'   {{ HD_NYUZI_{number}, {{ {", ".join(refs)} }} }},'

   rows = []
   names = {op.name: op_name(op.name) for op in OPS}
   names.update((i.name, f'HD_NUM_OPS + {intrinsic_name(i.name)}') for i in INTRINSICS)
   order = list(names)
   ordered = sorted(ROWS, key=lambda r: (order.index(r.op), r.from_size, r.to_size))
   keys = [(r.op, r.from_size, r.to_size) for r in ordered]
   require(len(keys) == len(set(keys)), 'sequences', 'two rows of one op and sizes')
   for row in ordered:
      require(len(row.steps) <= MAX_STEPS, row.op, 'too many steps')
      lines = tuple(line(*s) for s in row.steps)
      if lines not in places:
         places[lines] = len(steps)
         steps += lines
      results = ', '.join(ref(r) for r in row.results)
      rows.append(f'   {{ {names[row.op]}, {row.from_size}, {row.to_size}, {places[lines]}, {len(lines)}, '
                  f'{{ {results} }} }},')
   text = opening('nyuzi_sequences.c', 'how ops and some intrinsics are computed.', 'nyuzi/sequences.py')
   text += ['#include <assert.h>', '', '#include "backend/nyuzi/select/sequence.h"', '#include "heddle/intrinsic_enum.h"', '#include "heddle/op_enum.h"', '',
            'const uint32_t hd_nyuzi_constants[] = {', *(f'   0x{c:08x},' for c in constants), '};', '',
            'const hd_nyuzi_step hd_nyuzi_steps[] = {', *steps, '};', '',
            'const hd_nyuzi_sequence hd_nyuzi_sequences[] = {', *rows, '};', '',
            f'const uint32_t hd_nyuzi_num_sequences = {len(rows)};', '',
            f'static_assert(HD_NYUZI_MAX_STEPS == {MAX_STEPS} && HD_NYUZI_MAX_RESULTS == {MAX_PARTS}, '
            '"as many as rows have");']
   write(output, text)


if __name__ == '__main__':
   run(main, 1)
