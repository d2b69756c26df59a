// SPDX-License-Identifier: MIT
// Conditional operators, nested, on scalars, vectors and with sides that have an effect.
//: groups 2
//: in 0.0 ivec2*128=random:19:-50:50
//: out 0.1 ivec4*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { ivec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { ivec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   ivec2 v = a[i];
   int count = 0;

   int sign = v.x > 0 ? 1 : v.x < 0 ? -1 : 0;
   ivec2 low = v.x < v.y ? v : v.yx;
   int picked = v.y > 10 ? (count += 5, v.x * 2) : (count += 9, v.y - v.x);
   b[i] = ivec4(sign, low.x * 100 + low.y, picked, count);
}
