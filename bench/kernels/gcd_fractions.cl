// SPDX-License-Identifier: MIT
// Sums of fractions in lowest terms.
// workgroup 64 1 1
// workgroups 1 1 1
// u32[128] zero
// u32[1024] 1..40
// u32 4
static uint gcd(uint a, uint b)
{
   while (b) {
      uint t = a % b;
      a = b;
      b = t;
   }
   return a;
}
KERNEL(64) gcd_fractions(__global uint *restrict out, __global const uint *restrict in, uint count)
{
   uint p = 0, q = 1;

   for (uint n = 0; n < count; n++) {
      uint a = in[(local_id * 8 + n) * 2], b = in[(local_id * 8 + n) * 2 + 1];
      p = p * b + a * q;
      q = q * b;
      uint d = gcd(p, q);
      p /= d;
      q /= d;
   }
   out[local_id * 2] = p;
   out[local_id * 2 + 1] = q;
}
