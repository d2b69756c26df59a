// SPDX-License-Identifier: MIT
// Square roots of integers, two bits at a time.
// workgroup 64 1 1
// workgroups 4 1 1
// u32[256] zero
// u32[256] 0..4000000
KERNEL(64) integer_root(__global uint *restrict out, __global const uint *restrict in)
{
   uint at = group_id * 64 + local_id, x = in[at], root = 0;

   for (uint bit = 1u << 30; bit; bit >>= 2) {
      if (x >= root + bit) {
         x -= root + bit;
         root = (root >> 1) + bit;
      } else {
         root >>= 1;
      }
   }
   out[at] = root;
}
