# SPDX-License-Identifier: MIT
"""Pairs of vertex and fragment shaders, by tables: types x interpolation, built-ins, formats, derivatives, samples, state.

Each is (name, Draw, vertex shader, fragment shader); heads of fragment shaders are those of the corpus.
"""
import os
import struct

import cases
import image_shaders
from draws import STRIP, VALUES, VERTEX, VERTEX_FORMATS, Draw, floats
from image_shaders import DIMS, image

VERSION = '#version 450\n'
# lavapipe divides by w at the center of the pixel, also where it interpolates elsewhere: there w is 1.
STRAIGHT = tuple((x / w, y / w, z / w, 1) for x, y, z, w in STRIP)
HEAD = '// SPDX-License-Identifier: MIT\n'
EXTENSIONS = '#extension GL_EXT_samplerless_texture_functions : require\n#extension GL_ARB_sparse_texture_clamp : require\n'
FLAT = [(x * w, y * w, z * w, w) for x, y, z, w in ((-1, -1, 0.5, 1), (1, -1, 0.25, 1), (-1, 1, 0.75, 1), (1, 1, 0.5, 1))]


def vertex(text=VERTEX, extensions=''):
   return HEAD + VERSION + extensions + text


def fragment(body, declarations='layout(location = 0) in vec4 v;', out='vec4', lines=(), extensions=''):
   text = '\n'.join(f'   {line}' for line in ([body] if isinstance(body, str) else body))
   head = ''.join(f'//: {line}\n' for line in lines)
   store = f'layout(location = 0) out {out} r;\n' if out else ''
   return f'{HEAD}{head}{VERSION}{extensions}{declarations}\n{store}void main()\n{{\n{text}\n}}\n'


# Interpolation: type, how the vertex shader makes it of `a`, how the fragment shader makes a vec4 of it.
VARYINGS = {
   'float': ('float', 'a.x', 'vec4(v)'), 'vec2': ('vec2', 'a.xy', 'v.xyyx'), 'vec3': ('vec3', 'a.xyz', 'v.xyzz'),
   'vec4': ('vec4', 'a', 'v'), 'mat2': ('mat2', 'mat2(a.xy, a.zw)', 'vec4(v[0], v[1])'),
   'mat3': ('mat3', 'mat3(a.xyz, a.yzw, a.zwx)', 'vec4(v * vec3(1.0, 2.0, 3.0), v[2].y)'),
   'mat4': ('mat4', 'mat4(a, a.yzwx, a.zwxy, a * 2.0)', 'v * vec4(1.0, -1.0, 0.5, 0.25)'),
   'mat2x4': ('mat2x4', 'mat2x4(a, a.wzyx)', 'v[0] - v[1]'),
   'floats': ('float', 'float[3](a.x, a.y, a.z)', 'vec4(v[0], v[1], v[2], v[int(gl_FragCoord.x) % 3])'),
   'vec2s': ('vec2', 'vec2[2](a.xy, a.zw)', 'vec4(v[int(gl_FragCoord.y) % 2], v[1])'),
}
QUALIFIERS = ('', 'noperspective', 'centroid', 'sample', 'flat')
CONSTANTS = {
   'int': ('int', 'int(a.x * 100.0) - gl_VertexIndex', 'vec4(v)'), 'ivec2': ('ivec2', 'ivec2(a.xy * 8.0)', 'vec4(v, v.yx)'),
   'ivec4': ('ivec4', 'ivec4(a * 8.0)', 'vec4(v)'), 'uint': ('uint', 'uint(gl_VertexIndex) * 77u', 'vec4(v)'),
   'uvec3': ('uvec3', 'uvec3(abs(a.xyz) * 8.0)', 'vec4(v, 0.0)'), 'double': ('double', 'double(a.y) / 3.0LF', 'vec4(float(v * 3.0LF))'),
   'dvec2': ('dvec2', 'dvec2(a.xy) * 0.1LF', 'vec4(vec2(v * 10.0LF), 0.0, 1.0)'),
   'dvec3': ('dvec3', 'dvec3(a.xyz) * 0.1LF', 'vec4(vec3(v * 10.0LF), 1.0)'), 'dvec4': ('dvec4', 'dvec4(a) * 0.1LF', 'vec4(v * 10.0LF)'),
   'ints': ('int', 'int[2](int(a.x * 8.0), gl_VertexIndex)', 'vec4(v[0], v[1], v[int(gl_FragCoord.x) & 1], 0.0)'),
}


def varyings():
   for names, qualifiers in ((VARYINGS, QUALIFIERS), (CONSTANTS, ('flat',))):
      for name, (kind, made, read) in names.items():
         for q in qualifiers:
            if q in ('sample', 'centroid') and name not in ('float', 'vec4', 'mat2'):
               continue
            size = f'[{made[made.index("[") + 1]}]' if name.endswith('s') and '[' in made else ''
            draw = Draw(samples=4, positions=STRAIGHT) if q in ('sample', 'centroid') else Draw()
            yield (f'varying_{name}_{q or "smooth"}', draw,
                   vertex(f'layout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 a;\n'
                          f'layout(location = 2) {"flat" if q == "flat" else ""} out {kind} v{size};\n'
                          f'void main()\n{{\n   gl_Position = position;\n   v = {made};\n}}\n'),
                   fragment(f'r = {read};', f'layout(location = 2) {q} in {kind} v{size};'))
   yield ('varying_block', Draw(),
          vertex('layout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 a;\n'
                 'layout(location = 1) out Block { vec2 p; flat int n; noperspective vec3 q; float f[2]; } b;\n'
                 'void main()\n{\n   gl_Position = position;\n   b.p = a.xy;\n   b.n = gl_VertexIndex + 3;\n   b.q = a.yzw;\n   b.f = float[2](a.x, a.w);\n}\n'),
          fragment('r = vec4(b.p.x + b.q.z, b.p.y - float(b.n), b.q.xy) + vec4(b.f[0], b.f[1], 0.0, 0.0);',
                   'layout(location = 1) in Block { vec2 p; flat int n; noperspective vec3 q; float f[2]; } b;'))
   yield ('varying_components', Draw(),
          vertex('layout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 a;\n'
                 'layout(location = 0) out vec2 p;\nlayout(location = 0, component = 2) out float q;\nlayout(location = 0, component = 3) out float s;\n'
                 'void main()\n{\n   gl_Position = position;\n   p = a.xy;\n   q = a.z;\n   s = a.w * 3.0;\n}\n'),
          fragment('r = vec4(p, q, s);', 'layout(location = 0) in vec2 p;\nlayout(location = 0, component = 2) in float q;\n'
                                         'layout(location = 0, component = 3) in float s;'))
   yield ('varying_struct', Draw(),
          vertex('layout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 a;\nstruct S { vec3 p; float q[2]; };\n'
                 'layout(location = 3) out S s;\nvoid main()\n{\n   gl_Position = position;\n   s = S(a.xyz, float[2](a.w, a.x * 2.0));\n}\n'),
          fragment('r = vec4(s.p.xy, s.q[0], s.q[int(gl_FragCoord.x) & 1] + s.p.z);',
                   'struct S { vec3 p; float q[2]; };\nlayout(location = 3) in S s;'))


