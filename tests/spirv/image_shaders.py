# SPDX-License-Identifier: MIT
"""Compute shaders with images, by a table: instruction x format x dimension. Each is a case as those of the corpus are.

64 invocations read places that are scattered over the image and around it, and write what they got.
"""

from images import FORMATS

# dimension: (suffix of GLSL's types, sizes, components of a coordinate to sample, to load, layers)
DIMS = {
   '1d': ('1D', '16', 1, 1, 1), '2d': ('2D', '8x6', 2, 2, 1), '3d': ('3D', '6x4x3', 3, 3, 1), 'cube': ('Cube', '5x5', 3, 3, 6),
   '1d_array': ('1DArray', '16', 2, 2, 3), '2d_array': ('2DArray', '7x5', 3, 3, 4), 'cube_array': ('CubeArray', '4x4', 4, 3, 12),
}
# qualifier of GLSL for images that are stored to
STORED = {
   'r8_unorm': 'r8', 'r8_snorm': 'r8_snorm', 'r8_uint': 'r8ui', 'r8_sint': 'r8i', 'rg8_unorm': 'rg8', 'rg8_snorm': 'rg8_snorm',
   'rg8_uint': 'rg8ui', 'rg8_sint': 'rg8i', 'rgba8_unorm': 'rgba8', 'rgba8_snorm': 'rgba8_snorm', 'rgba8_uint': 'rgba8ui',
   'rgba8_sint': 'rgba8i', 'r16_unorm': 'r16', 'r16_uint': 'r16ui', 'r16_sint': 'r16i', 'r16_float': 'r16f',
   'rg16_unorm': 'rg16', 'rg16_uint': 'rg16ui', 'rg16_sint': 'rg16i', 'rg16_float': 'rg16f', 'rgba16_unorm': 'rgba16',
   'rgba16_snorm': 'rgba16_snorm', 'rgba16_uint': 'rgba16ui', 'rgba16_sint': 'rgba16i', 'rgba16_float': 'rgba16f',
   'r32_uint': 'r32ui', 'r32_sint': 'r32i', 'r32_float': 'r32f', 'rg32_uint': 'rg32ui', 'rg32_sint': 'rg32i',
   'rg32_float': 'rg32f', 'rgba32_uint': 'rgba32ui', 'rgba32_sint': 'rgba32i', 'rgba32_float': 'rgba32f',
   'rgba1010102_unorm': 'rgb10_a2', 'rgba1010102_uint': 'rgb10_a2ui', 'rgb111110_float': 'r11f_g11f_b10f',
}
FETCHED = [*STORED, 'r16_snorm', 'rg16_snorm', 'rgba8_srgb', 'bgra8_unorm', 'bgra8_srgb', 'bgr565_unorm',
           'bgra5551_unorm', 'argb4444_unorm', 'bgra1010102_unorm', 'rgb9995_float']
SAMPLERS = {
   'nearest': 'nearest clamp_to_edge', 'linear': 'linear clamp_to_edge', 'repeat': 'linear repeat',
   'mirror': 'linear mirrored_repeat', 'border': 'linear clamp_to_border opaque_white',
   'mirror_edge': 'linear mirror_clamp_to_edge', 'mip': 'linear mip_linear clamp_to_edge',
   'mip_nearest': 'nearest mip_nearest repeat', 'bias': 'linear mip_linear repeat bias:0.75 min:0.25 max:1.5',
}
# How far another filter may be from ours: coordinates and weights have 8 fractional bits here.
FILTERED = 'abs=0.02'
CONVERTED = 'abs=1e-6 ulp=4'


def kind(name):
   return 'u' if name.endswith('_uint') else 'i' if name.endswith('_sint') else ''


def texels(view, levels):
   _, sizes, _, _, layers = DIMS[view]
   total = 0
   for level in range(levels):
      n = layers
      for size in sizes.split('x'):
         n *= max(int(size) >> level, 1)
      total += n
   return total


