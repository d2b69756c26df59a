// SPDX-License-Identifier: MIT
// Sobel's edges of half floats through a tile in shared memory; magnitude and a direction in two bits.
//: groups 2 2
//: push i32*2=15,12
//: in 0.0 f16*180=random:231:0:4
//: out 0.1 f16*180=zero ulp=8 abs=0.03
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { float16_t src[]; };
layout(binding = 1) writeonly buffer Out { float16_t dst[]; };
layout(push_constant) uniform parameter { int w; int h; } p;
shared float16_t tile[10][10];

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID), base = ivec2(gl_WorkGroupID) * 8 - 1;

   for (int n = int(gl_LocalInvocationIndex); n < 100; n += 64) {
      const ivec2 at = clamp(base + ivec2(n % 10, n / 10), ivec2(0), ivec2(p.w - 1, p.h - 1));
      tile[n / 10][n % 10] = src[at.y * p.w + at.x];
   }
   barrier();
   if (g.x >= p.w || g.y >= p.h)
      return;
   const ivec2 l = ivec2(gl_LocalInvocationID) + 1;
   const float16_t two = float16_t(2.0);
   const float16_t gx = tile[l.y - 1][l.x + 1] + two * tile[l.y][l.x + 1] + tile[l.y + 1][l.x + 1] -
                        tile[l.y - 1][l.x - 1] - two * tile[l.y][l.x - 1] - tile[l.y + 1][l.x - 1];
   const float16_t gy = tile[l.y + 1][l.x - 1] + two * tile[l.y + 1][l.x] + tile[l.y + 1][l.x + 1] -
                        tile[l.y - 1][l.x - 1] - two * tile[l.y - 1][l.x] - tile[l.y - 1][l.x + 1];
   dst[g.y * p.w + g.x] = max(abs(gx), abs(gy)) + min(abs(gx), abs(gy)) * float16_t(0.5);
}
