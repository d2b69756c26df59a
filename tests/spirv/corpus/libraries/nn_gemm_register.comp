// SPDX-License-Identifier: MIT
// A matrix product with a tile of 4 by 4 sums a lane, tiles of both factors in shared memory.
//: variant float T=f32 A=f32
//: variant stored T=f16 A=f32
//: variant half T=f16 A=f16
//: groups 2 2
//: push u32*3=32,32,24
//: in 0.0 $T*768=random:1031:-1:1
//: in 0.1 $T*768=random:1032:-1:1
//: out 0.2 $A*1024 abs=0.04 ulp=8
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define TILE 16
#define DEPTH 8
layout(local_size_x = 4, local_size_y = 4) in;
layout(binding = 0) readonly buffer LeftMatrix { T a[]; };
layout(binding = 1) readonly buffer RightMatrix { T b[]; };
layout(binding = 2) writeonly buffer Product { A c[]; };
layout(push_constant) uniform parameter { uint m; uint n; uint k; } p;
shared A as[DEPTH][TILE], bs[DEPTH][TILE];

void main()
{
   const uint tx = gl_LocalInvocationID.x, ty = gl_LocalInvocationID.y, l = gl_LocalInvocationIndex;
   const uint row0 = gl_WorkGroupID.y * TILE, col0 = gl_WorkGroupID.x * TILE;
   A sum[4][4];

   for (uint i = 0; i < 4; i++)
      for (uint j = 0; j < 4; j++)
         sum[i][j] = A(0);
   for (uint k0 = 0; k0 < p.k; k0 += DEPTH) {
      for (uint i = 0; i < DEPTH; i++) {
         as[i][l] = A(a[(row0 + l) * p.k + k0 + i]);
         bs[i][l] = A(b[(k0 + i) * p.n + col0 + l]);
      }
      barrier();
      for (uint k = 0; k < DEPTH; k++) {
         A av[4], bv[4];
         for (uint i = 0; i < 4; i++) {
            av[i] = as[k][ty * 4 + i];
            bv[i] = bs[k][tx * 4 + i];
         }
         for (uint i = 0; i < 4; i++)
            for (uint j = 0; j < 4; j++)
               sum[i][j] += av[i] * bv[j];
      }
      barrier();
   }
   for (uint i = 0; i < 4; i++)
      for (uint j = 0; j < 4; j++)
         c[(row0 + ty * 4 + i) * p.n + col0 + tx * 4 + j] = sum[i][j];
}
