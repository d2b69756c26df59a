// SPDX-License-Identifier: MIT
// Counts in LDS, added to those in memory.
// workgroup 64 1 1
// workgroups 4 1 1
// u32[64] zero
// u32[1024] 0..1000
KERNEL(64) histogram(__global uint *out, __global const uint *in)
{
   __local uint bins[64];

   bins[local_id] = 0;
   barrier();
   for (uint n = 0; n < 4; n++)
      __atomic_fetch_add(&bins[in[group_id * 256 + n * 64 + local_id] % 64], 1, __ATOMIC_RELAXED);
   barrier();
   if (bins[local_id])
      __atomic_fetch_add(&out[local_id], bins[local_id], __ATOMIC_RELAXED);
}
