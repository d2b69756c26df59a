// SPDX-License-Identifier: MIT
// Bitonic sort of a workgroup in shared memory.
//: groups 2
//: in 0.0 u32*256=random:98
//: out 0.1 u32*256
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

shared uint keys[128];

void main()
{
   uint i = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * 128u;

   keys[i] = a[base + i];
   keys[i + 64u] = a[base + i + 64u];
   for (uint size = 2u; size <= 128u; size <<= 1) {
      for (uint stride = size >> 1; stride > 0u; stride >>= 1) {
         barrier();
         uint p = 2u * i - (i & (stride - 1u));
         bool up = (p & size) == 0u;
         uint x = keys[p], y = keys[p + stride];
         if ((x > y) == up) {
            keys[p] = y;
            keys[p + stride] = x;
         }
      }
   }
   barrier();
   b[base + i] = keys[i];
   b[base + i + 64u] = keys[i + 64u];
}