def halves():
   """16 bits between the stages, and as attributes and colours; lavapipe draws the same in 32."""
   head = ('#extension GL_EXT_shader_explicit_arithmetic_types : require\n#extension GL_EXT_shader_16bit_storage : require\n')
   for name, kind, made, read, qualifier in (
         ('float', 'float16_t', 'float16_t(a.x)', 'vec4(v)', ''), ('vec4', 'f16vec4', 'f16vec4(a)', 'vec4(v)', ''),
         ('vec3s', 'f16vec3', 'f16vec3[2](f16vec3(a.xyz), f16vec3(a.yzw))', 'vec4(v[0].xy, v[int(gl_FragCoord.x) & 1].yz)', 'noperspective'),
         ('flat', 'f16vec2', 'f16vec2(a.yw)', 'vec4(v, v.yx)', 'flat'), ('int', 'i16vec2', 'i16vec2(a.xy * 8.0)', 'vec4(v, 0, 1)', 'flat'),
         ('uint', 'uint16_t', 'uint16_t(gl_VertexIndex) * uint16_t(777)', 'vec4(v)', 'flat')):
      size = '[2]' if name.endswith('s') else ''
      draw = Draw(tolerance=4e-3)
      draw.narrow = True
      yield (f'half_{name}', draw,
             vertex('layout(location = 0) in vec4 position;\nlayout(location = 1) in f16vec4 a;\n'
                    f'layout(location = 2) {"flat" if qualifier == "flat" else ""} out {kind} v{size};\n'
                    f'void main()\n{{\n   gl_Position = position;\n   v = {made};\n}}\n', head),
             fragment(f'r = f16vec4({read});', f'layout(location = 2) {qualifier} in {kind} v{size};', out='f16vec4', extensions=head))
   for name, target, kind, made in (('int', 'rgba16_sint', 'i16vec4', 'i16vec4(v * 100.0)'), ('uint', 'rgba8_uint', 'u16vec4', 'u16vec4(abs(v) * 50.0)')):
      draw = Draw(colors=[(target, (0, 0, 0, 0), None, 'rgba')], positions=FLAT, values=((1, 2, 3, 4),) * 4)
      draw.narrow = True
      yield (f'half_color_{name}', draw, vertex(), fragment(f'r = {made};', out=kind, extensions=head))


# A name, and what the fragment shader stores; some need other state.
BUILT_INS = {
   'frag_coord': ('r = gl_FragCoord;', {}), 'front_facing': ('r = gl_FrontFacing ? v : -v;', {}),
   'front_facing_clockwise': ('r = gl_FrontFacing ? v : -v;', {'clockwise': True}),
   'primitive_id': ('r = vec4(gl_PrimitiveID, v.xyz);', {}),
   'sample_id': ('r = vec4(gl_SampleID, v.xyz);', {'samples': 4}), 'sample_position': ('r = vec4(gl_SamplePosition, v.xy);', {'samples': 4}),
   'sample_mask_in': ('r = vec4(gl_SampleMaskIn[0]);', {'samples': 4}),
   'sample_mask_in_each': ('r = vec4(gl_SampleMaskIn[0], gl_SampleID, v.xy);', {'samples': 4}),
   'sample_mask': ('r = v;\ngl_SampleMask[0] = int(gl_FragCoord.x) & 15;', {'samples': 4}),
   'frag_coord_samples': ('r = vec4(gl_FragCoord.xy, gl_SampleID, gl_FragCoord.z);', {'samples': 4}),
   'sample_shading': ('r = gl_FragCoord;', {'samples': 4, 'sample_shading': True, 'positions': STRAIGHT}),
   'layer': ('r = vec4(gl_Layer, v.xyz);', {}), 'viewport_index': ('r = vec4(gl_ViewportIndex, v.xyz);', {}),
}
DEPTHS = {'any': 'depth_any', 'greater': 'depth_greater', 'less': 'depth_less', 'unchanged': 'depth_unchanged'}


def built_ins():
   for name, (body, said) in BUILT_INS.items():
      yield f'builtin_{name}', Draw(**said), vertex(), fragment(body.split('\n'))
   for name, qualifier in DEPTHS.items():
      depth = {'any': '0.5 + v.x * 0.25', 'greater': 'gl_FragCoord.z + 0.125', 'less': 'gl_FragCoord.z * 0.5', 'unchanged': 'gl_FragCoord.z'}[name]
      yield (f'builtin_frag_depth_{name}', Draw(depth=('r32_float', 'less', False, False, 0.6)), vertex(),
             fragment(['r = v;', f'gl_FragDepth = {depth};'],
                      f'layout(location = 0) in vec4 v;\nlayout({qualifier}) out float gl_FragDepth;'))
   yield ('builtin_vertex_index', Draw(first=0), vertex(VERTEX.replace('v = a;', 'v = a + vec4(gl_VertexIndex);')), fragment('r = v;'))
   yield ('builtin_base_vertex', Draw(positions=(STRIP[3],) * 2 + STRIP, values=(VALUES[0],) * 2 + VALUES, first=2, vertices=4),
          vertex(VERTEX.replace('v = a;', 'v = a + vec4(gl_BaseVertexARB, gl_VertexIndex, 0, 0);'), '#extension GL_ARB_shader_draw_parameters : require\n'),
          fragment('r = v;'))
   yield ('builtin_base_instance', Draw(instances=2, first_instance=5),
          vertex(VERTEX.replace('v = a;', 'v = a + vec4(gl_BaseInstanceARB, gl_InstanceIndex, gl_DrawIDARB, 0);'),
                 '#extension GL_ARB_shader_draw_parameters : require\n'), fragment('r = v;'))
   yield ('builtin_instance_index', Draw(instances=3, positions=FLAT),
          vertex(VERTEX.replace('= position', '= vec4(position.xy * 0.25 + vec2(gl_InstanceIndex) * 0.5 - 0.5, position.zw)')
                 .replace('v = a;', 'v = a * float(gl_InstanceIndex + 1);')), fragment('r = v;'))
   for size in (1.0, 3.0, 4.5, 8.0):
      yield (f'builtin_point_size_{size}'.replace('.', '_'),
             Draw(topology='point_list', positions=((-0.5, -0.5, 0.5, 1), (0.25, 0.375, 0.25, 1), (1.0, -0.5, 0.5, 2))),
             vertex(VERTEX.replace('v = a;', f'v = a;\n   gl_PointSize = {size};')), fragment('r = vec4(gl_PointCoord, v.xy);'))
   for count in (1, 2, 4):
      sets = '\n   '.join(f'gl_ClipDistance[{k}] = position.{"xyxy"[k]} * {(-1) ** k}.0 + 0.40625 * position.w;' for k in range(count))
      declared = VERTEX.replace('layout(location = 0) out', f'out float gl_ClipDistance[{count}];\nlayout(location = 0) out')
      yield (f'builtin_clip_distance_{count}', Draw(), vertex(declared.replace('v = a;', f'v = a;\n   {sets}')),
             fragment(f'r = vec4(v.xyz, gl_ClipDistance[{count - 1}]);', f'in float gl_ClipDistance[{count}];\nlayout(location = 0) in vec4 v;'))
   declared = VERTEX.replace('layout(location = 0) out', 'out float gl_CullDistance[2];\nlayout(location = 0) out')
   yield ('builtin_cull_distance', Draw(topology='triangle_list', indices=(2, (0, 1, 2, 2, 1, 3), False, 0)),
          vertex(declared.replace('v = a;', 'v = a;\n   gl_CullDistance[0] = 1.0;\n   gl_CullDistance[1] = gl_VertexIndex == 0 ? 0.5 : -0.5;')),
          fragment('r = v;'))
   yield ('builtin_layer_written', Draw(layers=3, instances=3, size=(8, 8)),
          vertex(VERTEX.replace('v = a;', 'v = a * float(gl_InstanceIndex + 1);\n   gl_Layer = 2 - gl_InstanceIndex;'),
                 '#extension GL_ARB_shader_viewport_layer_array : require\n'), fragment('r = vec4(v.xyz, gl_Layer);'))
   yield ('builtin_early_fragment_tests', Draw(depth=('r32_float', 'less', False, False, 0.5)), vertex(),
          fragment(['r = v;', 'if (v.x > 0.5)', '   discard;'], 'layout(early_fragment_tests) in;\nlayout(location = 0) in vec4 v;'))
   yield ('builtin_invariant_position', Draw(), vertex('invariant gl_Position;\n' + VERTEX), fragment('r = v;'))
   yield ('builtin_position_computed', Draw(positions=FLAT),
          vertex(VERTEX.replace('gl_Position = position;', 'mat4 m = mat4(0.5, 0, 0, 0, 0, 0.75, 0, 0, 0, 0, 1, 0, 0.125, -0.25, 0, 1);\n   gl_Position = m * position;')),
          fragment('r = v;'))


