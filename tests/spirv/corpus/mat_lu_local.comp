// SPDX-License-Identifier: MIT
// LU with partial pivoting of 6x6 in an array, indices that only run time knows.
//: groups 1
//: in 0.0 f32*288=random:541:-4:4
//: out 0.1 u32*48
#version 450
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer In { float src[]; };
layout(binding = 1) writeonly buffer Out { uint order[]; };
const uint N = 6;

void main()
{
   const uint g = gl_GlobalInvocationID.x;
   float m[N * N];
   uint rows[N];

   for (uint n = 0; n < N * N; n++)
      m[n] = src[g * N * N + n];
   for (uint n = 0; n < N; n++)
      rows[n] = n;
   for (uint j = 0; j < N; j++) {
      uint best = j;
      for (uint i = j + 1; i < N; i++) {
         if (abs(m[i * N + j]) > abs(m[best * N + j]))
            best = i;
      }
      for (uint k = 0; k < N; k++) {
         const float t = m[j * N + k];
         m[j * N + k] = m[best * N + k];
         m[best * N + k] = t;
      }
      const uint r = rows[j];
      rows[j] = rows[best];
      rows[best] = r;
      for (uint i = j + 1; i < N; i++) {
         const float f = m[i * N + j] / m[j * N + j];
         for (uint k = j; k < N; k++)
            m[i * N + k] -= f * m[j * N + k];
      }
   }
   for (uint n = 0; n < N; n++)
      order[g * N + n] = rows[n];
}
