// SPDX-License-Identifier: MIT
// Atomics on shared memory: a histogram of a workgroup, added to the whole one.
//: groups 4
//: in 0.0 u32*256=random:99
//: io 0.1 u32*16=0
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) buffer Bins { uint bins[16]; };

shared uint own[16];

void main()
{
   uint i = gl_LocalInvocationIndex;

   if (i < 16u)
      own[i] = 0u;
   barrier();
   for (uint x = a[gl_GlobalInvocationID.x]; x != 0u; x >>= 4)
      atomicAdd(own[x & 15u], 1u);
   barrier();
   if (i < 16u && own[i] != 0u)
      atomicAdd(bins[i], own[i]);
}
