// SPDX-License-Identifier: MIT
// Digits of four bits counted by each workgroup; sixteen counters a lane packed in an array.
//: groups 2
//: push u32*2=512,8
//: in 0.0 u32*512=random:361
//: out 0.1 u32*32
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Keys { uint keys[]; };
layout(binding = 1) writeonly buffer Counts { uint counts[]; };
layout(push_constant) uniform parameter { uint n; uint shift; } p;
shared uint digit[16][32];

void main()
{
   const uint l = gl_LocalInvocationID.x, first = (gl_WorkGroupID.x * 32 + l) * 8;
   uint mine[16];

   for (uint d = 0; d < 16; d++)
      mine[d] = 0;
   for (uint n = 0; n < 8; n++) {
      if (first + n < p.n)
         mine[keys[first + n] >> p.shift & 15u]++;
   }
   for (uint d = 0; d < 16; d++)
      digit[d][l] = mine[d];
   barrier();
   if (l < 16) {
      uint sum = 0;
      for (uint n = 0; n < 32; n++)
         sum += digit[l][n];
      counts[l * gl_NumWorkGroups.x + gl_WorkGroupID.x] = sum;
   }
}
