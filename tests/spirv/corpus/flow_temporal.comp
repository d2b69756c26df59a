// SPDX-License-Identifier: MIT
// A counter that all lanes agree on in the loop differs between them after it.
//: groups 2
//: in 0.0 u32*128=random:23:0:90
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint k = 0u, weight = 1u;

   while (true) {
      if (k * k > a[i])
         break;
      weight = weight * 2u + k;
      k++;
   }
   b[i] = weight + k;
}
