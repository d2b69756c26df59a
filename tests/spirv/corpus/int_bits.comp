// SPDX-License-Identifier: MIT
// bitCount, findLSB, findMSB of both kinds, bitfieldReverse, extract and insert.
//: groups 2
//: in 0.0 u32*128=random:131
//: out 0.1 uvec4*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = i == 7u ? 0u : i == 8u ? 0xffffffffu : a[i] >> (i & 31u);
   int s = int(a[i]) >> (i & 31u);
   int offset = int(i % 24u), width = int(i % 9u);

   b[i].x = uint(bitCount(x)) | uint(findLSB(x)) << 8 ^ uint(findMSB(x)) << 16;
   b[i].y = uint(findMSB(s)) ^ uint(findMSB(-1)) ^ bitfieldReverse(x);
   b[i].z = bitfieldExtract(x, offset, width) ^ uint(bitfieldExtract(s, offset, width));
   b[i].w = bitfieldInsert(x, 0x2a5u, offset, width);
}
