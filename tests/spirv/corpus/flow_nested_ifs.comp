// SPDX-License-Identifier: MIT
// Ifs four deep, with work before and after each inner one.
//: groups 2
//: in 0.0 u32*128=random:3
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i], sum = 0u;

   if ((x & 1u) != 0u) {
      sum += 1u;
      if ((x & 2u) != 0u) {
         sum += x >> 3;
         if ((x & 4u) != 0u) {
            sum ^= 0x55u;
            if ((x & 8u) != 0u)
               sum *= 5u;
            else
               sum -= 9u;
            sum += 100u;
         }
         sum = sum * 2u + 1u;
      } else {
         if ((x & 16u) != 0u)
            sum += 77u;
         sum <<= 1;
      }
      sum += 3u;
   }
   b[i] = sum;
}
