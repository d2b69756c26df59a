// SPDX-License-Identifier: MIT
// A box filter of radius 2 over a tile with its border in shared memory; samples outside are clamped.
//: variant float T=f32
//: variant half T=f16
//: variant byte T=u8
//: groups 2 2
//: push i32*2=15,13
//: in 0.0 $T*195=random:2001:0:200
//: out 0.1 f32*195=zero abs=0.05
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define u8 uint8_t
#define R 2
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { float dst[]; };
layout(push_constant) uniform parameter { int w; int h; } p;
shared float tile[8 + 2 * R][8 + 2 * R];

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID), l = ivec2(gl_LocalInvocationID), first = ivec2(gl_WorkGroupID) * 8 - R;

   for (int y = l.y; y < 8 + 2 * R; y += 8) {
      for (int x = l.x; x < 8 + 2 * R; x += 8) {
         const ivec2 at = clamp(first + ivec2(x, y), ivec2(0), ivec2(p.w - 1, p.h - 1));
         tile[y][x] = float(src[at.y * p.w + at.x]);
      }
   }
   barrier();
   if (g.x >= p.w || g.y >= p.h)
      return;
   float sum = 0.0;
   for (int y = 0; y <= 2 * R; y++)
      for (int x = 0; x <= 2 * R; x++)
         sum += tile[l.y + y][l.x + x];
   dst[g.y * p.w + g.x] = sum / float((2 * R + 1) * (2 * R + 1));
}
