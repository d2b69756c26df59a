// SPDX-License-Identifier: MIT
// A blur by a Gaussian, rows then columns, over a tile in shared memory.
//: variant float T=f32 A=f32
//: variant stored T=f16 A=f32
//: variant half T=f16 A=f16
//: groups 2
//: in 0.0 $T*512=random:2091:0:1
//: out 0.1 $T*512 abs=0.004
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define N 16
#define R 3
layout(local_size_x = N, local_size_y = 4) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { T dst[]; };
shared A rows[N][N], columns[N][N];
const A weight[R + 1] = A[](A(0.26), A(0.21), A(0.11), A(0.05));

void main()
{
   const int x = int(gl_LocalInvocationID.x), base = int(gl_WorkGroupID.x) * N * N;

   for (int y = int(gl_LocalInvocationID.y); y < N; y += 4)
      rows[y][x] = A(src[base + y * N + x]);
   barrier();
   for (int y = int(gl_LocalInvocationID.y); y < N; y += 4) {
      A sum = rows[y][x] * weight[0];
      for (int n = 1; n <= R; n++)
         sum += (rows[y][max(x - n, 0)] + rows[y][min(x + n, N - 1)]) * weight[n];
      columns[y][x] = sum;
   }
   barrier();
   for (int y = int(gl_LocalInvocationID.y); y < N; y += 4) {
      A sum = columns[y][x] * weight[0];
      for (int n = 1; n <= R; n++)
         sum += (columns[max(y - n, 0)][x] + columns[min(y + n, N - 1)][x]) * weight[n];
      dst[base + y * N + x] = T(sum);
   }
}