DERIVATIVES = ('dFdx', 'dFdy', 'fwidth', 'dFdxFine', 'dFdyFine', 'fwidthFine', 'dFdxCoarse', 'dFdyCoarse', 'fwidthCoarse')


def derivatives():
   near = {'tolerance': 2e-3}
   for name in DERIVATIVES:
      # Linear ones do not depend on which pair of the quad is taken.
      yield (f'derivative_{name.lower()}', Draw(**near), vertex(), fragment([f'r = {name}(vec4(gl_FragCoord.xy * vec2(0.5, 3.0), noise.x, noise.y));'],
             'layout(location = 0) noperspective in vec4 noise;'))
   for kind, expression in (('float', 'vec4(dFdx(v.x), dFdy(v.y), 0.0, 1.0)'), ('vec2', 'vec4(dFdx(v.xy), dFdy(v.zw))'),
                            ('vec3', 'vec4(fwidth(v.xyz), 1.0)'), ('square', 'dFdxFine(v * v) + dFdyFine(v)')):
      yield f'derivative_{kind}', Draw(**near), vertex(), fragment(f'r = {expression};', 'layout(location = 0) noperspective in vec4 v;')
   yield ('derivative_beside_discard', Draw(**near), vertex(),
          fragment(['vec4 d = dFdx(v);', 'if (int(gl_FragCoord.x + gl_FragCoord.y) % 3 == 0)', '   discard;', 'r = d;'],
                   'layout(location = 0) noperspective in vec4 v;'))
   yield ('derivative_after_demote', Draw(**near), vertex(),
          fragment(['if (int(gl_FragCoord.x) % 2 == 0)', '   demote;', 'r = dFdx(v) + dFdy(v);'],
                   'layout(location = 0) noperspective in vec4 v;', extensions='#extension GL_EXT_demote_to_helper_invocation : require\n'))
   # What ends helpers stands between the derivative and the loop, not before the derivative.
   yield ('derivative_after_demote_in_arm', Draw(**near), vertex(),
          fragment(['if (v.x > 0.25) {', '   if (int(gl_FragCoord.x) % 3 == 0)', '      demote;', '}', 'r = dFdxFine(v * v) + dFdyFine(v);',
                    'for (int k = 0; k < int(gl_FragCoord.y) % 3; k++)', '   r = r * 0.5 + v.wzyx;'],
                   'layout(location = 0) noperspective in vec4 v;', extensions='#extension GL_EXT_demote_to_helper_invocation : require\n'))
   # A lane that OpKill ended is there for its neighbours' derivatives where no loop may keep it.
   yield ('derivative_after_discard', Draw(**near), vertex(),
          fragment(['if (int(gl_FragCoord.x + gl_FragCoord.y) % 3 == 0)', '   discard;', 'r = dFdx(v) + dFdy(v);'],
                   'layout(location = 0) noperspective in vec4 v;'))
   yield ('derivative_after_discard_in_function', Draw(**near), vertex(),
          fragment(['test(v.x, gl_FragCoord.xy);', 'if (v.y > 0.5)', '   test(v.z, gl_FragCoord.yx);', 'r = dFdx(v) + dFdy(v);'],
                   'layout(location = 0) noperspective in vec4 v;\nvoid test(float x, vec2 at)\n{\n   if (x > 0.0) {\n      if (int(at.x) % 3 == 0)\n'
                   '         discard;\n   }\n}'))
   yield ('derivative_in_uniform_loop', Draw(**near), vertex(),
          fragment(['r = vec4(0.0);', 'for (int k = 0; k < 4; k++)', '   r += dFdx(v * float(k));'], 'layout(location = 0) noperspective in vec4 v;'))
   yield ('derivative_in_function', Draw(**near), vertex(),
          fragment('r = vec4(slope(v.x), slope(v.y), slope(v.z), 1.0);',
                   'layout(location = 0) noperspective in vec4 v;\nfloat slope(float x)\n{\n   return length(vec2(dFdx(x), dFdy(x)));\n}'))
   yield ('quad_swap', Draw(**near), vertex(),
          fragment('r = vec4(subgroupQuadSwapHorizontal(gl_FragCoord.x), subgroupQuadSwapVertical(gl_FragCoord.y), subgroupQuadSwapDiagonal(gl_FragCoord.x), subgroupQuadBroadcast(gl_FragCoord.y, 0));',
                   extensions='#extension GL_KHR_shader_subgroup_quad : require\n'))


ENDINGS = {
   'discard': ('', ['if (v.x < 0.5)', '   discard;', 'r = v;']),
   'discard_last': ('', ['r = v;', 'if (fract(gl_FragCoord.x * 0.25) > 0.5)', '   discard;']),
   'discard_all': ('', ['r = v;', 'discard;']),
   'discard_in_loop': ('', ['r = vec4(0.0);', 'for (int k = 0; k < int(gl_FragCoord.x); k++) {', '   r += v;', '   if (r.x > 4.0)', '      discard;', '}']),
   'discard_in_function': ('void check(float x)\n{\n   if (x > 0.75)\n      discard;\n}\n', ['check(v.y);', 'r = v;']),
   'discard_nested': ('', ['if (v.x > 0.25) {', '   if (v.y > 0.5)', '      discard;', '   r = v;', '} else {', '   if (v.w > 0.5)', '      discard;', '   r = -v;', '}']),
   'demote': ('demote', ['if (v.x < 0.5)', '   demote;', 'r = v;']),
   'demote_helper': ('demote', ['if (v.x < 0.5)', '   demote;', 'r = helperInvocationEXT() ? vec4(9.0) : v;']),
   'demote_in_loop': ('demote', ['r = v;', 'for (int k = 0; k < 8; k++) {', '   if (k == int(gl_FragCoord.y))', '      demote;', '   r += 0.125;', '}']),
   'terminate': ('terminate', ['if (v.x < 0.5)', '   terminateInvocation;', 'r = v;']),
}


