# SPDX-License-Identifier: MIT
"""Draws: a vertex and a fragment shader with what is drawn, for the tool (a scene) and for a Vulkan host (a job)."""
import os
import re
import struct

import cases
import judges
from images import COMPARE, FORMATS

TOPOLOGIES = ('point_list', 'line_list', 'line_strip', 'triangle_list', 'triangle_strip', 'triangle_fan')
FACTORS = {'zero': 0, 'one': 1, 'src_color': 2, 'one_minus_src_color': 3, 'dst_color': 4, 'one_minus_dst_color': 5, 'src_alpha': 6,
           'one_minus_src_alpha': 7, 'dst_alpha': 8, 'one_minus_dst_alpha': 9, 'src1_color': 15, 'one_minus_src1_color': 16,
           'src1_alpha': 17, 'one_minus_src1_alpha': 18}
BLEND_OPS = ('add', 'subtract', 'reverse_subtract', 'min', 'max')
# Those of vertices alone besides.
VERTEX_FORMATS = {**FORMATS, 'rgb32_uint': (12, 104), 'rgb32_sint': (12, 105), 'rgb32_float': (12, 106)}
DEPTH_FORMATS = {'r16_unorm': (2, 124), 'r32_float': (4, 126)}
PACKED = {'bgr565': (5, 6, 5), 'bgra5551': (5, 5, 5, 1), 'argb4444': (4, 4, 4, 4), 'rgba1010102': (10, 10, 10, 2),
          'bgra1010102': (10, 10, 10, 2), 'rgb111110': (11, 11, 10)}
# Four corners, in no plane, on the grid of 1/256 pixel of 16 x 16; w is 1, 2, 2 and 1.
STRIP = ((-0.9375, -0.875, 0.25, 1), (1.75, -1.625, 1.0, 2), (-1.625, 1.875, 1.5, 2), (0.9375, 0.875, 0.375, 1))
VALUES = ((0.25, 1.0, -1.0, 0.5), (1.0, 0.125, 2.0, 0.75), (0.5, 0.5, 0.25, 1.0), (0.0, 0.75, -3.0, 0.25))
VERTEX = '''layout(location = 0) in vec4 position;
layout(location = 1) in vec4 a;
layout(location = 0) out vec4 v;
void main()
{
   gl_Position = position;
   v = a;
}
'''


def floats(rows):
   return struct.pack(f'<{sum(map(len, rows))}f', *(x for row in rows for x in row))


