// SPDX-License-Identifier: MIT
// The Mandelbrot set with a viewport in push constants: counts, then a colour by formula.
//: groups 2 2
//: push f32*4=-2,-1.25,0.15625,0.15625 u32*1=60
//: out 0.0 u32*256
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform Push {
   vec2 origin;
   vec2 pixel;
   uint limit;
};
layout(set = 0, binding = 0) writeonly buffer Out { uint b[]; };

void main()
{
   uvec2 at = gl_GlobalInvocationID.xy;
   precise vec2 c = origin + pixel * vec2(at);
   precise vec2 z = vec2(0.0);
   uint n = 0u;

   while (n < limit) {
      precise float xx = z.x * z.x, yy = z.y * z.y;
      if (xx + yy > 4.0)
         break;
      precise float xy = z.x * z.y;
      z = vec2(xx - yy + c.x, xy + xy + c.y);
      n++;
   }
   uint shade = n == limit ? 0u : n * 255u / limit;
   b[at.y * 16u + at.x] = 0xff000000u | shade << 16 | (shade ^ 0xffu) << 8 | n;
}
