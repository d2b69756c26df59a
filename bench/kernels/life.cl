// SPDX-License-Identifier: MIT
// Generations of cells on a torus of 8 x 8, in LDS.
// workgroup 64 1 1
// workgroups 2 1 1
// u32[128] zero
// u32[128] 0..1
// u32 6
KERNEL(64) life(__global uint *restrict out, __global const uint *restrict in, uint generations)
{
   __local uint board[64];
   uint x = local_id & 7, y = local_id >> 3, alive = in[group_id * 64 + local_id];

   for (uint g = 0; g < generations; g++) {
      board[local_id] = alive;
      barrier();
      uint around = 0;
      for (uint dy = 7; dy <= 9; dy++)
         for (uint dx = 7; dx <= 9; dx++)
            if (dx != 8 || dy != 8)
               around += board[((y + dy) & 7) * 8 + ((x + dx) & 7)];
      alive = around == 3 || (alive && around == 2);
      barrier();
   }
   out[group_id * 64 + local_id] = alive;
}
