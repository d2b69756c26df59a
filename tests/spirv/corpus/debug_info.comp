// SPDX-License-Identifier: MIT
// Compiled with debug information: lines, names and the source itself are in the module.
//: flags -g
//: groups 1
//: in 0.0 u32*64=random:403
//: out 0.1 u32*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint weigh(uint x, inout uint steps)
{
   uint sum = 0u;
   while (x != 0u) {
      if ((x & 3u) == 3u)
         sum += 5u;
      else
         sum ^= x;
      x >>= 2;
      steps++;
   }
   return sum;
}

void main()
{
   uint i = gl_GlobalInvocationID.x, steps = 0u;
   b[i] = weigh(a[i], steps) * 32u + steps;
}
