// SPDX-License-Identifier: MIT
// Pooling of windows by greatest or mean, chosen by specialisation, windows cut off at the border.
//: groups 1 1 2
//: spec 0 i32=1
//: push i32*4=15,11,8,6
//: in 0.0 f32*330=random:151:-2:2
//: out 0.1 f32*96=zero ulp=16 abs=0.00001
#version 450
layout(constant_id = 0) const int type = 0;
layout(constant_id = 1) const int kernel = 3;
layout(constant_id = 2) const int stride = 2;
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer bottom_blob { float bottom[]; };
layout(binding = 1) writeonly buffer top_blob { float top[]; };
layout(push_constant) uniform parameter { int w; int h; int outw; int outh; } p;

void main()
{
   const ivec3 g = ivec3(gl_GlobalInvocationID);

   if (g.x >= p.outw || g.y >= p.outh)
      return;
   const int x0 = g.x * stride, y0 = g.y * stride, x1 = min(x0 + kernel, p.w), y1 = min(y0 + kernel, p.h);
   float result = type == 0 ? -1e30 : 0.0;
   for (int y = y0; y < y1; y++) {
      for (int x = x0; x < x1; x++) {
         const float v = bottom[(g.z * p.h + y) * p.w + x];
         result = type == 0 ? max(result, v) : result + v;
      }
   }
   if (type != 0)
      result /= float((x1 - x0) * (y1 - y0));
   top[(g.z * p.outh + g.y) * p.outw + g.x] = result;
}
