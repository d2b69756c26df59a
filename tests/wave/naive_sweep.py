# SPDX-License-Identifier: MIT
"""What a flat function means, from the words of doc/meaning.md: the cycle nest and its sweeps.

Written to be compared with the page, sentence by sentence, not to be fast: a judge of src/analysis
and src/wave that shares nothing with them, nor with the judges in C.
"""


class Graph:
   """Blocks are numbers, the entry is 0. Each has a list of successors; one without is an end."""

   def __init__(self, succs, headers=(), inside=None, continues=None):
      self.succs = succs
      self.headers = set(headers)      # blocks that are marked as headers
      self.inside = inside or {}       # block: the block that it is declared to be inside
      self.continues = continues or {}  # block: the header whose continue block it is declared to be
      self.preorder = self.depth_first()
      self.nest = []                   # cycles, outer ones before inner ones
      self.find_cycles(set(self.preorder))

   def depth_first(self):
      order, path = [], [0]
      while path:
         block = path.pop()
         if block not in order:
            order.append(block)
            path += reversed(self.succs[block])
      return order

   def reach(self, block, blocks):
      """What can be reached from a block by one edge or more, over these blocks alone."""
      seen, ahead = set(), [block]
      while ahead:
         for to in self.succs[ahead.pop()]:
            if to in blocks and to not in seen:
               seen.add(to)
               ahead.append(to)
      return seen

   def declared(self, block):
      """The blocks that it is declared to be inside, directly or through the chain."""
      chain = []
      while block in self.inside and self.inside[block] not in chain:
         block = self.inside[block]
         chain.append(block)
      return chain

   def header(self, part):
      """The first in preorder of those that are marked and not declared to be inside another block
      of this part; where there is none, of all."""
      marked = [b for b in part if b in self.headers and
                not any(other in part and other != b for other in self.declared(b))]
      return min(marked or part, key=self.preorder.index)

   def find_cycles(self, blocks):
      """The strongly connected parts of these blocks, and the cycles inside them."""
      for block in self.preorder:
         if block not in blocks:
            continue
         below = self.reach(block, blocks)
         part = {b for b in below if block in self.reach(b, blocks)}
         blocks = blocks - part - {block}
         if part:
            header = self.header(part)
            self.nest.append(Cycle(header, part | {b for b in self.preorder
                                                   if header in self.declared(b)}))
            self.find_cycles(part - {header})

   def is_valid(self):
      return not self.circles() and self.nests() and self.continue_blocks_are_valid()

   def circles(self):
      return any(block in self.declared(block) for block in self.inside)

   def nests(self):
      """Cycles still nest, and none is left and entered again."""
      for a in self.nest:
         for b in self.nest:
            if a is b or not a.blocks & b.blocks:
               continue
            if not (a.holds(b) or b.holds(a)):
               return False
      return all(self.order(c) is not None for c in [None] + self.nest)

   def items(self, cycle):
      """What a cycle (None: the function) consists of: cycles directly inside it, and the blocks
      that are in none of these, but not its header."""
      within = cycle.blocks - {cycle.header} if cycle else set(self.preorder)
      inner = [c for c in self.nest if c is not cycle and c.blocks <= within]
      inner = [c for c in inner if not any(d.holds(c) for d in inner)]
      single = [b for b in within if not any(b in c.blocks for c in inner)]
      return inner + single

   def order(self, cycle):
      """The items so that each edge but those to the header goes forward; None if that can't be."""
      items, ordered = self.items(cycle), []
      while items:
         for item in items:
            others = set().union(*(blocks_of(i) for i in items if i is not item))
            if not any(to in blocks_of(item) for b in others for to in self.succs[b]):
               break
         else:
            return None
         items.remove(item)
         ordered.append(item)
      return ordered

   def continue_blocks_are_valid(self):
      """At most one for a block; where that heads a cycle, every way in it back to the header passes
      through the continue block, and what this reaches in it is entered only through it."""
      named = list(self.continues.values())
      if len(named) > len(set(named)):
         return False
      for cycle in self.nest:
         for block in [b for b in self.preorder if self.continues.get(b) == cycle.header]:
            if block not in cycle.blocks or block == cycle.header:
               return False
            rest = cycle.blocks - {cycle.header}
            part = self.reach(block, rest) | {block}
            for b in self.preorder:
               for to in self.succs[b]:
                  back = to == cycle.header and b in cycle.blocks
                  enters = to in part and to != block
                  if b not in part and (back or enters):
                     return False
      return True


class Cycle:
   def __init__(self, header, blocks):
      self.header = header
      self.blocks = blocks

   def holds(self, other):
      return other.blocks <= self.blocks and self.header not in other.blocks


def blocks_of(item):
   return item.blocks if isinstance(item, Cycle) else {item}


class Cut(Exception):
   """More blocks were run than was asked for."""


class Wave:
   """Lanes are bits of a number. `decide(block, lanes)` says which of them take the first of two
   successors; `runs` becomes the list of blocks that were run, each with its lanes."""

   def __init__(self, graph, lanes, decide, limit):
      self.graph = graph
      self.decide = decide
      self.limit = limit
      self.waiting = {b: 0 for b in graph.preorder}
      self.waiting[0] = lanes
      self.orders = {c: graph.order(c) for c in [None] + graph.nest}
      self.runs = []
      self.cut = False
      try:
         self.sweep(None)
      except Cut:
         self.cut = True

   def sweep(self, cycle):
      """Once through the items, in order: what no lane waits at is not run."""
      for item in self.orders[cycle]:
         if not isinstance(item, Cycle):
            self.run(item)
         elif any(self.waiting[b] for b in item.blocks):
            self.repeat(item)

   def repeat(self, cycle):
      """Sweep it, and again as long as a lane waits at its header."""
      while True:
         self.run(cycle.header)
         self.sweep(cycle)
         if not self.waiting[cycle.header]:
            return

   def run(self, block):
      lanes = self.waiting[block]
      if not lanes:
         return
      if len(self.runs) == self.limit:
         raise Cut
      self.runs.append((block, lanes))
      self.waiting[block] = 0
      succs = self.graph.succs[block]
      if len(succs) == 2:
         first = self.decide(block, lanes)
         self.waiting[succs[0]] |= first
         self.waiting[succs[1]] |= lanes & ~first
      elif succs:
         self.waiting[succs[0]] |= lanes
