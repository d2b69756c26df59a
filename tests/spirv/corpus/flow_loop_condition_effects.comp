// SPDX-License-Identifier: MIT
// Conditions and increments that do work: side effects in for headers, comma expressions.
//: groups 2
//: in 0.0 u32*128=random:25
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint seed;

uint next()
{
   seed ^= seed << 13;
   seed ^= seed >> 17;
   seed ^= seed << 5;
   return seed;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint sum = 0u, k, j;

   seed = a[i] | 1u;
   for (k = 0u, j = 9u; next() % 7u != 0u && k < j; k++, j += k & 1u)
      sum += seed >> 28;
   while (k-- > 0u)
      sum = sum * 3u + j;
   b[i] = sum ^ seed;
}
