// SPDX-License-Identifier: MIT
// Barriers in branches and loops that a workgroup takes as one.
//: groups 4
//: in 0.0 u32*4=1,6,3,0
//: out 0.1 u32*256
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint rounds[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

shared uint ring[64];

void main()
{
   uint i = gl_LocalInvocationIndex, n = rounds[gl_WorkGroupID.x];

   ring[i] = i + 1u;
   if (n > 2u) {
      barrier();
      for (uint k = 0u; k < n; k++) {
         uint x = ring[(i + k) & 63u] + ring[i];
         memoryBarrierShared();
         barrier();
         ring[i] = x;
         barrier();
      }
   } else if (n == 1u) {
      barrier();
      uint x = ring[63u - i];
      barrier();
      ring[i] = x;
   }
   barrier();
   b[gl_GlobalInvocationID.x] = ring[i ^ 1u];
}
