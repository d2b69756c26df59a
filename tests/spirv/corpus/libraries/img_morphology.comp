// SPDX-License-Identifier: MIT
// Dilation, erosion and their difference by a disc of radius 2, its rows as half widths.
//: variant byte T=u8
//: variant short T=u16
//: variant half T=f16
//: groups 2 2
//: push i32*2=16,11
//: in 0.0 $T*176=random:2041:0:100
//: out 0.1 $T*176=zero
//: out 0.2 $T*176=zero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define u8 uint8_t
#define u16 uint16_t
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Dilated { T dilated[]; };
layout(binding = 2) writeonly buffer Gradient { T gradient[]; };
layout(push_constant) uniform parameter { int w; int h; } p;
const int half_widths[5] = int[](1, 2, 2, 2, 1);

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   T most = src[g.y * p.w + g.x], least = most;
   for (int dy = -2; dy <= 2; dy++) {
      const int y = g.y + dy, r = half_widths[dy + 2];
      if (y < 0 || y >= p.h)
         continue;
      for (int x = max(g.x - r, 0); x <= min(g.x + r, p.w - 1); x++) {
         const T v = src[y * p.w + x];
         most = v > most ? v : most;
         least = v < least ? v : least;
      }
   }
   dilated[g.y * p.w + g.x] = most;
   gradient[g.y * p.w + g.x] = most - least;
}
