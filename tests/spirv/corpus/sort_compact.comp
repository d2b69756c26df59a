// SPDX-License-Identifier: MIT
// What passes a test is written side by side: flags scanned, the group's place from an atomic.
//: groups 1
//: push u32=60
//: in 0.0 f32*60=random:381:-1:1
//: out 0.1 f32*60=zero
//: io 0.2 u32*1=0
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { float src[]; };
layout(binding = 1) writeonly buffer Out { float dst[]; };
layout(binding = 2) buffer Count { uint count; };
layout(push_constant) uniform parameter { uint n; } p;
shared uint flags[64];
shared uint base;

void main()
{
   const uint l = gl_LocalInvocationID.x, i = gl_GlobalInvocationID.x;
   const float x = i < p.n ? src[i] : -1.0;
   const bool keep = x > 0.0;

   flags[l] = keep ? 1u : 0u;
   for (uint d = 1; d < 64; d *= 2) {
      barrier();
      const uint other = l >= d ? flags[l - d] : 0u;
      barrier();
      flags[l] += other;
   }
   barrier();
   if (l == 63)
      base = atomicAdd(count, flags[63]);
   barrier();
   if (keep)
      dst[base + flags[l] - 1] = x;
}
