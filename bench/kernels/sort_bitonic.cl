// SPDX-License-Identifier: MIT
// 128 numbers a workgroup, sorted in LDS.
// workgroup 64 1 1
// workgroups 2 1 1
// u32[256] zero
// u32[256] 0..100000
KERNEL(64) sort_bitonic(__global uint *restrict out, __global const uint *restrict in)
{
   __local uint v[128];
   uint base = group_id * 128;

   v[local_id] = in[base + local_id];
   v[local_id + 64] = in[base + local_id + 64];
   for (uint size = 2; size <= 128; size <<= 1) {
      for (uint stride = size >> 1; stride > 0; stride >>= 1) {
         barrier();
         uint low = 2 * local_id - (local_id & (stride - 1));
         uint high = low + stride;
         bool up = (low & size) == 0;
         uint a = v[low], b = v[high];
         if ((a > b) == up) {
            v[low] = b;
            v[high] = a;
         }
      }
   }
   barrier();
   out[base + local_id] = v[local_id];
   out[base + local_id + 64] = v[local_id + 64];
}
