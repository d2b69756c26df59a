// SPDX-License-Identifier: MIT
// A discrete cosine transform of blocks of 8x8 in integers: rows, then columns, through shared memory.
//: groups 2
//: in 0.0 i32*128=random:271:-128:127
//: out 0.1 i32*128
#version 450
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer In { int src[]; };
layout(binding = 1) writeonly buffer Out { int dst[]; };
shared int block[64];

void transform(inout int v[8])
{
   const int a0 = v[0] + v[7], a1 = v[1] + v[6], a2 = v[2] + v[5], a3 = v[3] + v[4];
   const int b0 = v[0] - v[7], b1 = v[1] - v[6], b2 = v[2] - v[5], b3 = v[3] - v[4];
   v[0] = (a0 + a1 + a2 + a3) * 181 >> 7;
   v[4] = (a0 - a1 - a2 + a3) * 181 >> 7;
   v[2] = ((a0 - a3) * 236 + (a1 - a2) * 98) >> 7;
   v[6] = ((a0 - a3) * 98 - (a1 - a2) * 236) >> 7;
   v[1] = (b0 * 251 + b1 * 213 + b2 * 142 + b3 * 50) >> 7;
   v[3] = (b0 * 213 - b1 * 50 - b2 * 251 - b3 * 142) >> 7;
   v[5] = (b0 * 142 - b1 * 251 + b2 * 50 + b3 * 213) >> 7;
   v[7] = (b0 * 50 - b1 * 142 + b2 * 213 - b3 * 251) >> 7;
}

void main()
{
   const uint l = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 64;
   int v[8];

   for (uint n = 0; n < 8; n++)
      v[n] = src[base + l * 8 + n];
   transform(v);
   for (uint n = 0; n < 8; n++)
      block[l * 8 + n] = v[n];
   barrier();
   for (uint n = 0; n < 8; n++)
      v[n] = block[n * 8 + l];
   transform(v);
   for (uint n = 0; n < 8; n++)
      dst[base + n * 8 + l] = v[n] >> 3;
}
