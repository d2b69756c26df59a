// SPDX-License-Identifier: MIT
// A sparse matrix times a vector: rows of different lengths.
// workgroup 64 1 1
// workgroups 1 1 1
// f32[64] zero
// f32[512] -1..1
// u32[512] 0..63
// f32[64] -1..1
KERNEL(64) sparse_product(__global float *restrict out, __global const float *restrict values,
                          __global const uint *restrict columns, __global const float *restrict x)
{
   uint begin = local_id * 7, end = begin + (local_id * 13 & 15);
   float sum = 0.0f;

   for (uint n = begin; n < end; n++)
      sum += values[n] * x[columns[n]];
   out[local_id] = sum;
}
