// SPDX-License-Identifier: MIT
// A loop with four ways out, each with work of its own on the way.
//: groups 2
//: in 0.0 u32*128=random:26
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint walk(uint x)
{
   uint n = 0u, r = 0u;
   for (;;) {
      x = x * 22695477u + 1u;
      n++;
      if ((x & 0xf0000u) == 0u) {
         r = n * 3u;
         break;
      }
      if ((x & 0xf00000u) == 0x300000u) {
         r = x >> 16;
         return r ^ n;
      }
      if (n > 24u) {
         r = 5u;
         r += x & 7u;
         break;
      }
      if ((x >> 29) == 7u)
         return n + 100u;
   }
   return r + 10000u;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   b[i] = walk(a[i]);
}
