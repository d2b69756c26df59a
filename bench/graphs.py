# SPDX-License-Identifier: MIT
"""Control-flow graphs to measure structurizers on.

A graph is a list of successor lists, the entry first: [[1, 2], [3], [3], []]. No list names a block
twice; an empty one is a return. Two successors are those of true and false; of more, the first is
the default of a switch. The entry has no predecessor. Every block can be reached from it.
"""
import itertools
import json
import os
import random


def read(path):
   """The graphs of a file, one a line."""
   with open(path, encoding='utf-8') as file:
      return [json.loads(line) for line in file if line.strip()]


def write(path, graphs):
   with open(path, 'w', encoding='utf-8') as file:
      for g in graphs:
         file.write(json.dumps(g, separators=(',', ':')) + '\n')


def tidy(graph):
   """The same graph with an entry of its own, without what cannot be reached, numbered as a
   breadth-first walk finds the blocks."""
   if any(0 in s for s in graph):
      graph = [[1]] + [[t + 1 for t in s] for s in graph]
   number, order = {0: 0}, [0]
   for b in order:
      for t in graph[b]:
         if t not in number:
            number[t] = len(order)
            order.append(t)
   return [[number[t] for t in dict.fromkeys(graph[b])] for b in order]


def branches(graph):
   """Two-way decisions: a switch with n successors is n - 1 of them."""
   return sum(max(0, len(s) - 1) for s in graph)


def predecessors(graph):
   preds = [[] for _ in graph]
   for b, succs in enumerate(graph):
      for t in succs:
         preds[t].append(b)
   return preds


def depth_first(graph):
   """(preorder, postorder) of a walk along the successors in their order."""
   seen, pre, post = [False] * len(graph), [], []
   seen[0] = True
   pre.append(0)
   stack = [(0, iter(graph[0]))]
   while stack:
      b, rest = stack[-1]
      for t in rest:
         if not seen[t]:
            seen[t] = True
            pre.append(t)
            stack.append((t, iter(graph[t])))
            break
      else:
         post.append(b)
         stack.pop()
   return pre, post


def dominators(graph):
   """The immediate dominator of each block; the entry's is itself."""
   _, post = depth_first(graph)
   place = {b: n for n, b in enumerate(post)}
   preds = predecessors(graph)
   idom = {0: 0}
   changed = True
   while changed:
      changed = False
      for b in reversed(post):
         if b == 0:
            continue
         new = None
         for p in preds[b]:
            if p not in idom:
               continue
            if new is None:
               new = p
               continue
            while p != new:
               if place[p] < place[new]:
                  p = idom[p]
               else:
                  new = idom[new]
         if idom.get(b) != new:
            idom[b] = new
            changed = True
   return idom


def is_reducible(graph):
   """Does every edge that goes back in a depth-first walk go to a dominator?"""
   pre, post = depth_first(graph)
   first = {b: n for n, b in enumerate(pre)}
   last = {b: n for n, b in enumerate(post)}
   idom = dominators(graph)
   for b, succs in enumerate(graph):
      for t in succs:
         if first[t] <= first[b] and last[t] >= last[b]:  # the walk was inside t
            up = b
            while up not in (t, 0):
               up = idom[up]
            if up != t:
               return False
   return True


def distances(graph):
   """Steps from each block to the nearest return; None where there is none."""
   preds = predecessors(graph)
   far = [None if s else 0 for s in graph]
   queue = [b for b, s in enumerate(graph) if not s]
   for b in queue:
      for p in preds[b]:
         if far[p] is None:
            far[p] = far[b] + 1
            queue.append(p)
   return far


# --- all small graphs ---------------------------------------------------------------------------


def all_small(inner):
   """Every graph of so many inner blocks: the entry goes to the first, each goes to one or two
   different ones, numbered as a breadth-first walk finds them, the exit apart and not always
   reached."""
   exit_block = inner + 1
   targets = range(1, exit_block + 1)
   ways = [[t] for t in targets] + [list(p) for p in itertools.permutations(targets, 2)]
   found = [[1]]

   def grow(next_new):
      b = len(found)
      if b == exit_block:
         if next_new == exit_block:
            yield [*map(list, found), []]
         return
      if b >= next_new:
         return
      for way in ways:
         new = next_new
         for t in way:
            if t == new and t != exit_block:
               new += 1
            elif t != exit_block and t > new:
               break
         else:
            found.append(way)
            yield from grow(new)
            found.pop()

   for g in grow(2):
      # The exit of those that never get there is no block of the graph.
      yield g if any(exit_block in s for s in g) else g[:-1]


