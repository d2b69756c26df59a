// SPDX-License-Identifier: MIT
// A multigrid cycle's parts: smoothing in red and black, the residual restricted, the correction interpolated.
//: variant smooth PART=0
//: variant restrict PART=1
//: variant prolong PART=2
//: groups 1
//: push i32=16
//: in 0.0 f32*256=random:4061:-1:1
//: in 0.1 f32*64=random:4062:-1:1
//: io 0.2 f32*256=random:4063:-1:1 abs=0.0005
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer Right { float b[]; };
layout(binding = 1) readonly buffer Coarse { float coarse[]; };
layout(binding = 2) buffer Fine { float x[]; };
layout(push_constant) uniform parameter { int n; } p;
shared float residual[16][16];

float at(int i, int j)
{
   return i < 0 || j < 0 || i >= p.n || j >= p.n ? 0.0 : x[j * p.n + i];
}

float around(int i, int j)
{
   return at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1);
}

float of_coarse(int i, int j)
{
   const int m = p.n / 2;
   return coarse[clamp(j, 0, m - 1) * m + clamp(i, 0, m - 1)];
}

void main()
{
   const int lx = int(gl_LocalInvocationID.x), ly = int(gl_LocalInvocationID.y);
#if PART == 0
   for (int colour = 0; colour < 2; colour++) {
      for (int j = ly; j < p.n; j += 8)
         for (int i = lx; i < p.n; i += 8)
            if ((i + j & 1) == colour)
               x[j * p.n + i] = 0.25 * (b[j * p.n + i] + around(i, j));
      memoryBarrierBuffer();
      barrier();
   }
#elif PART == 1
   for (int j = ly; j < p.n; j += 8)
      for (int i = lx; i < p.n; i += 8)
         residual[j][i] = b[j * p.n + i] - 4.0 * at(i, j) + around(i, j);
   memoryBarrierBuffer();
   barrier();
   const int i = 2 * lx, j = 2 * ly;
   x[ly * 8 + lx] = 0.25 * (residual[j][i] + residual[j][i + 1] + residual[j + 1][i] + residual[j + 1][i + 1]);
#else
   for (int j = ly; j < p.n; j += 8) {
      for (int i = lx; i < p.n; i += 8) {
         const int ci = i / 2, cj = j / 2, di = (i & 1) * 2 - 1, dj = (j & 1) * 2 - 1;
         x[j * p.n + i] += (9.0 * of_coarse(ci, cj) + 3.0 * of_coarse(ci + di, cj) + 3.0 * of_coarse(ci, cj + dj) +
                            of_coarse(ci + di, cj + dj)) / 16.0;
      }
   }
#endif
}
