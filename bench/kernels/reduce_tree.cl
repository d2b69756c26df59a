// SPDX-License-Identifier: MIT
// The sum of each workgroup's numbers, by halves in LDS.
// workgroup 64 1 1
// workgroups 4 1 1
// u32[4] zero
// u32[1024] 0..100000
KERNEL(64) reduce_tree(__global uint *restrict out, __global const uint *restrict in)
{
   __local uint part[64];
   uint sum = 0;

   for (uint n = 0; n < 4; n++)
      sum += in[group_id * 256 + n * 64 + local_id];
   part[local_id] = sum;
   barrier();
   for (uint step = 32; step > 0; step >>= 1) {
      if (local_id < step)
         part[local_id] += part[local_id + step];
      barrier();
   }
   if (local_id == 0)
      out[group_id] = part[0];
}