# --- random ones --------------------------------------------------------------------------------


def near(rng, low, high):
   """A number between the two, more likely near the lower one."""
   span = high - low + 1
   n = 0
   while rng.random() < 0.7 and n + 1 < span:
      n += 1 + (rng.randrange(8) if rng.random() < 0.1 else 0)
   return low + min(n, span - 1)


def reducible(rng, num, back=0.2, switches=0.05):
   """Forward edges anywhere ahead, back edges to dominators only."""
   graph = [[] for _ in range(num + 1)]
   idom, depth = {0: 0}, [0] * (num + 1)

   def meet(a, b):
      while a != b:
         if depth[a] < depth[b]:
            a, b = b, a
         a = idom[a]
      return a

   for b in range(num):
      succs = [b + 1]
      kind = rng.random()
      if b and kind < back:
         # Up the dominators, most often not far.
         to = b
         while idom[to] != 0 and rng.random() < 0.75:
            to = idom[to]
         succs.append(to)
      elif kind < back + 0.5:
         succs.append(near(rng, b + 1, num))
         if rng.random() < switches * 2:
            succs += [near(rng, b + 1, num) for _ in range(rng.randrange(1, 6))]
      elif kind > 0.97 and b + 1 < num:
         succs = [near(rng, b + 1, num)]
      if rng.random() < 0.5:
         succs.reverse()
      graph[b] = list(dict.fromkeys(succs))
      for t in graph[b]:
         if t > b:
            idom[t] = meet(idom[t], b) if t in idom else b
            depth[t] = depth[idom[t]] + 1
      if b + 1 not in idom:
         # Nothing goes there: join it on, so that the graph has as many blocks as asked for.
         graph[b].append(b + 1)
         idom[b + 1] = b
         depth[b + 1] = depth[b] + 1
      # A block's dominator is settled once all before it are; what hangs below it follows.
      depth[b + 1] = depth[idom[b + 1]] + 1
   return tidy(graph)


def irreducible(rng, num, window=12):
   """Edges to anywhere near, now and then far, forward and back."""
   graph = [[] for _ in range(num + 1)]
   for b in range(num):
      succs = [b + 1]
      if rng.random() < 0.6:
         span = num if rng.random() < 0.05 else window
         succs.append(min(num, max(1, b + rng.randint(-span, span))))
      if rng.random() < 0.5:
         succs.reverse()
      graph[b] = list(dict.fromkeys(succs))
   return tidy(graph)


def anywhere(rng, num):
   """One successor or two, each any block at all: mostly one big irreducible cycle."""
   graph = [[1 + rng.randrange(num)]]
   for _ in range(num):
      graph.append(list(dict.fromkeys(1 + rng.randrange(num + 1) for _ in range(1 + (rng.random() < 0.6)))))
   return tidy([*graph, []])


