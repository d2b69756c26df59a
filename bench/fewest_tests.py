#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The fewest ifs that a tree can have, beside those that hd_structurize makes and LLVM's branches.

    fewest_tests.py STRUCTURE [--quick]

A tree that keeps every block's sequence of masks has a loop for each cycle of the nest: lanes that
left an inner cycle wait, and cannot know how long, until no lane is in it; only leaving a loop waits
like that (doc/structurize.md). A pass through it is taken to be a sweep. So each level of the nest is
a list by itself, whose items are blocks and inner cycles, and what is left to choose is where the ifs
stand. All choices are tried: lanes at a place wait for a set of targets; an item stands where all
wait for it and nobody else can come to it; an if parts the targets in any way; lanes that wait for
the next round or for what comes after the cycle can jump; and from anywhere they can jump to a
continue list, whatever they wait for. What conditions the ifs have does not matter: lanes may know
everything of their way.

Levels with more than MAX_ITEMS items, or too many choices, are not tried, and their graphs left out.
"""
import argparse
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import graphs  # noqa: E402
import programs  # noqa: E402
import structurizers  # noqa: E402
from tables import table  # noqa: E402

MAX_ITEMS = 7
MAX_STATES = 600
BREAK, AGAIN = 'break', 'again'
NOBODY = frozenset()


class TooMany(Exception):
   """More choices than are tried."""


# --- levels ---------------------------------------------------------------------------------------


def reach(graph, block, blocks):
   """What can be reached from a block by one edge or more, over these blocks alone."""
   seen, ahead = set(), [block]
   while ahead:
      for to in graph[ahead.pop()]:
         if to in blocks and to not in seen:
            seen.add(to)
            ahead.append(to)
   return seen


def parts(graph, blocks):
   """The strongly connected parts, single blocks among them, as sets."""
   below = {b: reach(graph, b, blocks) for b in blocks}
   rest = list(blocks)
   while rest:
      b = rest[0]
      part = {b} | {c for c in below[b] if b in below[c]}
      yield part, b in below[b]
      rest = [c for c in rest if c not in part]


def levels(graph):
   """(items, header, blocks) of the function and of each cycle: the header is None for the
   function, and a set of its own among the items of a cycle."""
   order = {b: n for n, b in enumerate(graphs.depth_first(graph)[0])}

   def nest(blocks, header):
      items = [{header}] if header is not None else []
      inner = []
      for part, is_cycle in parts(graph, sorted(set(blocks) - {header}, key=order.get)):
         items.append(part)
         if is_cycle:
            inner.append(part)
      yield items, header, blocks
      for part in inner:
         yield from nest(part, min(part, key=order.get))

   yield from nest(set(order), None)


class Level:
   """Targets are places of items, BREAK and AGAIN; `out` has for each item where its lanes go."""

   def __init__(self, graph, items, header, blocks):
      place = {b: n for n, item in enumerate(items) for b in item}

      def target(b):
         return AGAIN if b == header else place[b] if b in blocks else BREAK

      self.out = [frozenset(target(t) for b in item for t in graph[b] if t not in item or t == header)
                  for item in items]
      self.entry = frozenset({place[0 if header is None else header]} |
                             {place[t] for b, succs in enumerate(graph) if b not in blocks
                              for t in succs if t in blocks})
      self.is_loop = header is not None
      self.ahead = {}
      for n in range(len(items)):
         self.find_ahead(n)
      self.states, self.known = 0, {}

   def find_ahead(self, n):
      """What lanes that wait for an item can come to, itself included."""
      if n not in self.ahead:
         self.ahead[n] = frozenset({n}).union(*(self.find_ahead(t) for t in self.out[n] if isinstance(t, int)))
      return self.ahead[n]

   def all_ahead(self, targets):
      return NOBODY.union(*(self.ahead[t] for t in targets if isinstance(t, int)))

   def lists(self, wait, others, jumps):
      """{(who waits at the end of a list, who has jumped to the continue list): ifs}, if lanes come
      that wait for `wait`. Lanes elsewhere can still come to `others`."""
      key = (wait, others & self.all_ahead(wait), jumps)
      if key in self.known:
         return self.known[key]
      self.states += 1
      if self.states > MAX_STATES:
         raise TooMany
      found = {(wait, NOBODY): 0}

      def then(after, jumped, ifs):
         for (end, more), n in self.lists(after, others | self.all_ahead(jumped), jumps).items():
            way = (end, more | jumped)
            found[way] = min(found.get(way, ifs + n), ifs + n)

      if jumps and wait:
         found[(NOBODY, wait)] = 0
      if len(wait) == 1:
         only, = wait
         if isinstance(only, int) and only not in others:
            then(self.out[only], NOBODY, 0)
         elif only == BREAK or (only == AGAIN and jumps):
            found[(NOBODY, NOBODY)] = 0
      for one, two in splits(wait):
         for (end, jumped), n in self.lists(one, others | self.all_ahead(two), jumps).items():
            first = others | self.all_ahead(end | jumped)
            for (end2, jumped2), n2 in self.lists(two, first, jumps).items():
               if end | end2 != wait or jumped or jumped2:
                  then(end | end2, jumped | jumped2, n + n2 + 1)
      self.known[key] = found
      return found

   def fewest(self):
      """Of the body and the continue list together."""
      best = None
      for (end, jumped), ifs in self.lists(self.entry, NOBODY, self.is_loop).items():
         for (last, _), more in self.lists(end | jumped, NOBODY, False).items():
            if last <= {AGAIN} and (best is None or ifs + more < best):
               best = ifs + more
      return best


def splits(targets):
   """Every way to part a set of targets, in both orders."""
   listed = sorted(targets, key=str)
   for chosen in range(1, (1 << len(listed)) - 1):
      one = frozenset(t for n, t in enumerate(listed) if chosen >> n & 1)
      yield one, targets - one


def fewest(graph, known):
   """The fewest ifs of a tree, or None."""
   total = 0
   for items, header, blocks in levels(graph):
      if len(items) > MAX_ITEMS:
         return None
      level = Level(graph, items, header, blocks)
      key = (tuple(level.out), level.entry, level.is_loop)
      if key not in known:
         try:
            known[key] = level.fewest()
         except TooMany:
            known[key] = None
      if known[key] is None:
         return None
      total += known[key]
   return total


# --- beside what is made --------------------------------------------------------------------------


def measure(tool, graph_set, folder):
   """Sums over the graphs that are small enough, and those to which fewer were added than can be."""
   known = {}
   rows = [structurizers.Row(programs.Program(f'f{n}', g)) for n, g in enumerate(graph_set)]
   wanted = {row.program.name: fewest(row.program.graph, known) for row in rows}
   rows = [row for row in rows if wanted[row.program.name] is not None]
   sums, wrong = {'graphs': len(rows), 'fewest': 0, 'own': 0, 'llvm': 0}, []
   for start in range(0, len(rows), structurizers.CHUNK):
      chunk = rows[start:start + structurizers.CHUNK]
      done = structurizers.run_tool(tool, 'structurize', {r.program.name: programs.small_function(r.program)
                                                          for r in chunk}, folder, '--count')
      if structurizers.opt():
         structurizers.run_llvm(chunk, folder)
      for row in chunk:
         least = wanted[row.program.name] - graphs.branches(row.program.graph)
         own = structurizers.added(done[row.program.name])['branches']
         sums['fewest'] += least
         sums['own'] += own
         sums['llvm'] += row.llvm['branches'] if row.llvm else 0
         if own < least:
            wrong.append(row.program.graph)
   return sums, wrong


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('tool')
   parser.add_argument('--quick', action='store_true', help='graphs of three inner blocks only')
   args = parser.parse_args()
   three = list(graphs.all_small(3))
   sets = {'all of 3 inner blocks': three}
   if not args.quick:
      sets = {name: graph_set for name, (_, _, graph_set) in graphs.all_sets(False).items()}
   failed, lines = False, []
   with tempfile.TemporaryDirectory() as folder:
      for name, graph_set in sets.items():
         sums, wrong = measure(args.tool, graph_set, folder)
         lines.append([name, f"{sums['graphs']:,} of {len(graph_set):,}",
                       *(f"{sums[k]:,} {structurizers.share(sums[k], sums['llvm'])}" for k in ('fewest', 'own')),
                       f"{sums['llvm']:,}"])
         for g in wrong:
            print(f'WRONG: fewer than the fewest: {g}')
            failed = True
   print('Branches added, and the fewest that any tree with the same masks has\n')
   table(['set', 'graphs', 'fewest', 'hd_structurize', 'LLVM'], lines)
   return 1 if failed else 0


if __name__ == '__main__':
   sys.exit(main())
