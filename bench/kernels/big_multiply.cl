// SPDX-License-Identifier: MIT
// Numbers of 128 bits multiplied, word by word with carries.
// workgroup 64 1 1
// workgroups 1 1 1
// u32[512] zero
// u32[256] 0..4000000000
// u32[256] 0..4000000000
KERNEL(64) big_multiply(__global uint *restrict out, __global const uint *restrict a, __global const uint *restrict b)
{
   uint r[8];

   for (uint n = 0; n < 8; n++)
      r[n] = 0;
   for (uint i = 0; i < 4; i++) {
      ulong carry = 0;
      for (uint j = 0; j < 4; j++) {
         ulong t = (ulong)a[local_id * 4 + i] * b[local_id * 4 + j] + r[i + j] + carry;
         r[i + j] = (uint)t;
         carry = t >> 32;
      }
      r[i + 4] = (uint)carry;
   }
   for (uint n = 0; n < 8; n++)
      out[local_id * 8 + n] = r[n];
}
