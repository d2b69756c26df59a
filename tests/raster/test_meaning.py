#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws computed again from what doc/meaning.md says of them ("Rasterisation"), with exact numbers.

    test_meaning.py HEDDLE SCRATCH [SEED...]

Each seed is a draw of a few primitives anywhere, whose coverage, facts and interpolation are compared, and one of
rectangles, whose tests and blending are.
"""
import os
import random
import struct
import sys
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'house'))
from tap import Tap  # noqa: E402

SAMPLES = {1: [(128, 128)], 4: [(96, 32), (224, 96), (32, 160), (160, 224)]}
VERTEX = '''shader vertex "v" {
function @main {
b0:
%z:32 = const 0
%k1:32 = const 1
%k2:32 = const 2
%p:32x4 = load_input %z location=0
%d:32x4 = load_input %z location=1
%n:32x4 = load_input %z location=2
%clip:32 = channel %d, %z
%cull:32 = channel %d, %k1
%size:32 = channel %d, %k2
%layer:32 = channel %n, %z
%viewport:32 = channel %n, %k1
store_position %p
store_clip_distance %clip, %z
store_cull_distance %cull, %k1
store_point_size %size
store_layer %layer
store_viewport_index %viewport
store_output %n, %z location=0
}
}
'''
FRAGMENT = '''shader fragment "f" {
function @main {
b0:
%z:32 = const 0
%k1:32 = const 1
%c:32x2 = barycentric
%n:32x2 = barycentric interp_mode=noperspective interp_location=centroid
%c0:32 = channel %c, %z
%c1:32 = channel %c, %k1
%n0:32 = channel %n, %z
%n1:32 = channel %n, %k1
%weights:32x4 = vec %c0, %c1, %n0, %n1
store_output %weights, %z location=0
%at:32x4 = frag_coord
store_output %at, %z location=1
%front:1 = front_facing
%f:32 = select %front, %k1, %z
%id:32 = primitive_id
%mask:32 = sample_mask_in
%in:32x4 = load_input %z location=0
%k3:32 = const 3
%flat:32 = channel %in, %k3
%facts:32x4 = vec %f, %id, %mask, %flat
store_output %facts, %z location=2
%one:32 = const 0x3b808081
store_output %one, %z location=3
}
}
'''
RECTANGLE_VERTEX = '''shader vertex "v" {
function @main {
b0:
%z:32 = const 0
%p:32x4 = load_input %z location=0
%c:32x4 = load_input %z location=1
%d:32x4 = load_input %z location=2
store_position %p
store_output %c, %z location=0
store_output %d, %z location=1
}
}
'''
# Of the second input: it is discarded where x is below 0, y is the second source, z the depth, w the sample mask and the
# reference of the stencil.
RECTANGLE_FRAGMENT = '''shader fragment "f" {
function @main {
b0:
%z:32 = const 0
%k1:32 = const 1
%k2:32 = const 2
%k3:32 = const 3
%c:32x4 = load_input %z location=0
%d:32x4 = load_input %z location=1
%x:32 = channel %d, %z
%y:32 = channel %d, %k1
%depth:32 = channel %d, %k2
%w:32 = channel %d, %k3
%out:1 = flt %x, %z
demote_if %out
STORES
store_output %c, %z location=0
%second:32x4 = vec %y, %y, %y, %x
store_output %second, %z location=0 dual_source=1
}
}
'''


def f32(x):
   return struct.unpack('<f', struct.pack('<f', x))[0]


def bits_of(x):
   return struct.unpack('<I', struct.pack('<f', x))[0]


def nearest_even(x):
   return round(Fraction(x))


class Vertex:
   """All numbers are floats of 32 bits, computed with in binary64."""

   def __init__(self, at, clip=1.0, cull=1.0, size=1.0, numbers=(0, 0, 0, 0)):
      self.at, self.clip, self.cull, self.size, self.numbers = tuple(at), clip, cull, size, numbers

   def bytes(self):
      return struct.pack('<4f4f4I', *self.at, self.clip, self.cull, self.size, 0, *self.numbers)


class Scene:
   def __init__(self, rng):
      self.rng = rng
      self.width, self.height = rng.randint(1, 24), rng.randint(1, 24)
      self.layers, self.samples = rng.choice((1, 1, 2)), rng.choice((1, 4))
      self.topology = rng.choice(('point_list', 'line_list', 'line_strip', 'triangle_list', 'triangle_strip', 'triangle_fan') +
                                 ('triangle_list',) * 3)
      self.viewports = [self.viewport() for _ in range(rng.choice((1, 1, 2)))]
      self.scissor = rng.choice((None, None, (rng.randint(-3, 8), rng.randint(-3, 8), rng.randint(0, 20), rng.randint(1, 20))))
      self.cull, self.clockwise = rng.choice(('none', 'none', 'none', 'front', 'back', 'both')), rng.random() < 0.5
      self.clamp, self.per_sample = rng.random() < 0.3, rng.random() < 0.2
      self.excluded = rng.choice((0, 0, 0, 2, 5))
      self.easy = rng.random() < 0.4
      self.vertices = [self.vertex(n) for n in range(rng.randint(3, 9))]
      self.indices = None
      if rng.random() < 0.4:
         self.indices = [rng.choice((*range(len(self.vertices)), 65535)) for _ in range(rng.randint(3, 12))]

   def viewport(self):
      r = self.rng
      if r.random() < 0.5:
         return (0.0, 0.0, float(self.width), float(self.height), 0.0, 1.0)
      return (r.randint(-16, 32) / 4, r.randint(-16, 32) / 4, r.randint(4, 120) / 4, r.choice((1, -1)) * r.randint(4, 120) / 4,
              r.choice((0.0, 0.25, 1.0)), r.choice((1.0, 0.75, 0.125)))

   def vertex(self, n):
      r = self.rng
      numbers = (r.choice((0,) * 9 + (1,)), r.choice((0,) * 9 + (1,)), 0, 100 + n)
      if self.easy:
         return Vertex((r.randint(-8, 8) / 8, r.randint(-8, 8) / 8, r.randint(0, 8) / 8, 1.0), 1.0, 1.0, float(r.randint(0, 6)), numbers)
      w = f32(r.choice((1.0, r.uniform(0.25, 4), r.uniform(0.25, 4), r.uniform(-1, 2), 1000.0)))
      scale = r.choice((1.0, 1.0, 1.5, 40.0)) * abs(w)
      x, y, z = (f32(r.uniform(-scale, scale)) for _ in range(3))
      z = f32(r.uniform(0, abs(w))) if r.random() < 0.7 else z
      if r.random() < 0.02:
         x = r.choice((float('inf'), float('nan')))
      return Vertex((x, y, z, w), f32(r.uniform(-0.3, 1)) if r.random() < 0.3 else 1.0, r.choice((1.0, 1.0, -1.0)),
                    r.choice((0.5, 1.0, f32(r.uniform(0, 12)), -3.0)), numbers)

   def lines(self, base):
      def file(name):
         return f'{base}.{name}'

      with open(file('vertices'), 'wb') as out:
         out.write(b''.join(v.bytes() for v in self.vertices))
      lines = [f'size {self.width} {self.height} samples={self.samples} layers={self.layers}', f'topology {self.topology}',
               f'vertices {len(self.indices or self.vertices)}', f"buffer stride=48 @{file('vertices')}", f'cull {self.cull}',
               f"front {'clockwise' if self.clockwise else 'counter_clockwise'}"]
      lines += [f'attribute {n} 0 {16 * n} rgba32_{kind}' for n, kind in enumerate(('float', 'float', 'uint'))]
      lines += [f"color {name} file={file(f'color{n}')}{more}" for n, (name, more) in enumerate(
         (('rgba32_float', ''), ('rgba32_float', ''), ('rgba32_uint', ''), ('r8_unorm', ' blend=one:one:add')))]
      lines += ['viewport ' + ' '.join(map(str, v)) for v in self.viewports]
      lines += [f"index restart u16:{','.join(map(str, self.indices))}"] if self.indices else []
      lines += ['scissor ' + ' '.join(map(str, self.scissor))] if self.scissor else []
      lines += [f"depth r32_float always keep{' clamp' * self.clamp} file={file('depth')}"]
      lines += [f"tests exclude={self.excluded}{' per_sample' * self.per_sample}"]
      return lines

   def primitives(self):
      """Vertices of each, in order; its number is its place."""
      run, runs = [], []
      for n in self.indices if self.indices else range(len(self.vertices)):
         if self.indices and n == 65535:
            runs.append(run)
            run = []
         else:
            run.append(self.vertices[n])
      for run in runs + [run]:
         count = len(run)
         if self.topology == 'point_list':
            yield from ([v] for v in run)
         elif self.topology == 'line_list':
            yield from (run[n:n + 2] for n in range(0, count - 1, 2))
         elif self.topology == 'line_strip':
            yield from (run[n:n + 2] for n in range(count - 1))
         elif self.topology == 'triangle_list':
            yield from (run[n:n + 3] for n in range(0, count - 2, 3))
         elif self.topology == 'triangle_strip':
            yield from ([run[n], run[n + 1 + n % 2], run[n + 2 - n % 2]] for n in range(count - 2))
         else:
            yield from ([run[n + 1], run[n + 2], run[0]] for n in range(count - 2))


def finite(vertices):
   return all(x - x == 0 for v in vertices for x in v.at)


class Primitive:
   """What is left of one after culling and clipping."""

   def __init__(self, scene, vertices, number):
      self.scene, self.vertices, self.number = scene, vertices, number
      first = vertices[0].numbers
      self.layer, self.there = first[0], False
      if first[0] >= scene.layers or first[1] >= len(scene.viewports) or not finite(vertices) or \
            all(v.cull < 0 for v in vertices):
         return
      x, y, width, height, self.near, self.far = scene.viewports[first[1]]
      self.sx, self.sy = width / 2, height / 2
      self.ox, self.oy = x + self.sx, y + self.sy
      corners = self.clip([(v.at, v.clip) for v in vertices])
      if not corners or not all(c[0][3] > 0 for c in corners):
         return
      self.corners = [(nearest_even((at[0] / at[3] * self.sx + self.ox) * 256), nearest_even((at[1] / at[3] * self.sy + self.oy) * 256))
                      for at, _ in corners]
      self.there = True
      self.shape()

   def planes(self):
      """Functions of a corner that are negative outside, as ((factors of x, y, z, w) or None for the distance)."""
      planes = [] if self.scene.clamp else [(0, 0, 1, 0), (0, 0, -1, 1)]
      if len(self.vertices) < 3:
         planes += [(1, 0, 0, 1), (-1, 0, 0, 1), (0, 1, 0, 1), (0, -1, 0, 1)]
      else:
         planes += [(self.sx, 0, 0, 32768 + self.ox), (-self.sx, 0, 0, 32768 - self.ox), (0, self.sy, 0, 32768 + self.oy),
                    (0, -self.sy, 0, 32768 - self.oy)]
      return planes + [None]

   def clip(self, corners):
      def cross(a, b, da, db):
         t = da / (da - db)
         return tuple(t * (q - p) + p for p, q in zip(a[0], b[0])), t * (b[1] - a[1]) + a[1]

      for plane in self.planes():
         ds = []
         for at, distance in corners:
            d = 0.0
            for f, p in zip(plane or (), at):
               d += f * p
            ds.append(d if plane else distance)
         count, out = len(corners), []
         if len(self.vertices) == 3:
            for n in range(count):
               a, b, da, db = corners[n], corners[(n + 1) % count], ds[n], ds[(n + 1) % count]
               out += [a] if da >= 0 else []
               if (da >= 0) != (db >= 0):
                  out.append(cross(a, b, da, db) if da >= 0 else cross(b, a, db, da))
         elif any(d >= 0 for d in ds):
            for n in range(count):
               out.append(corners[n] if ds[n] >= 0 else cross(corners[1 - n], corners[n], ds[1 - n], ds[n]))
         corners = out
         if not corners:
            break
      return corners

   def shape(self):
      """Corners become those of a polygon, and how weights are found."""
      scene, c = self.scene, self.corners
      self.front, self.bounds = True, None
      if len(self.vertices) == 3:
         area = sum((c[n][0] - c[0][0]) * (c[n + 1][1] - c[0][1]) - (c[n][1] - c[0][1]) * (c[n + 1][0] - c[0][0]) for n in range(1, len(c) - 1))
         # y goes down: positive is clockwise.
         self.front = (area > 0) == scene.clockwise
         self.there = area != 0 and scene.cull not in ('both', 'front' if self.front else 'back')
         edges = [sorted(nearest_even(256 * e) for e in (o - s, o + s)) for o, s in ((self.ox, self.sx), (self.oy, self.sy))]
         self.bounds = edges
      elif len(self.vertices) == 2:
         dx, dy = c[1][0] - c[0][0], c[1][1] - c[0][1]
         self.along_y = abs(dx) < abs(dy)
         mx, my = (128, 0) if self.along_y else (0, 128)
         self.corners = [(c[0][0] - mx, c[0][1] - my), (c[1][0] - mx, c[1][1] - my), (c[1][0] + mx, c[1][1] + my), (c[0][0] + mx, c[0][1] + my)]
      else:
         self.center, self.size = c[0], min(max(self.vertices[0].size, 0.0), 256.0)
         half = nearest_even(self.size * 128)
         x, y = c[0]
         self.corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]

   def covers(self, x, y):
      """A point in 1/256 of a pixel: inside, or on a left edge, or on an upper one that is horizontal."""
      if self.bounds and not all(low <= p < high for p, (low, high) in zip((x, y), self.bounds)):
         return False
      if len(self.corners) == 3:
         return self.triangle_covers(x, y)
      winding = 0
      for (ax, ay), (bx, by) in zip(self.corners, self.corners[1:] + self.corners[:1]):
         if (ay <= y) != (by <= y) and ax + Fraction((y - ay) * (bx - ax), by - ay) <= x:
            winding += 1 if by > ay else -1
      return winding != 0

   def triangle_covers(self, x, y):
      c = self.corners
      if (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) < (c[1][1] - c[0][1]) * (c[2][0] - c[0][0]):
         c = c[::-1]
      for (ax, ay), (bx, by) in zip(c, c[1:] + c[:1]):
         side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
         # Clockwise on the screen: left edges go up, upper horizontal ones to the right.
         if side < 0 or side == 0 and not (by < ay or by == ay and bx > ax):
            return False
      return True

   def weights(self, x, y):
      """Of the vertices in clip space (not normed) at a point of the framebuffer, in pixels; exact."""
      at = [tuple(Fraction(k) for k in v.at) for v in self.vertices]
      sx, sy, ox, oy = (Fraction(k) for k in (self.sx, self.sy, self.ox, self.oy))
      hs = [(a[0] * sx + (ox - x) * a[3], a[1] * sy + (oy - y) * a[3], a[3]) for a in at]
      if len(hs) == 3:
         return [hs[i][0] * hs[j][1] - hs[i][1] * hs[j][0] for i, j in ((1, 2), (2, 0), (0, 1))]
      k = int(self.along_y)
      return [hs[1][k], -hs[0][k]]

   def given(self, x, y):
      """Barycentric coordinates with perspective and without, depth and 1/w; exact. None: the point is on a horizon."""
      x, y = Fraction(x), Fraction(y)
      zs, ws = [Fraction(v.at[2]) for v in self.vertices], [Fraction(v.at[3]) for v in self.vertices]
      if len(self.vertices) == 1:
         size = Fraction(self.size)
         ij = [Fraction(1, 2) + (p - Fraction(c, 256)) / size for p, c in zip((x, y), self.center)]
         return ij, ij, self.to_depth(zs[0] / ws[0]), 1 / ws[0]
      b = self.weights(x, y)
      n = [p * w for p, w in zip(b, ws)]
      if not sum(b) or not sum(n):
         return None
      ij = [[p / sum(parts) for p in parts[1:]] + [Fraction(0)] * (3 - len(parts)) for parts in (b, n)]
      return ij[0], ij[1], self.to_depth(sum(p * z for p, z in zip(b, zs)) / sum(n)), sum(b) / sum(n)

   def to_depth(self, z):
      return z * (Fraction(self.far) - Fraction(self.near)) + Fraction(self.near)


def near(got, exact, easy):
   """Where all products fit, a quotient alone is rounded; else the error of binary64 is that of the products before it."""
   wanted = float(exact)
   return got == f32(wanted) if easy else abs(got - wanted) <= 1e-6 * max(1.0, abs(wanted))


def read(path, code):
   with open(path, 'rb') as file:
      return [x for (x,) in struct.iter_unpack('<' + code, file.read())]


class Drawn:
   """What the scene should leave."""

   def __init__(self, scene):
      self.scene, self.texels, self.counts, self.stats = scene, {}, {}, dict.fromkeys(
         ('primitives', 'visible', 'fragments', 'helpers', 'samples'), 0)
      for number, vertices in enumerate(scene.primitives()):
         self.stats['primitives'] += 1
         p = Primitive(scene, vertices, number)
         if p.there:
            self.draw(p)

   def inside(self, x, y):
      s, c = self.scene, self.scene.scissor
      return 0 <= x < s.width and 0 <= y < s.height and (not c or (c[0] <= x < c[0] + c[2] and c[1] <= y < c[1] + c[3]))

   def draw(self, p):
      s, masks = self.scene, {}
      for y in range(s.height):
         for x in range(s.width):
            mask = sum(1 << n for n, (ax, ay) in enumerate(SAMPLES[s.samples])
                       if self.inside(x, y) and not s.excluded >> n & 1 and p.covers(256 * x + ax, 256 * y + ay))
            if mask:
               masks[x, y] = mask
      self.stats['visible'] += bool(masks)
      groups = [1 << n for n in range(s.samples)] if s.per_sample else [(1 << s.samples) - 1]
      for group in groups:
         found = {at: mask & group for at, mask in masks.items() if mask & group}
         self.stats['fragments'] += len(found)
         self.stats['helpers'] += 4 * len({(x // 2, y // 2) for x, y in found}) - len(found)
         for (x, y), mask in found.items():
            for n in range(s.samples):
               if mask >> n & 1:
                  self.stats['samples'] += 1
                  self.texels[p.layer, y, x, n] = (p, mask)
                  self.counts[p.layer, y, x, n] = self.counts.get((p.layer, y, x, n), 0) + 1

   def place(self, mask, n, centroid):
      """In 1/256 of the pixel: of the invocation with these samples covered, of which one is n."""
      s = self.scene
      if s.per_sample:
         return SAMPLES[s.samples][n]
      if not centroid or s.samples == 1 or mask == (1 << s.samples) - 1:
         return 128, 128
      return SAMPLES[s.samples][(mask & -mask).bit_length() - 1]

   def fault(self, base, stats):
      s = self.scene
      for name, count in self.stats.items():
         if stats[name] != count:
            return f'{name}: {stats[name]}, expected {count}'
      floats, coords, facts, counts = (read(f'{base}.color{n}', code) for n, code in enumerate('ffIB'))
      texel = 0
      for layer in range(s.layers):
         for y in range(s.height):
            for x in range(s.width):
               for n in range(s.samples):
                  at = (layer, y, x, n)
                  got = floats[4 * texel:4 * texel + 4], coords[4 * texel:4 * texel + 4], facts[4 * texel:4 * texel + 4]
                  if counts[texel] != self.counts.get(at, 0):
                     return f'{at} is covered {counts[texel]} times, expected {self.counts.get(at, 0)}'
                  wrong = self.wrong(at, *got) if at in self.texels else any(map(any, got)) and 'is drawn'
                  if wrong:
                     return f'{at}: {wrong}'
                  texel += 1
      return None

   def wrong(self, at, weights, coord, facts):
      s, (p, mask), (_, y, x, n) = self.scene, self.texels[at], at
      wanted = [int(p.front), p.number, mask, p.vertices[0].numbers[3]]
      if facts != wanted:
         return f'facts {facts}, expected {wanted}'
      own = self.place(mask, n, False)
      places = [own if s.per_sample else (128, 128), (128, 128), self.place(mask, n, True)]
      (fx, fy), center, centroid = [(x + Fraction(a, 256), y + Fraction(b, 256)) for a, b in places]
      if [Fraction(c) for c in coord[:2]] != [fx, fy]:
         return f'frag_coord {coord}'
      smooth, linear, there = p.given(*center), p.given(*centroid), p.given(fx, fy)
      if not smooth or not linear or not there:
         return None
      exact = [*smooth[0], *linear[1], there[2], there[3]]
      got = [*weights, *coord[2:]]
      for k, (a, b) in enumerate(zip(got, exact)):
         if not near(a, b, s.easy and k != 4):
            return f'number {k} of i, j, i and j without perspective, depth, 1/w: {a!r}, expected {float(b)!r}'
      return None


FACTORS = ('zero', 'one', 'src_color', 'one_minus_src_color', 'dst_color', 'one_minus_dst_color', 'src_alpha',
           'one_minus_src_alpha', 'dst_alpha', 'one_minus_dst_alpha', 'src1_color', 'one_minus_src1_color', 'src1_alpha',
           'one_minus_src1_alpha')
BLEND_OPS = {'add': lambda s, d: s + d, 'subtract': lambda s, d: s - d, 'reverse_subtract': lambda s, d: d - s}
COMPARES = {'never': lambda a, b: False, 'less': lambda a, b: a < b, 'equal': lambda a, b: a == b,
            'less_or_equal': lambda a, b: a <= b, 'greater': lambda a, b: a > b, 'not_equal': lambda a, b: a != b,
            'greater_or_equal': lambda a, b: a >= b, 'always': lambda a, b: True}
STENCIL_OPS = {'keep': lambda old, ref: old, 'zero': lambda old, ref: 0, 'replace': lambda old, ref: ref,
               'increment_clamp': lambda old, ref: min(old + 1, 255), 'decrement_clamp': lambda old, ref: max(old - 1, 0),
               'invert': lambda old, ref: 255 - old, 'increment_wrap': lambda old, ref: (old + 1) % 256,
               'decrement_wrap': lambda old, ref: (old - 1) % 256}
# What the largest number of a component stands for, and the least; None: a float.
COLORS = {'rgba32_float': (None, None, 'f'), 'rgba8_unorm': (255, 0, 'B'), 'rgba8_snorm': (127, -1, 'b')}
DEPTHS = {'r32_float': (None, 'f'), 'r16_unorm': (65535, 'H'), 'd24_unorm': (16777215, 'I')}


class Rectangles:
   """Of whole pixels, one over the other, each with a depth, a color and data of its own."""

   SIDE = 8

   def __init__(self, rng):
      pick, self.rng = rng.choice, rng
      self.samples, self.early = pick((1, 4)), rng.random() < 0.4
      self.stores = [what for what in ('depth', 'mask', 'stencil') if rng.random() < 0.4]
      self.color = pick(tuple(COLORS))
      self.blend = None
      if rng.random() < 0.7:
         self.blend = [pick((*BLEND_OPS, 'min', 'max')) if n % 3 == 2 else pick(FACTORS) for n in range(6)]
      self.written = ''.join(c for c in 'rgba' if rng.random() < 0.8)
      self.clear = [rng.randint(0, 8) / 8 for _ in range(4)]
      self.depth = pick((None, *DEPTHS))
      self.compare, self.keep, self.clamp = pick(tuple(COMPARES)), rng.random() < 0.2, bool(self.depth) and rng.random() < 0.4
      self.deep = rng.randint(0, 16) / 16
      self.stencil = None
      if rng.random() < 0.5:
         self.stencil = {'compare': pick(tuple(COMPARES)), **{k: pick(tuple(STENCIL_OPS)) for k in ('fail', 'depth_fail', 'pass')},
                         **{k: pick((255, 255, rng.randint(0, 255))) for k in ('reference', 'read', 'write')}, 'clear': rng.randint(0, 255)}
      self.range = pick(((0.0, 1.0), (0.25, 0.75), (1.0, 0.5)))
      self.rectangles = [self.rectangle() for _ in range(rng.randint(1, 7))]

   def rectangle(self):
      r = self.rng
      left, right, top, bottom = (*sorted(r.sample(range(self.SIDE + 1), 2)), *sorted(r.sample(range(self.SIDE + 1), 2)))
      return (left, top, right, bottom), r.randint(-2, 18) / 16, [f32(r.uniform(-1.5, 1.5)) for _ in range(4)], \
         [f32(r.choice((r.random(), r.random(), -1.0))), f32(r.random()), f32(r.uniform(-0.2, 1.2)), float(r.randint(0, 15))]

   def lines(self, base):
      def corner(x, y, z, color, data):
         return struct.pack('<12f', x * 2 / self.SIDE - 1, y * 2 / self.SIDE - 1, z, 1, *color, *data)

      with open(base + '.vertices', 'wb') as out:
         for (left, top, right, bottom), *values in self.rectangles:
            for x, y in ((left, top), (right, top), (left, bottom), (right, top), (right, bottom), (left, bottom)):
               out.write(corner(x, y, *values))
      lines = [f'size {self.SIDE} {self.SIDE} samples={self.samples}', f'vertices {6 * len(self.rectangles)}',
               f'buffer stride=48 @{base}.vertices', *(f'attribute {n} 0 {16 * n} rgba32_float' for n in range(3)),
               f"viewport 0 0 {self.SIDE} {self.SIDE} {self.range[0]} {self.range[1]}", f"tests {'early' * self.early}",
               f"color {self.color} clear={','.join(map(str, self.clear))} write={self.written} file={base}.color"
               + (f" blend={':'.join(self.blend)}" if self.blend else '')]
      if self.depth:
         lines.append(f"depth {self.depth} {self.compare}{' keep' * self.keep}{' clamp' * self.clamp} clear={self.deep} file={base}.depth")
      if self.stencil:
         lines.append(f"stencil {self.stencil['compare']} " + ' '.join(f'{k}={v}' for k, v in self.stencil.items() if k != 'compare')
                      + f' file={base}.stencil')
      return lines

   def fragment(self):
      stores = {'depth': 'store_depth %depth', 'mask': '%m:32 = f2u %w\nstore_sample_mask %m',
                'stencil': '%s:32 = f2u %w\nstore_stencil %s'}
      return RECTANGLE_FRAGMENT.replace('STORES', '\n'.join(stores[what] for what in self.stores))

   def encode(self, x):
      largest, least, _ = COLORS[self.color]
      return f32(x) if largest is None else nearest_even(Fraction(min(max(x, float(least)), 1.0)) * largest)

   def decode(self, n):
      largest, least, _ = COLORS[self.color]
      return n if largest is None else max(f32(float(Fraction(n, largest))), float(least))

   def held(self, x):
      largest, least, _ = COLORS[self.color]
      return x if largest is None else min(max(x, float(least)), 1.0)

   def blended(self, source, second, old):
      source, second, old = [self.held(x) for x in source], [self.held(x) for x in second], [self.decode(n) for n in old]

      def factor(name, c):
         if name in ('zero', 'one'):
            return float(name == 'one')
         minus, name = name.startswith('one_minus_'), name.replace('one_minus_', '')
         of, part = name.split('_')
         x = {'src': source, 'dst': old, 'src1': second}[of][c if part == 'color' else 3]
         return 1 - x if minus else x

      out = []
      for c in range(4):
         by_source, by_old, op = self.blend[3:] if c == 3 else self.blend[:3]
         if op in ('min', 'max'):
            out.append({'min': min, 'max': max}[op](source[c], old[c]))
         else:
            out.append(f32(BLEND_OPS[op](source[c] * factor(by_source, c), old[c] * factor(by_old, c))))
      return out

   def tested(self, texel, z, reference):
      """Whether it passes; what the tests leave is written."""
      passes, deep, new, t = True, True, None, self.stencil
      if t:
         passes = COMPARES[t['compare']](reference & t['read'], texel['stencil'] & t['read'])
      if self.depth and passes:
         z = min(max(z, min(self.range)), max(self.range)) if self.clamp else z
         new = self.to_depth(min(max(z, 0.0), 1.0))
         deep = COMPARES[self.compare](new, texel['depth'])
      if t:
         changed = STENCIL_OPS[t['fail' if not passes else 'pass' if deep else 'depth_fail']](texel['stencil'], reference)
         texel['stencil'] = texel['stencil'] & ~t['write'] & 255 | changed & t['write']
      if self.depth and passes and deep and not self.keep:
         texel['depth'] = new
      return passes and deep

   def to_depth(self, z):
      largest, _ = DEPTHS[self.depth]
      return f32(z) if largest is None else nearest_even(Fraction(f32(z)) * largest)

   def draw(self, texel, sample, z, color, data):
      if not self.clamp and not 0 <= z <= 1:
         return
      z = z * (self.range[1] - self.range[0]) + self.range[0]
      reference = self.stencil['reference'] if self.stencil else 0
      if self.early and not self.tested(texel, z, reference):
         return
      if data[0] < 0 or ('mask' in self.stores and not int(data[3]) >> sample & 1):
         return
      reference = int(data[3]) if 'stencil' in self.stores else reference
      if not self.early and not self.tested(texel, data[2] if 'depth' in self.stores else z, reference):
         return
      new = self.blended(color, [data[1]] * 3 + [data[0]], texel['color']) if self.blend else color
      texel['color'] = [self.encode(n) if c in self.written else old for c, n, old in zip('rgba', new, texel['color'])]

   def fault(self, base, _):
      files = {'color': (COLORS[self.color][2], 4)}
      files.update({'depth': (DEPTHS[self.depth][1], 1)} if self.depth else {})
      files.update({'stencil': ('B', 1)} if self.stencil else {})
      got = {name: read(f'{base}.{name}', code) for name, (code, _) in files.items()}
      for n in range(self.SIDE * self.SIDE * self.samples):
         y, x, sample = n // self.samples // self.SIDE, n // self.samples % self.SIDE, n % self.samples
         texel = {'color': [self.encode(c) for c in self.clear], 'depth': self.to_depth(self.deep) if self.depth else 0,
                  'stencil': self.stencil['clear'] if self.stencil else 0}
         for (left, top, right, bottom), *values in self.rectangles:
            if left <= x < right and top <= y < bottom:
               self.draw(texel, sample, *values)
         for name, (_, parts) in files.items():
            wanted = texel[name] if parts == 4 else [texel[name]]
            if got[name][n * parts:n * parts + parts] != wanted:
               return f'({x}, {y}), sample {sample}: {name} {got[name][n * parts:n * parts + parts]}, expected {wanted}'
      return None


def run(tap, heddle, name, words):
   printed = tap.run(name, [heddle, 'run', '--stats', *words])
   return {k: int(v) for k, v in (line.split(': ') for line in printed.splitlines())} if printed is not None else None


def check(tap, heddle, scratch, kind, seed):
   rng = random.Random(seed)
   scene = Scene(rng) if kind == 'primitives' else Rectangles(rng)
   base = os.path.join(scratch, f'{kind}{seed}')
   texts = {'scene': '\n'.join(scene.lines(base)) + '\n', 'v.hd': VERTEX, 'f.hd': FRAGMENT}
   if kind == 'rectangles':
      texts.update({'v.hd': RECTANGLE_VERTEX, 'f.hd': scene.fragment()})
   for name, text in texts.items():
      with open(f'{base}.{name}', 'w', encoding='utf-8') as file:
         file.write(text)
   stats = run(tap, heddle, f'{kind}, seed {seed}: drawn', [f'--draw={base}.scene', base + '.v.hd', base + '.f.hd'])
   if stats:
      fault = (Drawn(scene) if kind == 'primitives' else scene).fault(base, stats)
      tap.check(f'{kind}, seed {seed}: as the page says', not fault, fault)


def main():
   heddle, scratch, *seeds = sys.argv[1:]
   os.makedirs(scratch, exist_ok=True)
   tap = Tap()
   for seed in map(int, seeds) if seeds else range(40):
      for kind in ('primitives', 'rectangles'):
         check(tap, heddle, scratch, kind, seed)
   tap.finish()


if __name__ == '__main__':
   main()
