// SPDX-License-Identifier: MIT
// Pressure by Jacobi's iteration in shared memory: several steps between loading and storing.
//: groups 2
//: push f32=0.25
//: in 0.0 f32*128=random:481:-1:1
//: io 0.1 f32*128=random:482:-1:1 ulp=64 abs=0.0001
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer Divergence { float divergence[]; };
layout(binding = 1) buffer Pressure { float pressure[]; };
layout(push_constant) uniform parameter { float quarter; } p;
shared float now[10][10];

void main()
{
   const uint x = gl_LocalInvocationID.x + 1, y = gl_LocalInvocationID.y + 1;
   const uint i = gl_WorkGroupID.x * 64 + gl_LocalInvocationIndex;

   for (uint n = gl_LocalInvocationIndex; n < 100; n += 64)
      now[n / 10][n % 10] = 0.0;
   barrier();
   now[y][x] = pressure[i];
   const float d = divergence[i];
   barrier();
   for (int k = 0; k < 4; k++) {
      const float next = (now[y][x - 1] + now[y][x + 1] + now[y - 1][x] + now[y + 1][x] - d) * p.quarter;
      barrier();
      now[y][x] = next;
      barrier();
   }
   pressure[i] = now[y][x];
}
