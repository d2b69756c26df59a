// SPDX-License-Identifier: MIT
// Binary search for each lane's key, with an early return where it is found.
// workgroup 64 1 1
// workgroups 4 1 1
// i32[256] zero
// u32[512] index
// u32[256] 0..700
// i32 512
KERNEL(64) tree_search(__global int *restrict out, __global const uint *restrict sorted,
                       __global const uint *restrict keys, int n)
{
   uint at = group_id * 64 + local_id;
   uint key = keys[at];
   int low = 0, high = n - 1;

   while (low <= high) {
      int middle = low + (high - low) / 2;
      uint x = sorted[middle];
      if (x == key) {
         out[at] = middle;
         return;
      }
      if (x < key)
         low = middle + 1;
      else
         high = middle - 1;
   }
   out[at] = -1 - low;
}
