# SPDX-License-Identifier: MIT
"""The rows of machine/sequences*.py as data for machine/sequence.c:

    machine.gen_sequences header OUTPUT              machine_steps.h: the numbers of steps
    machine.gen_sequences table NAME LANES OUTPUT    NAME_sequences.c: the rows for a machine; LANES is "start" where
                                                     it says at the start how many there are
"""

import importlib.util
import sys
from collections import Counter

from codegen.emit import intrinsic_name, op_name, opening, write
from codegen.ir.intrinsics import INTRINSICS
from codegen.ir.ops import OPS
from codegen.ir.schema import require
from codegen.machine import sequences_lanes
from codegen.machine.sequence import MAX_PARTS, OPTIONAL_STEPS, ROWS, STEP_ROWS, STEPS
import codegen.machine.sequences        # noqa: F401
import codegen.machine.sequences_float  # noqa: F401
import codegen.machine.sequences_fused  # noqa: F401
import codegen.machine.sequences_rounding  # noqa: F401
import codegen.machine.sequences_doubles  # noqa: F401
import codegen.machine.sequences_halves  # noqa: F401
import codegen.machine.sequences_doubles_exact  # noqa: F401
import codegen.machine.sequences_doubles_convert  # noqa: F401

REFS = {'step': 'STEP', 'const': 'CONSTANT', 'input': 'INPUT'}
# As in machine/sequence.h.
BYTE_CONSTANT, BYTE_INPUT = 128, 239
# What the walk has room for.
MAX_STEPS = 512


def header(output):
   lines = opening('machine_steps.h', 'the steps of sequences.', 'machine/sequence.py')
   write(output, [*lines, '#ifndef HEDDLE_MACHINE_STEPS_H', '#define HEDDLE_MACHINE_STEPS_H', '',
                  'typedef enum hd_mach_step_op {', *(f'   HD_MACH_STEP_{s.upper()},' for s in STEPS),
                  '   HD_MACH_NUM_STEPS', '} hd_mach_step_op;', '', '#endif'])


def step_rows(machine, struct, rows):
   """What a machine's selection has for the steps: by their numbers, those without a row zero."""
   for name, _ in rows:
      require(name in STEPS, name, 'no such step')
   return [f'const {struct} hd_{machine}_steps[HD_MACH_NUM_STEPS] = {{',
           *(f'   [HD_MACH_STEP_{name.upper()}] = {value},' for name, value in rows), '};', '']


def rows_for(machine):
   """By op and sizes."""
   selection = f'codegen.{machine}.selection'
   module = importlib.import_module(selection) if importlib.util.find_spec(selection) else None
   lacks = OPTIONAL_STEPS - {row[0] for row in module.STEPS} if module else OPTIONAL_STEPS
   features, covered = {'', *getattr(module, 'FEATURES', ())}, getattr(module, 'COVERED', ())
   chosen, others = {}, []
   for row in (row for row in ROWS if row.needs in features and row.key not in covered):
      used = OPTIONAL_STEPS & {op for op, _ in row.steps}
      require(used or row.key not in chosen, row.op, 'two rows of one op and sizes')
      if used & lacks:
         others.append(row)
      else:
         chosen[row.key] = row
   # A step that the machine lacks is a row, but not of those that the step is for.
   steps = {op: key for op, key in STEP_ROWS.items() if op not in STEPS or (op in lacks and key in chosen)}
   for row in others:
      if all(op in steps for op, _ in row.steps if op in lacks):
         chosen.setdefault(row.key, row)
   return chosen, steps


def numbered_constants(rows):
   """Those that are read most come first."""
   uses = Counter(v.number for row in rows for v in (*(a for _, args in row.steps for a in args), *row.results)
                  if v.kind == 'const')
   return {number: n for n, (number, _) in enumerate(uses.most_common())}


