// SPDX-License-Identifier: MIT
// The best value within a weight, over sets of items as bits.
// workgroup 64 1 1
// workgroups 1 1 1
// u32[64] zero
// u32[20] 1..30
// u32 10
// u32 60
KERNEL(64) knapsack(__global uint *restrict out, __global const uint *restrict items, uint count, uint limit)
{
   uint best = 0;

   for (uint set = local_id; set < 1u << count; set += 64) {
      uint weight = 0, value = 0;
      for (uint n = 0; n < count; n++) {
         if (!(set >> n & 1))
            continue;
         weight += items[n * 2];
         if (weight > limit)
            break;
         value += items[n * 2 + 1];
      }
      if (weight <= limit && value > best)
         best = value;
   }
   out[local_id] = best;
}
