// SPDX-License-Identifier: MIT
// While loops: one that may not run at all, one that halves and counts.
//: groups 2
//: in 0.0 u32*128=random:5
//: out 0.1 uvec2*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i] >> (i & 31u);
   uint ones = 0u, length = 0u;

   while (x != 0u) {
      ones += x & 1u;
      x >>= 1;
      length++;
   }
   while (length < ones * 2u)
      length += 3u;
   b[i] = uvec2(ones, length);
}
