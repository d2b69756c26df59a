// SPDX-License-Identifier: MIT
// Arrays of arrays in buffers and in private memory, passed to functions.
//: groups 1
//: io 0.0 u32*192=random:50
//: out 0.1 u32*16
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer B { uint cells[16][4][3]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint total(uint x[4][3])
{
   uint sum = 0u;
   for (int p = 0; p < 4; p++)
      for (int q = 0; q < 3; q++)
         sum = sum * 5u + x[p][q];
   return sum;
}

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint own[4][3] = cells[i];

   own[i & 3u] = own[cells[i][0][0] & 3u];
   own[1][i % 3u] += 7u;
   b[i] = total(own) ^ total(cells[i]);
   cells[i][2] = own[1];
   cells[i][3][1] = i;
}
