// SPDX-License-Identifier: MIT
// Matrix multiplication without sharing: a dot product a lane.
//: groups 2 2
//: push u32*3=12,12,20
//: in 0.0 f32*240=random:511:-1:1
//: in 0.1 f32*240=random:512:-1:1
//: out 0.2 f32*144=zero ulp=64 abs=0.00001
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) buffer C { float c[]; };
layout(push_constant) uniform parameter { uint m; uint n; uint k; } p;

void main()
{
   const uint row = gl_GlobalInvocationID.y, col = gl_GlobalInvocationID.x;

   if (row >= p.m || col >= p.n)
      return;
   c[row * p.n + col] = 0.0;
   for (uint i = 0; i < p.k; i++)
      c[row * p.n + col] += a[row * p.k + i] * b[i * p.n + col];
}
