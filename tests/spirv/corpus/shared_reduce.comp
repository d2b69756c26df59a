// SPDX-License-Identifier: MIT
// The textbook tree reduction in shared memory, a barrier a level.
//: groups 4
//: in 0.0 u32*256=random:95
//: out 0.1 u32*4
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

shared uint part[64];

void main()
{
   uint i = gl_LocalInvocationIndex;

   part[i] = a[gl_GlobalInvocationID.x];
   barrier();
   for (uint step = 32u; step > 0u; step >>= 1) {
      if (i < step)
         part[i] += part[i + step];
      barrier();
   }
   if (i == 0u)
      b[gl_WorkGroupID.x] = part[0];
}
