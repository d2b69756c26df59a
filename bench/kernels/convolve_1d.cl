// SPDX-License-Identifier: MIT
// A filter of nine taps; at the ends the nearest number stands for what is not there.
// workgroup 64 1 1
// workgroups 4 1 1
// f32[256] zero
// f32[256] -1..1
// f32[9] 0..1
// i32 256
KERNEL(64) convolve_1d(__global float *restrict out, __global const float *restrict in,
                       __global const float *restrict taps, int n)
{
   int at = group_id * 64 + local_id;
   float sum = 0.0f;

   for (int k = -4; k <= 4; k++) {
      int from = at + k;
      if (from < 0)
         from = 0;
      if (from >= n)
         from = n - 1;
      sum += in[from] * taps[k + 4];
   }
   out[at] = sum;
}
