// SPDX-License-Identifier: MIT
// Shifts of all kinds by lane-dependent counts, with vectors, and rotates made of them.
//: groups 2
//: in 0.0 u32*128=random:134
//: out 0.1 uvec4*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

uvec3 rotate(uvec3 x, uvec3 n)
{
   return x << n | x >> (32u - n);
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i], n = i & 31u;

   b[i].x = x << n ^ x >> (31u - n);
   b[i].y = uint(int(x) >> n) + uint(int(x) << 3);
   b[i].zw = rotate(uvec3(x, ~x, i), uvec3(n | 1u, 7u, 16u)).xy + rotate(uvec3(x), uvec3(8u, 9u, 10u)).zz;
}
