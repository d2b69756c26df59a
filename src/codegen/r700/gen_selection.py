# SPDX-License-Identifier: MIT
"""The tables of selection.py as data:

    r700.gen_selection OUTPUT    r700_selection.c
"""

import sys

from codegen.emit import opening, write
from codegen.machine.gen_sequences import step_rows
from codegen.r700.selection import OWN, STEPS


def main(output):
   rows = [(r[0], f'{{ HD_R700_{r[1].upper()}, {int(r[-1] == "swap")} }}') for r in STEPS]
   own = sorted((name.upper(), kind.upper()) for kind, names in OWN.items() for name in names)
   write(output, [*opening('r700_selection.c', 'what selection has an instruction for.', 'r700/selection.py'),
                  '#include "backend/r700/select/select.h"', '', *step_rows('r700', 'hd_r700_step', rows),
                  'const hd_r700_own_row hd_r700_own_rows[] = {',
                  *(f'   {{ HD_R700_{name}, HD_R700_OWN_{kind} }},' for name, kind in own), '};',
                  f'const unsigned hd_r700_num_own_rows = {len(own)};'])


if __name__ == '__main__':
   main(*sys.argv[1:])
