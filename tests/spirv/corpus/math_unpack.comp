// SPDX-License-Identifier: MIT
// unpackUnorm and unpackSnorm of all bit patterns that random words have.
//: groups 2
//: in 0.0 u32*128=random:128
//: out 0.1 vec4*256 ulp=4
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i];

   b[2u * i] = unpackUnorm4x8(x) * 2.0 + unpackSnorm4x8(x).wzyx * 8.0;
   b[2u * i + 1u] = vec4(unpackUnorm2x16(x), unpackSnorm2x16(x));
}