class Code:
   """A program with gotos, out of which a graph is made."""

   def __init__(self, rng, budget):
      self.rng, self.budget = rng, budget
      self.graph = []

   def block(self):
      self.graph.append([])
      self.budget -= 1
      return len(self.graph) - 1

   def edge(self, source, target):
      if source is not None and target not in self.graph[source]:
         self.graph[source].append(target)

   def sequence(self, at, ends, loops, depth):
      """Statements after block `at`; `ends` are labels further on that a goto may name. The block
      at which it ends, or None after a jump."""
      for _ in range(self.rng.randrange(1, 5)):
         if at is None or self.budget <= 0:
            break
         at = self.statement(at, ends, loops, depth)
      return at

   def statement(self, at, ends, loops, depth):
      kind = self.rng.random()
      if depth > 12 or kind < 0.1:
         following = self.block()
         self.edge(at, following)
         return following
      if kind < 0.5:
         return self.choice(at, ends, loops, depth, 2)
      if kind < 0.58:
         return self.choice(at, ends, loops, depth, self.rng.randrange(3, 8))
      if kind < 0.78:
         return self.loop(at, ends, loops, depth)
      return self.jump(at, ends, loops)

   def choice(self, at, ends, loops, depth, ways):
      """An if, or a switch whose cases may fall through."""
      after = self.block()
      arms = [self.block() for _ in range(ways - (ways == 2 and self.rng.random() < 0.4))]
      for arm in arms:
         self.edge(at, arm)
      if len(arms) < ways:
         self.edge(at, after)
      for n, arm in enumerate(arms):
         end = self.sequence(arm, [*ends, after], loops, depth + 1)
         falls = ways > 2 and n + 1 < len(arms) and self.rng.random() < 0.3
         self.edge(end, arms[n + 1] if falls else after)
      return after

   def loop(self, at, ends, loops, depth):
      header, latch, after = self.block(), self.block(), self.block()
      self.edge(at, header)
      if self.rng.random() < 0.6:
         body = self.block()
         self.edge(header, body)
         self.edge(header, after)
      else:
         body = header
      end = self.sequence(body, [*ends, after], [*loops, (latch, after)], depth + 1)
      self.edge(end, latch)
      self.edge(latch, header)
      if body == header or self.rng.random() < 0.2:
         self.edge(latch, after)
      return after

   def jump(self, at, ends, loops):
      """If something, break, continue, return, or goto a label; what follows is the else part."""
      kind = self.rng.random()
      following = self.block()
      if loops and kind < 0.6:
         # Mostly the innermost loop, now and then one further out.
         level = -1 if self.rng.random() < 0.8 else self.rng.randrange(len(loops))
         target = loops[level][0 if kind < 0.25 else 1]
      elif ends and kind < 0.9:
         target = self.rng.choice(ends)
      else:
         target = self.block()
      if self.rng.random() < 0.5:
         self.edge(at, target)
         self.edge(at, following)
      else:
         self.edge(at, following)
         self.edge(at, target)
      return following


def gotos(rng, num):
   """Structured code with breaks and continues of several levels, returns and forward gotos."""
   code = Code(rng, num)
   at = code.block()
   while code.budget > 0:
      label = code.block()
      end = code.sequence(at, [label], [], 0)
      code.edge(end, label)
      at = label
   return tidy(code.graph)


# --- one shape, any size ------------------------------------------------------------------------


