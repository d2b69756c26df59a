// SPDX-License-Identifier: MIT
// One block of SHA-256 a lane: a schedule of 64 words in private memory, constants in a table.
//: groups 1
//: in 0.0 u32*1024=random:140
//: out 0.1 u32*512
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint ror(uint x, int n)
{
   return x >> n | x << (32 - n);
}

uint key(uint n)
{
   // Made up, not the standard's: fractional parts of something else serve as well here.
   return (n * 0x9e3779b9u ^ n << 13) * 0x85ebca6bu;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint w[64], h[8];

   for (uint k = 0u; k < 16u; k++)
      w[k] = a[i * 16u + k];
   for (int k = 16; k < 64; k++) {
      uint s0 = ror(w[k - 15], 7) ^ ror(w[k - 15], 18) ^ w[k - 15] >> 3;
      uint s1 = ror(w[k - 2], 17) ^ ror(w[k - 2], 19) ^ w[k - 2] >> 10;
      w[k] = w[k - 16] + s0 + w[k - 7] + s1;
   }
   for (uint k = 0u; k < 8u; k++)
      h[k] = key(100u + k);
   for (int k = 0; k < 64; k++) {
      uint s1 = ror(h[4], 6) ^ ror(h[4], 11) ^ ror(h[4], 25);
      uint t1 = h[7] + s1 + (h[4] & h[5] ^ ~h[4] & h[6]) + key(uint(k)) + w[k];
      uint s0 = ror(h[0], 2) ^ ror(h[0], 13) ^ ror(h[0], 22);
      uint t2 = s0 + (h[0] & h[1] ^ h[0] & h[2] ^ h[1] & h[2]);
      for (int j = 7; j > 0; j--)
         h[j] = h[j - 1];
      h[4] += t1;
      h[0] = t1 + t2;
   }
   for (uint k = 0u; k < 8u; k++)
      b[i * 8u + k] = h[k];
}
