// SPDX-License-Identifier: MIT
// Several continues: lanes that skip an iteration meet the others at the increment.
//: groups 2
//: in 0.0 u32*128=random:9
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i], sum = 0u;

   for (uint k = 0u; k < 32u; k++) {
      if ((x >> k & 1u) == 0u)
         continue;
      sum += k;
      if (sum % 3u == 0u)
         continue;
      sum = sum * 2u + 1u;
      if (sum > 10000u) {
         sum -= 9999u;
         continue;
      }
      sum ^= k;
   }
   b[i] = sum;
}
