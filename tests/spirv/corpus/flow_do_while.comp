// SPDX-License-Identifier: MIT
// Do-while: the body runs before the condition is known; the condition is in the continue construct.
//: judge model
//: groups 2
//: in 0.0 u32*128=random:6:1:1000
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i], digits = 0u, mirror = 0u;

   do {
      mirror = mirror * 10u + x % 10u;
      x /= 10u;
      digits++;
   } while (x != 0u);
   b[i] = mirror * 16u + digits;
}
