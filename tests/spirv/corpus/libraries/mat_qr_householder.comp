// SPDX-License-Identifier: MIT
// A decomposition by reflections, a matrix of 6 by 4 a lane, in arrays or in memory.
//: variant array HOW=0
//: variant memory HOW=1
//: groups 1
//: in 0.0 f32*384=random:5031:-1:1
//: io 0.1 f32*384=random:5031:-1:1 abs=0.002 ulp=1024
//: out 0.2 f32*64 abs=0.002 ulp=1024
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define M 6
#define N 4
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer In { float src[]; };
layout(binding = 1) buffer Work { float work[]; };
layout(binding = 2) writeonly buffer Diagonal { float diagonal[]; };
#if HOW == 0
float local_matrix[M][N];
#define A(r, c) local_matrix[r][c]
#else
#define A(r, c) work[((r) * N + (c)) * 16 + gl_LocalInvocationIndex]
#endif

void main()
{
   const uint l = gl_LocalInvocationIndex;

#if HOW == 0
   for (uint r = 0; r < M; r++)
      for (uint c = 0; c < N; c++)
         A(r, c) = src[(r * N + c) * 16 + l];
#endif
   for (uint k = 0; k < N; k++) {
      float norm = 0.0;
      for (uint r = k; r < M; r++)
         norm += A(r, k) * A(r, k);
      norm = sqrt(norm);
      const float head = A(k, k), alpha = head > 0.0 ? -norm : norm;
      diagonal[k * 16 + l] = alpha;
      A(k, k) = head - alpha;
      const float scale = 1.0 / (norm * (norm + abs(head)));
      for (uint c = k + 1; c < N; c++) {
         float sum = 0.0;
         for (uint r = k; r < M; r++)
            sum += A(r, k) * A(r, c);
         sum *= scale;
         for (uint r = k; r < M; r++)
            A(r, c) -= sum * A(r, k);
      }
   }
#if HOW == 0
   for (uint r = 0; r < M; r++)
      for (uint c = 0; c < N; c++)
         work[(r * N + c) * 16 + l] = A(r, c);
#endif
}
