#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How full the groups of five are that the kernels become for R700, beside LLVM's for Evergreen, which has the same groups
and stores to memory, as LLVM's R700 has not.

    r700.py HEDDLE [KERNEL...]

Kernels that either refuses are left out and counted.
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

llvm_programs = kernels.llvm_programs
BUILTINS = (('amdgcn_workitem_id', 'r600_read_tidig'), ('amdgcn_workgroup_id', 'r600_read_tgid'))
CLANG = ['-x', 'cl', '-cl-std=CL1.2', '-cl-no-stdinc', '-O2', '-target', 'r600-unknown-unknown', '-mcpu=cedar', '-nogpulib',
         '-ffp-contract=off', '-fwrapv', '-w', '-S']
# An instruction of a clause, not its literals.
ALU = re.compile(r'^\s+[A-Z][A-Z0-9_]*\s+(\*?)\s*\S+')


def ours(heddle, name):
   """(slots, groups), or None."""
   done = subprocess.run([heddle, 'compile', '--target=r700', '--stats', '--json', '-o', os.devnull,
                          os.path.join(kernels.KEPT, f'{name}.hd')], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, check=False)
   if done.returncode:
      return None
   stats = json.loads(done.stdout)
   return stats['slots'], stats['groups']


def llvms(kernel, folder):
   """The same of LLVM."""
   header, output = os.path.join(folder, 'kernel.h'), os.path.join(folder, 'kernel.s')
   with open(os.path.join(kernels.FOLDER, 'kernel.h'), encoding='utf-8') as file:
      text = file.read()
   for theirs, own in BUILTINS:
      text = text.replace(theirs, own)
   with open(header, 'w', encoding='utf-8') as file:
      file.write(text)
   done = subprocess.run([llvm_programs.find('clang'), *CLANG, '-include', header, '-o', output, kernel.path],
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=60)
   if done.returncode:
      return None
   slots = groups = 0
   in_clause = False
   with open(output, encoding='utf-8') as file:
      for line in file:
         if 'clause starting' in line:
            in_clause = 'ALU' in line
         match = ALU.match(line) if in_clause else None
         if match:
            slots += 1
            groups += match.group(1) == '*'
   return (slots, groups) if groups else None


def report_all(heddle, only=None):
   """One row for each kernel that both compile; how many others there are."""
   rows, left_out = [], 0
   with tempfile.TemporaryDirectory() as folder:
      for name in only or kernels.names():
         own = ours(heddle, name)
         other = llvms(kernels.Kernel(name), folder) if own else None
         left_out += not (own and other)
         if own and other:
            rows.append({'kernel': name, 'slots': own[0], 'groups': own[1], 'llvm_slots': other[0], 'llvm_groups': other[1]})
   return rows, left_out


def tell(rows, left_out):
   table(['kernel', 'slots a group', 'LLVM', 'groups', 'LLVM'],
         [[r['kernel'], f"{r['slots'] / r['groups']:.2f}", f"{r['llvm_slots'] / r['llvm_groups']:.2f}", str(r['groups']),
           str(r['llvm_groups'])] for r in rows])
   own, other = (sum(r[f'{k}slots'] for r in rows) / sum(r[f'{k}groups'] for r in rows) for k in ('', 'llvm_'))
   print(f'{len(rows)} kernels, {left_out} left out: {own:.2f} slots a group, LLVM {other:.2f}')


def report(heddle):
   return kernels.report('Slots used in groups on R700', heddle, report_all, tell)


if __name__ == '__main__':
   sys.exit(kernels.tell_of(__doc__, report_all, tell))
