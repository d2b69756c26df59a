// SPDX-License-Identifier: MIT
// Cholesky's factors of small matrices, a lane each, worked on in memory.
//: groups 1
//: io 0.0 f32*256=4,0.5,0.25,0.125,0.5,5,0.5,0.25,0.25,0.5,6,0.5,0.125,0.25,0.5,7 ulp=64
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer M { float m[]; };
const uint N = 4;

void main()
{
   const uint base = gl_GlobalInvocationID.x * N * N;

   for (uint j = 0; j < N; j++) {
      float d = m[base + j * N + j];
      for (uint k = 0; k < j; k++)
         d -= m[base + j * N + k] * m[base + j * N + k];
      d = sqrt(d);
      m[base + j * N + j] = d;
      for (uint i = j + 1; i < N; i++) {
         float s = m[base + i * N + j];
         for (uint k = 0; k < j; k++)
            s -= m[base + i * N + k] * m[base + j * N + k];
         m[base + i * N + j] = s / d;
         m[base + j * N + i] = 0.0;
      }
   }
}
