// SPDX-License-Identifier: MIT
// An image enlarged by a factor that is no whole number.
// workgroup 64 1 1
// workgroups 4 1 1
// f32[256] zero
// f32[100] 0..1
// i32 10
// i32 16
// f32 0.61
static float at(__global const float *image, int size, int x, int y)
{
   x = min(max(x, 0), size - 1);
   y = min(max(y, 0), size - 1);
   return image[y * size + x];
}
KERNEL(64) bilinear(__global float *restrict out, __global const float *restrict image, int size, int width,
                    float scale)
{
   int n = group_id * 64 + local_id;
   float x = ((float)(n % width) + 0.5f) * scale - 0.5f;
   float y = ((float)(n / width) + 0.5f) * scale - 0.5f;
   float fx = floor(x), fy = floor(y);
   int ix = (int)fx, iy = (int)fy;
   float wx = x - fx, wy = y - fy;
   float top = at(image, size, ix, iy) * (1.0f - wx) + at(image, size, ix + 1, iy) * wx;
   float bottom = at(image, size, ix, iy + 1) * (1.0f - wx) + at(image, size, ix + 1, iy + 1) * wx;

   out[n] = top * (1.0f - wy) + bottom * wy;
}
