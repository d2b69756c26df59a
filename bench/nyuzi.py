#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many of the writes of vector registers have a mask in what the kernels become for Nyuzi: those whose old value is still
read in the lanes that are left out. Of these `loads` are those of lanes, which must not read where a lane is not active, `moves`
selections and what phis copy, `others` arithmetic under divergent control flow.

    nyuzi.py HEDDLE [KERNEL...]

Kernels that are refused are left out and counted.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kernels  # noqa: E402
from tables import table  # noqa: E402

STATS = ('instructions', 'masks', 'branches', 'vector_writes', 'masked_writes')
KINDS = ('loads', 'moves', 'others')
MASKED = re.compile(r'^\s+(\w+)_mask v\d+, s\d+', re.MULTILINE)


def compiled(heddle, name):
   """What the statistics are, and how many masked writes are of each kind; or None."""
   with tempfile.TemporaryDirectory() as folder:
      code = os.path.join(folder, 'code.s')
      done = subprocess.run([heddle, 'compile', '--target=nyuzi', '--stats', '--json', '-o', code, os.path.join(kernels.KEPT, f'{name}.hd')],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
      if done.returncode:
         return None
      with open(code, encoding='utf-8') as file:
         ops = [op for op in MASKED.findall(file.read()) if not op.startswith('store')]
   found = json.loads(done.stdout)
   row = {**{key: found[key] for key in STATS}, **dict.fromkeys(KINDS, 0)}
   for op in ops:
      row['loads' if op.startswith('load') else 'moves' if op == 'move' else 'others'] += 1
   assert sum(row[kind] for kind in KINDS) == row['masked_writes'], (name, row)
   return row


def report_all(heddle, only=None):
   """One row for each kernel that is compiled; how many others there are."""
   rows, left_out = [], 0
   for name in only or kernels.names():
      row = compiled(heddle, name)
      left_out += not row
      if row:
         rows.append({'kernel': name, **row})
   return rows, left_out


def tell(rows, left_out):
   table(['kernel', 'instructions', 'that manage lanes', 'branches', 'vector writes', 'masked', *KINDS, 'masked per write'],
         [[r['kernel'], *(str(r[key]) for key in STATS + KINDS),
           f"{r['masked_writes'] / r['vector_writes']:.2f}"] for r in rows])
   total = {key: sum(r[key] for r in rows) for key in STATS + KINDS}
   print(f"{len(rows)} kernels, {left_out} left out: {total['masked_writes']} of {total['vector_writes']} writes are masked, "
         f"{total['masked_writes'] / total['vector_writes']:.3f} per write: {total['loads']} loads, {total['moves']} moves, "
         f"{total['others']} others; {total['masks']} of {total['instructions']} instructions "
         "manage lanes")


def report(heddle):
   return kernels.report('Masked writes of vector registers on Nyuzi', heddle, report_all, tell)


if __name__ == '__main__':
   sys.exit(kernels.tell_of(__doc__, report_all, tell))
