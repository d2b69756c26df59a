// SPDX-License-Identifier: MIT
// all, any and allEqual, with all lanes and with some.
//: groups 2
//: subgroup 8
//: in 0.0 u32*128=random:84:0:3
//: out 0.1 u32*128
#version 450
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i], r = 0u;

   if (subgroupAll(x < 3u))
      r |= 1u;
   if (subgroupAny(x == 3u))
      r |= 2u;
   if (subgroupAllEqual(x >> 1))
      r |= 4u;
   if (x != 0u) {
      if (subgroupAllEqual(float(x)))
         r |= 8u;
      if (subgroupAll((i & 1u) == 0u))
         r |= 16u;
   } else if (subgroupAny((i & 7u) == 2u)) {
      r |= 32u;
   }
   b[i] = r;
}
