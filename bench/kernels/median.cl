// SPDX-License-Identifier: MIT
// The middle of each pixel's nine neighbours.
// workgroup 64 1 1
// workgroups 4 1 1
// u32[256] zero
// u32[324] 0..255
// u32 18
#define ORDER(a, b)                                                                                \
   do {                                                                                            \
      uint low = min(a, b), high = max(a, b);                                                      \
      a = low;                                                                                     \
      b = high;                                                                                    \
   } while (0)
KERNEL(64) median(__global uint *restrict out, __global const uint *restrict in, uint width)
{
   uint n = group_id * 64 + local_id, x = n % 16 + 1, y = n / 16 + 1;
   uint v[9];

   for (uint j = 0; j < 3; j++)
      for (uint i = 0; i < 3; i++)
         v[j * 3 + i] = in[(y + j - 1) * width + x + i - 1];
   ORDER(v[1], v[2]); ORDER(v[4], v[5]); ORDER(v[7], v[8]);
   ORDER(v[0], v[1]); ORDER(v[3], v[4]); ORDER(v[6], v[7]);
   ORDER(v[1], v[2]); ORDER(v[4], v[5]); ORDER(v[7], v[8]);
   v[3] = max(v[0], v[3]);
   v[5] = min(v[5], v[8]);
   ORDER(v[4], v[7]);
   v[6] = max(v[3], v[6]);
   v[4] = max(v[1], v[4]);
   v[2] = min(v[2], v[5]);
   v[4] = min(v[4], v[7]);
   ORDER(v[4], v[2]);
   v[4] = max(v[6], v[4]);
   out[n] = min(v[4], v[2]);
}
