# SPDX-License-Identifier: MIT
"""The levels of a graph's cycle nest, each an acyclic graph of items: what a tree is made of, level by level."""
import graphs

BREAK, AGAIN = 'break', 'again'


def parts(graph, blocks):
   """(strongly connected part, is it a cycle?) over these blocks alone, single blocks among them."""
   inside, number, low, found = set(blocks), {}, {}, []
   for root in blocks:
      if root in number:
         continue
      number[root] = low[root] = len(number)
      part_of, walk = [root], [(root, iter(graph[root]))]
      open_blocks = {root}
      while walk:
         b, rest = walk[-1]
         for t in rest:
            if t in inside and t not in number:
               number[t] = low[t] = len(number)
               part_of.append(t)
               open_blocks.add(t)
               walk.append((t, iter(graph[t])))
               break
            if t in open_blocks:
               low[b] = min(low[b], number[t])
         else:
            walk.pop()
            if walk:
               low[walk[-1][0]] = min(low[walk[-1][0]], low[b])
            if low[b] == number[b]:
               place = part_of.index(b)
               found.append(set(part_of[place:]))
               open_blocks -= found[-1]
               del part_of[place:]
   order = {b: n for n, b in enumerate(blocks)}
   for part in sorted(found, key=lambda part: min(map(order.get, part))):
      yield part, len(part) > 1 or any(b in graph[b] for b in part)


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
      self.key = (tuple(self.out), self.entry, self.is_loop)


def of_graph(graph):
   """All of them."""
   for items, header, blocks in levels(graph):
      yield Level(graph, items, header, blocks)
