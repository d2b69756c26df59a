#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `heddle draw` draws, read back and compared with what should be there.

    test_draw.py TOOL SOURCE_ROOT
"""
import os
import random
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'house'))
from tap import Tap  # noqa: E402

TOOL, ROOT = sys.argv[1:3]
INPUTS = os.path.join(ROOT, 'tests', 'draw', 'inputs')
TAP = Tap()


def draw(text, *options):
   done = subprocess.run([TOOL, 'draw', *options], input=text, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, timeout=120, check=False)
   if done.returncode:
      raise SystemExit(f'draw {options}: exit status {done.returncode}\n{done.stderr.decode()}')
   return done.stdout.decode('utf-8')


def read_input(name):
   with open(os.path.join(INPUTS, name), 'rb') as file:
      return file.read()


# --- DOT ------------------------------------------------------------------------------------------

TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(->|[{}\[\];=,])|([A-Za-z0-9_]+))')


class Dot:
   """The language that pictures use: clusters, nodes, edges, attribute lists."""

   def __init__(self, text):
      self.tokens = []
      place = 0
      while text[place:].strip():
         match = TOKEN.match(text, place)
         if not match:
            raise ValueError(f'no token at {text[place:place + 40]!r}')
         self.tokens.append(match.group(2) or ('"' + match.group(1) if match.group(1) is not None
                                               else match.group(3)))
         place = match.end()
      self.at = 0
      self.nodes = {}      # id -> (attributes, path of cluster labels around it)
      self.edges = []      # (from, to, attributes)
      self.take('digraph')
      self.name = self.take()[1:]
      self.take('{')
      self.body(())
      if self.at != len(self.tokens):
         raise ValueError('text after the graph')

   def take(self, wanted=None):
      token = self.tokens[self.at]
      if wanted is not None and token != wanted:
         raise ValueError(f'{token!r} where {wanted!r} should be')
      self.at += 1
      return token

   def attributes(self):
      found = {}
      while self.tokens[self.at] == '[':
         self.take('[')
         while self.tokens[self.at] != ']':
            key = self.take()
            self.take('=')
            found[key] = self.take().removeprefix('"')
            if self.tokens[self.at] == ',':
               self.take()
         self.take(']')
      return found

   def body(self, path):
      """Up to the closing brace, without recursion: clusters may be deep."""
      stack = [list(path)]
      while stack:
         token = self.take()
         if token == '}':
            stack.pop()
         elif token == 'subgraph':
            if not self.take().startswith('cluster_'):
               raise ValueError('a subgraph that is no cluster')
            self.take('{')
            stack.append([*stack[-1], None])
         elif self.tokens[self.at] == '=':
            self.take()
            value = self.take()
            if token == 'label':
               stack[-1][-1] = value[1:]
         elif self.tokens[self.at] == '->':
            self.take()
            self.edges.append((token, self.take(), self.attributes()))
         elif token == 'node':
            self.attributes()
         elif token != ';':
            if token in self.nodes:
               raise ValueError(f'{token} twice')
            self.nodes[token] = (self.attributes(), tuple(stack[-1]))


def accepted_by_graphviz(name, text):
   if not shutil.which('dot'):
      return
   done = subprocess.run(['dot', '-Tcanon'], input=text.encode(), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, timeout=120, check=False)
   TAP.check(f'{name}: dot takes it without a word', done.returncode == 0 and not done.stderr,
             done.stderr.decode(errors='replace'))


# Seed 004's picture: the clusters around each block, from the outside in. A loop's cluster holds
# that of its body and of its continue list here.
IF1, LOOP, BODY = ('main', 'if %0'), ('main', 'loop'), ('main', 'loop', 'body')
SEED_NODES = {
    'start': ('main',),
    'then1_block': (*IF1, 'then'),
    'else1_block': (*IF1, 'else'),
    'pre_loop': ('main',),
    'loop_header': BODY,
    'then2_block': (*BODY, 'if %3', 'then'),
    'else2_block': (*BODY, 'if %3', 'else'),
    'loop_middle_block': BODY,
    'then3_block': (*BODY, 'if %2', 'then'),
    'else3_block': (*BODY, 'if %2', 'else'),
    'loop_end_block': BODY,
    'continue_block': (*LOOP, 'continue'),
    'post_loop': ('main',),
    'end_block': ('main',),
}

# Its edges; what goes back to the header there goes to the continue block, which goes back.
SEED_EDGES = {
    ('start', 'then1_block'), ('start', 'else1_block'), ('else1_block', 'pre_loop'),
    ('pre_loop', 'loop_header'), ('loop_header', 'then2_block'), ('loop_header', 'else2_block'),
    ('else2_block', 'loop_middle_block'), ('loop_middle_block', 'then3_block'),
    ('loop_middle_block', 'else3_block'), ('else3_block', 'loop_end_block'),
    ('then3_block', 'continue_block'), ('loop_end_block', 'continue_block'),
    ('continue_block', 'loop_header'), ('then2_block', 'post_loop'), ('post_loop', 'end_block'),
    ('then1_block', 'end_block'),
}

IDOMS = {
    'then1_block': 'start', 'else1_block': 'start', 'pre_loop': 'else1_block',
    'loop_header': 'pre_loop', 'then2_block': 'loop_header', 'else2_block': 'loop_header',
    'loop_middle_block': 'else2_block', 'then3_block': 'loop_middle_block',
    'else3_block': 'loop_middle_block', 'loop_end_block': 'else3_block',
    'continue_block': 'loop_middle_block', 'post_loop': 'then2_block',
}


def test_seed():
   dot = Dot(draw(read_input('seed004.hd'), '--dominance', '--hide-code'))
   names = {'end': 'end_block', 'continue_b4': 'continue_block'}
   for node, (attributes, _) in dot.nodes.items():
      match = re.search(r'\\"(\w+)\\"', attributes['label'])
      if match:
         names[node] = match.group(1)
   TAP.check('seed 004: the blocks, in their clusters',
             {names[n]: path for n, (_, path) in dot.nodes.items()} == SEED_NODES,
             {names.get(n, n): path for n, (_, path) in dot.nodes.items()})
   plain = [(names[a], names[b]) for a, b, how in dot.edges if 'style' not in how]
   TAP.check('seed 004: the edges, each once', sorted(plain) == sorted(SEED_EDGES), sorted(plain))
   back = {(names[a], names[b]) for a, b, how in dot.edges if how.get('color') == 'orangered'}
   TAP.check('seed 004: one edge goes back, from the continue block',
             back == {('continue_block', 'loop_header')}, back)
   TAP.check('seed 004: no back edge moves the header down',
             all(how.get('constraint') == 'false' for _, _, how in dot.edges
                 if how.get('color') == 'orangered'))
   arms = {(names[a], names[b]): how['label'] for a, b, how in dot.edges if 'label' in how}
   TAP.check('seed 004: the arms are marked',
             {b[:4]: label for (_, b), label in arms.items()} == {'then': 'T', 'else': 'F'}, arms)
   invisible = [(names[a], names[b]) for a, b, how in dot.edges if how.get('style') == 'invis']
   TAP.check('seed 004: the invisible edge under the loop',
             invisible == [('continue_block', 'post_loop')], invisible)
   idoms = {names[b]: names[a] for a, b, how in dot.edges if how.get('style') == 'dashed'}
   TAP.check('seed 004: immediate dominators', idoms == IDOMS, idoms)
   dot = Dot(draw(read_input('seed004.hd'), '--post-dominance'))
   posts = {names[b]: names[a] for a, b, how in dot.edges if how.get('style') == 'dotted'}
   TAP.check('seed 004: immediate post-dominators',
             posts['start'] == posts['then1_block'] == posts['post_loop'] == 'end_block' and
             posts['loop_middle_block'] == 'continue_block' and len(posts) == 13, posts)
   TAP.check('seed 004: instructions are lines that end on the left',
             dot.nodes['b4'][0]['label'].endswith(r'\n%3:1 = inot %1\l'), dot.nodes['b4'])
   outline = draw(read_input('seed004.hd'), '--format=outline', '--hide-code')
   TAP.check('seed 004: the outline marks the edge back',
             re.findall(r'.*\(back\)', outline) == ['      continue of b4 -> b4 (back)'], outline)


def test_flat():
   dot = Dot(draw(read_input('flat.hd')))
   paths = {node: path for node, (_, path) in dot.nodes.items()}
   TAP.check('flat: a cluster for each cycle', paths == {
       'b0': ('main',), 'b1': ('main', 'cycle'), 'b2': ('main', 'cycle'), 'b3': ('main',),
       'b4': ('main', 'cycle'), 'b5': ('main',), 'b6': ('main',), 'end': ('main',)}, paths)
   edges = [(a, b, how.get('label', ''), how.get('color') == 'orangered') for a, b, how in dot.edges]
   TAP.check('flat: edges with their cases', edges == [
       ('b0', 'b1', '', False), ('b1', 'b2', 'default, 2', False), ('b1', 'b3', '1, 16', False),
       ('b1', 'b4', '5', False), ('b2', 'b1', 'T', True), ('b2', 'b3', 'F', False),
       ('b3', 'b4', 'T', False), ('b3', 'b5', 'F', False), ('b4', 'b4', 'T', True),
       ('b4', 'b5', 'F', False), ('b5', 'end', '', False), ('b6', 'b5', '', False)], edges)
   TAP.check('flat: what is declared stands in the label',
             dot.nodes['b4'][0]['label'].startswith(r'b4 header\n'))
   TAP.check('flat: what cannot be reached is dashed',
             [n for n, (how, _) in dot.nodes.items() if how.get('style') == 'dashed'] == ['b6'])


# --- SVG ------------------------------------------------------------------------------------------

def rectangle(element):
   x, y, width, height = (int(element.get(k)) for k in ('x', 'y', 'width', 'height'))
   return x, y, x + width, y + height


def inside(inner, outer):
   return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def apart(a, b):
   return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def check_svg(name, text, num_blocks, num_lists, num_edges):
   root = ET.fromstring(text)
   space = '{http://www.w3.org/2000/svg}'
   rects = root.findall(space + 'rect')
   classes = [r.get('class') for r in rects]
   counts = (sum(c in ('block', 'dead') for c in classes), classes.count('list'),
             classes.count('node'))
   TAP.check(f'{name}: svg: a rectangle for each block and the end, each list, each node',
             counts == (num_blocks + 1, num_lists, num_lists // 2), counts)
   paths = [p for p in root.findall(space + 'path') if p.get('class') in ('edge', 'ghost', 'back')]
   TAP.check(f'{name}: svg: a path for each edge', len(paths) == num_edges, len(paths))
   page = (0, 0, int(root.get('width')), int(root.get('height')))
   boxes = [rectangle(r) for r in rects]
   TAP.check(f'{name}: svg: every box is on the page', all(inside(b, page) for b in boxes))
   numbers = [list(map(int, re.findall(r'-?\d+', p.get('d')))) for p in paths]
   TAP.check(f'{name}: svg: every edge is on the page',
             all(0 <= n <= max(page) for row in numbers for n in row))
   bad = [(a, b) for k, a in enumerate(boxes) for b in boxes[:k]
          if not (inside(a, b) or inside(b, a) or apart(a, b))]
   TAP.check(f'{name}: svg: boxes are one in the other or apart', not bad, bad[:3])
   leaves = [b for b, c in zip(boxes, classes) if c in ('block', 'dead')]
   bad = [(a, b) for k, a in enumerate(leaves) for b in leaves[:k] if not apart(a, b)]
   TAP.check(f'{name}: svg: no block is on another', not bad, bad[:3])
   places = [(int(t.get('x')), int(t.get('y'))) for t in root.findall(space + 'text')]
   TAP.check(f'{name}: svg: every text is in a box',
             all(any(inside((x, y, x, y), b) for b in boxes) for x, y in places))
   return root


# --- shaders of many shapes -----------------------------------------------------------------------

def random_tree(seed, size):
   """A valid structured function: text, number of blocks, of lists, of edges."""
   rng = random.Random(seed)
   lines, blocks = [], [0]

   def block(jump=None):
      lines.append(f'b{blocks[0]}:')
      blocks[0] += 1
      if jump:
         lines.append(jump)

   def body(depth, in_loop, in_continue):
      nonlocal lists
      block()
      while blocks[0] < size and rng.random() < 0.6:
         if depth < 12 and rng.random() < 0.35:
            lines.append('loop {')
            lists += 2
            body(depth + 1, True, False)
            lines.append('} continue {')
            body(depth + 1, True, True)
         else:
            lines.append('if %c {')
            lists += 2
            body(depth + 1, in_loop, in_continue)
            jumps = ['return'] + ['break'] * in_loop + ['continue'] * (in_loop and not in_continue)
            if rng.random() < 0.4:
               lines.append(rng.choice(jumps))
            lines.append('} else {')
            body(depth + 1, in_loop, in_continue)
         lines.append('}')
         block()
   lists = 0
   body(0, False, False)
   text = '\n'.join(['shader compute "t" {', 'workgroup 1 1 1', 'function @main(%c:1) {', *lines, '}', '}'])
   ifs = sum(line.startswith('if') for line in lines)
   return text.encode(), blocks[0], lists, blocks[0] + ifs


def test_shapes():
   for seed in range(12):
      text, blocks, lists, edges = random_tree(seed, 60)
      dot = Dot(draw(text))
      plain = [e for e in dot.edges if 'style' not in e[2]]
      TAP.check(f'tree of seed {seed}: dot: every block and edge',
                len(dot.nodes) == blocks + 1 and len(plain) == edges,
                f'{len(dot.nodes)} nodes, {len(plain)} edges, expected {blocks + 1} and {edges}')
      check_svg(f'tree of seed {seed}', draw(text, '-t', 'svg'), blocks, lists, edges)
   check_svg('seed 004', draw(read_input('seed004.hd'), '-t', 'svg'), 13, 8, 16)
   check_svg('flat', draw(read_input('flat.hd'), '-t', 'svg'), 7, 0, 12)
   root = check_svg('dominance', draw(read_input('seed004.hd'), '-t', 'svg', '-d', '-p'), 13, 8, 16)
   paths = [p.get('class') for p in root.findall('{http://www.w3.org/2000/svg}path')]
   TAP.check('dominance: svg: its edges', paths.count('dom') == 12 and paths.count('pdom') == 13, paths)


def test_names():
   """Names of any bytes: pictures stay what they should be, and no byte reaches them unescaped."""
   text = read_input('names.hd')
   dot = draw(text)
   TAP.check('names: dot parses', len(Dot(dot).nodes) == 8)
   accepted_by_graphviz('names', dot)
   root = ET.fromstring(draw(text, '-t', 'svg'))
   texts = [t.text for t in root.iter('{http://www.w3.org/2000/svg}text')]
   TAP.check('names: svg shows them as the text form does', r'b0 "st<&\"\\\xff"' in texts, texts)
   outline = draw(text, '-t', 'outline')
   TAP.check('names: outline', outline.startswith(r'flat function @"a\"<&>\xff\x0a"' '\n'), outline[:60])
   every = ''.join(f'\\x{n:02x}' for n in range(1, 256))
   hostile = [every, '\\xed\\xa0\\x80', '\\xef\\xbf\\xbf', '\\xf4\\x90\\x80\\x80', '\\xc0\\xaf',
              '\\xe2\\x82', '\\xc2\\x9b31m', 'é€😀', '\\\\l\\\\N', ']]>', '-->']
   for name in hostile:
      text = ('shader compute "t" {\nworkgroup 1 1 1\nfunction @"' + name + '" {\nb0 "' + name +
              '":\n}\n}\n').encode()
      for form in ('dot', 'svg', 'outline'):
         picture = draw(text, '-t', form)
         good = not re.search('[\x00-\x09\x0b-\x1f\x7f-\x9f\ufffe\uffff]', picture)
         if form == 'svg':
            ET.fromstring(picture)
         elif form == 'dot':
            Dot(picture)
            accepted_by_graphviz(f'name {name[:20]!r}', picture)
         TAP.check(f'name {name[:20]!r}: {form} holds no control characters', good)


def test_long_lines():
   """A label is cut between characters, not inside one."""
   for length in range(40, 80):
      name = 'x' * length + 'é' * 20
      text = f'shader compute "t" {{\nworkgroup 1 1 1\nfunction @f {{\nb0 "{name}":\n}}\n}}\n'.encode()
      labels = re.findall(r'>(b0 .*)</text>', draw(text, '-t', 'svg'))
      if not TAP.check(f'a name of {length + 20} characters is cut', len(labels) == 1 and
                       len(labels[0].encode()) <= 72 and labels[0].endswith('...'), labels):
         break


def test_large():
   """Time is linear: ten times the blocks take not much more than ten times as long."""
   def ladder(num):
      rows = [f'if %c {{\nb{3 * n + 1}:\n}} else {{\nb{3 * n + 2}:\n}}\nb{3 * n + 3}:' for n in range(num)]
      return '\n'.join(['shader compute "t" {', 'workgroup 1 1 1', 'function @f(%c:1) {', 'b0:', *rows,
                        '}', '}']).encode()

   def nest(num):
      return '\n'.join(['shader compute "t" {', 'workgroup 1 1 1', 'function @f(%c:1) {',
                        *[f'b{n}:\nif %c {{' for n in range(num)], f'b{num}:',
                        *[f'}} else {{\nb{num + 2 * n + 1}:\n}}\nb{num + 2 * n + 2}:' for n in range(num)],
                        '}', '}']).encode()

   def switch(num):
      cases = ', '.join(f'{n}: b{n + 1}' for n in range(num))
      return '\n'.join(['shader compute "t" {', 'workgroup 1 1 1', 'flat function @f(%c:32) {', 'b0:',
                        f'switch %c, b{num + 1} [ {cases} ]', *[f'b{n + 1}:\nreturn' for n in range(num + 1)],
                        '}', '}']).encode()

   for name, make in (('ladder', ladder), ('nest', nest), ('switch', switch)):
      for form in ('dot', 'svg', 'outline'):
         times = []
         for num in (1000, 10000):
            text = make(num)
            begin = time.monotonic()
            picture = draw(text, '-t', form)
            times.append(time.monotonic() - begin)
         TAP.check(f'{name} of 10,000: {form}: linear, and the whole of it',
                   times[1] < 25 * times[0] + 0.5 and picture.count('\n') > 20000, times)


test_seed()
test_flat()
test_shapes()
test_names()
test_long_lines()
test_large()
TAP.finish()