def table(machine, lanes, output):
   sequences_lanes.define(None if lanes == 'start' else int(lanes))
   names = {op.name: op_name(op.name) for op in OPS}
   names.update((i.name, f'HD_NUM_OPS + {intrinsic_name(i.name)}') for i in INTRINSICS)
   order = list(names)
   chosen, row_steps = rows_for(machine)
   ordered = sorted(chosen.values(), key=lambda r: (order.index(r.op), r.from_size, r.to_size))
   numbers = {row.key: n for n, row in enumerate(ordered)}
   constants = numbered_constants(ordered)
   steps, places, size, rows = [], {}, 0, []

   def ref(v, here):
      """The bytes of a value that step number `here` reads."""
      if v.kind == 'step' and here - v.number <= 128:
         return [str(here - v.number - 1)]
      if v.kind == 'const' and constants[v.number] < BYTE_INPUT - BYTE_CONSTANT:
         return [f'HD_MACH_BYTE_CONSTANT + {constants[v.number]}']
      if v.kind == 'input' and v.number % 16 < 4:
         return [f'HD_MACH_BYTE_INPUT + {v.number // 16 * 4 + v.number % 16}']
      if v.kind == 'start':
         word = f'HD_MACH_REF_INPUT + HD_MACH_REF_START + HD_{machine.upper()}_START_{v.number}'
      else:
         word = f'HD_MACH_REF_{REFS[v.kind]} + {constants[v.number] if v.kind == "const" else v.number}'
      return ['HD_MACH_BYTE_LONG', f'({word}) & 255', f'({word}) >> 8']

   def line(n, op, args):
      refs = [byte for a in args for byte in ref(a, n)]
      if op in row_steps:
         key = row_steps[op]
         require(key in numbers, key[0], 'no row for a step')
         op, refs = 'row', [f'{numbers[key]} & 255', f'{numbers[key]} >> 8', *refs]
      require(op in (*STEPS, 'row'), op, 'no such step')
      return f'   HD_MACH_STEP_BYTE(HD_MACH_STEP_{op.upper()}, {len(args)}), {", ".join(refs)},', 1 + len(refs)

   for row in ordered:
      require(len(row.steps) <= MAX_STEPS, row.op, 'too many steps')
      results = [byte for r in row.results for byte in ref(r, len(row.steps))]
      lines = *(line(n, *s) for n, s in enumerate(row.steps)), (f'   {", ".join(results)},', len(results))
      if lines not in places:
         places[lines] = size
         steps += (text for text, _ in lines)
         size += sum(count for _, count in lines)
      rows.append(f'   {{ {names[row.op]}, {row.from_size}, {row.to_size}, {places[lines]}, '
                  f'{len(row.steps)} + {len(row.results)} * HD_MACH_RESULTS }},')
   require(size < 1 << 16, machine, 'too many bytes of steps')
   text = opening(f'{machine}_sequences.c', 'how ops and some intrinsics are computed.', 'machine/sequences.py')
   text += ['#include <assert.h>', '', f'#include "backend/{machine}/program.h"', '#include "heddle/intrinsic_enum.h"',
            '#include "heddle/op_enum.h"', '#include "machine/sequence.h"', '',
            'static const uint32_t constants[] = {', *(f'   0x{c:08x},' for c in constants), '};', '',
            'static const uint8_t steps[] = {', *steps, '};', '',
            'static const hd_mach_sequence rows[] = {', *rows, '};', '',
            f'const hd_mach_sequences hd_{machine}_sequences = {{ constants, steps, rows, {len(rows)} }};', '',
            f'static_assert(HD_MACH_MAX_STEPS == {MAX_STEPS} && HD_MACH_MAX_RESULTS == {MAX_PARTS}, '
            '"as many as rows have");',
            f'static_assert(HD_MACH_NUM_STEPS < 64 && HD_MACH_BYTE_CONSTANT == {BYTE_CONSTANT} && '
            f'HD_MACH_BYTE_INPUT == {BYTE_INPUT}, "what bytes say");']
   write(output, text)


if __name__ == '__main__':
   {'header': header, 'table': table}[sys.argv[1]](*sys.argv[2:])
