// SPDX-License-Identifier: MIT
// Division and remainder of integers by variables and by constants, signed and not.
//: groups 2
//: in 0.0 ivec2*128=random:133:-100000:100000
//: out 0.1 ivec4*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { ivec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { ivec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   int x = a[i].x, y = a[i].y >> 6;
   uint u = uint(x) * 40503u;

   if (y == 0)
      y = 3;
   int q = x / y;
   b[i] = ivec4(q, x - q * y, x / 7 + x / -16, int(u / 1000u + u % 37u + u / (uint(y) & 0xffffu | 1u)));
}
