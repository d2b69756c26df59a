// SPDX-License-Identifier: MIT
// Numbers from a state of eight words that turns round.
// workgroup 64 1 1
// workgroups 1 1 1
// u32[1024] zero
// u32 16
KERNEL(64) random_twister(__global uint *restrict out, uint count)
{
   uint s[8];

   s[0] = local_id + 1;
   for (uint n = 1; n < 8; n++)
      s[n] = 1812433253u * (s[n - 1] ^ s[n - 1] >> 30) + n;
   for (uint k = 0; k < count; k++) {
      uint n = k & 7;
      uint y = (s[n] & 0x80000000u) | (s[(n + 1) & 7] & 0x7fffffffu);
      s[n] = s[(n + 5) & 7] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
      y = s[n];
      y ^= y >> 11;
      y ^= y << 7 & 0x9d2c5680u;
      y ^= y << 15 & 0xefc60000u;
      out[local_id * count + k] = y ^ y >> 18;
   }
}
