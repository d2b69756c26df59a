# SPDX-License-Identifier: MIT
"""gcn_ops.h: the enumeration of GCN instructions, pseudo ops first."""

from emit import opening, run, write
from gcn_isa import PSEUDO, all_rows


def main(output):
   rows = all_rows()
   lines = opening('gcn_ops.h', 'GCN instructions and the steps towards them.', 'gcn_isa.py')
   lines += ['#ifndef HEDDLE_GCN_OPS_H', '#define HEDDLE_GCN_OPS_H', '',
             'typedef enum hd_gcn_op {', '   HD_GCN_OP_NONE,']
   lines += [f'   HD_GCN_{name.upper()},' for name in PSEUDO]
   lines += [f'   {row.enum},' for row in rows]
   lines += ['   HD_GCN_NUM_OPS,', '} hd_gcn_op;', '', '#endif']
   write(output, lines)


if __name__ == '__main__':
   run(main, 1)