class Target:
   """What is in an attachment after the draw, as cases.Buffer has it."""

   def __init__(self, place, name, draw, tolerance):
      self.place, self.name, self.draw, self.tolerance = place, name, draw, tolerance
      self.compared = True

   def fields(self, data):
      """The numbers of it: floats where they have 16 or 32 bits, else what lies in memory."""
      base, kind = self.name.rsplit('_', 1)
      bits = PACKED.get(base)
      if bits:
         word = '<' + {2: 'H', 4: 'I'}[sum(bits) // 8]
         out = []
         for (value,) in struct.iter_unpack(word, data):
            for n in bits:
               out.append(value & (1 << n) - 1)
               value >>= n
         return out
      size = int(re.search(r'\d+', base)[0])
      code = {'float': {16: 'e', 32: 'f'}, 'sint': {8: 'b', 16: 'h', 32: 'i'}, 'snorm': {8: 'b', 16: 'h'}}.get(
         kind, {8: 'B', 16: 'H', 32: 'I'})[size]
      return [x for (x,) in struct.iter_unpack('<' + code, data)]

   def mean(self, numbers):
      """Of the samples of each pixel."""
      n, parts = self.draw.samples, len(numbers) // (self.draw.samples * self.draw.pixels())
      return [sum(numbers[(p * n + s) * parts + c] for s in range(n)) / n
              for p in range(self.draw.pixels()) for c in range(parts)]

   def expected(self, got):
      return None

   def differ(self, got, wanted, exactly=False):
      kind = self.name.rsplit('_', 1)[1]
      p, q = self.fields(got), self.fields(wanted)
      if self.draw.samples > 1:
         p = self.mean(p)
      if len(p) != len(q):
         return f'{self.place}: {len(p)} numbers instead of {len(q)}'
      near = {'uint': 0, 'sint': 0}.get(kind, 1)
      faults = []
      for k, (x, y) in enumerate(zip(p, q)):
         if x == y or (x != x and y != y):
            continue
         if kind == 'float' and self.name.rsplit('_', 1)[0] not in PACKED:
            near = self.tolerance * max(1.0, abs(y) if abs(y) < 1e30 else 1.0)
         if not abs(x - y) <= near:
            faults.append(f'[{k}] {x!r} instead of {y!r}')
      return f"{self.place}: {len(faults)} of {len(p)}: {', '.join(faults[:4])}" if faults else None


class Draw:
   """All but shaders, in the words of a scene. `colors` are (format, clear, blend, written), `buffers` (bytes, stride,
   per instance), `attributes` (location, buffer, offset, format).
   """

   def __init__(self, **said):
      self.size, self.samples, self.layers = (16, 16), 1, 1
      self.topology, self.vertices, self.first = 'triangle_strip', None, 0
      self.instances, self.first_instance = 1, 0
      self.buffers, self.attributes = None, None
      self.positions, self.values = STRIP, VALUES
      self.indices = None  # (size, numbers, restart, offset)
      self.colors = [('rgba32_float', (0, 0, 0, 0), None, 'rgba')]
      self.depth = None  # (format, compare, keep, clamp, clear)
      self.cull, self.clockwise, self.sample_shading = 'none', False, False
      self.viewport = None
      self.judged = None  # what stands in the fragment shader, and what the judge draws with instead
      self.narrow = False  # the judge draws with types of 32 bits where the shaders have 16
      self.tolerance = 2e-4
      for key, value in said.items():
         assert hasattr(self, key), key
         setattr(self, key, value)
      if self.buffers is None:
         self.buffers = [(floats([p + v for p, v in zip(self.positions, self.values)]), 32, False)]
         self.attributes = [(0, 0, 0, 'rgba32_float'), (1, 0, 16, 'rgba32_float')]
      if self.vertices is None:
         self.vertices = len(self.indices[1]) if self.indices else len(self.positions)

   def pixels(self):
      return self.size[0] * self.size[1] * self.layers

   def targets(self):
      found = [Target(f'color{n}', c[0], self, self.tolerance) for n, c in enumerate(self.colors)]
      return found + ([Target('depth', self.depth[0], self, 1e-5)] if self.depth and self.samples == 1 else [])

   @staticmethod
   def integer(name):
      return name.endswith('int')

   def scene(self, base):
      """The lines; bytes are written to files beside."""
      lines = [f'size {self.size[0]} {self.size[1]} samples={self.samples} layers={self.layers}', f'topology {self.topology}',
               f'vertices {self.vertices} {self.first}', f'instances {self.instances} {self.first_instance}',
               f'cull {self.cull}', f"front {'clockwise' if self.clockwise else 'counter_clockwise'}"]
      for n, (data, stride, per_instance) in enumerate(self.buffers):
         judges.write(f'{base}.buffer{n}', data)
         lines.append(f"buffer stride={stride}{' instance' if per_instance else ''} @{base}.buffer{n}")
      lines += [f'attribute {location} {buffer} {offset} {name}' for location, buffer, offset, name in self.attributes]
      if self.indices:
         size, numbers, restart, offset = self.indices
         lines.append(f"index {'restart ' if restart else ''}offset={offset} u{size * 8}:{','.join(map(str, numbers))}")
      for n, (name, clear, blend, written) in enumerate(self.colors):
         lines.append(f"color {name} clear={','.join(map(str, clear))} write={written} file={base}.color{n}.got"
                      + (f' blend={blend}' if blend else ''))
      if self.depth:
         name, compare, keep, clamp, clear = self.depth
         lines.append(f"depth {name} {compare}{' keep' if keep else ''}{' clamp' if clamp else ''} clear={clear} file={base}.depth.got")
      if self.viewport:
         lines.append('viewport ' + ' '.join(map(str, self.viewport)))
      if self.sample_shading:
         lines.append('tests per_sample')
      return lines

   def job(self, base):
      """Words of a job of the Vulkan host."""
      for n, (data, _, _) in enumerate(self.buffers):
         judges.write(f'{base}.buffer{n}', data)
      if self.indices:
         size, numbers, _, _ = self.indices
         judges.write(f'{base}.indices', struct.pack(f"<{len(numbers)}{ {2: 'H', 4: 'I'}[size]}", *numbers))
      return self.words(base)

   def pipeline(self):
      """Those for its pipeline alone, of which no file is read or written."""
      return self.words(None)

   def words(self, base):
      def file(name):
         return f'{base}.{name}' if base else ''

      words = [f'size={self.size[0]},{self.size[1]},{self.samples},{self.layers}',
               f'draw={TOPOLOGIES.index(self.topology)},{self.vertices},{self.instances},{self.first},{self.first_instance}',
               f"raster={('none', 'front', 'back', 'both').index(self.cull)},{int(self.clockwise)},{int(self.sample_shading)}"]
      for n, (_, stride, per_instance) in enumerate(self.buffers):
         words.append(f'vertices={file(f"buffer{n}")}:{stride}:{int(per_instance)}')
      words += [f'attribute={location}:{buffer}:{VERTEX_FORMATS[name][1]}:{offset}'
                for location, buffer, offset, name in self.attributes]
      if self.indices:
         size, _, restart, offset = self.indices
         words.append(f'index={file("indices")}:{size}:{int(restart)}:{offset}')
      for n, (name, clear, blend, written) in enumerate(self.colors):
         bits = struct.unpack('<4I', struct.pack('<4i' if self.integer(name) else '<4f', *clear))
         mask = sum(1 << 'rgba'.index(c) for c in written)
         words.append(f"color={FORMATS[name][1]}:{FORMATS[name][0]}:{':'.join(map(str, bits))}:{mask}:{self.blend(blend)}:{file(f'color{n}.out')}")
      if self.depth:
         name, compare, keep, clamp, clear = self.depth
         words.append(f'depth={DEPTH_FORMATS[name][1]}:{DEPTH_FORMATS[name][0]}:{COMPARE.index(compare)}:{int(not keep)}:{int(clamp)}:{clear}:'
                      f"{file('depth.out') if self.samples == 1 else ''}")
      if self.viewport:
         words.append('viewport=' + ','.join(map(str, self.viewport)))
      return words

   @staticmethod
   def blend(said):
      if not said:
         return '0'
      parts = (said.split(':') * 2)[:6]
      return ','.join(str(BLEND_OPS.index(p) if n % 3 == 2 else FACTORS[p]) for n, p in enumerate(parts))


class DrawCase(cases.Case):
   """Its path is that of the fragment shader, whose head may name buffers and images of both."""

   def __init__(self, path, draw, vertex):
      super().__init__(path)
      self.draw, self.vertex = draw, vertex
      self.text += vertex + repr(sorted((k, v) for k, v in vars(draw).items()))

   def outputs(self):
      return super().outputs() + self.draw.targets()


class Vulkan(judges.Vulkan):
   """Of a pair, `path` is the module of the fragment shader; that of the vertex shader lies beside."""

   def job(self, case, path, base):
      judged = path.replace('.frag.', '.judged.frag.') if case.draw.judged or case.draw.narrow else path
      vertex = vertex_module(judged if case.draw.narrow else path)
      return ' '.join([super().job(case, judged, base), f'vertex={vertex}', *case.draw.job(base)])


def vertex_module(path):
   return path.replace('.frag.', '.vert.')


def widened(text):
   """16-bit types of GLSL as those of 32."""
   text = re.sub(r'\b(float|int|uint)16_t\b', r'\1', text)
   return re.sub(r'\b([fiu])16vec(\d)\b', lambda m: {'f': '', 'i': 'i', 'u': 'u'}[m[1]] + 'vec' + m[2], text)


def make_case(folder, name, draw, vertex, fragment):
   """Its files, compiled: the case and the module of the fragment shader."""
   texts = [('vert', vertex), ('frag', fragment)]
   if draw.judged:
      texts.append(('judged.frag', fragment.replace(*draw.judged)))
   if draw.narrow:
      texts += [('judged.vert', widened(vertex)), ('judged.frag', widened(fragment))]
   # Text of SPIRV-Tools is that of a module.
   texts = [(kind + '.spvasm' * text.startswith(';'), text) for kind, text in texts]
   for kind, text in texts:
      path = os.path.join(folder, f'{name}.{kind}')
      if not os.path.exists(path) or open(path, encoding='utf-8').read() != text:
         with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
   for kind, _ in texts:
      cases.compile_case(cases.Case(os.path.join(folder, f'{name}.{kind}')), '', folder)
   case = DrawCase(os.path.join(folder, f'{name}.{texts[1][0]}'), draw, vertex)
   return case, cases.compile_case(case, '', folder)
