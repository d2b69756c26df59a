// SPDX-License-Identifier: MIT
// 256-bit numbers in words: multiplication and reduction, with carries.
//: groups 1
//: in 0.0 u32*512=random:150
//: out 0.1 u32*512
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void multiply(uint x[8], uint y[8], out uint r[16])
{
   for (int k = 0; k < 16; k++)
      r[k] = 0u;
   for (int p = 0; p < 8; p++) {
      uint carry = 0u;
      for (int q = 0; q < 8; q++) {
         uint high, low, c0, c1;
         umulExtended(x[p], y[q], high, low);
         low = uaddCarry(low, r[p + q], c0);
         r[p + q] = uaddCarry(low, carry, c1);
         carry = high + c0 + c1;
      }
      r[p + 8] = carry;
   }
}

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint x[8], y[8], r[16];

   for (uint k = 0u; k < 8u; k++) {
      x[k] = a[i * 16u + k];
      y[k] = a[i * 16u + 8u + k];
   }
   multiply(x, y, r);
   for (uint k = 0u; k < 16u; k++)
      b[i * 16u + k] = r[k];
}
