# SPDX-License-Identifier: MIT
"""All graphs of up to four blocks, with random declarations too, as naive_sweep.py understands
them, against `heddle validate` and `heddle run`.

    test_judge.py TOOL [all]

Of those with four blocks a share, or all if asked for. Bit k of a lane's number decides its k-th
branch; after its bits a lane takes the shorter way to the exit. Functions from which every lane
ends are called by one program, many at a time; others are run alone, with a limit.
"""
import itertools
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'house'))
from naive_sweep import Graph, Wave  # noqa: E402
from tap import Tap  # noqa: E402

TOOL = sys.argv[1]
ALL = 'all' in sys.argv[2:] or 'HEDDLE_ALL_GRAPHS' in os.environ
SEED = 20225
BITS = 6
LANES = 1 << BITS
BATCH = 400
LIMIT = 400
COUNTS = {1: 4, 2: 45, 3: 816, 4: 20225}


def all_graphs(num):
   """Block 0 goes to 1; each of 1 to num to one or two different blocks, in order, or to the exit,
   num + 1. Blocks are numbered as a walk that takes the nearest first finds them."""
   targets = range(1, num + 2)
   choices = [[t] for t in targets] + [list(p) for p in itertools.permutations(targets, 2)]
   for succs in itertools.product(choices, repeat=num):
      found = [1]
      for block in found:
         found += [to for to in dict.fromkeys(succs[block - 1]) if to not in found and to <= num]
      if found == list(range(1, num + 1)):
         yield [[1], *succs, []]


def distances(succs):
   """How far each block is from the exit; blocks that cannot reach it are left out."""
   far, ring = {len(succs) - 1: 0}, True
   while ring:
      ring = {b for b, to in enumerate(succs) if b not in far and any(t in far for t in to)}
      far.update({b: 1 + min(far[t] for t in succs[b] if t in far) for b in ring})
   return far


class Program:
   """A graph with declarations, how it is written, and what its lanes decide."""

   def __init__(self, number, succs, headers=(), inside=None, continues=None):
      self.name = f'g{number}'
      self.graph = Graph(succs, headers, inside, continues)
      self.valid = self.graph.is_valid()
      far = distances(succs)
      self.ends = all(b in far for b in self.graph.preorder)
      none = len(succs)
      self.later = {b: far.get(to[0], none) <= far.get(to[1], none)
                    for b, to in enumerate(succs) if len(to) == 2}

   def text(self):
      g = self.graph
      out = [f'flat function @{self.name}(%word:32) {{', 'var $k:32', 'b0:', '%zero:32 = const 0',
             '%one:32 = const 1', f'%bits:32 = const {BITS}', '%true:1 = const true',
             '%false:1 = const false', 'store_var $k, %zero']
      for block, succs in enumerate(g.succs):
         if block:
            words = ' header' if block in g.headers else ''
            words += f' in b{g.inside[block]}' if block in g.inside else ''
            words += f' continues b{g.continues[block]}' if block in g.continues else ''
            out.append(f'b{block}{words}:')
         if len(succs) == 2:
            n = block
            out += [f'%k{n}:32 = load_var $k', f'%s{n}:32 = ushr %word, %k{n}',
                    f'%t{n}:32 = iand %s{n}, %one', f'%d{n}:1 = ine %t{n}, %zero',
                    f'%e{n}:1 = ult %k{n}, %bits',
                    f'%c{n}:1 = select %e{n}, %d{n}, %{str(self.later[n]).lower()}',
                    f'%n{n}:32 = iadd %k{n}, %one', f'store_var $k, %n{n}',
                    f'goto_if %c{n}, b{succs[0]}, b{succs[1]}']
         else:
            out.append(f'goto b{succs[0]}' if succs else 'return')
      return out + ['}']

   def expected(self, lanes):
      """By block, the sequence of masks; and whether there would be more."""
      made = [lanes] + [0] * BITS  # lanes by the number of their decisions
      words = [sum(1 << l for l in range(LANES) if l >> k & 1) for k in range(BITS)]

      def decide(block, some):
         first = some & made[BITS] if self.later[block] else 0
         for k in reversed(range(BITS)):
            moved = some & made[k]
            first |= moved & words[k]
            made[k] &= ~moved
            made[k + 1] |= moved
         return first

      wave = Wave(self.graph, lanes, decide, LIMIT)
      return sequences(wave.runs), wave.cut


def sequences(runs):
   masks = {}
   for block, lanes in runs:
      masks.setdefault(block, []).append(lanes)
   return masks