def image(mode, place, view, name, levels=1, seed=1):
   """A line of the head; floats are small numbers, anything else all bits."""
   size = texels(view, levels) * FORMATS[name][0]
   layers = DIMS[view][4]
   if name.endswith('16_float'):
      data = f'f16*{size // 2}=random:{seed}:-2:2'
   elif name.endswith('32_float'):
      data = f'f32*{size // 4}=random:{seed}:-2:2'
   elif name == 'rgb111110_float':
      # No infinities, no NaN: the exponents are below 31.
      data = f'u32*{size // 4}=random:{seed}:0:2012985277'
   else:
      data = f'u8*{size}=random:{seed}'
   if mode == 'out':
      data = data.split('=')[0] + '=zero'
   return f'//: image {mode} {place} {view} {DIMS[view][1]} {name} levels={levels} layers={layers} {data}'


HEAD = '#version 450\n#extension GL_EXT_nonuniform_qualifier : require\nlayout(local_size_x = 64) in;\n'


def shader(lines, declarations, body, result='', tolerance=''):
   out = {'': 'vec4', 'u': 'uvec4', 'i': 'ivec4'}[result]
   text = {'': 'vec4', 'u': 'uvec4', 'i': 'ivec4'}[result]
   head = [*lines, f'//: out 0.9 {text}*64 {tolerance}'.rstrip()]
   return '\n'.join(['// SPDX-License-Identifier: MIT', *head, HEAD + declarations,
                     f'layout(set = 0, binding = 9) writeonly buffer Out {{ {out} result[64]; }};',
                     'void main()\n{\n   int id = int(gl_GlobalInvocationID.x);',
                     f'   {out} r = {out}(0);', *(f'   {line}' for line in body), '   result[id] = r;\n}\n'])


# Places off the borders between texels, from -0.3 to 1.3.
FLOATS = 'vec4(float(id * 37 % 64), float(id * 13 % 61), float(id * 29 % 59), float(id * 7 % 53)) * 0.0253 - 0.293'


def coordinate(view, n):
   """What a sample takes: of a cube a direction, of an array a layer last."""
   if view == 'cube':
      return '(p.xyz * 2.0 - 1.03)'
   if view == 'cube_array':
      return 'vec4(p.xyz * 2.0 - 1.03, p.w * 2.0)'
   if view == '1d_array':
      return 'vec2(p.x, p.w * 3.0)'
   if view == '2d_array':
      return 'vec3(p.xy, p.w * 4.0)'
   return {1: 'p.x', 2: 'p.xy', 3: 'p.xyz'}[n]


def inside(view):
   """What a load takes, inside."""
   sizes = DIMS[view][1].split('x')
   layers = DIMS[view][4]
   parts = [f'(id * {k * 2 + 3} + {k}) % {size}' for k, size in enumerate(sizes)]
   if layers > 1:
      parts.append(f'id % {layers}')
   return parts[0] if len(parts) == 1 else f"ivec{len(parts)}({', '.join(parts)})"


def own(view):
   """A texel of its own for each of the first invocations, and whether there is one."""
   sizes = [int(n) for n in DIMS[view][1].split('x')]
   if DIMS[view][4] > 1:
      sizes.append(DIMS[view][4])
   parts, step = [], 1
   for size in sizes:
      parts.append(f'id / {step} % {size}')
      step *= size
   place = parts[0] if len(parts) == 1 else f"ivec{len(parts)}({', '.join(parts)})"
   return place, f'id < {step}'


