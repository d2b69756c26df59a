# SPDX-License-Identifier: MIT
"""gcn_op_names.c: from the name of an instruction to the instruction, by generation."""

from codegen.emit import lookup, opening, run, string, write
from codegen.gcn.isa import GENS, all_rows


def main(output):
   ops = {}
   for row in all_rows():
      for gen, name in enumerate(row.names):
         if name:
            ops.setdefault(name, ['HD_GCN_OP_NONE'] * len(GENS))[gen] = row.enum
   lines = opening('gcn_op_names.c', 'instructions by name.', 'gcn/isa.py')
   lines += ['#include "backend/gcn/asm/parse.h"', '', '#include <string.h>', '']
   lines += lookup('op', list(ops))
   lines += ['static const struct {', '   const char *name;',
             '   uint16_t ops[HD_GCN_NUM_GENS];', f'}} names[{len(ops) + 1}] = {{', '   { "", { 0 } },']
   lines += [f'   {{ {string(name)}, {{ {", ".join(enums)} }} }},' for name, enums in ops.items()]
   lines += ['};', '', 'hd_gcn_op',
             'hd_gcn_op_find(hd_gcn_gen gen, const char *name, size_t length)', '{',
             '   unsigned n = find_op(name, length);', '',
             '   if (strlen(names[n].name) != length || memcmp(names[n].name, name, length) != 0)',
             '      return HD_GCN_OP_NONE;', '   return (hd_gcn_op)names[n].ops[gen];', '}']
   write(output, lines)


if __name__ == '__main__':
   run(main, 1)
