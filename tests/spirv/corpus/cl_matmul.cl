// SPDX-License-Identifier: MIT
// Matrix product, a block of 2x2 results a work-item, in vectors.
//: global 8 8
//: local 8 8
//: arg in f32*256=random:228:-1:1
//: arg in f32*256=random:229:-1:1
//: arg out f32*256 abs=1e-4
//: arg u32=16
kernel void multiply(global const float *a, global const float *b, global float *c, uint n)
{
   uint x = get_global_id(0) * 2, y = get_global_id(1) * 2;
   float2 top = 0.0f, bottom = 0.0f;

   for (uint k = 0; k < n; k++) {
      float2 row = vload2(0, b + k * n + x);
      top = mad(a[y * n + k], row, top);
      bottom = mad(a[(y + 1) * n + k], row, bottom);
   }
   vstore2(top, 0, c + y * n + x);
   vstore2(bottom, 0, c + (y + 1) * n + x);
}
