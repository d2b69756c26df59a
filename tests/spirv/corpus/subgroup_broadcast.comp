// SPDX-License-Identifier: MIT
// Broadcasts from a constant lane and from the first active one, of vectors too.
//: groups 1
//: subgroup 8
//: in 0.0 uvec4*64=random:87
//: out 0.1 uvec4*64
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uvec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uvec4 v = a[i];

   v.x ^= subgroupBroadcast(v.y, 5u);
   v.yz += subgroupBroadcastFirst(v.zw);
   if ((v.x & 1u) != 0u)
      v.w = subgroupBroadcastFirst(v.w);
   b[i] = v + subgroupBroadcast(v, gl_SubgroupSize - 1u);
}
