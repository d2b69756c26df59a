// SPDX-License-Identifier: MIT
// A step of Cholesky's decomposition by blocks: the corner, the panel under it, the rest of the matrix.
//: variant float T=f32
//: variant half T=f16
//: groups 1
//: in 0.0 $T*256=random:5041:-0.5:0.5
//: out 0.1 f32*256 abs=0.01 ulp=1024
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define N 16
#define B 4
layout(local_size_x = N, local_size_y = B) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { float dst[]; };
shared float m[N][N];

void main()
{
   const uint x = gl_LocalInvocationID.x, y0 = gl_LocalInvocationID.y;

   for (uint y = y0; y < N; y += B)
      m[y][x] = 0.5 * (float(src[y * N + x]) + float(src[x * N + y])) + (x == y ? 9.0 : 0.0);
   barrier();
   for (uint first = 0; first < N; first += B) {
      for (uint k = first; k < first + B; k++) {
         if (x == k && y0 == 0)
            m[k][k] = sqrt(m[k][k]);
         barrier();
         if (y0 == 0 && x > k)
            m[x][k] /= m[k][k];
         barrier();
         if (y0 + first > k && x >= y0 + first)
            m[x][y0 + first] -= m[x][k] * m[y0 + first][k];
         barrier();
      }
      for (uint y = first + B + y0; y < N; y += B) {
         if (x < y)
            continue;
         float sum = 0.0;
         for (uint k = first; k < first + B; k++)
            sum += m[x][k] * m[y][k];
         m[x][y] -= sum;
      }
      barrier();
   }
   for (uint y = y0; y < N; y += B)
      dst[y * N + x] = x <= y ? m[y][x] : 0.0;
}
