// SPDX-License-Identifier: MIT
// A product of square matrices by tiles in LDS.
// workgroup 8 8 1
// workgroups 2 2 1
// f32[256] zero
// f32[256] -1..1
// f32[256] -1..1
// i32 16
#define TILE 8
KERNEL2(8, 8) matmul_tiled(__global float *c, __global const float *a, __global const float *b, int n)
{
   __local float ta[TILE][TILE];
   __local float tb[TILE][TILE];
   int x = local_id, y = local_id_y;
   int column = group_id * TILE + x;
   int row = group_id_y * TILE + y;
   float sum = 0.0f;

   for (int t = 0; t < n; t += TILE) {
      ta[y][x] = a[row * n + t + x];
      tb[y][x] = b[(t + y) * n + column];
      barrier();
      for (int k = 0; k < TILE; k++)
         sum += ta[y][k] * tb[k][x];
      barrier();
   }
   c[row * n + column] = sum;
}
