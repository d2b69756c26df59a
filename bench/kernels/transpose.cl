// SPDX-License-Identifier: MIT
// A matrix turned over its diagonal, through LDS with a column to spare.
// workgroup 16 4 1
// workgroups 2 2 1
// u32[1024] zero
// u32[1024] index
KERNEL2(16, 4) transpose(__global uint *restrict out, __global const uint *restrict in)
{
   __local uint tile[16][17];
   uint x = group_id * 16 + local_id, y = group_id_y * 16 + local_id_y;

   for (uint n = 0; n < 16; n += 4)
      tile[local_id_y + n][local_id] = in[(y + n) * 32 + x];
   barrier();
   x = group_id_y * 16 + local_id;
   y = group_id * 16 + local_id_y;
   for (uint n = 0; n < 16; n += 4)
      out[(y + n) * 32 + x] = tile[local_id][local_id_y + n];
}
