// SPDX-License-Identifier: MIT
// Four equations a lane, by elimination with the greatest pivot.
// workgroup 64 1 1
// workgroups 1 1 1
// f32[256] zero
// f32[1280] -1..1
KERNEL(64) solve_4(__global float *restrict out, __global const float *restrict in)
{
   float m[4][5];

   for (int i = 0; i < 4; i++)
      for (int j = 0; j < 5; j++)
         m[i][j] = in[local_id * 20 + i * 5 + j];
   for (int k = 0; k < 4; k++) {
      int pivot = k;
      for (int i = k + 1; i < 4; i++)
         if (fabs(m[i][k]) > fabs(m[pivot][k]))
            pivot = i;
      for (int j = k; j < 5; j++) {
         float t = m[k][j];
         m[k][j] = m[pivot][j];
         m[pivot][j] = t;
      }
      for (int i = k + 1; i < 4; i++) {
         float factor = m[i][k] / m[k][k];
         for (int j = k; j < 5; j++)
            m[i][j] -= factor * m[k][j];
      }
   }
   for (int i = 3; i >= 0; i--) {
      float x = m[i][4];
      for (int j = i + 1; j < 4; j++)
         x -= m[i][j] * out[local_id * 4 + j];
      out[local_id * 4 + i] = x / m[i][i];
   }
}
