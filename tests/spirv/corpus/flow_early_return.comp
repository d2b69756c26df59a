// SPDX-License-Identifier: MIT
// Returns in the middle of main: the rest runs with fewer and fewer lanes.
//: groups 2
//: in 0.0 u32*128=random:11:0:255
//: io 0.1 u32*128=fill:7
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i];

   if (x < 40u)
      return;
   b[i] += x;
   if (x < 120u) {
      if ((x & 1u) != 0u) {
         b[i] *= 2u;
         return;
      }
      b[i] += 1000u;
   }
   if (x > 200u)
      return;
   b[i] ^= 0xff00u;
}
