// SPDX-License-Identifier: MIT
// A product of square matrices, an element a lane.
// workgroup 8 8 1
// workgroups 2 2 1
// f32[256] zero
// f32[256] -1..1
// f32[256] -1..1
// i32 16
KERNEL2(8, 8) matmul_plain(__global float *restrict c, __global const float *restrict a,
                           __global const float *restrict b, int n)
{
   int column = group_id * 8 + local_id;
   int row = group_id_y * 8 + local_id_y;
   float sum = 0.0f;

   if (row < n && column < n) {
      for (int k = 0; k < n; k++)
         sum += a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
   }
}