DEMOTE = '#extension GL_EXT_demote_to_helper_invocation : require\n'
TERMINATE = '#extension GL_EXT_terminate_invocation : require\n'


def endings():
   for name, (declared, body) in ENDINGS.items():
      extension = {'demote': DEMOTE, 'terminate': TERMINATE}.get(declared, '')
      declared = '' if extension else declared
      yield f'ending_{name}', Draw(), vertex(), fragment(body, 'layout(location = 0) in vec4 v;\n' + declared, extensions=extension)
      if name in ('discard', 'demote', 'discard_last'):
         yield (f'ending_{name}_depth', Draw(samples=1, depth=('r32_float', 'less_or_equal', False, False, 1.0)), vertex(),
                fragment(body, 'layout(location = 0) in vec4 v;', extensions=extension))


AT = {'centroid': 'interpolateAtCentroid({0})', 'offset': 'interpolateAtOffset({0}, vec2(0.25, -0.375))',
      'offset_dynamic': 'interpolateAtOffset({0}, fract(gl_FragCoord.xy * 0.375) - 0.5)', 'sample': 'interpolateAtSample({0}, 2)',
      'sample_dynamic': 'interpolateAtSample({0}, int(gl_FragCoord.x) & 3)'}


def interpolations():
   for name, call in AT.items():
      for qualifier in ('', 'noperspective', 'centroid'):
         draw = Draw(samples=4, positions=STRAIGHT)
         yield (f'interpolate_at_{name}_{qualifier or "smooth"}', draw, vertex(),
                fragment(f'r = {call.format("v")};', f'layout(location = 0) {qualifier} in vec4 v;'))
   yield ('interpolate_at_parts', Draw(samples=4, positions=STRAIGHT), vertex(),
          fragment('r = vec4(interpolateAtSample(v.x, 1), interpolateAtOffset(v.yz, vec2(0.25)), interpolateAtCentroid(v.w));'))
   yield ('interpolate_at_array', Draw(samples=4, positions=STRAIGHT),
          vertex('layout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 a;\nlayout(location = 0) out vec2 v[3];\n'
                 'void main()\n{\n   gl_Position = position;\n   v = vec2[3](a.xy, a.zw, a.xw);\n}\n'),
          fragment('r = vec4(interpolateAtSample(v[int(gl_FragCoord.y) % 3], 3), interpolateAtOffset(v[1], vec2(-0.25, 0.125)));',
                   'layout(location = 0) in vec2 v[3];'))
   # Not all of a quad comes there.
   for name, extensions, body in (
         ('branch', '', ['if (gl_FragCoord.x > 7.0)', '   r = interpolateAtOffset(v, vec2(-0.5, 0.4375));', 'else',
                         '   r = interpolateAtSample(v, 3);']),
         ('loop', '', ['r = vec4(0.0);', 'for (int k = 0; k < int(gl_FragCoord.x) % 5; k++)', '   r += interpolateAtSample(v, k & 3);']),
         ('function', '', ['r = int(gl_FragCoord.x) % 3 == 0 ? vec4(0.5) : at(0.25);']),
         ('ended', TERMINATE, ['if (int(gl_FragCoord.x + gl_FragCoord.y) % 3 == 0)', '   terminateInvocation;', 'r = interpolateAtOffset(v, vec2(0.25));'])):
      for qualifier in ('', 'noperspective'):
         yield (f'interpolate_at_{name}_{qualifier or "smooth"}', Draw(samples=4, positions=STRAIGHT), vertex(),
                fragment(body, f'layout(location = 0) {qualifier} in vec4 v;' + ('\nvec4 at(float x)\n{\n   return interpolateAtOffset(v, vec2(x));\n}'
                                                                              if name == 'function' else ''), extensions=extensions))
   yield ('interpolate_at_single', Draw(), vertex(), fragment('r = interpolateAtSample(v, 0) + interpolateAtCentroid(v) + interpolateAtOffset(v, vec2(0.0));'))


ATTACHMENTS = ('r8_unorm', 'r8_snorm', 'r8_uint', 'r8_sint', 'rg8_unorm', 'rg8_uint', 'rg8_sint', 'rgba8_unorm', 'rgba8_snorm', 'rgba8_uint',
               'rgba8_sint', 'rgba8_srgb', 'bgra8_unorm', 'bgra8_srgb', 'r16_unorm', 'r16_snorm', 'r16_uint', 'r16_sint', 'r16_float', 'rg16_unorm',
               'rg16_uint', 'rg16_float', 'rgba16_unorm', 'rgba16_uint', 'rgba16_sint', 'rgba16_float', 'r32_uint', 'r32_sint', 'r32_float',
               'rg32_uint', 'rg32_sint', 'rg32_float', 'rgba32_uint', 'rgba32_sint', 'rgba32_float', 'bgr565_unorm', 'bgra5551_unorm',
               'rgba1010102_unorm', 'rgba1010102_uint', 'bgra1010102_unorm', 'rgb111110_float')


def attachments():
   for name in ATTACHMENTS:
      kind = image_shaders.kind(name)
      out = {'': 'vec4', 'u': 'uvec4', 'i': 'ivec4'}[kind]
      near = 2e-3 if '16_float' in name else 2e-4
      value = {'': 'v' if 'rgb111110' not in name else 'abs(v)', 'u': 'uvec4(gl_FragCoord.xyxy) + uvec4(0, 0, 3, 1) & uvec4(15, 15, 15, 3)',
               'i': 'ivec4(gl_FragCoord.xyxy) - 8'}[kind]
      draw = Draw(colors=[(name, (0, 0, 0, 0), None, 'rgba')], tolerance=near)
      yield f'attachment_{name}', draw, vertex(), fragment(f'r = {value};', 'layout(location = 0) noperspective in vec4 v;', out)
   three = [('rgba32_float', (0.5, 0, 0, 1), None, 'rgba'), ('rgba8_uint', (1, 2, 3, 4), None, 'rgba'), ('r32_sint', (-5, 0, 0, 0), None, 'rgba')]
   yield ('attachment_several', Draw(colors=three), vertex(),
          fragment(['r = v;', 's = uvec4(gl_FragCoord.xyxy);', 't = int(gl_FragCoord.x) - 7;'],
                   'layout(location = 0) in vec4 v;\nlayout(location = 1) out uvec4 s;\nlayout(location = 2) out int t;'))
   yield ('attachment_array', Draw(colors=three[:1] * 3), vertex(),
          fragment(['for (int k = 0; k < 3; k++)', '   c[k] = v * float(k + 1);', 'c[int(gl_FragCoord.x) % 3].x = 5.0;'],
                   'layout(location = 0) in vec4 v;\nlayout(location = 0) out vec4 c[3];', ''))
   yield ('attachment_components', Draw(), vertex(),
          fragment(['p = v.xy;', 'q = v.zw * 2.0;'], 'layout(location = 0) in vec4 v;\nlayout(location = 0) out vec2 p;\nlayout(location = 0, component = 2) out vec2 q;', ''))
   for mask in ('r', 'gb', 'a', 'rba'):
      yield f'attachment_mask_{mask}', Draw(colors=[('rgba32_float', (7, 8, 9, 10), None, mask)]), vertex(), fragment('r = v;')


