#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""LLVM IR text, read for its control flow.

    llvm_cfg.py [--most BLOCKS] FILE.ll...     the graphs of all functions, one a line

Of a module that clang made, only the graphs are kept: nothing of the code. A function with a
terminator that is no br, switch, ret or unreachable (indirectbr, invoke, ...) is passed over, and so
is one without a branch. Functions with equal graphs are told once.

Of a module that programs.py wrote and that passes have changed, a function can be turned into
Heddle text again (programs.heddle_again), as blocks of instructions.
"""
import argparse
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import graphs  # noqa: E402

DEFINE = re.compile(r'^define .*?@([-\w.$]+|"[^"]*")\(')
LABEL = re.compile(r'^([-\w.$]+|"[^"]*"):')
TARGET = re.compile(r'label %([-\w.$]+|"[^"]*")')
CASE = re.compile(r'i\d+ (-?\d+), label %([-\w.$]+|"[^"]*")')
TERMINATOR = re.compile(r'(?:%\S+ = )?(br|switch|ret|unreachable|indirectbr|invoke|resume|callbr|catchswitch'
                        r'|catchret|cleanupret)\b')


class Block:
   def __init__(self, name):
      self.name = name
      self.lines = []     # instructions, the terminator apart
      self.terminator = ''
      self.kind = ''      # br, switch, ret, ...
      self.targets = []   # names, as written; a switch's default first
      self.cases = []     # (value, name)


def functions(text):
   """(name, [Block]) for each function that is defined."""
   name, blocks, pending = None, None, None
   for line in text.splitlines():
      if name is None:
         found = DEFINE.match(line)
         if found and line.rstrip().endswith('{'):
            name, blocks, pending = found[1].strip('"'), [], None
         continue
      if line.startswith('}'):
         yield name, blocks
         name = None
         continue
      line = line.split(' ;')[0].rstrip() if '"' not in line else line.rstrip()
      if not line or line.startswith(';'):
         continue
      found = LABEL.match(line)
      if found:
         blocks.append(Block(found[1]))
         continue
      if not blocks:
         blocks.append(Block('entry'))
      block, line = blocks[-1], line.strip()
      if pending is not None:
         # The cases of a switch stand on lines of their own.
         pending.append(line)
         if line.startswith(']'):
            end_block(block, ' '.join(pending))
            pending = None
         continue
      found = TERMINATOR.match(line)
      if not found:
         block.lines.append(line)
      elif found[1] == 'switch' and ']' not in line:
         pending = [line]
      else:
         end_block(block, line)


def end_block(block, line):
   block.terminator = line
   block.kind = TERMINATOR.match(line)[1]
   block.targets = TARGET.findall(line)
   if block.kind == 'switch':
      block.cases = [(int(value), name) for value, name in CASE.findall(line[line.index('['):])]


def graph(blocks):
   """The successor lists, or None where a terminator is of another kind. Entries of 1.. blocks:
   the first one's number is implicit in clang's output, so a block is named by its label."""
   number = {b.name: n for n, b in enumerate(blocks)}
   succs = []
   for b in blocks:
      if b.kind not in ('br', 'switch', 'ret', 'unreachable'):
         return None
      succs.append([number[t] for t in dict.fromkeys(b.targets)])
   return graphs.tidy(succs)


PHI_BLOCK = re.compile(r', %([-\w.$]+) \]')


def is_valid(blocks):
   """Has each phi a source for each predecessor, and no other? Passes have been seen to break that."""
   preds = {b.name: [] for b in blocks}
   for b in blocks:
      for t in dict.fromkeys(b.targets):
         preds[t].append(b.name)
   return all(set(PHI_BLOCK.findall(line)) == set(preds[b.name])
              for b in blocks for line in b.lines if ' = phi ' in line)


def count(blocks):
   """What a function consists of."""
   total = dict(branches=0, constant=0, phis=0, others=0, blocks=len(blocks))
   for b in blocks:
      if b.kind == 'br' and len(b.targets) == 2:
         # One on a constant decides nothing.
         total['constant' if re.match(r'br i1 (true|false|poison|undef)\b', b.terminator) else 'branches'] += 1
      elif b.kind == 'switch':
         total['branches'] += len(dict.fromkeys(b.targets)) - 1
      phis = sum(' = phi ' in line for line in b.lines)
      total['phis'] += phis
      total['others'] += len(b.lines) - phis
   return total


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--most', type=int, default=400, help='blocks of a function')
   parser.add_argument('files', nargs='+')
   args = parser.parse_args()
   seen, refused = {}, 0
   for path in args.files:
      with open(path, encoding='utf-8') as file:
         for _, blocks in functions(file.read()):
            g = graph(blocks)
            if g is None:
               refused += 1
            elif 1 < len(g) <= args.most and graphs.branches(g):
               seen.setdefault(json.dumps(g, separators=(',', ':')))
   for line in seen:
      print(line)
   print(f'{len(seen)} graphs, {refused} functions refused', file=sys.stderr)


if __name__ == '__main__':
   main()
