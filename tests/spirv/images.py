# SPDX-License-Identifier: MIT
"""Images and samplers of a case: `image` and `sampler` in its head, for the tool and for a Vulkan host."""
import re

from patterns import BadCase

# name in texture.h: (bytes, VkFormat)
FORMATS = {
   'r8_unorm': (1, 9), 'r8_snorm': (1, 10), 'r8_uint': (1, 13), 'r8_sint': (1, 14), 'r8_srgb': (1, 15),
   'rg8_unorm': (2, 16), 'rg8_snorm': (2, 17), 'rg8_uint': (2, 20), 'rg8_sint': (2, 21),
   'rgba8_unorm': (4, 37), 'rgba8_snorm': (4, 38), 'rgba8_uint': (4, 41), 'rgba8_sint': (4, 42), 'rgba8_srgb': (4, 43),
   'bgra8_unorm': (4, 44), 'bgra8_srgb': (4, 50),
   'r16_unorm': (2, 70), 'r16_snorm': (2, 71), 'r16_uint': (2, 74), 'r16_sint': (2, 75), 'r16_float': (2, 76),
   'rg16_unorm': (4, 77), 'rg16_snorm': (4, 78), 'rg16_uint': (4, 81), 'rg16_sint': (4, 82), 'rg16_float': (4, 83),
   'rgba16_unorm': (8, 91), 'rgba16_snorm': (8, 92), 'rgba16_uint': (8, 95), 'rgba16_sint': (8, 96),
   'rgba16_float': (8, 97),
   'r32_uint': (4, 98), 'r32_sint': (4, 99), 'r32_float': (4, 100),
   'rg32_uint': (8, 101), 'rg32_sint': (8, 102), 'rg32_float': (8, 103),
   'rgba32_uint': (16, 107), 'rgba32_sint': (16, 108), 'rgba32_float': (16, 109),
   'bgr565_unorm': (2, 4), 'bgra5551_unorm': (2, 8), 'argb4444_unorm': (2, 3),
   'rgba1010102_unorm': (4, 64), 'rgba1010102_uint': (4, 68), 'bgra1010102_unorm': (4, 58),
   'rgb111110_float': (4, 122), 'rgb9995_float': (4, 123),
}
VIEWS = {'1d': 0, '2d': 1, '3d': 2, 'cube': 3, '1d_array': 4, '2d_array': 5, 'cube_array': 6, 'buffer': 7}
# Of OpenCL, by the same names: a view's kind of object, the order of channels, their type.
OPENCL_VIEWS = {'1d': 0x10f4, '2d': 0x10f1, '3d': 0x10f2, '2d_array': 0x10f3, '1d_array': 0x10f5}
OPENCL_ORDERS = {'r': 0x10b0, 'rg': 0x10b2, 'rgba': 0x10b5, 'bgra': 0x10b6}
OPENCL_TYPES = {'8_snorm': 0x10d0, '16_snorm': 0x10d1, '8_unorm': 0x10d2, '16_unorm': 0x10d3, '8_sint': 0x10d7, '16_sint': 0x10d8,
                '32_sint': 0x10d9, '8_uint': 0x10da, '16_uint': 0x10db, '32_uint': 0x10dc, '16_float': 0x10dd, '32_float': 0x10de}
OPENCL_ADDRESS = {'clamp_to_edge': 0x1131, 'clamp_to_border': 0x1132, 'repeat': 0x1133, 'mirrored_repeat': 0x1134}
ADDRESS = ('repeat', 'mirrored_repeat', 'clamp_to_edge', 'clamp_to_border', 'mirror_clamp_to_edge')
COMPARE = ('never', 'less', 'equal', 'less_or_equal', 'greater', 'not_equal', 'greater_or_equal', 'always')
BORDER = {'transparent_black': 0, 'opaque_black': 2, 'opaque_white': 4}


class Shape:
   """What stands in a head before the bytes of an image: VIEW SIZES FORMAT [levels=N] [layers=N]."""

   def __init__(self, words):
      self.view, sizes, self.format, *self.rest = words
      if self.view not in VIEWS or self.format not in FORMATS:
         raise BadCase(f'{self.view} {self.format}: no view or no format')
      self.sizes = [int(n) for n in sizes.split('x')]
      self.levels, self.layers = 1, 6 if self.view == 'cube' else 1
      while self.rest and re.match(r'(levels|layers)=', self.rest[0]):
         key, value = self.rest.pop(0).split('=')
         setattr(self, key, int(value))
      self.texel = FORMATS[self.format][0]

   def bytes(self):
      total = 0
      for level in range(self.levels):
         texels = self.layers
         for size in self.sizes:
            texels *= max(size >> level, 1)
         total += texels
      return total * self.texel

   def name(self, place):
      """As the tool calls it."""
      return f"image@{place}:{'x'.join(map(str, self.sizes))}:{self.format}:levels{self.levels}:layers{self.layers}"

   def job(self, place, before, after):
      """As the Vulkan host wants it."""
      w, h, d = (self.sizes + [1, 1])[:3]
      numbers = [VIEWS[self.view], FORMATS[self.format][1], self.texel, w, h, d, self.levels, self.layers]
      return f"image={place}:{':'.join(map(str, numbers))}:{before}:{after}"


   def opencl(self, before, after):
      """As the OpenCL host wants it."""
      w, h, d = (self.sizes + [1, 1])[:3]
      order, kind = re.match(r'([a-z]+)(.*)', self.format).groups()
      numbers = [OPENCL_VIEWS[self.view], OPENCL_ORDERS[order], OPENCL_TYPES[kind], self.texel, w, h, d, self.layers]
      return f"arg=image:{':'.join(map(str, numbers))}:{before}:{after}"


def opencl_sampler(words):
   addressing = next((OPENCL_ADDRESS[w] for w in words if w in OPENCL_ADDRESS), 0x1130)
   return f"arg=sampler:{int('unnormalized' not in words)}:{addressing}:{0x1141 if 'linear' in words else 0x1140}"


def sampler_words(words):
   """For the tool: a border has the kind of its image there, in Vulkan the sampler says `integer` last."""
   return ','.join(w for w in words if w != 'integer')


def sampler_job(place, words):
   address, filters, border, compare, unnormalized = [0, 0, 0], {'mag': 0, 'min': 0, 'mip': 0}, 0, -1, 0
   lods = {'bias': 0, 'min': 0, 'max': 1000}
   for word in words:
      axis, _, mode = word.partition('_')
      if word in ADDRESS:
         address = [ADDRESS.index(word)] * 3
      elif axis in ('x', 'y', 'z') and mode in ADDRESS:
         address['xyz'.index(axis)] = ADDRESS.index(mode)
      elif word in ('nearest', 'linear'):
         filters['mag'] = filters['min'] = int(word == 'linear')
      elif axis in filters and mode in ('nearest', 'linear'):
         filters[axis] = int(mode == 'linear')
      elif word in BORDER:
         border = BORDER[word]
      elif word == 'integer':
         border += 1
      elif word in COMPARE:
         compare = COMPARE.index(word)
      elif word == 'unnormalized':
         unnormalized = 1
      elif word.partition(':')[0] in lods:
         lods[word.partition(':')[0]] = float(word.partition(':')[2])
      else:
         raise BadCase(f'{word}: what is this of a sampler?')
   numbers = [*address, filters['mag'], filters['min'], filters['mip'], lods['bias'], lods['min'], lods['max'], compare, border,
              unnormalized]
   return f"sampler={place}:{':'.join(map(str, numbers))}"
