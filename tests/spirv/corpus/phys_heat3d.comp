// SPDX-License-Identifier: MIT
// Heat in a volume: seven points, borders kept, one plane after the other held in registers.
//: groups 1 1
//: push i32*3=8,8,6 f32=0.1
//: in 0.0 f32*384=random:441:0:100
//: out 0.1 f32*384=zero ulp=64 abs=0.0001
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { float t[]; };
layout(binding = 1) writeonly buffer Out { float r[]; };
layout(push_constant) uniform parameter { int w; int h; int d; float k; } p;

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x < 1 || g.y < 1 || g.x >= p.w - 1 || g.y >= p.h - 1)
      return;
   const int plane = p.w * p.h;
   int i = g.y * p.w + g.x;
   float below = t[i], c = t[i + plane];
   for (int z = 1; z < p.d - 1; z++) {
      i += plane;
      const float above = t[i + plane];
      r[i] = c + p.k * (t[i - 1] + t[i + 1] + t[i - p.w] + t[i + p.w] + below + above - 6.0 * c);
      below = c;
      c = above;
   }
}
