// SPDX-License-Identifier: MIT
// Arithmetic in 64 bits: remainders of powers, by squaring.
// workgroup 64 1 1
// workgroups 1 1 1
// u64[64] zero
// u64[64] 2..1000000000
// u32 65537
KERNEL(64) polynomial_64(__global ulong *restrict out, __global const ulong *restrict in, uint exponent)
{
   ulong base = in[local_id] % 2147483647ul, result = 1;

   while (exponent) {
      if (exponent & 1)
         result = result * base % 2147483647ul;
      base = base * base % 2147483647ul;
      exponent >>= 1;
   }
   out[local_id] = result ^ result << 17;
}