def equal(want, got, want_cut, got_cut):
   """The same for each block; where one was cut, a prefix of the other."""
   for block in set(want) | set(got):
      a, b = want.get(block, []), got.get(block, [])
      short = min(len(a), len(b))
      if a[:short] != b[:short] or (len(a) > short and not got_cut) or \
         (len(b) > short and not want_cut):
         return False
   return True


def shader(programs):
   text = ['shader compute "t" {', f'workgroup {LANES} 1 1', 'function @main {', 'b0:',
           '%lane:32 = subgroup_invocation']
   text += [f'call @{p.name}(%lane)' for p in programs] + ['}']
   for p in programs:
      text += p.text()
   return '\n'.join(text + ['}', ''])


def heddle(text, *arguments):
   return subprocess.run([TOOL, *arguments], input=text, stdout=subprocess.PIPE, text=True,
                         stderr=subprocess.PIPE, check=False)


TRACE = re.compile(r'"function":"(\w+)","block":(\d+),"mask":"(\w+)"')


def check_runs(programs, lanes):
   """Run them, the judge too; what is wrong, or None."""
   text = shader(programs)
   alone = len(programs) == 1 and not programs[0].ends
   limit = ['--limit', '2000'] if alone else []
   done = heddle(text, 'run', '--lanes', str(LANES), f'--active={lanes:x}', '--trace=json', *limit)
   cut = alone and 'has not ended' in done.stderr
   if done.returncode and not cut:
      return done.stderr
   runs = {p.name: [] for p in programs}
   runs['main'] = []
   for name, block, mask in TRACE.findall(done.stdout):
      runs[name].append((int(block), int(mask, 16)))
   for p in programs:
      want, want_cut = p.expected(lanes)
      if not equal(want, sequences(runs[p.name]), want_cut, cut):
         return '\n'.join([f'lanes {lanes:x}: {runs[p.name]}', f'wanted {want}'] + p.text())
   return None


def check_refused(programs):
   """The validator finds fault with each of them."""
   done = heddle(shader(programs), 'validate')
   refused = set(re.findall(r' of @(\w+)\) \[FL\d\]', done.stderr))
   for p in programs:
      if p.name not in refused:
         return '\n'.join(['the validator takes'] + p.text())
   return None


def declare(rng, number, succs):
   num = len(succs) - 2
   blocks = range(1, num + 1)

   def some(share):
      return {b: rng.choice(blocks) for b in blocks if rng.random() < share}

   return Program(number, succs, [b for b in blocks if rng.random() < .3], some(.35), some(.2))


class Run:
   def __init__(self, tap):
      self.tap = tap
      self.rng = random.Random(SEED)
      self.batches = {'ends': [], 'refused': []}
      self.counts = {'ends': 0, 'refused': 0, 'alone': 0, 'declared': 0}
      self.faults = []

   def add(self, program):
      self.counts['declared'] += program.valid and bool(program.graph.inside)
      if program.valid and not program.ends:
         self.counts['alone'] += 1
         self.note(check_runs([program], self.subset()))
      else:
         kind = 'ends' if program.valid else 'refused'
         self.counts[kind] += 1
         self.batches[kind].append(program)
         if len(self.batches[kind]) == (BATCH if program.valid else 20):
            self.flush(kind)

   def subset(self):
      every = (1 << LANES) - 1
      return self.rng.choice([every, 1 << self.rng.randrange(LANES), self.rng.getrandbits(LANES) | 1])

   def flush(self, kind):
      programs, self.batches[kind] = self.batches[kind], []
      if not programs:
         return
      if kind == 'refused':
         self.note(check_refused(programs))
         return
      for lanes in ((1 << LANES) - 1, self.subset(), self.subset()):
         self.note(check_runs(programs, lanes))

   def note(self, fault):
      if fault:
         self.faults.append(fault)

   def finish(self, name):
      for kind in self.batches:
         self.flush(kind)
      self.tap.check(name, not self.faults, '\n'.join(self.faults[:3]))
      self.faults = []


def main():
   tap = Tap()
   run = Run(tap)
   number = 0
   for num in (1, 2, 3, 4):
      every = 1 if ALL or num < 3 else 5 if num == 3 else 97
      count = 0
      for succs in all_graphs(num):
         if count % every == 0:
            run.add(Program(number, succs))
            for k in range(1, 3):
               run.add(declare(run.rng, number + k, succs))
            number += 3
         count += 1
      tap.check(f'{num} blocks: {count} graphs', count == COUNTS[num])
      run.finish(f'{num} blocks: the judge agrees on what is valid and which lanes run')
   print('# seed', SEED, *(f'{n} {kind}' for kind, n in run.counts.items()))
   tap.check('there were some of each kind', min(run.counts.values()) > 20, run.counts)
   tap.finish()


if __name__ == '__main__':
   main()
