# SPDX-License-Identifier: MIT
"""gcn_memory_ops.c: which instruction does a memory access, by what it does and where."""

from codegen.emit import opening, run, write
from codegen.gcn.isa import all_rows

WAYS = ('buffer', 'flat', 'global')
LOADS = ('ubyte', 'ushort', 'dword', 'dwordx2', 'dwordx3', 'dwordx4')
STORES = ('byte', 'short', *LOADS[2:])
# hd_atomic_op: what vector memory calls it, and LDS with the letter of its type.
ATOMICS = {
   'HD_ATOMIC_IADD': ('add', 'add', 'u'), 'HD_ATOMIC_IMIN': ('smin', 'min', 'i'), 'HD_ATOMIC_IMAX': ('smax', 'max', 'i'),
   'HD_ATOMIC_UMIN': ('umin', 'min', 'u'), 'HD_ATOMIC_UMAX': ('umax', 'max', 'u'), 'HD_ATOMIC_IAND': ('and', 'and', 'b'),
   'HD_ATOMIC_IOR': ('or', 'or', 'b'), 'HD_ATOMIC_IXOR': ('xor', 'xor', 'b'),
   'HD_ATOMIC_EXCHANGE': ('swap', 'wrxchg', 'b'), 'HD_ATOMIC_INC_WRAP': ('inc', 'inc', 'u'),
   'HD_ATOMIC_DEC_WRAP': ('dec', 'dec', 'u'), 'HD_ATOMIC_FADD': (None, 'add', 'f'),
   'HD_GCN_COMPARE_SWAP': ('cmpswap', 'cmpst', 'b'),
}


class Instructions:
   def __init__(self):
      self.names = {row.name: row.enum for row in all_rows()}

   def row(self, names):
      """An initializer; what no instruction is called is none."""
      return '{ ' + ', '.join(self.names.get(name, 'HD_GCN_OP_NONE') for name in names) + ' }'


def atomic_names(vmem, lds, kind):
   """By way, the names of 32 and of 64 bits. An exchange that asks for no old value is a store."""
   without = f'ds_write_{kind}' if lds == 'wrxchg' else f'ds_{lds}_{kind}'
   rows = [(f'{way}_atomic_{vmem}', f'{way}_atomic_{vmem}_x2') for way in WAYS]
   rows += [(f'{name}32', f'{name}64' if kind != 'f' else '') for name in (without, f'ds_{lds}_rtn_{kind}')]
   return rows + [(f'image_atomic_{vmem}', '')]


def main(output):
   there = Instructions()
   lines = opening('gcn_memory_ops.c', 'instructions of memory accesses.', 'gcn/isa.py')
   lines += ['#include "backend/gcn/select/memory_ops.h"', '', 'const uint16_t hd_gcn_access_ops[2][3][6] = {']
   for kind, sizes in (('load', LOADS), ('store', STORES)):
      rows = [there.row(f'{way}_{kind}_{size}' for size in sizes) for way in WAYS]
      lines.append(f'   {{ {", ".join(rows)} }},')
   lines += ['};', '', 'const uint16_t hd_gcn_atomic_ops[HD_GCN_NUM_ATOMICS][HD_GCN_NUM_WAYS][2] = {']
   for op, names in ATOMICS.items():
      lines.append(f'   [{op}] = {{ {", ".join(map(there.row, atomic_names(*names)))} }},')
   lines += ['};', '', 'const uint16_t hd_gcn_format_ops[2][2][4] = {']
   for kind in ('load', 'store'):
      rows = [there.row(f'buffer_{kind}_format_{half}{"xyzw"[:num + 1]}' for num in range(4)) for half in ('', 'd16_')]
      lines.append(f'   {{ {", ".join(rows)} }},')
   write(output, lines + ['};'])


if __name__ == '__main__':
   run(main, 1)
