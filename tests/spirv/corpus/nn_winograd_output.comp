// SPDX-License-Identifier: MIT
// The output transform of F(2, 3), with bias and activation, and guards of the border.
//: groups 1 1 1
//: push i32*4=8,4,16,8
//: in 0.0 f32*512=random:141:-2:2
//: in 0.1 f32*1=0.5
//: out 0.2 f32*128=zero ulp=16 abs=0.00001
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0) readonly buffer bottom_blob { float bottom[]; };
layout(binding = 1) readonly buffer bias_blob { float bias[]; };
layout(binding = 2) writeonly buffer top_blob { float top[]; };
layout(push_constant) uniform parameter { int tiles_w; int tiles_h; int outw; int outh; } p;

void main()
{
   const ivec3 g = ivec3(gl_GlobalInvocationID);

   if (g.x >= p.tiles_w || g.y >= p.tiles_h)
      return;
   const int tiles = p.tiles_w * p.tiles_h;
   float m[2][4];
   for (int x = 0; x < 4; x++) {
      float t[4];
      for (int y = 0; y < 4; y++)
         t[y] = bottom[(g.z * 16 + y * 4 + x) * tiles + g.y * p.tiles_w + g.x];
      m[0][x] = t[0] + t[1] + t[2];
      m[1][x] = t[1] - t[2] + t[3];
   }
   for (int y = 0; y < 2; y++) {
      const float r0 = m[y][0] + m[y][1] + m[y][2] + bias[g.z];
      const float r1 = m[y][1] - m[y][2] + m[y][3] + bias[g.z];
      const int oy = g.y * 2 + y, ox = g.x * 2;
      if (oy < p.outh && ox < p.outw)
         top[g.z * p.outw * p.outh + oy * p.outw + ox] = max(r0, 0.0);
      if (oy < p.outh && ox + 1 < p.outw)
         top[g.z * p.outw * p.outh + oy * p.outw + ox + 1] = max(r1, 0.0);
   }
}
