// SPDX-License-Identifier: MIT
// One divergent if, and one with an else: the plainest selection.
//: groups 2
//: in 0.0 u32*128=random:1
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i];

   if ((x & 1u) != 0u)
      x = x * 3u + 1u;
   if (x > 0x80000000u)
      x = ~x;
   else
      x = x ^ (x >> 7);
   b[i] = x;
}