BLENDS = {
   'over': 'src_alpha:one_minus_src_alpha:add:one:one_minus_src_alpha:add', 'add': 'one:one:add', 'multiply': 'dst_color:zero:add',
   'screen': 'one_minus_dst_color:one:add', 'min': 'one:one:min', 'max': 'one:one:max', 'subtract': 'one:one:subtract',
   'reverse': 'src_alpha:dst_alpha:reverse_subtract', 'alpha': 'src_color:one_minus_src_color:add:dst_alpha:one_minus_dst_alpha:add',
}


def blends():
   for name, said in BLENDS.items():
      for form in ('rgba32_float', 'rgba8_unorm'):
         yield (f'blend_{name}_{form}', Draw(colors=[(form, (0.25, 0.5, 0.75, 0.5), said, 'rgba')], instances=2 if form == 'rgba32_float' else 1), vertex(),
                fragment('r = clamp(v, 0.0, 1.0);'))
   for name, said in (('color', 'src1_color:one_minus_src1_color:add'), ('alpha', 'one:one_minus_src1_alpha:add:src1_alpha:zero:add')):
      yield (f'blend_dual_{name}', Draw(colors=[('rgba32_float', (0.25, 0.5, 0.75, 0.5), said, 'rgba')]), vertex(),
             fragment(['r = v;', 's = v.wzyx * 0.5;'],
                      'layout(location = 0) in vec4 v;\nlayout(location = 0, index = 1) out vec4 s;').replace('layout(location = 0) out', 'layout(location = 0, index = 0) out'))


def tests():
   for op in ('never', 'less', 'equal', 'less_or_equal', 'greater', 'not_equal', 'greater_or_equal', 'always'):
      yield (f'depth_{op}', Draw(depth=('r32_float', op, False, False, 0.5), positions=FLAT, instances=2), vertex(), fragment('r = v;'))
   yield 'depth_r16', Draw(depth=('r16_unorm', 'less', False, False, 0.4)), vertex(), fragment('r = v;')
   yield 'depth_keep', Draw(depth=('r32_float', 'less', True, False, 0.4), instances=2), vertex(), fragment('r = v;')
   outside = tuple((x, y, z * 3 - w, w) for x, y, z, w in STRIP)
   yield 'depth_clip', Draw(depth=('r32_float', 'always', False, False, 0.4), positions=outside), vertex(), fragment('r = v;')
   clamped = {'viewport': (2, 3, 11, 9, 0.25, 0.75), 'depth': ('r32_float', 'always', False, True, 0.4)}
   yield 'depth_clamp', Draw(positions=outside, **clamped), vertex(), fragment('r = gl_FragCoord;')
   yield ('depth_clamp_stored', Draw(positions=outside, **clamped), vertex(),
          fragment(['r = gl_FragCoord;', 'gl_FragDepth = gl_FragCoord.x / 14.0;']))
   yield 'depth_viewport', Draw(depth=('r32_float', 'less', False, False, 0.9), viewport=(2, 3, 11, 9, 0.25, 0.75)), vertex(), fragment('r = gl_FragCoord;')
   yield 'viewport_flipped', Draw(viewport=(0, 16, 16, -16, 1, 0)), vertex(), fragment('r = vec4(v.xyz, gl_FrontFacing);')
   for cull in ('front', 'back', 'both'):
      yield (f'cull_{cull}', Draw(topology='triangle_list', indices=(2, (0, 1, 2, 1, 2, 3), False, 0), cull=cull), vertex(), fragment('r = v;'))
   yield 'cull_front_clockwise', Draw(cull='front', clockwise=True), vertex(), fragment('r = v;')


def topologies():
   fan = ((0, 0, 0.5, 1), (-0.75, -0.875, 0.25, 1), (0.8125, -0.75, 0.5, 1), (0.9375, 0.75, 0.5, 1), (-0.875, 0.9375, 0.5, 1))
   values = VALUES + VALUES[:1]
   yield 'topology_fan', Draw(topology='triangle_fan', positions=fan, values=values), vertex(), fragment('r = v;')
   yield 'topology_fan_flat', Draw(topology='triangle_fan', positions=fan, values=values), vertex(VERTEX.replace(') out', ') flat out')), fragment('r = v;', 'layout(location = 0) flat in vec4 v;')
   yield 'topology_strip_flat', Draw(), vertex(VERTEX.replace(') out', ') flat out')), fragment('r = vec4(v.xyz, gl_PrimitiveID);', 'layout(location = 0) flat in vec4 v;')
   yield 'topology_list', Draw(topology='triangle_list', indices=(4, (2, 0, 1, 3, 2, 1), False, 0)), vertex(), fragment('r = v;')
   yield ('topology_strip_restart', Draw(topology='triangle_strip', positions=fan, values=values, indices=(2, (1, 2, 0, 65535, 4, 0, 3), True, 0)),
          vertex(VERTEX.replace(') out', ') flat out')), fragment('r = vec4(v.xyz, gl_PrimitiveID);', 'layout(location = 0) flat in vec4 v;'))
   yield ('topology_index_offset', Draw(positions=(STRIP[0],) * 3 + STRIP, values=(VALUES[0],) * 3 + VALUES, indices=(2, (2, 3, 4, 5), False, 1)),
          vertex(), fragment('r = v;'))
   yield ('topology_points', Draw(topology='point_list', positions=fan, values=values), vertex(VERTEX.replace('v = a;', 'v = a;\n   gl_PointSize = 1.0;')),
          fragment('r = v;'))
   across = ((-0.9375, 0.0625, 0.5, 1), (0.9375, 0.0625, 0.5, 1))
   yield 'topology_line_across', Draw(topology='line_list', positions=across, values=VALUES[:2]), vertex(), fragment('r = v;', 'layout(location = 0) noperspective in vec4 v;')
   yield ('topology_line_down', Draw(topology='line_list', positions=tuple((y, x, z, w) for x, y, z, w in across), values=VALUES[:2]),
          vertex(), fragment('r = v;', 'layout(location = 0) noperspective in vec4 v;'))
   behind = ((-1.0, -0.5, 0.5, 1), (1.0, -0.5, 0.5, 1), (0.125, 2.0, -1.0, -0.5))
   yield 'clip_behind_eye', Draw(topology='triangle_list', positions=behind, values=VALUES[:3], tolerance=2e-3), vertex(), fragment('r = v;')
   large = ((-50.0, -40.0, 0.5, 1), (60.0, -45.0, 0.25, 1), (5.0, 80.0, 0.75, 1))
   yield 'clip_large', Draw(topology='triangle_list', positions=large, values=VALUES[:3], tolerance=2e-3), vertex(), fragment('r = v;')
   yield ('instance_rate', Draw(positions=FLAT, instances=2,
                                buffers=[(floats(FLAT), 16, False), (floats(((0.25, 0.5, 0.5, 0.5), (-0.5, -0.25, 0.5, 0.25))), 16, True)],
                                attributes=[(0, 0, 0, 'rgba32_float'), (1, 1, 0, 'rgba32_float')]),
          vertex(VERTEX.replace('= position', '= vec4(position.xy * a.w + a.xy, position.zw)')), fragment('r = v;'))


