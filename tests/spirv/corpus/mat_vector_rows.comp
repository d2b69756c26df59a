// SPDX-License-Identifier: MIT
// A matrix times a vector, four elements at a time, with what is left over.
//: groups 1
//: push u32*2=16,21
//: in 0.0 f32*336=random:521:-1:1
//: in 0.1 f32*21=random:522:-1:1
//: out 0.2 f32*16 ulp=64 abs=0.00001
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
layout(push_constant) uniform parameter { uint m; uint n; } p;

void main()
{
   const uint row = gl_GlobalInvocationID.x, at = row * p.n;
   float s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
   uint i = 0;

   for (; i + 4 <= p.n; i += 4) {
      s0 += a[at + i] * x[i];
      s1 += a[at + i + 1] * x[i + 1];
      s2 += a[at + i + 2] * x[i + 2];
      s3 += a[at + i + 3] * x[i + 3];
   }
   for (; i < p.n; i++)
      s0 += a[at + i] * x[i];
   y[row] = (s0 + s1) + (s2 + s3);
}
