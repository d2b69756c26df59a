// SPDX-License-Identifier: MIT
// A short list a lane, sorted in its own array by insertion.
// workgroup 64 1 1
// workgroups 1 1 1
// i32[1024] zero
// i32[1024] -1000..1000
KERNEL(64) sort_insertion(__global int *restrict out, __global const int *restrict in)
{
   int v[16];

   for (int n = 0; n < 16; n++)
      v[n] = in[local_id * 16 + n];
   for (int n = 1; n < 16; n++) {
      int x = v[n], k = n - 1;
      while (k >= 0 && v[k] > x) {
         v[k + 1] = v[k];
         k--;
      }
      v[k + 1] = x;
   }
   for (int n = 0; n < 16; n++)
      out[local_id * 16 + n] = v[n];
}
