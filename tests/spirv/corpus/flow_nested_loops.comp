// SPDX-License-Identifier: MIT
// Loops in loops, with break and continue on both levels and a flag that leaves both.
//: groups 2
//: in 0.0 u32*128=random:10
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i], sum = 0u;
   bool stop = false;

   for (uint y = 0u; y < 8u && !stop; y++) {
      if ((x >> y & 1u) == 0u)
         continue;
      for (uint z = y; z < 12u; z++) {
         uint t = x >> (y + z) & 3u;
         if (t == 0u)
            continue;
         if (t == 1u)
            break;
         sum += t * z + y;
         if (sum > 60u) {
            stop = true;
            break;
         }
      }
      sum += 1u;
   }
   b[i] = sum + (stop ? 1000u : 0u);
}
