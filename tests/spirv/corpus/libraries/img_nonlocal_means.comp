// SPDX-License-Identifier: MIT
// Non-local means: patches of 3 by 3 are compared in a window of 5 by 5.
//: variant float T=f32
//: variant byte T=u8
//: groups 2 2
//: push i32*2=12,10 f32=0.0004
//: in 0.0 $T*120=random:2101:0:90
//: out 0.1 f32*120=zero abs=0.05
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define u8 uint8_t
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { float dst[]; };
layout(push_constant) uniform parameter { int w; int h; float strength; } p;

float at(ivec2 v)
{
   const ivec2 c = clamp(v, ivec2(0), ivec2(p.w - 1, p.h - 1));
   return float(src[c.y * p.w + c.x]);
}

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   float sum = 0.0, total = 0.0;
   for (int dy = -2; dy <= 2; dy++) {
      for (int dx = -2; dx <= 2; dx++) {
         float distance = 0.0;
         for (int py = -1; py <= 1; py++) {
            for (int px = -1; px <= 1; px++) {
               const float d = at(g + ivec2(px, py)) - at(g + ivec2(dx + px, dy + py));
               distance += d * d;
            }
         }
         const float w = exp(-distance * p.strength);
         sum += w * at(g + ivec2(dx, dy));
         total += w;
      }
   }
   dst[g.y * p.w + g.x] = sum / total;
}
