// SPDX-License-Identifier: MIT
// Histograms of bytes, four bins' counters in shared memory, then added to those of the image.
//: groups 3
//: push u32=600
//: in 0.0 u32*600=random:241
//: io 0.1 u32*64=iota
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint src[]; };
layout(binding = 1) buffer Out { uint bins[64]; };
layout(push_constant) uniform parameter { uint n; } p;
shared uint counts[64];

void main()
{
   const uint l = gl_LocalInvocationID.x;

   counts[l] = 0u;
   barrier();
   for (uint i = gl_GlobalInvocationID.x; i < p.n; i += 64u * gl_NumWorkGroups.x) {
      const uint v = src[i];
      atomicAdd(counts[v >> 2 & 63u], 1u);
      atomicAdd(counts[v >> 10 & 63u], 1u);
      atomicAdd(counts[v >> 18 & 63u], 1u);
      atomicAdd(counts[v >> 26], 1u);
   }
   barrier();
   if (counts[l] != 0u)
      atomicAdd(bins[l], counts[l]);
}
