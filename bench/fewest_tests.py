#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The fewest ifs that a tree can have, beside those that hd_structurize makes and LLVM's branches.

    fewest_tests.py STRUCTURE [--quick]

A tree that keeps every block's sequence of masks has a loop for each cycle of the nest: lanes that
left an inner cycle wait, and cannot know how long, until no lane is in it; only leaving a loop waits
like that (doc/structurize.md). A pass through it is taken to be a sweep. So each level of the nest is
a list by itself, whose items are blocks and inner cycles, and what is left to choose is where the ifs
stand. fewest_bound.py says what cannot be gone below.

It is judged here by one that tries every choice as it comes: lanes at a place wait for a set of
targets; an item stands where all wait for it and nobody else can come to it; an if parts the targets
in any way; lanes that wait for the next round or for what comes after the cycle can jump; and from
anywhere they can jump to a continue list, whatever they wait for. What conditions the ifs have does
not matter: lanes may know everything of their way. The judge leaves graphs alone that have a level of
more than MAX_ITEMS items, or too many choices.
"""
import argparse
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cycle_levels  # noqa: E402
import fewest_bound  # noqa: E402
import graphs  # noqa: E402
import programs  # noqa: E402
import structurizers  # noqa: E402
from cycle_levels import AGAIN, BREAK  # noqa: E402
from tables import table  # noqa: E402

MAX_ITEMS = 7
MAX_STATES = 600
NOBODY = frozenset()


class TooMany(Exception):
   """More choices than are tried."""


class Lists:
   """What lists of a level can do."""

   def __init__(self, level):
      self.out, self.entry, self.is_loop = level.key
      self.ahead = {}
      for n in range(len(self.out)):
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
   for level in cycle_levels.of_graph(graph):
      if len(level.out) > MAX_ITEMS:
         return None
      if level.key not in known:
         try:
            known[level.key] = Lists(level).fewest()
         except TooMany:
            known[level.key] = None
      if known[level.key] is None:
         return None
      total += known[level.key]
   return total


# --- beside what is made --------------------------------------------------------------------------


def measure(tool, graph_set, bounds, folder):
   """Sums over the graphs, and those to which fewer branches were added than can be."""
   sums, wrong = {'exact': 0, 'bound': 0, 'own': 0, 'llvm': 0}, []
   rows = [structurizers.Row(programs.Program(f'f{n}', g)) for n, g in enumerate(graph_set)]
   for start in range(0, len(rows), structurizers.CHUNK):
      chunk = rows[start:start + structurizers.CHUNK]
      done = structurizers.run_tool(tool, 'structurize', {r.program.name: programs.small_function(r.program)
                                                          for r in chunk}, folder, '--count')
      if structurizers.opt():
         structurizers.run_llvm(chunk, folder)
      for row in chunk:
         bound, exact = bounds.of_graph(row.program.graph)
         bound -= graphs.branches(row.program.graph)
         own = structurizers.added(done[row.program.name])['branches']
         sums['exact'] += exact
         sums['bound'] += bound
         sums['own'] += own
         sums['llvm'] += row.llvm['branches'] if row.llvm else 0
         if own < bound:
            wrong.append(row.program.graph)
   return sums, wrong


def judge(graph_set, known, bounds, coarse):
   """(graphs that are small enough to be judged, those of which a bound is not what it says)."""
   count, wrong = 0, []
   for g in graph_set:
      least = fewest(g, known)
      if least is not None:
         count += 1
         bound, exact = bounds.of_graph(g)
         if bound > least or (exact and bound < least) or coarse.of_graph(g)[0] > least:
            wrong.append(g)
   return count, wrong


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('tool')
   parser.add_argument('--quick', action='store_true', help='graphs of three inner blocks only')
   args = parser.parse_args()
   sets = {'all of 3 inner blocks': list(graphs.all_small(3))}
   if not args.quick:
      sets = {name: graph_set for name, (_, is_reducible, graph_set) in graphs.all_sets(False).items()
              if not is_reducible}
      sets['all of 4 inner blocks'] = list(graphs.all_small(4))
   failed, lines, known = False, [], {}
   program = fewest_bound.beside(args.tool)
   # A search that gives up at once is where the bound is least like the fewest.
   with tempfile.TemporaryDirectory() as folder, fewest_bound.Bounds(program) as bounds, \
         fewest_bound.Bounds(program, 8) as coarse:
      for name, graph_set in sets.items():
         sums, too_few = measure(args.tool, graph_set, bounds, folder)
         judged, wrong = judge(graph_set, known, bounds, coarse)
         lines.append([name, f'{len(graph_set):,}',
                       *(f"{sums[k]:,} {structurizers.share(sums[k], sums['llvm'])}" for k in ('bound', 'own')),
                       f"{sums['llvm']:,}", f"{sums['exact']:,}", f'{judged:,}'])
         for g in too_few:
            print(f'WRONG: fewer than can be: {g}')
         for g in wrong:
            print(f'WRONG: not the fewest: {g}')
         failed = failed or bool(too_few or wrong)
   print('Branches added, and what no tree with the same masks goes below\n')
   table(['set', 'graphs', 'at least', 'hd_structurize', 'LLVM', 'least is reached', 'judged'], lines)
   return 1 if failed else 0


if __name__ == '__main__':
   sys.exit(main())
