// SPDX-License-Identifier: MIT
// How many steps it takes to one.
// workgroup 64 1 1
// workgroups 2 1 1
// u32[128] zero
// u32[128] 1..10000
KERNEL(64) collatz(__global uint *restrict out, __global const uint *restrict in)
{
   uint at = group_id * 64 + local_id, n = in[at], steps = 0;

   while (n != 1) {
      n = n & 1 ? 3 * n + 1 : n / 2;
      steps++;
   }
   out[at] = steps;
}