def attribute_formats():
   for name, (size, _) in VERTEX_FORMATS.items():
      if name in ('r8_srgb', 'rgba8_srgb', 'bgra8_srgb', 'bgr565_unorm', 'bgra5551_unorm', 'argb4444_unorm', 'rgb9995_float', 'bgra1010102_unorm'):
         continue
      kind = image_shaders.kind(name)
      if name.endswith('32_float'):
         data = struct.pack(f'<{size}f', *(k * 0.375 - 2 for k in range(size)))
      elif name.endswith('16_float'):
         data = struct.pack(f'<{size * 2}e', *(k * 0.375 - 2 for k in range(size * 2)))
      else:
         data = bytes(k * 37 % 120 + 3 for k in range(size * 4))
      made = {'': 'b', 'u': 'vec4(b & 0xffffu)', 'i': 'vec4(b % 30000)'}[kind]
      draw = Draw(buffers=[(floats(FLAT), 16, False), (data, size, False)],
                  attributes=[(0, 0, 0, 'rgba32_float'), (1, 1, 0, name)])
      yield (f'attribute_{name}', draw,
             vertex(f'layout(location = 0) in vec4 position;\nlayout(location = 1) in {kind}vec4 b;\nlayout(location = 0) flat out vec4 v;\n'
                    f'void main()\n{{\n   gl_Position = position;\n   v = {made};\n}}\n'),
             fragment('r = v;', 'layout(location = 0) flat in vec4 v;'))
   matrix = Draw(buffers=[(floats(FLAT), 16, False), (floats([VALUES[k] + VALUES[3 - k] for k in range(4)]), 32, False)],
                 attributes=[(0, 0, 0, 'rgba32_float'), (1, 1, 0, 'rgba32_float'), (2, 1, 16, 'rgba32_float')])
   yield ('attribute_matrix', matrix,
          vertex('layout(location = 0) in vec4 position;\nlayout(location = 1) in mat2x4 m;\nlayout(location = 0) out vec4 v;\n'
                 'void main()\n{\n   gl_Position = position;\n   v = m[0] - m[1] * 0.5;\n}\n'), fragment('r = v;'))
   yield ('attribute_array', matrix,
          vertex('layout(location = 0) in vec4 position;\nlayout(location = 1) in vec2 m[2];\nlayout(location = 0) out vec4 v;\n'
                 'void main()\n{\n   gl_Position = position;\n   v = vec4(m[gl_VertexIndex & 1], m[0]);\n}\n'), fragment('r = v;'))
   yield ('attribute_missing', Draw(buffers=[(floats(FLAT), 16, False)], attributes=[(0, 0, 0, 'rg32_float')]),
          vertex('layout(location = 0) in vec4 position;\nlayout(location = 0) out vec4 v;\nvoid main()\n{\n   gl_Position = position;\n   v = position * 2.0;\n}\n'),
          fragment('r = v;'))


COORDINATES = {'1d': 'p.x', '2d': 'p.xy', '3d': 'vec3(p.xy, 0.4)', 'cube': 'vec3(p.xy * 2.0 - 1.0, 0.7)', '1d_array': 'vec2(p.x, 1.0)',
               '2d_array': 'vec3(p.xy, 2.0)', 'cube_array': 'vec4(p.xy * 2.0 - 1.0, 0.7, 1.0)'}