def inside_level_1(view):
   """The same in level 1, which has half the size, and all layers."""
   sizes = [max(int(n) // 2, 1) for n in DIMS[view][1].split('x')]
   parts = [f'(id * {k * 2 + 3} + {k}) % {size}' for k, size in enumerate(sizes)]
   if DIMS[view][4] > 1:
      parts.append(f'id % {DIMS[view][4]}')
   return parts[0] if len(parts) == 1 else f"ivec{len(parts)}({', '.join(parts)})"


def fetches():
   for view in DIMS:
      if view.startswith('cube'):
         continue
      # lavapipe knows no r8_srgb, and its other sRGB is near.
      for name in (FETCHED if view == '2d' else ['rgba8_unorm', 'r32_uint', 'rgba32_float']):
         k = kind(name)
         yield f'fetch_{view}_{name}', shader(
            [image('in', '0.0', view, name, 2), '//: sampler 0.0 nearest'],
            f'layout(set = 0, binding = 0) uniform {k}sampler{DIMS[view][0]} tex;',
            [f'r = texelFetch(tex, {inside(view)}, 0);', f'r += texelFetch(tex, {inside_level_1(view)}, 1) * 3{"u" if k == "u" else ""};'],
            k, '' if k else 'abs=0.006' if 'srgb' in name else 'abs=1e-5 ulp=16')


def loads_and_stores():
   for view in DIMS:
      for name, word in STORED.items():
         if view != '2d' and name not in ('rgba8_unorm', 'r32_uint', 'rgba32_float', 'rgba16_sint'):
            continue
         k = kind(name)
         place, there = own(view)
         yield f'load_{view}_{name}', shader(
            [image('in', '0.0', view, name)],
            f'layout(set = 0, binding = 0, {word}) readonly uniform {k}image{DIMS[view][0]} img;',
            [f'r = imageLoad(img, {inside(view)});'], k, '' if k else CONVERTED)
         # Values that the format has, so that rounding is no matter: fifths are far from ties.
         value = {'': 'vec4(id % 2, 1 - id % 2, id / 2 % 2, 1.0)', 'u': 'uvec4(id, id * 2, 3, id & 1)',
                  'i': 'ivec4(id - 20, 20 - id, -3, id & 1)'}[k]
         yield f'store_{view}_{name}', shader(
            [image('out', '0.0', view, name)],
            f'layout(set = 0, binding = 0, {word}) writeonly uniform {k}image{DIMS[view][0]} img;',
            [f'if ({there})', f'   imageStore(img, {place}, {value});'], k)
   yield 'load_unknown_format', shader(
      [image('in', '0.0', '2d', 'rgba16_float'), image('out', '0.1', '2d', 'rg16_sint')],
      '#extension GL_EXT_shader_image_load_formatted : require\n'
      'layout(set = 0, binding = 0) readonly uniform image2D img;\nlayout(set = 0, binding = 1) writeonly uniform iimage2D to;',
      ['r = imageLoad(img, ivec2(id % 8, id / 8 % 6));', 'if (id < 48)', '   imageStore(to, ivec2(id % 8, id / 8), ivec4(id, -id, 0, 0));'])


def samples():
   for view, (suffix, _, n, _, _) in DIMS.items():
      for how, words in SAMPLERS.items():
         if view != '2d' and how not in ('nearest', 'linear', 'mip', 'border'):
            continue
         if view.startswith('cube') and how == 'border':
            continue
         near = how in ('nearest', 'mip_nearest')
         at = coordinate(view, n)
         # A whole level is in no doubt where the nearest is asked for.
         lod = 'float(id % 3)' if near else 'float(id % 5) * 0.5 - 0.25'
         yield f'sample_lod_{view}_{how}', shader(
            [image('in', '0.0', view, 'rgba8_unorm', 3), f'//: sampler 0.0 {words}'],
            f'layout(set = 0, binding = 0) uniform sampler{suffix} tex;',
            [f'vec4 p = {FLOATS};', f'r = textureLod(tex, {at}, {lod});'], '', CONVERTED if near else FILTERED)
   for name in ('r8_snorm', 'rg16_unorm', 'rgba16_float', 'r32_float', 'rgba32_float', 'rgba8_srgb', 'rgb111110_float',
                'rgba1010102_unorm', 'bgr565_unorm', 'rgb9995_float'):
      data = image('in', '0.0', '2d', name)
      large = name in ('rgb111110_float', 'rgb9995_float')
      yield f'sample_lod_2d_linear_{name}', shader(
         [data, '//: sampler 0.0 ' + ('nearest' if large else 'linear') + ' clamp_to_edge'],
         'layout(set = 0, binding = 0) uniform sampler2D tex;',
         [f'vec4 p = {FLOATS};', 'r = textureLod(tex, p.xy, 0.0);'], '', 'ulp=64' if large else 'abs=0.05')
   for name in ('rgba8_uint', 'r32_sint', 'rg16_uint'):
      k = kind(name)
      yield f'sample_lod_2d_nearest_{name}', shader(
         [image('in', '0.0', '2d', name), '//: sampler 0.0 nearest mirrored_repeat'],
         f'layout(set = 0, binding = 0) uniform {k}sampler2D tex;',
         [f'vec4 p = {FLOATS};', 'r = textureLod(tex, p.xy, 0.0);'], k)


def others():
   tex = 'layout(set = 0, binding = 0) uniform sampler2D tex;'
   lines = [image('in', '0.0', '2d', 'rgba8_unorm', 3), '//: sampler 0.0 linear mip_linear repeat']
   place = f'vec4 p = {FLOATS};'
   yield 'sample_grad_2d', shader(lines, tex, [place, 'r = textureGrad(tex, p.xy, vec2(0.4, 0.01 * float(id % 7)), vec2(0.02, 0.3));'],
                                  '', 'abs=0.03')
   yield 'sample_grad_offset_2d', shader(
      lines, tex, [place, 'r = textureGradOffset(tex, p.xy, vec2(0.2, 0.0), vec2(0.0, 0.25), ivec2(3, -2));'], '', 'abs=0.03')
   yield 'sample_grad_3d', shader(
      [image('in', '0.0', '3d', 'rgba8_unorm', 2), '//: sampler 0.0 linear mip_nearest repeat'],
      'layout(set = 0, binding = 0) uniform sampler3D tex;',
      [place, 'r = textureGrad(tex, p.xyz, vec3(0.1, 0.0, 0.0), vec3(0.0, 0.1, 0.05));'], '', FILTERED)
   yield 'sample_proj_2d', shader(lines, tex, [place, 'r = textureProjLod(tex, vec3(p.xy * 1.5, 1.5), 0.0) + textureProjLod(tex, vec4(p.xy * 3.0, 7.0, 3.0), 1.0);'],
                                  '', 'abs=0.04')
   yield 'sample_offset_2d', shader(lines, tex, [place, 'r = textureLodOffset(tex, p.xy, 0.0, ivec2(-3, 5));'], '', FILTERED)
   yield 'fetch_offset_2d', shader([image('in', '0.0', '2d', 'rgba8_unorm'), '//: sampler 0.0 nearest'], tex,
                                   ['r = texelFetchOffset(tex, ivec2(id % 6, id / 6 % 4), 0, ivec2(2, 1));'], '', CONVERTED)
   for component in range(4):
      yield f'gather_2d_{component}', shader(lines, tex, [place, f'r = textureGather(tex, p.xy, {component});'], '', CONVERTED)
   yield 'gather_offset_2d', shader(lines, tex, [place, 'r = textureGatherOffset(tex, p.xy, ivec2(2, -3), 1);'], '', CONVERTED)
   yield 'gather_dynamic_offset_2d', shader(
      lines, tex, [place, 'r = textureGatherOffset(tex, p.xy, ivec2(id % 5 - 2, id % 7 - 3), 2);'], '', CONVERTED)
   yield 'gather_offsets_2d', shader(
      lines, tex, [place, 'r = textureGatherOffsets(tex, p.xy, ivec2[](ivec2(0, 0), ivec2(1, 2), ivec2(-1, 3), ivec2(4, -2)));'],
      '', CONVERTED)
   yield 'gather_2d_array', shader(
      [image('in', '0.0', '2d_array', 'rgba8_unorm'), '//: sampler 0.0 nearest clamp_to_edge'],
      'layout(set = 0, binding = 0) uniform sampler2DArray tex;',
      [place, 'r = textureGather(tex, vec3(p.xy, p.w * 4.0), 0);'], '', CONVERTED)
   yield 'gather_uint_2d', shader(
      [image('in', '0.0', '2d', 'rgba8_uint'), '//: sampler 0.0 nearest clamp_to_edge'],
      'layout(set = 0, binding = 0) uniform usampler2D tex;', [place, 'r = textureGather(tex, p.xy, 3);'], 'u')
   for op in ('less', 'greater_or_equal', 'not_equal'):
      yield f'compare_2d_{op}', shader(
         [image('in', '0.0', '2d', 'r32_float'), f'//: sampler 0.0 nearest clamp_to_edge {op}'],
         'layout(set = 0, binding = 0) uniform sampler2DShadow tex;',
         [place, 'r.x = textureLod(tex, vec3(p.xy, p.z), 0.0);', 'r.y = textureLodOffset(tex, vec3(p.yx, p.w), 0.0, ivec2(1, 1));'])
   yield 'compare_linear_2d', shader(
      [image('in', '0.0', '2d', 'r16_unorm'), '//: sampler 0.0 linear clamp_to_edge less'],
      'layout(set = 0, binding = 0) uniform sampler2DShadow tex;',
      [place, 'r.x = textureLod(tex, vec3(p.xy, 0.5), 0.0);', 'r.y = textureProjLod(tex, vec4(p.xy * 2.0, 1.0, 2.0), 0.0);'],
      '', FILTERED)
   yield 'compare_cube', shader(
      [image('in', '0.0', 'cube', 'r16_unorm'), '//: sampler 0.0 nearest greater'],
      'layout(set = 0, binding = 0) uniform samplerCubeShadow tex;',
      [place, 'r.x = textureGrad(tex, vec4(p.xyz * 2.0 - 1.03, 0.5), vec3(0.01), vec3(0.01));'])
   yield 'gather_compare_2d', shader(
      [image('in', '0.0', '2d', 'r32_float'), '//: sampler 0.0 nearest repeat less_or_equal'],
      'layout(set = 0, binding = 0) uniform sampler2DShadow tex;', [place, 'r = textureGather(tex, p.xy, p.z);'])
   yield 'separate_2d', shader(
      [image('in', '0.0', '2d', 'rgba8_unorm'), '//: sampler 0.1 nearest', '//: sampler 0.2 linear clamp_to_edge'],
      'layout(set = 0, binding = 0) uniform texture2D tex;\nlayout(set = 0, binding = 1) uniform sampler a;\n'
      'layout(set = 0, binding = 2) uniform sampler b;',
      [place, 'r = textureLod(sampler2D(tex, a), p.xy, 0.0) + 2.0 * textureLod(sampler2D(tex, b), p.yx, 0.0);'], '', 'abs=0.05')
   yield 'array_dynamic_2d', shader(
      [image('in', f'0.0.{k}', '2d', 'rgba8_unorm', 1, k + 1) for k in range(4)] + ['//: sampler 0.1 nearest'],
      'layout(set = 0, binding = 0) uniform texture2D tex[4];\nlayout(set = 0, binding = 1) uniform sampler a;',
      [place, 'for (int k = 0; k < 4; k++)', '   r += textureLod(sampler2D(tex[k], a), p.xy, 0.0) * float(k + 1);'], '', 'abs=1e-5 ulp=16')
   yield 'array_of_images', shader(
      [image('io', f'0.0.{k}', '2d', 'r32_uint', 1, k + 1) for k in range(3)],
      'layout(set = 0, binding = 0, r32ui) uniform uimage2D img[3];',
      ['r.x = imageLoad(img[2], ivec2(id % 8, id / 8 % 6)).x;', 'if (id < 48)',
       '   imageStore(img[1], ivec2(id % 8, id / 8), uvec4(id * 3));'], 'u')
   yield 'cube_array_direction', shader(
      [image('in', '0.0', 'cube_array', 'r32_uint'), '//: sampler 0.0 nearest'],
      'layout(set = 0, binding = 0) uniform usamplerCubeArray tex;',
      [place, 'r = textureLod(tex, vec4(p.xyz * 2.0 - 1.03, float(id & 1)), 0.0);'], 'u')


def queries():
   for view, (suffix, _, _, _, _) in DIMS.items():
      parts = {'1d': 1, '2d': 2, '3d': 3, 'cube': 2, '1d_array': 2, '2d_array': 3, 'cube_array': 3}[view]
      size = 'int' if parts == 1 else f'ivec{parts}'
      fill = ', 0' * (4 - parts)
      yield f'query_{view}', shader(
         [image('in', '0.0', view, 'rgba8_unorm', 3), '//: sampler 0.0 nearest', image('in', '0.1', view, 'r32_sint')],
         f'layout(set = 0, binding = 0) uniform sampler{suffix} tex;\n'
         f'layout(set = 0, binding = 1, r32i) readonly uniform iimage{suffix} img;',
         [f'{size} s = textureSize(tex, 0) + 3 * textureSize(tex, 1) + 5 * textureSize(tex, 2);', f'{size} i = imageSize(img);',
          f'r = ivec4(s{fill}) * 100 + ivec4(i{fill});', 'r.w += textureQueryLevels(tex) * 10000;'], 'i')


def atomics():
   ops = {'add': 'imageAtomicAdd(img, {at}, 5{u})', 'min': 'imageAtomicMin(img, {at}, 7{u})',
          'max': 'imageAtomicMax(img, {at}, 90{u})', 'and': 'imageAtomicAnd(img, {at}, 0x5a5a{u})',
          'or': 'imageAtomicOr(img, {at}, 0x0101{u})', 'xor': 'imageAtomicXor(img, {at}, 0x0ff0{u})',
          'exchange': 'imageAtomicExchange(img, {at}, id_)', 'swap': 'imageAtomicCompSwap(img, {at}, 3{u}, 4{u})'}
   for view in DIMS:
      for name in ('r32_uint', 'r32_sint'):
         k = kind(name)
         for op, text in ops.items():
            if view != '2d' and op not in ('add', 'swap') or (view != '2d' and k == 'i'):
               continue
            place, there = own(view)
            data = image('io', '0.0', view, name).rsplit(' ', 1)[0] + f' {k}32*{texels(view, 1)}=random:3:0:9'
            u = 'u' if k == 'u' else ''
            call = text.format(at=place, u=u).replace('id_', 'uint(id)' if k == 'u' else 'id')
            yield f'atomic_{op}_{view}_{name}', shader(
               [data], f'layout(set = 0, binding = 0, {STORED[name]}) uniform {k}image{DIMS[view][0]} img;',
               [f'if ({there})', f'   r.x = {call};'], k)


def texel_buffers():
   for name in ('rgba8_unorm', 'r32_uint', 'rgba32_float', 'rg16_sint', 'r16_float'):
      k = kind(name)
      size = 64 * FORMATS[name][0]
      data = f'f32*{size // 4}=random:5' if name == 'rgba32_float' else f'f16*{size // 2}=random:5:-4:4' if name == 'r16_float' else f'u8*{size}=random:5'
      zero = f'u8*{size}=zero'
      yield f'buffer_fetch_{name}', shader(
         [f'//: image in 0.0 buffer 64 {name} {data}'], f'layout(set = 0, binding = 0) uniform {k}samplerBuffer tex;',
         ['r = texelFetch(tex, id * 37 % 64);'], k, '' if k else CONVERTED)
      yield f'buffer_store_{name}', shader(
         [f'//: image in 0.0 buffer 64 {name} {data}', f'//: image out 0.1 buffer 64 {name} {zero}'],
         f'layout(set = 0, binding = 0, {STORED[name]}) readonly uniform {k}imageBuffer img;\n'
         f'layout(set = 0, binding = 1, {STORED[name]}) writeonly uniform {k}imageBuffer to;',
         ['r = imageLoad(img, id);', 'imageStore(to, 63 - id, r);'], k, '' if k else CONVERTED)
   yield 'buffer_size', shader(
      ['//: image in 0.0 buffer 64 r32_uint u32*64=zero'], 'layout(set = 0, binding = 0) uniform usamplerBuffer tex;',
      ['r.x = uint(textureSize(tex));'], 'u')
   yield 'buffer_atomic', shader(
      ['//: image io 0.0 buffer 64 r32_uint u32*64=iota'], 'layout(set = 0, binding = 0, r32ui) uniform uimageBuffer img;',
      ['r.x = imageAtomicAdd(img, id, 3u) + imageAtomicCompSwap(img, (id + 32) % 64, 1000u, 1u) * 0u;'], 'u')


def edges():
   """Borders, clamps and bounds where their kinds meet: integers, seams of cubes, levels outside, texels as coordinates."""
   place = f'vec4 p = {FLOATS};'
   for name in ('rgba8_uint', 'r32_sint', 'rg16_sint'):
      k = kind(name)
      for color in ('transparent_black', 'opaque_black', 'opaque_white'):
         yield f'border_{color}_{name}', shader(
            [image('in', '0.0', '2d', name), f'//: sampler 0.0 nearest clamp_to_border {color} integer'],
            f'layout(set = 0, binding = 0) uniform {k}sampler2D tex;', [place, 'r = textureLod(tex, p.xy, 0.0);'], k)
   for name in ('r8_unorm', 'rg16_float', 'rgba8_snorm'):
      for color in ('transparent_black', 'opaque_black', 'opaque_white'):
         yield f'border_{color}_{name}', shader(
            [image('in', '0.0', '2d', name), f'//: sampler 0.0 nearest clamp_to_border {color}'],
            'layout(set = 0, binding = 0) uniform sampler2D tex;', [place, 'r = textureLod(tex, p.xy, 0.0);'], '', CONVERTED)
   # Directions that nearly meet an edge of a cube: filters take texels of two faces.
   for view, at in (('cube', 'd'), ('cube_array', 'vec4(d, float(id % 2))')):
      yield f'seam_{view}', shader(
         [image('in', '0.0', view, 'rgba8_unorm'), '//: sampler 0.0 linear clamp_to_edge'],
         f'layout(set = 0, binding = 0) uniform sampler{DIMS[view][0]} tex;',
         ['float t = float(id * 37 % 64) * 0.025 - 0.7;', 'float s = (id & 1) == 0 ? 1.0 : -1.0;',
          'vec3 e = (id & 2) == 0 ? vec3(s, s * 0.96, t) : vec3(s * 0.96, s, t);',
          'vec3 d = (id & 4) == 0 ? e : (id & 8) == 0 ? e.yzx : e.zxy;', f'r = textureLod(tex, {at}, 0.0);'], '', FILTERED)
      # Off what rounds to another group of four texels.
      size = int(DIMS[view][1].split('x')[0])
      yield f'gather_{view}', shader(
         [image('in', '0.0', view, 'rgba8_unorm'), '//: sampler 0.0 nearest clamp_to_edge'],
         f'layout(set = 0, binding = 0) uniform sampler{DIMS[view][0]} tex;',
         [f'vec2 p = (vec2(float(id * 37 % {size - 1}), float(id / 4 % {size - 1})) + 0.8) / {size / 2} - 1.0;',
          'float s = (id & 1) == 0 ? 1.0 : -1.0;', 'vec3 d = id % 3 == 0 ? vec3(s, p) : id % 3 == 1 ? vec3(p.x, s, p.y) : vec3(p, s);',
          f'r = textureGather(tex, {at}, 1);'], '', CONVERTED)
   for filter_ in ('nearest', 'linear'):
      for address in ('clamp_to_edge', 'clamp_to_border opaque_white'):
         yield f'unnormalized_{filter_}_{address.split()[0]}', shader(
            [image('in', '0.0', '2d', 'rgba8_unorm'), f'//: sampler 0.0 {filter_} {address} unnormalized max:0'],
            'layout(set = 0, binding = 0) uniform sampler2D tex;',
            [place, 'r = textureLod(tex, p.xy * vec2(8.0, 6.0) + 0.01, 0.0);'], '', CONVERTED if filter_ == 'nearest' else FILTERED)
   for how, words in (('min', 'min:1'), ('max', 'max:1'), ('both', 'min:1 max:1'), ('bias_up', 'bias:2'), ('bias_down', 'bias:-1')):
      yield f'level_{how}', shader(
         [image('in', '0.0', '2d', 'rgba8_unorm', 3), f'//: sampler 0.0 nearest mip_nearest repeat {words}'],
         'layout(set = 0, binding = 0) uniform sampler2D tex;',
         [place, 'r = textureLod(tex, p.xy, float(id % 7) - 2.0);'], '', CONVERTED)
   yield 'mirror_edge_far', shader(
      [image('in', '0.0', '2d', 'rgba8_unorm'), '//: sampler 0.0 nearest mirror_clamp_to_edge'],
      'layout(set = 0, binding = 0) uniform sampler2D tex;', [place, 'r = textureLod(tex, p.xy * 3.0 - 1.511, 0.0);'], '', CONVERTED)
   yield 'mirror_far', shader(
      [image('in', '0.0', '2d', 'rgba8_unorm'), '//: sampler 0.0 nearest mirrored_repeat'],
      'layout(set = 0, binding = 0) uniform sampler2D tex;', [place, 'r = textureLod(tex, p.xy * 9.0 - 4.511, 0.0);'], '', CONVERTED)


def all_shaders():
   """(name, text) of each."""
   for make in (fetches, loads_and_stores, samples, others, queries, atomics, texel_buffers, edges):
      yield from make()
