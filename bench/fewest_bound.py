# SPDX-License-Identifier: MIT
"""A number of ifs that no tree with the masks of a sweep goes below, for any graph.

Each level of the cycle nest is a list by itself (cycle_levels.py), and fewest_level.c tries all trees
of it. Where that takes too long the level is made smaller in ways that never make more ifs necessary,
until the search gets through (doc/structurize.md has the proofs):

   - edges are taken away: what was a tree of the level still is one;
   - a target is taken away, with all edges to it: if lanes waited for it beside other lanes, one if
     at least goes with it;
   - an item that alone follows another one becomes part of that.
"""
import os
import subprocess

import cycle_levels

LIMIT = 1000000
MAX_ITEMS = 60
BREAK_BIT, AGAIN_BIT = 62, 63


class Smaller:
   """A level with fewer edges. Place ENTRY holds the targets of the lanes that come in."""
   ENTRY = -1

   def __init__(self, out):
      self.out = out
      self.drop_unreachable()
      self.join_chains()
      self.decisions = sum(max(0, len(o) - 1) for o in self.out.values())

   def drop_unreachable(self):
      seen, ahead = {self.ENTRY}, [self.ENTRY]
      while ahead:
         for t in self.out[ahead.pop()]:
            if isinstance(t, int) and t not in seen:
               seen.add(t)
               ahead.append(t)
      self.out = {n: o for n, o in self.out.items() if n in seen}

   def join_chains(self):
      before = {}
      for n, o in self.out.items():
         for t in o:
            before.setdefault(t, []).append(n)
      for n in list(self.out):
         while n in self.out and len(self.out[n]) == 1:
            following, = self.out[n]
            if not isinstance(following, int) or len(before[following]) > 1:
               break
            self.out[n] = self.out.pop(following)
            for t in self.out[n]:
               before[t] = [n if b == following else b for b in before[t]]

   def without(self, target):
      return Smaller({n: o - {target} for n, o in self.out.items() if n != target})

   def without_edge(self, source, target):
      return Smaller({n: o - {target} if n == source else o for n, o in self.out.items()})

   def in_order(self):
      after, state, stack = [], set(), [self.ENTRY]
      while stack:
         n = stack[-1]
         if n not in state:
            state.add(n)
            stack += [t for t in sorted(self.out[n], key=str) if isinstance(t, int) and t not in state]
         else:
            stack.pop()
            if n not in after:
               after.append(n)
      return after[::-1]

   def width(self):
      """How much there is to try, about: the ways to part what lanes wait for at each place."""
      waiting, ways = set(), 0
      for n in self.in_order():
         waiting = (waiting - {n}) | self.out[n]
         ways += 1 << len(waiting)
      return ways

   def next_smaller(self):
      """(level, ifs that went with it), by what is lost, then by how much is left to try; None where
      nothing is left to part."""
      found = []

      def offer(level, ifs):
         found.append((self.decisions - level.decisions - ifs, level.width(), len(found), level, ifs))

      for target in sorted({t for o in self.out.values() for t in o}, key=str):
         if any(target in o and len(o) > 1 for o in self.out.values()):
            offer(self.without(target), 1)
      if not found or min(found)[0] > 0:
         for n, o in self.out.items():
            for target in sorted(o, key=str) if len(o) > 1 else ():
               offer(self.without_edge(n, target), 0)
      return min(found)[3:] if found else None

   def text(self, is_loop):
      items = [n for n in self.in_order() if n != self.ENTRY]
      bit = {n: place for place, n in enumerate(items)}
      bit.update({cycle_levels.BREAK: BREAK_BIT, cycle_levels.AGAIN: AGAIN_BIT})
      masks = (sum(1 << bit[t] for t in self.out[n]) for n in [self.ENTRY, *items])
      return ' '.join(f'{m:x}' for m in (int(is_loop), *masks))


class Bounds:
   """Asks the program; what is known is kept."""

   def __init__(self, program, limit=LIMIT):
      self.known, self.answers = {}, {}
      self.process = subprocess.Popen([program, str(limit)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

   def __enter__(self):
      return self

   def __exit__(self, *_):
      self.process.stdin.close()
      self.process.stdout.close()
      self.process.wait()

   def search(self, level, is_loop):
      """The fewest ifs of a level, or None."""
      if len(level.out) - 1 > MAX_ITEMS:
         return None
      if level.decisions == 0:
         return 0
      text = level.text(is_loop)
      if text not in self.answers:
         print(text, file=self.process.stdin, flush=True)
         answer = self.process.stdout.readline()
         if not answer:
            raise RuntimeError(f'fewest_level has ended: {text}')
         self.answers[text] = None if answer == '-\n' else int(answer)
      return self.answers[text]

   def of_level(self, level):
      """(bound, is it the fewest itself?)"""
      if level.key not in self.known:
         smaller = Smaller({**dict(enumerate(level.out)), Smaller.ENTRY: level.entry})
         gone, steps = 0, 0
         fewest = self.search(smaller, level.is_loop)
         while fewest is None:
            # More at a time where much is left: a search that gives up has cost what one can.
            for _ in range(1 + steps // 3):
               following = smaller.next_smaller()
               if following is None:
                  break
               smaller, ifs = following
               gone += ifs
               steps += 1
            # Without anything to part, no if is needed, however many items there are.
            fewest = 0 if smaller.decisions == 0 else self.search(smaller, level.is_loop)
         self.known[level.key] = gone + fewest, steps == 0
      return self.known[level.key]

   def of_graph(self, graph):
      """(bound on the ifs, is it the fewest itself?)"""
      found = [self.of_level(level) for level in cycle_levels.of_graph(graph)]
      return sum(ifs for ifs, _ in found), all(exact for _, exact in found)


def beside(tool):
   """The program, where the bench's others are."""
   return os.path.join(os.path.dirname(os.path.abspath(tool)), 'fewest_level')
