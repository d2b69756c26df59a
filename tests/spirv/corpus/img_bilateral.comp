// SPDX-License-Identifier: MIT
// A bilateral filter: weights from distance in space and in value, a window of 5x5.
//: groups 2 2
//: push i32*2=13,11 f32*2=0.2,0.5
//: in 0.0 f32*143=random:211:0:1
//: out 0.1 f32*143=zero abs=0.0005
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { float src[]; };
layout(binding = 1) writeonly buffer Out { float dst[]; };
layout(push_constant) uniform parameter { int w; int h; float space; float range; } p;

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   const float center = src[g.y * p.w + g.x];
   float sum = 0.0, total = 0.0;
   for (int dy = -2; dy <= 2; dy++) {
      for (int dx = -2; dx <= 2; dx++) {
         const ivec2 at = clamp(g + ivec2(dx, dy), ivec2(0), ivec2(p.w - 1, p.h - 1));
         const float v = src[at.y * p.w + at.x], d = v - center;
         const float k = exp(-(float(dx * dx + dy * dy) * p.space + d * d * p.range));
         sum += k * v;
         total += k;
      }
   }
   dst[g.y * p.w + g.x] = sum / total;
}
