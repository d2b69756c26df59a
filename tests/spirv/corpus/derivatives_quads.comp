// SPDX-License-Identifier: MIT
// Derivatives in compute shaders: quads of 2 x 2 invocations, in workgroups of three dimensions. Identities agree with each
// other, and so do operations of subgroups on quads. What was x 3 + y 5 + z 7 has the same derivatives everywhere.
//: groups 3 2
//: judge none
//: out 0.0 u32*576 equals=fill:63
#version 450
#extension GL_NV_compute_shader_derivatives : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 6, local_size_y = 4, local_size_z = 4) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint b[]; };
shared uint seen[96];

void main()
{
   uvec3 l = gl_LocalInvocationID, g = gl_GlobalInvocationID;
   uint i = gl_LocalInvocationIndex, r = 0u;
   float f = float(g.x * 3u + g.y * 5u + g.z * 7u), square = float(l.x * l.x * 100u + l.y * l.y);
   float x0 = float(l.x & ~1u), y0 = float(l.y & ~1u);

   seen[i] = 0u;
   barrier();
   atomicAdd(seen[i], 1u);
   barrier();
   r |= dFdx(f) == 3.0 && dFdy(f) == 5.0 && fwidth(f) == 8.0 ? 1u : 0u;
   r |= dFdxFine(square) == 100.0 * (2.0 * x0 + 1.0) ? 2u : 0u;
   r |= dFdyFine(square) == 2.0 * y0 + 1.0 ? 4u : 0u;
   r |= i == l.x + 6u * (l.y + 4u * l.z) && seen[i] == 1u ? 8u : 0u;
   r |= g == gl_WorkGroupID * gl_WorkGroupSize + l && all(lessThan(l, gl_WorkGroupSize)) ? 16u : 0u;
   r |= subgroupQuadSwapHorizontal(i) == (i - l.x + (l.x ^ 1u)) ? 32u : 0u;
   b[g.x + 18u * (g.y + 8u * g.z)] = r;
}
