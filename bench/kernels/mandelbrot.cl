// SPDX-License-Identifier: MIT
// How long z * z + c stays near.
// workgroup 64 1 1
// workgroups 4 1 1
// u32[256] zero
// i32 16
// i32 64
KERNEL(64) mandelbrot(__global uint *restrict out, int width, int limit)
{
   int at = group_id * 64 + local_id;
   float cx = (float)(at % width) / (float)width * 3.0f - 2.0f;
   float cy = (float)(at / width) / (float)width * 2.0f - 1.0f;
   float x = 0.0f, y = 0.0f;
   int n = 0;

   while (x * x + y * y <= 4.0f && n < limit) {
      float t = x * x - y * y + cx;
      y = 2.0f * x * y + cy;
      x = t;
      n++;
   }
   out[at] = n;
}