def samples():
   def pair(name, lines, declared, body, near=0.03, extensions=''):
      return (name, Draw(positions=FLAT, values=((0, 0, 1, 2), (1, 0, 1, 2), (0, 1, 1, 2), (1, 1, 1, 2)), tolerance=near), vertex(),
              fragment(['vec4 p = v + vec4(0.003, 0.007, 0.0, 0.0);', *body], f'layout(location = 0) noperspective in vec4 v;\n{declared}', lines=lines, extensions=extensions))

   for view, at in COORDINATES.items():
      suffix = DIMS[view][0]
      tex = f'layout(set = 0, binding = 0) uniform sampler{suffix} tex;'
      data = image('in', '0.0', view, 'rgba8_unorm', 3)[4:]
      yield pair(f'sample_{view}', [data, 'sampler 0.0 linear mip_nearest clamp_to_edge'], tex, [f'r = texture(tex, {at});'], 0.06)
      yield pair(f'sample_{view}_nearest', [data, 'sampler 0.0 nearest repeat'], tex, [f'r = texture(tex, {at}, 0.0);'], 1e-4)
      yield pair(f'sample_{view}_lod', [data, 'sampler 0.0 linear mip_linear repeat'], tex, [f'r = textureLod(tex, {at}, 0.5);'])
      if view != 'cube_array':
         yield pair(f'sample_{view}_size', [data, 'sampler 0.0 linear repeat'], tex,
                    ['r = vec4(0.0);', f'r.x = float(textureSize(tex, 1){"" if suffix == "1D" else ".x"});', 'r.y = float(textureQueryLevels(tex));'])
   tex = 'layout(set = 0, binding = 0) uniform sampler2D tex;'
   data = image('in', '0.0', '2d', 'rgba8_unorm', 3)[4:]
   linear = [data, 'sampler 0.0 linear mip_nearest repeat']
   for name, body, near in (
         ('after_discard', 'if (int(gl_FragCoord.x) % 2 == 0) discard; r = texture(tex, p.xy * 0.5);', 0.06),
         ('bias', 'r = texture(tex, p.xy * 0.2, 1.0);', 0.06), ('offset', 'r = textureOffset(tex, p.xy * 0.25, ivec2(2, -1));', 0.04),
         ('proj', 'r = textureProj(tex, vec3(p.xy, 2.0));', 0.04), ('proj4', 'r = textureProj(tex, vec4(p.xy, 5.0, 4.0));', 0.04),
         ('proj_offset', 'r = textureProjOffset(tex, vec3(p.xy, 3.0), ivec2(1, 1));', 0.04),
         ('grad', 'r = textureGrad(tex, p.xy, vec2(0.15, 0.0), vec2(0.0, 0.15));', 0.05),
         ('proj_grad', 'r = textureProjGrad(tex, vec3(p.xy, 2.0), vec2(0.1, 0.0), vec2(0.0, 0.1));', 0.05),
         ('fetch', 'r = texelFetch(tex, ivec2(gl_FragCoord.xy) / 2, 0) + texelFetch(tex, ivec2(gl_FragCoord.xy) / 8, 1);', 1e-4),
         ('gather', 'r = textureGather(tex, p.xy, 1);', 1e-4), ('gather_offset', 'r = textureGatherOffset(tex, p.xy, ivec2(1, -2));', 1e-4),
         ('gather_offsets', 'r = textureGatherOffsets(tex, p.xy, ivec2[](ivec2(0, 0), ivec2(1, 2), ivec2(-1, 3), ivec2(4, -2)), 2);', 1e-4),
         ('query_lod', 'r = vec4(textureQueryLod(tex, p.xy * 4.0), 0.0, 1.0);', 0.3),
         ('in_branch', 'r = v.x > 0.5 ? textureLod(tex, p.xy, 0.0) : textureLod(tex, p.yx, 1.0);', 0.05),
         ('dependent', 'vec4 q = texture(tex, p.xy * 0.25); r = texture(tex, q.xy * 0.01 + 0.31);', 0.06),
         ('loop', 'r = vec4(0.0); for (int k = 0; k < 3; k++) r += texture(tex, p.xy * 0.25 + float(k) * 0.1);', 0.1)):
      yield pair(f'sample_2d_{name}', linear, tex, [body], near)
   # Lanes of the quad are elsewhere: no level changes what is sampled. What comes of it is branched by.
   one = [image('in', '0.0', '2d', 'rgba8_unorm', 1)[4:], 'sampler 0.0 nearest repeat']
   for name, body in (('branch', ['if (int(gl_FragCoord.x + gl_FragCoord.y) % 3 == 0) {', '   vec4 q = texture(tex, p.xy);', '   if (q.y > 0.5) r = q;', '}']),
                      ('loop', ['for (int k = 0; k < 8; k++) {', '   if (k == 5) break;', '   if (v.x > 0.7) continue;', '   r += texture(tex, p.xy * float(k));',
                                '   if (r.x > 2.0) r.z -= 0.5;', '}']),
                      ('discard', ['if (int(gl_FragCoord.x) % 3 == 0) discard;', 'r = texture(tex, p.xy);', 'if (r.x > 0.5) r = r.wzyx;']),
                      ('terminate', ['if (int(gl_FragCoord.y) % 3 == 0) terminateInvocation;', 'r = texture(tex, p.yx);', 'if (r.x > 0.5) r = r.wzyx;'])):
      yield pair(f'sample_one_level_{name}', one, tex, ['r = vec4(0.0);', *body], 1e-4, TERMINATE if name == 'terminate' else '')
   shadow = 'layout(set = 0, binding = 0) uniform sampler2DShadow tex;'
   deep = [image('in', '0.0', '2d', 'r16_unorm')[4:], 'sampler 0.0 nearest clamp_to_edge less']
   yield pair('sample_shadow', deep, shadow, ['r = vec4(texture(tex, vec3(p.xy, 0.5)), textureProj(tex, vec4(p.xy, 0.5, 1.0)), 0.0, 1.0);'], 1e-4)
   yield pair('sample_shadow_gather', deep, shadow, ['r = textureGather(tex, p.xy, 0.4);'], 1e-4)
   yield pair('sample_separate', [data, 'sampler 0.1 nearest', 'sampler 0.2 linear clamp_to_edge'],
              'layout(set = 0, binding = 0) uniform texture2D t;\nlayout(set = 0, binding = 1) uniform sampler a;\nlayout(set = 0, binding = 2) uniform sampler b;',
              ['r = texture(sampler2D(t, a), p.xy) + textureLod(sampler2D(t, b), p.yx, 0.0);'], 0.08)
   yield pair('sample_array_of', [image('in', f'0.0.{k}', '2d', 'rgba8_unorm', 1, k + 1)[4:] for k in range(3)] + ['sampler 0.1 nearest'],
              'layout(set = 0, binding = 0) uniform texture2D t[3];\nlayout(set = 0, binding = 1) uniform sampler a;',
              ['r = vec4(0.0);', 'for (int k = 0; k < 3; k++)', '   r += texture(sampler2D(t[k], a), p.xy) * float(k + 1);'], 1e-3)
   # An image and a sampler for each lane; lavapipe takes those of its first lane, and draws with constant indices instead.
   three = [image('in', f'0.0.{k}', '2d', 'rgba8_unorm', 3, k + 1)[4:] for k in range(3)]
   deep = [image('in', f'0.0.{k}', '2d', 'r16_unorm', 1, k + 1)[4:] for k in range(3)]
   lanes = ('#extension GL_EXT_nonuniform_qualifier : require\nlayout(set = 0, binding = 0) uniform texture2D t[3];\n'
            'layout(set = 0, binding = 1) uniform sampler%s a[2];\n#define F(n) %s')
   each = 'r = F(nonuniformEXT(k));'
   for name, images, kind, sampled, near in (
         ('one', three, '', 'texture(sampler2D(t[n], a[1]), p.xy * 0.5)', 0.06),
         ('both', three, '', 'texture(sampler2D(t[n], a[nonuniformEXT((n) & 1)]), p.xy)', 0.06),
         ('bias', three, '', 'texture(sampler2D(t[n], a[1]), p.xy * 0.25, 1.0)', 0.06),
         ('lod', three, '', 'textureLod(sampler2D(t[n], a[1]), p.xy, 1.0)', 0.05),
         ('gather', three, '', 'textureGather(sampler2D(t[n], a[0]), p.xy, 2)', 1e-4),
         ('shadow', deep, 'Shadow', 'vec4(texture(sampler2DShadow(t[n], a[nonuniformEXT((n) & 1)]), vec3(p.xy, 0.5)))', 0.05)):
      compare = (' less', ' greater') if kind else ('', '')
      one = pair(f'sample_nonuniform_{name}', [*images, f'sampler 0.1.0 nearest clamp_to_edge{compare[0]}',
                                               f'sampler 0.1.1 linear mip_nearest repeat{compare[1]}'],
                 lanes % (kind, sampled), ['int k = int(gl_FragCoord.x + gl_FragCoord.y) % 3;', each], near)
      one[1].judged = (each, 'vec4 x[3] = vec4[](F(0), F(1), F(2)); r = x[k];')
      yield one
   yield pair('sample_integer', [image('in', '0.0', '2d', 'rgba8_uint')[4:], 'sampler 0.0 nearest'],
              'layout(set = 0, binding = 0) uniform usampler2D tex;', ['r = vec4(texture(tex, p.xy));'], 1e-4)


