// SPDX-License-Identifier: MIT
// A 3 x 3 filter over an image; pixels outside are left out.
// workgroup 16 4 1
// workgroups 1 4 1
// f32[256] zero
// f32[256] 0..1
// i32 16
// i32 16
__constant float weights[9] = { 1.0f, 2.0f, 1.0f, 2.0f, 4.0f, 2.0f, 1.0f, 2.0f, 1.0f };
KERNEL2(16, 4) convolve_2d(__global float *restrict out, __global const float *restrict in, int width,
                           int height)
{
   int x = group_id * 16 + local_id;
   int y = group_id_y * 4 + local_id_y;
   float sum = 0.0f, total = 0.0f;

   for (int dy = -1; dy <= 1; dy++) {
      for (int dx = -1; dx <= 1; dx++) {
         int sx = x + dx, sy = y + dy;
         if (sx < 0 || sy < 0 || sx >= width || sy >= height)
            continue;
         float w = weights[(dy + 1) * 3 + dx + 1];
         sum += w * in[sy * width + sx];
         total += w;
      }
   }
   out[y * width + x] = sum / total;
}
