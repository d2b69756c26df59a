#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which objects need which, by their symbols: nothing upward, no circles.

    check_links.py ROOT ARCHIVE...

For each static library: a folder of src/ uses symbols of its own and of lower floors alone (src/README.md has the
table), and files of FOLDERS form no circle.
"""
import os
import subprocess
import sys

from tap import Tap

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, 'scripts'))
import floors  # noqa: E402

FOLDERS = ('analysis', 'machine', 'spirv', 'backend')


def sources(root):
   """Files below src/, by the name that Meson gives to their objects."""
   names = {}
   for folder, _, files in os.walk(os.path.join(root, 'src')):
      for file in files:
         if file.endswith('.c'):
            path = os.path.relpath(os.path.join(folder, file), os.path.join(root, 'src'))
            names['src_' + path.replace(os.sep, '_') + '.o'] = path.replace(os.sep, '/')
   return names


def objects(archive, names):
   """(file, symbols that it defines, symbols that it needs) for each object of sources."""
   found = {}
   member = None
   for line in subprocess.run(['nm', '-A', '-g', archive], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True).stdout.splitlines():
      _, place, rest = line.split(':', 2)
      fields = rest.split()
      member = names.get(os.path.basename(place))
      if not member or len(fields) < 2:
         continue
      defined, needed = found.setdefault(member, (set(), set()))
      (needed if fields[-2] in 'Uw' else defined).add(fields[-1])
   return found


def edges(found):
   """For each file, the files whose symbols it needs, with one of these."""
   owner = {symbol: file for file, (defined, _) in found.items() for symbol in defined}
   return {file: {owner[s]: s for s in sorted(needed) if s in owner and owner[s] != file}
           for file, (_, needed) in found.items()}


def components(graph):
   """Circles of more than one file (Tarjan)."""
   index, low, on, stack, out = {}, {}, set(), [], []
   for root in sorted(graph):
      work = [(root, iter(sorted(graph[root])))] if root not in index else []
      if work:
         index[root] = low[root] = len(index)
         stack.append(root)
         on.add(root)
      while work:
         node, rest = work[-1]
         for to in rest:
            if to not in graph:
               continue
            if to not in index:
               index[to] = low[to] = len(index)
               stack.append(to)
               on.add(to)
               work.append((to, iter(sorted(graph[to]))))
               break
            if to in on:
               low[node] = min(low[node], index[to])
         else:
            work.pop()
            if work:
               low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
               circle = set()
               while True:
                  top = stack.pop()
                  on.discard(top)
                  circle.add(top)
                  if top == node:
                     break
               if len(circle) > 1:
                  out.append(circle)
   return out


def upward(graph, level):
   for file, needs in sorted(graph.items()):
      own = file.split('/')[0]
      for to, symbol in sorted(needs.items()):
         other = to.split('/')[0]
         if own != other and level[other] >= level[own]:
            yield f'{file} needs {symbol} of {to}'


def main():
   root, archives = sys.argv[1], sys.argv[2:]
   names, level = sources(root), floors.levels(root)
   tap = Tap()
   for archive in archives:
      library = os.path.basename(archive)
      graph = edges(objects(archive, names))
      tap.check(f'{library}: objects are found', len(graph) > 20, len(graph))
      bad = list(upward(graph, level))
      tap.check(f'{library}: nothing is needed from a higher floor', not bad, '\n'.join(bad))
      for folder in FOLDERS:
         part = {file: needs for file, needs in graph.items() if file.startswith(folder + '/')}
         bad = components(part)
         tap.check(f'{library}: no circle of files in {folder}', not bad,
                   '\n'.join(' '.join(sorted(c)) for c in bad))
   tap.finish()


if __name__ == '__main__':
   main()
