// SPDX-License-Identifier: MIT
// A block cipher's rounds over eight words of state and a schedule of 64: sixteen words of message a
// lane. The constants are the lane's number mixed, so that no table is needed.
// workgroup 64 1 1
// workgroups 1 1 1
// u32[512] zero
// u32[1024] 0..2000000000
static uint s0(uint x) { return rotl(x, 25) ^ rotl(x, 14) ^ (x >> 3); }
static uint s1(uint x) { return rotl(x, 15) ^ rotl(x, 13) ^ (x >> 10); }
static uint S0(uint x) { return rotl(x, 30) ^ rotl(x, 19) ^ rotl(x, 10); }
static uint S1(uint x) { return rotl(x, 26) ^ rotl(x, 21) ^ rotl(x, 7); }
static uint choose(uint x, uint y, uint z) { return (x & y) ^ (~x & z); }
static uint majority(uint x, uint y, uint z) { return (x & y) ^ (x & z) ^ (y & z); }
KERNEL(64) hash_rounds(__global uint *restrict out, __global const uint *restrict in)
{
   uint w[64], s[8];

   for (uint n = 0; n < 16; n++)
      w[n] = in[local_id * 16 + n];
   for (uint n = 16; n < 64; n++)
      w[n] = s1(w[n - 2]) + w[n - 7] + s0(w[n - 15]) + w[n - 16];
   for (uint n = 0; n < 8; n++)
      s[n] = 0x6a09e667u + n * 0x51ed270bu;
   for (uint n = 0; n < 64; n++) {
      uint k = (n + 1) * 0x9e3779b9u;
      uint t1 = s[7] + S1(s[4]) + choose(s[4], s[5], s[6]) + k + w[n];
      uint t2 = S0(s[0]) + majority(s[0], s[1], s[2]);
      s[7] = s[6];
      s[6] = s[5];
      s[5] = s[4];
      s[4] = s[3] + t1;
      s[3] = s[2];
      s[2] = s[1];
      s[1] = s[0];
      s[0] = t1 + t2;
   }
   for (uint n = 0; n < 8; n++)
      out[local_id * 8 + n] = s[n];
}
