// SPDX-License-Identifier: MIT
// Exclusive prefix sums of a workgroup, up the tree and down again.
// workgroup 64 1 1
// workgroups 4 1 1
// u32[512] zero
// u32[512] 0..1000
KERNEL(64) scan_blelloch(__global uint *restrict out, __global const uint *restrict in)
{
   __local uint tree[128];
   uint base = group_id * 128, offset = 1;

   tree[2 * local_id] = in[base + 2 * local_id];
   tree[2 * local_id + 1] = in[base + 2 * local_id + 1];
   for (uint d = 64; d > 0; d >>= 1) {
      barrier();
      if (local_id < d) {
         uint a = offset * (2 * local_id + 1) - 1;
         uint b = offset * (2 * local_id + 2) - 1;
         tree[b] += tree[a];
      }
      offset *= 2;
   }
   if (local_id == 0)
      tree[127] = 0;
   for (uint d = 1; d < 128; d *= 2) {
      offset >>= 1;
      barrier();
      if (local_id < d) {
         uint a = offset * (2 * local_id + 1) - 1;
         uint b = offset * (2 * local_id + 2) - 1;
         uint t = tree[a];
         tree[a] = tree[b];
         tree[b] += t;
      }
   }
   barrier();
   out[base + 2 * local_id] = tree[2 * local_id];
   out[base + 2 * local_id + 1] = tree[2 * local_id + 1];
}
