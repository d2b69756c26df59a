// SPDX-License-Identifier: MIT
// A product of matrices, a block of 2 x 4 elements a lane, held in an array.
// workgroup 32 1 1
// workgroups 1 1 1
// f32[256] zero
// f32[256] -1..1
// f32[256] -1..1
KERNEL(32) matmul_register(__global float *restrict c, __global const float *restrict a,
                           __global const float *restrict b)
{
   float sum[2][4];
   uint row = local_id / 4 * 2, column = local_id % 4 * 4;

   for (uint i = 0; i < 2; i++)
      for (uint j = 0; j < 4; j++)
         sum[i][j] = 0.0f;
   for (uint k = 0; k < 16; k++) {
      for (uint i = 0; i < 2; i++) {
         float x = a[(row + i) * 16 + k];
         for (uint j = 0; j < 4; j++)
            sum[i][j] += x * b[k * 16 + column + j];
      }
   }
   for (uint i = 0; i < 2; i++)
      for (uint j = 0; j < 4; j++)
         c[(row + i) * 16 + column + j] = sum[i][j];
}
