// SPDX-License-Identifier: MIT
// Edges of Canny: gradients by Sobel, those that are greatest along their direction, two thresholds.
//: variant float T=f32
//: variant half T=f16
//: groups 2 2
//: push i32*2=14,14 f32*2=12,30
//: in 0.0 $T*196=random:2021:0:16
//: out 0.1 u32*196=zero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { uint edge[]; };
layout(push_constant) uniform parameter { int w; int h; float low; float high; } p;
shared vec2 slope[10][10];

int pixel(int x, int y)
{
   return int(src[clamp(y, 0, p.h - 1) * p.w + clamp(x, 0, p.w - 1)]);
}

vec2 sobel(int x, int y)
{
   const int a = pixel(x - 1, y - 1), b = pixel(x, y - 1), c = pixel(x + 1, y - 1), d = pixel(x - 1, y), e = pixel(x + 1, y);
   const int f = pixel(x - 1, y + 1), g = pixel(x, y + 1), h = pixel(x + 1, y + 1);
   return vec2(c + 2 * e + h - a - 2 * d - f, f + 2 * g + h - a - 2 * b - c);
}

float strength(ivec2 at)
{
   const vec2 s = slope[at.y][at.x];
   return abs(s.x) + abs(s.y);
}

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID), l = ivec2(gl_LocalInvocationID), first = ivec2(gl_WorkGroupID) * 8 - 1;

   for (int n = int(gl_LocalInvocationIndex); n < 100; n += 64)
      slope[n / 10][n % 10] = sobel(first.x + n % 10, first.y + n / 10);
   barrier();
   if (g.x >= p.w || g.y >= p.h)
      return;
   const ivec2 at = l + 1;
   const vec2 s = slope[at.y][at.x];
   ivec2 along;
   if (abs(s.y) * 2.5 < abs(s.x))
      along = ivec2(1, 0);
   else if (abs(s.x) * 2.5 < abs(s.y))
      along = ivec2(0, 1);
   else
      along = ivec2(1, s.x * s.y < 0.0 ? -1 : 1);
   const float here = strength(at);
   const bool most = here >= strength(at + along) && here > strength(at - along);
   edge[g.y * p.w + g.x] = !most || here < p.low ? 0u : here < p.high ? 1u : 2u;
}
