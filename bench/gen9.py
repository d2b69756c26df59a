#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What block numbers cost on Gen9 beside structured instructions: instructions of the kernels on both lowerings, and what of
it is for lanes, by kind and for each join and branch. The passes are the same: the tree of one is the graph of the other.

    gen9.py HEDDLE [KERNEL...]

Kernels that either lowering refuses are left out and counted.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kernels  # noqa: E402
from tables import table  # noqa: E402

# Instructions of control-flow lowering, each counted once: the first that fits. A selection's move reads the register of the lowering.
KINDS = (
   ('heads', r'cmp \(8\|M0\) +\(eq\)f1\.0 +null'),
   ('joins', r'\(W&~f1\.0\.any8h\) jmpi'),
   ('forward', r'cmp \(8\|M0\) +\(ge\)f0\.0 +null<1>:uw|\(W&f0\.0\.all8h\) jmpi'),
   ('backward', r'cmp \(8\|M0\) +\(eq\)f0\.0 +null<1>:uw|\(W&f0\.0\.any8h\) jmpi'),
   ('sends', r' r126\.0<1>:uw'),
   ('flags', r'mov \(1\|M0\) +f[01]\.0<1>:uw'),
   ('selections', r'\(f1\.0\) +mov \(8\|M0\) +r\d+\.0<1>:u?[df] +r124\.0'),
)
STRUCTURED = re.compile(r'\b(if|else|endif|while|break|cont|halt|join) \(8')
JUMP = re.compile(r'\bjmpi\b')


PASSES = {'structured': 'gen9', 'numbers': 'gen9,lower_unstructure'}


def compiled(heddle, name, lowering):
   done = subprocess.run([heddle, 'compile', '--target=gen9', f'--lowering={lowering}', f'--passes={PASSES[lowering]}', os.path.join(kernels.KEPT, f'{name}.hd')],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
   return [line for line in done.stdout.splitlines() if line.startswith(' ')] if done.returncode == 0 else None


def kinds_of(lines):
   counts = dict.fromkeys((kind for kind, _ in KINDS), 0)
   for line in lines:
      for kind, pattern in KINDS:
         if re.search(pattern, line):
            counts[kind] += 1
            break
   return counts


def report_all(heddle, only=None):
   """One row for each kernel; how many are left out."""
   rows, left_out = [], 0
   for name in only or kernels.names():
      structured, numbers = (compiled(heddle, name, lowering) for lowering in ('structured', 'numbers'))
      if not structured or not numbers:
         left_out += 1
         continue
      rows.append({'kernel': name, 'structured': len(structured), 'by_numbers': len(numbers),
                   'structured_lanes': sum(bool(STRUCTURED.search(line) or JUMP.search(line)) for line in structured),
                   **kinds_of(numbers)})
   return rows, left_out


def tell(rows, left_out):
   table(['kernel', 'structured', 'of it lanes', 'numbers', *(kind for kind, _ in KINDS)],
         [[r['kernel'], str(r['structured']), str(r['structured_lanes']), str(r['by_numbers']),
           *(str(r[kind]) for kind, _ in KINDS)] for r in rows])
   total = {key: sum(r[key] for r in rows) for key in rows[0] if key != 'kernel'}
   branches = (total['forward'] + total['backward']) / 2
   print(f"{len(rows)} kernels, {left_out} left out: {total['structured']} instructions structured, "
         f"{total['structured_lanes']} of them for lanes; {total['by_numbers']} by numbers, "
         f"{sum(total[kind] for kind, _ in KINDS)} of them for lanes")
   print(f"{total['heads']} heads, {total['joins']} joins, {branches:.0f} branches of two instructions; {total['sends']} moves of "
         f"numbers, {total['flags']} copies of flags, {total['selections']} moves after selections")
   lanes = total['heads'] + total['joins'] + 2 * branches + total['sends']
   print(f"for each head and branch {lanes / (total['heads'] + branches):.2f} instructions, and "
         f"{(total['flags'] + total['selections']) / (total['heads'] + branches):.2f} for flags and selections")


def report(heddle):
   return kernels.report('Block numbers beside structured instructions on Gen9', heddle, report_all, tell)


if __name__ == '__main__':
   sys.exit(kernels.tell_of(__doc__, report_all, tell))