def memories():
   many = 'f32*64=random:3:-2:2'
   yield ('memory_uniform', Draw(), vertex(),
          fragment('r = v * m[int(gl_FragCoord.x) & 3] + k;', 'layout(location = 0) in vec4 v;\nlayout(set = 0, binding = 1) uniform U { mat4 m; vec4 k; };',
                   lines=[f'in 0.1 {many}']))
   yield ('memory_vertex_buffer', Draw(),
          vertex(VERTEX.replace('void main', 'layout(std430, set = 0, binding = 1) readonly buffer B { vec4 b[]; };\nvoid main').replace('v = a;', 'v = a + b[gl_VertexIndex * 2];')),
          fragment('r = v;', lines=[f'in 0.1 {many}']))
   yield ('memory_store', Draw(), vertex(),
          fragment(['r = v;', 'b[int(gl_FragCoord.y) * 16 + int(gl_FragCoord.x)] = v.x;'],
                   'layout(location = 0) in vec4 v;\nlayout(std430, set = 0, binding = 1) buffer B { float b[]; };', lines=['io 0.1 f32*256=zero abs=2e-4']))
   yield ('memory_atomic', Draw(), vertex(),
          fragment(['r = v;', 'atomicAdd(count[int(gl_FragCoord.y)], 1u);', 'if (v.x > 0.5)', '   discard;', 'atomicAdd(count[16], 1u);'],
                   'layout(location = 0) in vec4 v;\nlayout(std430, set = 0, binding = 1) buffer B { uint count[]; };', lines=['io 0.1 u32*20=zero']))
   yield ('memory_image_store', Draw(), vertex(),
          fragment(['r = v;', 'imageStore(to, ivec2(gl_FragCoord.xy), uvec4(gl_FragCoord.x * 16.0 + gl_FragCoord.y));'],
                   'layout(location = 0) in vec4 v;\nlayout(set = 0, binding = 1, r32ui) writeonly uniform uimage2D to;',
                   lines=['image out 0.1 2d 16x16 r32_uint levels=1 layers=1 u32*256=zero']))
   yield ('memory_push', Draw(), vertex(VERTEX.replace('void main', 'layout(push_constant) uniform P { vec4 k; vec4 b; };\nvoid main').replace('v = a;', 'v = a * k;')),
          fragment('r = v + b;', 'layout(location = 0) in vec4 v;\nlayout(push_constant) uniform P { vec4 k; vec4 b; };', lines=['push f32*8=1,2,3,4,0.5,0.25,-1,0']))
   yield ('memory_texel_buffer', Draw(), vertex(),
          fragment('r = texelFetch(b, int(gl_FragCoord.x) + 16 * (int(gl_FragCoord.y) & 3));', 'layout(location = 0) in vec4 v;\nlayout(set = 0, binding = 1) uniform samplerBuffer b;',
                   lines=['image in 0.1 buffer 64 rgba8_unorm u8*256=random:7']))


FLOWS = {
   'if': ['r = v.x > v.y ? v : v.wzyx;', 'if (v.x > 0.3) r.x = 2.0; else if (v.y > 0.4) r.y = 3.0;'],
   'loop': ['r = v;', 'for (int k = 0; k < int(gl_FragCoord.x); k++)', '   r = r * 0.5 + 0.25;'],
   'loop_exits': ['r = v;', 'for (int k = 0; ; k++) {', '   if (k > int(gl_FragCoord.y)) break;', '   if ((k & 1) == 1) continue;', '   r += 0.5;', '}'],
   'switch': ['switch (int(gl_FragCoord.x) % 5) {', 'case 0: r = v; break;', 'case 1: r = -v;', 'case 2: r = v.yzwx; break;', 'default: r = vec4(1.0);', '}'],
   'early_return': ['r = vec4(0.25);', 'if (v.x > 0.5)', '   return;', 'r = v;'],
   'array': ['float a[4] = float[](v.x, v.y, v.z, v.w);', 'a[int(gl_FragCoord.x) & 3] = 9.0;', 'r = vec4(a[0], a[1], a[2], a[int(gl_FragCoord.y) & 3]);'],
   'matrix': ['mat3 m = mat3(v.xyz, v.yzw, v.zwx);', 'r = vec4(m * vec3(1.0, 2.0, 3.0), determinant(m));'],
   'mandelbrot': ['vec2 c = v.xy * 2.0 - 1.5, z = c;', 'int n = 0;', 'while (n < 12 && dot(z, z) < 4.0) {', '   z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;', '   n++;', '}',
                  'r = vec4(n > 6 ? 1.0 : 0.0);'],
   'light': ['vec3 n = normalize(vec3(v.xy - 0.5, 1.0)), l = normalize(vec3(0.3, 0.5, 0.8));', 'float d = max(dot(n, l), 0.0);',
             'r = vec4(vec3(0.1) + d * vec3(0.8, 0.6, 0.4) + pow(max(dot(reflect(-l, n), vec3(0.0, 0.0, 1.0)), 0.0), 8.0), 1.0);'],
   'bits': ['uint n = floatBitsToUint(gl_FragCoord.x) ^ uint(gl_FragCoord.y);', 'r = vec4(bitCount(n), findMSB(n), bitfieldExtract(n, 3, 5), n >> 27);'],
   'math': ['r = vec4(floor(v.x * 8.0) + ceil(gl_FragCoord.y), mod(gl_FragCoord.x, 3.0), clamp(v.z, -0.5, 0.5), mix(v.x, v.y, 0.25));'],
}


def judged_by_others():
   """What the judge does not have, beside what means the same there."""
   def pair(name, lines, own, other, body):
      draw = Draw(positions=FLAT, values=VALUES, judged=(own, other), tolerance=0.01)
      return name, draw, vertex(), fragment(body, f'layout(location = 0) noperspective in vec4 v;\n{own}', lines=lines, extensions=EXTENSIONS)

   texel = image('in', '0.0', '2d', 'rgba32_float', 1, 5)[4:].replace(DIMS['2d'][1], '16x16').split(' f32*')[0] + ' f32*1024=random:5:-2:2'
   yield pair('input_attachment', [texel], 'layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput t;\n#define LOAD subpassLoad(t)',
              'layout(set = 0, binding = 0) uniform texture2D t;\n#define LOAD texelFetch(t, ivec2(gl_FragCoord.xy), 0)', 'r = LOAD + v;')
   for name, least in (('none', '0.0'), ('one', '1.0'), ('dynamic', 'floor(gl_FragCoord.x / 8.0)')):
      yield pair(f'sample_least_level_{name}', [image('in', '0.0', '2d', 'rgba8_unorm', 3)[4:], 'sampler 0.0 nearest mip_nearest repeat'],
                 f'layout(set = 0, binding = 0) uniform sampler2D t;\n#define SAMPLE(p) textureClampARB(t, p, {least})',
                 f'layout(set = 0, binding = 0) uniform sampler2D t;\n#define SAMPLE(p) textureLod(t, p, {least})', 'r = SAMPLE(v.xy * 0.01 + 0.3);')


def flows():
   for name, body in FLOWS.items():
      yield f'flow_{name}', Draw(tolerance=1e-3), vertex(), fragment(body, 'layout(location = 0) noperspective in vec4 v;')


# What is drawn with a pair that others' compilers made: corpus/compilers/TOOL_NAME.vert.spvasm and .frag.spvasm.
MODULES = {
   'lit': {'instances': 2, 'tolerance': 0.06},
   'post': {'topology': 'triangle_list', 'vertices': 3, 'buffers': [], 'attributes': [], 'tolerance': 0.06},
   'kinds': {'colors': [(f'{name}', (0, 0, 0, 0), None, 'rgba'[:n]) for name, n in (('rgba32_float', 4), ('rgba32_sint', 4), ('rg32_uint', 2))],
             'depth': ('r32_float', 'always', False, False, 0.6), 'positions': FLAT, 'tolerance': 0.06},
}


def of_compilers():
   for name, said in MODULES.items():
      for tool in ('naga', 'tint'):
         texts = []
         for stage in ('vert', 'frag'):
            with open(os.path.join(cases.CORPUS, 'compilers', f'{tool}_{name}.{stage}.spvasm'), encoding='utf-8') as file:
               texts.append(file.read())
         yield (f'{tool}_{name}', Draw(**said), *texts)


def all_shaders():
   for make in (varyings, halves, built_ins, derivatives, endings, interpolations, attachments, blends, tests, topologies, attribute_formats, samples,
                memories, judged_by_others, flows, of_compilers):
      yield from make()
