// SPDX-License-Identifier: MIT
// A transpose through tiles whose rows are one longer, of elements of each size.
//: variant byte T=u8
//: variant half T=f16
//: variant short T=i16
//: variant float T=f32
//: variant long T=i64
//: groups 3 2
//: push u32*2=44,29
//: in 0.0 $T*1276=iota:0:1
//: out 0.1 $T*1276
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define u8 uint8_t
#define i16 int16_t
#define i64 int64_t
#define TILE 16
layout(local_size_x = TILE, local_size_y = 4) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { T dst[]; };
layout(push_constant) uniform parameter { uint w; uint h; } p;
shared T tile[TILE][TILE + 1];

void main()
{
   const uint x = gl_LocalInvocationID.x, y0 = gl_LocalInvocationID.y;
   const uint bx = gl_WorkGroupID.x * TILE, by = gl_WorkGroupID.y * TILE;

   for (uint y = y0; y < TILE; y += 4)
      if (bx + x < p.w && by + y < p.h)
         tile[y][x] = src[(by + y) * p.w + bx + x];
   barrier();
   for (uint y = y0; y < TILE; y += 4)
      if (by + x < p.h && bx + y < p.w)
         dst[(bx + y) * p.h + by + x] = tile[x][y];
}
