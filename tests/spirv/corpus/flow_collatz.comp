// SPDX-License-Identifier: MIT
// Collatz lengths: a loop whose trip counts differ wildly within a wave.
//: groups 4
//: out 0.0 u32*256
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint lengths[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = i + 1u, n = 0u;

   while (x != 1u) {
      x = (x & 1u) == 0u ? x >> 1 : 3u * x + 1u;
      n++;
   }
   lengths[i] = n;
}
