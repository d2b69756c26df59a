// SPDX-License-Identifier: MIT
// Attention in tiles of keys: scores, their running maximum and sums, values; a workgroup a tile of queries.
//: variant float T=f32 A=f32
//: variant stored T=f16 A=f32
//: variant half T=f16 A=f16
//: groups 2 2
//: push u32*2=16,24 f32=0.35
//: in 0.0 $T*256=random:1061:-1:1
//: in 0.1 $T*384=random:1062:-1:1
//: in 0.2 $T*384=random:1063:-1:1
//: out 0.3 $T*256 abs=0.02
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define D 8
#define ROWS 8
#define KEYS 8
layout(local_size_x = KEYS, local_size_y = ROWS) in;
layout(binding = 0) readonly buffer Queries { T q[]; };
layout(binding = 1) readonly buffer Keys { T k[]; };
layout(binding = 2) readonly buffer Values { T v[]; };
layout(binding = 3) writeonly buffer Out { T o[]; };
layout(push_constant) uniform parameter { uint rows; uint keys; float scale; } p;
shared A qs[ROWS][D], ks[KEYS][D + 1], vs[KEYS][D];
shared float scores[ROWS][KEYS];

void main()
{
   const uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y, head = gl_WorkGroupID.y;
   const uint row = gl_WorkGroupID.x * ROWS + y;
   float most = -1e30, total = 0.0, sum = 0.0;

   qs[y][x] = A(q[(head * p.rows + row) * D + x]);
   for (uint first = 0; first < p.keys; first += KEYS) {
      ks[y][x] = A(k[(head * p.keys + first + y) * D + x]);
      vs[y][x] = A(v[(head * p.keys + first + y) * D + x]);
      barrier();
      A s = A(0);
      for (uint d = 0; d < D; d++)
         s += qs[y][d] * ks[x][d];
      scores[y][x] = first + x <= row + 8 ? float(s) * p.scale : -1e30;
      barrier();
      float now = most;
      for (uint n = 0; n < KEYS; n++)
         now = max(now, scores[y][n]);
      const float old = exp(most - now);
      sum *= old;
      total *= old;
      for (uint n = 0; n < KEYS; n++) {
         const float w = exp(scores[y][n] - now);
         total += w;
         sum += w * float(vs[n][x]);
      }
      most = now;
      barrier();
   }
   o[(head * p.rows + row) * D + x] = T(sum / total);
}
