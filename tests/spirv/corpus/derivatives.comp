// SPDX-License-Identifier: MIT
// Derivatives in compute shaders: groups of four invocations in a row, held against shared memory.
//: groups 1
//: judge none
//: in 0.0 f32*64=random:402:-8:8
//: out 0.1 u32*64 equals=fill:7
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 64) in;
layout(derivative_group_linearNV) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex, quad = i & ~3u;
   float x = floor(a[i] * 16.0);
   float q0 = floor(a[quad] * 16.0), q1 = floor(a[quad + 1u] * 16.0);
   float q2 = floor(a[quad + 2u] * 16.0), q3 = floor(a[quad + 3u] * 16.0);
   float dx = (i & 2u) == 0u ? q1 - q0 : q3 - q2, dy = (i & 1u) == 0u ? q2 - q0 : q3 - q1;
   uint r = 0u;

   r |= dFdxFine(x) == dx ? 1u : 0u;
   r |= dFdyFine(x) == dy ? 2u : 0u;
   r |= fwidthFine(x) == abs(dx) + abs(dy) ? 4u : 0u;
   b[i] = r;
}
