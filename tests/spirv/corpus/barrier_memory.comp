// SPDX-License-Identifier: MIT
// Memory barriers of all kinds around data that passes through a buffer within a workgroup.
//: groups 2
//: in 0.0 u32*128=random:102
//: io 0.1 u32*128=0
//: out 0.2 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) coherent buffer Between { uint m[]; };
layout(set = 0, binding = 2) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * 64u;

   m[base + i] = a[base + i] * 3u;
   memoryBarrierBuffer();
   barrier();
   uint x = m[base + (i + 17u & 63u)];
   groupMemoryBarrier();
   barrier();
   m[base + i] = x + 1u;
   memoryBarrier();
   barrier();
   b[base + i] = m[base + 63u - i] ^ x;
}
