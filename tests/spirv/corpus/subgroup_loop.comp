// SPDX-License-Identifier: MIT
// The waterfall: a loop that serves one distinct value of the wave at a time.
//: judge model
//: groups 2
//: in 0.0 u32*128=random:93:0:6
//: io 0.1 u32*8=0
//: out 0.2 u32*128
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) buffer Bins { uint bins[8]; };
layout(set = 0, binding = 2) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i], r = 0u;

   for (;;) {
      uint now = subgroupBroadcastFirst(x);
      if (now == x) {
         uint n = subgroupAdd(1u);
         if (subgroupElect())
            atomicAdd(bins[now], n);
         r = now * 3u + 1u;
         break;
      }
   }
   b[i] = r;
}
