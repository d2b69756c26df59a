// SPDX-License-Identifier: MIT
// All shortest paths of a graph of eight nodes, in LDS.
// workgroup 64 1 1
// workgroups 2 1 1
// u32[128] zero
// u32[128] 1..100
KERNEL(64) shortest_paths(__global uint *restrict out, __global const uint *restrict in)
{
   __local uint d[8][8];
   uint i = local_id >> 3, j = local_id & 7;

   d[i][j] = i == j ? 0 : in[group_id * 64 + local_id];
   barrier();
   for (uint k = 0; k < 8; k++) {
      uint through = d[i][k] + d[k][j];
      uint own = d[i][j];
      barrier();
      if (through < own)
         d[i][j] = through;
      barrier();
   }
   out[group_id * 64 + local_id] = d[i][j];
}
