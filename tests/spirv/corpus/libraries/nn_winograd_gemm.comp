// SPDX-License-Identifier: MIT
// The 16 products of transformed tiles and weights of a Winograd convolution, four tiles and four outputs a lane.
//: variant float T=f32 V=vec4
//: variant half T=f16 V=f16vec4
//: groups 1 1 16
//: push i32*3=8,3,2
//: in 0.0 $T*1536=random:1071:-1:1
//: in 0.1 $T*1536=random:1072:-1:1
//: out 0.2 $T*1024=zero abs=0.03
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 2, local_size_y = 2) in;
layout(binding = 0) readonly buffer Tiles { V tiles[]; };
layout(binding = 1) readonly buffer Weights { V weights[]; };
layout(binding = 2) writeonly buffer Out { V sums[]; };
layout(push_constant) uniform parameter { int tiles_of; int c; int outc; } p;

void main()
{
   const int gx = int(gl_GlobalInvocationID.x) * 4, gy = int(gl_GlobalInvocationID.y), gz = int(gl_GlobalInvocationID.z);
   V sum[4] = V[4](V(0), V(0), V(0), V(0));

   if (gx >= p.tiles_of || gy >= p.outc)
      return;
   for (int z = 0; z < p.c; z++) {
      const int at = ((gz * p.outc + gy) * p.c + z) * 4;
      const V k0 = weights[at], k1 = weights[at + 1], k2 = weights[at + 2], k3 = weights[at + 3];
      for (int n = 0; n < 4; n++) {
         const V t = tiles[(gz * p.c + z) * p.tiles_of + gx + n];
         sum[n] += k0 * t.x + k1 * t.y + k2 * t.z + k3 * t.w;
      }
   }
   for (int n = 0; n < 4; n++)
      sums[(gz * p.outc + gy) * p.tiles_of + gx + n] = sum[n];
}
