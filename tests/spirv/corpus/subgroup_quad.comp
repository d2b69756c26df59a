// SPDX-License-Identifier: MIT
// Quad operations: swaps in three directions and broadcasts.
//: groups 1
//: in 0.0 uvec2*64=random:91
//: out 0.1 uvec4*64
#version 450
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uvec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uvec2 v = a[i];

   b[i] = uvec4(subgroupQuadSwapHorizontal(v.x), subgroupQuadSwapVertical(v.y), subgroupQuadSwapDiagonal(v.x ^ v.y),
                subgroupQuadBroadcast(v.x, 2u) + subgroupQuadBroadcast(v.y, 1u));
}
