// SPDX-License-Identifier: MIT
// A continue inside do-while goes to the condition, not to the start of the body.
//: groups 2
//: in 0.0 u32*128=random:7
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i], sum = 0u, n = 0u;

   do {
      n++;
      x = x * 1664525u + 1013904223u;
      if ((x >> 30) == 0u)
         continue;
      sum += x >> 24;
      if ((x >> 28) == 15u)
         break;
      sum ^= n;
   } while (n < (a[i] & 15u));
   b[i] = sum * 32u + n;
}
