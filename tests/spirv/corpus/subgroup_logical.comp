// SPDX-License-Identifier: MIT
// Reductions and scans of booleans, alone and as vectors.
//: groups 1
//: subgroup 8
//: in 0.0 u32*64=random:400
//: out 0.1 u32*64
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex, x = a[i], r = 0u;
   bvec2 v = bvec2((x & 2u) != 0u, (x & 12u) != 0u);

   r |= subgroupAnd((x & 0xf0u) != 0u) ? 1u : 0u;
   r |= subgroupOr((x & 0xf00u) == 0u) ? 2u : 0u;
   r |= subgroupXor((x & 1u) != 0u) ? 4u : 0u;
   r |= subgroupInclusiveAnd(v).y ? 8u : 0u;
   r |= subgroupExclusiveOr(v).x ? 16u : 0u;
   r |= subgroupInclusiveXor(v.x) ? 32u : 0u;
   b[i] = r;
}
