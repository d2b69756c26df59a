// SPDX-License-Identifier: MIT
// A Bayer mosaic becomes colours: a switch on the parity of the place, neighbours averaged.
//: groups 2 2
//: push i32*2=14,12
//: in 0.0 f32*168=random:281:0:255
//: out 0.1 f32*672=zero ulp=8
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { float raw[]; };
layout(binding = 1) writeonly buffer Out { vec4 dst[]; };
layout(push_constant) uniform parameter { int w; int h; } p;

float at(ivec2 g, int dx, int dy)
{
   const ivec2 c = clamp(g + ivec2(dx, dy), ivec2(0), ivec2(p.w - 1, p.h - 1));
   return raw[c.y * p.w + c.x];
}

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   const float c = at(g, 0, 0);
   const float cross = (at(g, -1, 0) + at(g, 1, 0) + at(g, 0, -1) + at(g, 0, 1)) * 0.25;
   const float corners = (at(g, -1, -1) + at(g, 1, -1) + at(g, -1, 1) + at(g, 1, 1)) * 0.25;
   const float row = (at(g, -1, 0) + at(g, 1, 0)) * 0.5, column = (at(g, 0, -1) + at(g, 0, 1)) * 0.5;
   vec3 rgb;
   switch ((g.y & 1) * 2 + (g.x & 1)) {
   case 0: rgb = vec3(c, cross, corners); break;
   case 1: rgb = vec3(row, c, column); break;
   case 2: rgb = vec3(column, c, row); break;
   default: rgb = vec3(corners, cross, c); break;
   }
   dst[g.y * p.w + g.x] = vec4(rgb, 1.0);
}
