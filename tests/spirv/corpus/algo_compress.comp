// SPDX-License-Identifier: MIT
// Run lengths of bytes: a state machine that reads and writes at different speeds.
//: groups 1
//: in 0.0 u32*512=random:149:0:3
//: out 0.1 u32*512=zero
//: out 0.2 u32*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };
layout(set = 0, binding = 2) writeonly buffer Lengths { uint lengths[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint from = i * 8u, to = i * 8u, end = from + 8u;

   while (from < end) {
      uint value = a[from] >> 1, run = 1u;
      while (from + run < end && a[from + run] >> 1 == value)
         run++;
      from += run;
      if (run == 1u && value == 0u)
         continue;
      b[to++] = value << 8 | run;
   }
   lengths[i] = to - i * 8u;
}
