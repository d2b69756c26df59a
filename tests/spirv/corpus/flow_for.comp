// SPDX-License-Identifier: MIT
// A counted loop whose trip count differs from lane to lane.
//: groups 2
//: in 0.0 u32*128=random:4:0:40
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint n = a[i];
   uint sum = 0u;

   for (uint k = 0u; k < n; k++)
      sum += k * k ^ i;
   b[i] = sum;
}
