// SPDX-License-Identifier: MIT
// Decomposition into lower and upper triangles with row exchanges; a matrix a workgroup in shared memory.
//: variant float T=f32
//: variant half T=f16
//: groups 3
//: in 0.0 $T*192=random:5021:-1:1
//: out 0.1 f32*192 abs=0.02 ulp=4096
//: out 0.2 u32*24
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define N 8
layout(local_size_x = N, local_size_y = N) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { float dst[]; };
layout(binding = 2) writeonly buffer Order { uint order[]; };
shared float m[N][N];
shared uint pivot;

void main()
{
   const uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y, base = gl_WorkGroupID.x * N * N;

   m[y][x] = float(src[base + y * N + x]) + (x == (y + 3) % N ? 4.0 : 0.0);
   barrier();
   for (uint k = 0; k < N; k++) {
      if (x == 0 && y == 0) {
         uint best = k;
         for (uint r = k + 1; r < N; r++)
            if (abs(m[r][k]) > abs(m[best][k]))
               best = r;
         pivot = best;
         order[gl_WorkGroupID.x * N + k] = best;
      }
      barrier();
      const uint r = pivot;
      if (y == k && r != k) {
         const float t = m[k][x];
         m[k][x] = m[r][x];
         m[r][x] = t;
      }
      barrier();
      if (x == k && y > k)
         m[y][k] /= m[k][k];
      barrier();
      if (x > k && y > k)
         m[y][x] -= m[y][k] * m[k][x];
      barrier();
   }
   dst[base + y * N + x] = m[y][x];
}
