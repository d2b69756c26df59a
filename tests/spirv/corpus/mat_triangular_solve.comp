// SPDX-License-Identifier: MIT
// Forward substitution by a workgroup: each step's solution is shared before the next.
//: groups 1
//: push u32=16
//: in 0.0 f32*256=random:611:0.5:2
//: io 0.1 f32*16=random:612:-1:1 ulp=1024 abs=0.001
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer L { float lower[]; };
layout(binding = 1) buffer B { float b[]; };
layout(push_constant) uniform parameter { uint n; } p;
shared float x;

void main()
{
   const uint i = gl_LocalInvocationID.x;
   float mine = b[i];

   for (uint j = 0; j < p.n; j++) {
      if (i == j) {
         mine /= lower[j * p.n + j] + 4.0;
         x = mine;
      }
      barrier();
      if (i > j)
         mine -= lower[i * p.n + j] * x;
      barrier();
   }
   b[i] = mine;
}
