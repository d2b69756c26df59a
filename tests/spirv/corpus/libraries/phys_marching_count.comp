// SPDX-License-Identifier: MIT
// The corners of cells under a level, the edges that the surface crosses, and where it does on each.
//: variant float T=f32
//: variant half T=f16
//: variant byte T=u8
//: groups 1 1 5
//: push f32=50.5
//: in 0.0 $T*150=random:4091:0:100
//: out 0.1 u32*80=zero
//: out 0.2 f32*240=zero abs=0.001
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define u8 uint8_t
layout(local_size_x = 4, local_size_y = 4) in;
layout(binding = 0) readonly buffer In { T grid[]; };
layout(binding = 1) writeonly buffer Cases { uint edges[]; };
layout(binding = 2) writeonly buffer Places { float place[]; };
layout(push_constant) uniform parameter { float level; } p;

float at(uvec3 v)
{
   return float(grid[(v.z * 5 + v.y) * 5 + v.x]);
}

void main()
{
   const uvec3 g = gl_GlobalInvocationID;
   const uint cell = (g.z * 4 + g.y) * 4 + g.x;
   float v[8];
   uint below = 0, crossed = 0;
   float sum = 0.0;

   for (uint n = 0; n < 8; n++) {
      v[n] = at(g + uvec3(n & 1, n >> 1 & 1, n >> 2));
      below |= (v[n] < p.level ? 1 : 0) << n;
   }
   for (uint axis = 0; axis < 3; axis++) {
      float along = 0.0;
      for (uint n = 0; n < 8; n++) {
         const uint other = n | 1 << axis;
         if (other != n && ((below >> n ^ below >> other) & 1) != 0) {
            crossed++;
            along += (p.level - v[n]) / (v[other] - v[n]);
         }
      }
      place[cell * 3 + axis] = along;
   }
   edges[cell] = below << 8 | crossed;
}
