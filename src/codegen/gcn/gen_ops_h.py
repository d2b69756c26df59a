# SPDX-License-Identifier: MIT
"""gcn_ops.h: the enumeration of GCN instructions, pseudo ops first."""

from codegen.emit import opening, run, write
from codegen.gcn.isa import OWN_PSEUDO, all_rows
from codegen.gcn.isa_formats import FIELDS, LAYOUTS


def main(output):
   rows = all_rows()
   lines = opening('gcn_ops.h', 'GCN instructions and the steps towards them.', 'gcn/isa.py')
   lines += ['#ifndef HEDDLE_GCN_OPS_H', '#define HEDDLE_GCN_OPS_H', '',
             '#include "machine/machine.h"', '',
             '/* The pseudo ops of the machine layer come first. */', 'typedef enum hd_gcn_op {',
             '   HD_GCN_OP_NONE = HD_MACH_OP_NONE,']
   lines += [f'   HD_GCN_{name.upper()}{"" if n else " = HD_MACH_NUM_PSEUDO_OPS"},'
             for n, name in enumerate(OWN_PSEUDO)]
   lines += ['   HD_GCN_NUM_PSEUDO_OPS,']
   lines += [f'   {row.enum}{"" if n else " = HD_GCN_NUM_PSEUDO_OPS"},' for n, row in enumerate(rows)]
   lines += ['   HD_GCN_NUM_OPS,', '} hd_gcn_op;', '',
             '/* Fields of the encodings; those of operands first. */', 'typedef enum hd_gcn_field {']
   lines += [f'   HD_GCN_FIELD_{name.upper()},' for name in FIELDS]
   lines += ['   HD_GCN_NUM_FIELDS,', '} hd_gcn_field;', '',
             '/* Ways to stand in words: HD_GCN_LAYOUT_SOP1, ... */', 'typedef enum hd_gcn_layout_id {',
             '   HD_GCN_LAYOUT_NONE,']
   lines += [f'   HD_GCN_LAYOUT_{name.upper()},' for name in LAYOUTS]
   lines += ['   HD_GCN_NUM_LAYOUTS,', '} hd_gcn_layout_id;', '', '#endif']
   write(output, lines)


if __name__ == '__main__':
   run(main, 1)
