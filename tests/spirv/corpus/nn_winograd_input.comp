// SPDX-License-Identifier: MIT
// The input transform of a Winograd convolution F(2, 3): a 4x4 patch through an array, transformed twice.
//: groups 1 1 2
//: push i32*4=18,10,8,4
//: in 0.0 f32*360=random:131:-2:2
//: out 0.1 f32*1024=zero ulp=16 abs=0.00001
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0) readonly buffer bottom_blob { float bottom[]; };
layout(binding = 1) writeonly buffer top_blob { float top[]; };
layout(push_constant) uniform parameter { int w; int h; int tiles_w; int tiles_h; } p;

void main()
{
   const ivec3 g = ivec3(gl_GlobalInvocationID);

   if (g.x >= p.tiles_w || g.y >= p.tiles_h)
      return;
   float v[16];
   const int at = g.z * p.w * p.h + g.y * 2 * p.w + g.x * 2;
   for (int y = 0; y < 4; y++) {
      for (int x = 0; x < 4; x++)
         v[y * 4 + x] = bottom[at + y * p.w + x];
   }
   float m[16];
   for (int x = 0; x < 4; x++) {
      m[x] = v[x] - v[8 + x];
      m[4 + x] = v[4 + x] + v[8 + x];
      m[8 + x] = v[8 + x] - v[4 + x];
      m[12 + x] = v[12 + x] - v[4 + x];
   }
   for (int y = 0; y < 4; y++) {
      v[y * 4] = m[y * 4] - m[y * 4 + 2];
      v[y * 4 + 1] = m[y * 4 + 1] + m[y * 4 + 2];
      v[y * 4 + 2] = m[y * 4 + 2] - m[y * 4 + 1];
      v[y * 4 + 3] = m[y * 4 + 3] - m[y * 4 + 1];
   }
   const int tiles = p.tiles_w * p.tiles_h;
   for (int n = 0; n < 16; n++)
      top[(g.z * 16 + n) * tiles + g.y * p.tiles_w + g.x] = v[n];
}
