// SPDX-License-Identifier: MIT
// Running sums along rows by a scan in shared memory, each row carried on from block to block.
//: groups 3
//: push u32=150
//: in 0.0 u32*450=random:301:0:255
//: out 0.1 u32*450=zero
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint src[]; };
layout(binding = 1) writeonly buffer Out { uint dst[]; };
layout(push_constant) uniform parameter { uint w; } p;
shared uint sums[2][64];

void main()
{
   const uint l = gl_LocalInvocationID.x, row = gl_WorkGroupID.x * p.w;
   uint carry = 0u;

   for (uint base = 0; base < p.w; base += 64) {
      const uint x = base + l;
      uint which = 0u;
      sums[0][l] = x < p.w ? src[row + x] : 0u;
      barrier();
      for (uint d = 1; d < 64; d *= 2) {
         sums[1 - which][l] = sums[which][l] + (l >= d ? sums[which][l - d] : 0u);
         which = 1 - which;
         barrier();
      }
      if (x < p.w)
         dst[row + x] = carry + sums[which][l];
      carry += sums[which][63];
      barrier();
   }
}
