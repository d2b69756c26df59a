// SPDX-License-Identifier: MIT
// Arithmetic that wraps, and abs, negation, min and max at the ends of the range.
//: groups 1
//: in 0.0 i32*64=0x7fffffff,0x80000000,-1,0,1,0x7ffffffe,0x80000001,65536,-65536,46341,123456789,-987654321
//: out 0.1 ivec4*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { int a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { ivec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   int x = a[i], y = a[(i * 7u + 1u) & 63u];

   b[i] = ivec4(x * y + 3, abs(x) ^ -y, min(x, y) - max(x, y), sign(x) * 5 + clamp(x, -10, 10));
   b[i].x += int(uint(x) < uint(y)) + int(max(uint(x), uint(y)) >> 1);
}