def ladder(num):
   """Forward gotos that all cross: each block may go to one further on, past those in between."""
   graph = [[b + 1, min(num, b + num // 2 + 1)] for b in range(num // 2)]
   graph += [[b + 1] for b in range(num // 2, num)]
   return tidy([*graph, []])


def crossing_pairs(num):
   """b goes to b + 1 or b + 2: every two neighbours overlap."""
   return tidy([[min(num, b + 1), min(num, b + 2)] for b in range(num)] + [[]])


def nest(num):
   """Loops inside each other, each with a test at its head and one at its latch."""
   last = 2 * num + 1
   graph = [[1]]
   for n in range(1, num + 1):  # headers 1..num, latches num+1..2*num, innermost first
      inner = n + 1 if n < num else num + 1
      graph.append([inner, 2 * num - n + 2 if n > 1 else last])
   for n in range(num, 0, -1):  # the latch of header n
      graph.append([n, 2 * num - n + 2 if n > 1 else last])
   return tidy([*graph, []])


def nested_ifs(num):
   """Ifs with else inside each other."""
   graph = []
   for n in range(num):
      graph.append([2 * n + 2, 2 * n + 1])
      graph.append([0])
   joins = 2 * num
   graph.append([joins + 1])
   for n in range(num):
      graph.append([joins + 2 + n] if n + 1 < num else [])
   for n in range(num):
      graph[2 * n + 1] = [joins + num - n]
   return tidy(graph)


def many_exits(num):
   """A loop of which every block may leave, to a place of its own."""
   graph = [[1]]
   for b in range(1, num + 1):
      graph.append([b + 1 if b < num else 1, num + b])
   for b in range(1, num):
      graph.append([num + b + 1])
   return tidy([*graph, []])


def wide_switch(num):
   """A switch with so many cases, every fourth of which falls through to the next one."""
   last = num + 2
   graph = [[num + 1, *range(1, num + 1)]]
   for b in range(1, num + 1):
      graph.append([b + 1] if b % 4 == 0 else [last])
   return [*graph, [last], []]


def tangle(num, seed=1):
   """A cycle of all blocks with an edge from each to anywhere: densely irreducible."""
   rng = random.Random(seed)
   graph = [[1, 2 + num // 2]]
   for b in range(1, num + 1):
      graph.append(list(dict.fromkeys([b + 1 if b < num else 1, rng.randint(1, num + 1)])))
   return tidy([*graph, []])


# Shapes of the documents that the project began with, and of tests that follow them.
NAMED = {
    'if_else': [[1, 2], [3], [3], []],
    'two_loops_in_one': [[1], [2, 6], [3, 4], [1, 5], [1, 5], [2, 6], []],
    'predicated_line': [[1, 3], [2, 4], [2, 3], [4], []],
    'open_tree': [[1], [2, 3], [1, 4], [4], []],
    'return_in_if': [[1, 2], [], [3], []],
    'return_in_loop': [[1], [2, 5], [3, 4], [], [1], []],
    'loop_into_loop': [[1], [2, 4], [3, 4], [1], [5, 2], []],
    'goto_into_loop': [[1, 2], [3], [3, 4], [2], []],
    'two_gotos': [[1, 3], [2, 4], [3], [4], []],
    'three_gotos': [[1, 4], [2, 5], [3, 6], [4], [5], [6], []],
    'break_of_two': [[1], [2, 7], [3, 6], [4, 7], [5, 6], [2], [1], []],
    'short_circuit': [[1, 2], [3, 2], [3, 4], [4], []],
}
NAMED = {name: tidy(g) for name, g in NAMED.items()}


# --- the sets -----------------------------------------------------------------------------------

HERE = os.path.dirname(os.path.abspath(__file__))


def random_set(make, seed, sizes):
   """`sizes` is [(blocks, how many)]; each graph has a generator of its own, seeded by its place."""
   return [make(random.Random(f'{seed} {num} {n}'), num) for num, count in sizes for n in range(count)]


def sample(graphs, count, seed):
   graphs = list(graphs)
   return random.Random(seed).sample(graphs, count)


SIZES = [(10, 60), (20, 60), (40, 40), (80, 20), (200, 6), (400, 2), (800, 1)]


def all_sets(quick=False):
   """{name: (what it is, is it reducible, graphs)}. `quick` takes a few of each."""
   sizes = [(10, 4), (40, 2)] if quick else SIZES
   pick = (lambda graphs: [g for g in graphs if len(g) < 40][:12]) if quick else (lambda graphs: graphs)
   three = list(all_small(3))
   four = sample(all_small(4), 50 if quick else 2000, 4)
   small = [*three, *four]
   families = [f(n) for f in (ladder, crossing_pairs, nest, nested_ifs, many_exits, wide_switch)
               for n in ((4, 8) if quick else (4, 8, 16, 32))]
   tangled = random_set(irreducible, 'irreducible', sizes)
   if not quick:
      tangled += [tangle(n) for n in (10, 20, 40, 80)]
   scattered = random_set(anywhere, 'anywhere', [(16, 8)] if quick else [(8, 120), (16, 100), (32, 60), (64, 20)])
   sets = {
       'small, reducible': ('all of 3 blocks, some of 4', True, pick([g for g in small if is_reducible(g)])),
       'small, irreducible': ('all of 3 blocks, some of 4', False,
                              pick([g for g in small if not is_reducible(g)])),
       'C at -O0': ('functions of C programs', True, pick(corpus('c_O0', True))),
       'C at -O2': ('functions of C programs', True, pick(corpus('c_O2', True))),
       'shapes': ('named ones and families', True,
                  pick([g for g in [*NAMED.values(), *families] if is_reducible(g)])),
       'random code': ('structured code with gotos', True, random_set(gotos, 'gotos', sizes)),
       'random, reducible': ('forward edges and loops', True, random_set(reducible, 'reducible', sizes)),
       'random, irreducible': ('edges to near blocks', False, [g for g in tangled if not is_reducible(g)]),
       'random, anywhere': ('edges to any block', False,
                            [g for g in scattered if branches(g) and not is_reducible(g)]),
       'C, irreducible': ('functions of C programs', False,
                          pick(corpus('c_O0', False) + corpus('c_O2', False))),
   }
   return {name: a_set for name, a_set in sets.items() if a_set[2]}


def corpus(name, wanted):
   return [g for g in read(os.path.join(HERE, 'corpus', name + '.jsonl')) if is_reducible(g) == wanted]
