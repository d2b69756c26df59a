// SPDX-License-Identifier: MIT
// Sums that are kept in memory, as a naive kernel does: each step reads and writes the same element.
//: groups 1
//: push u32*2=16,6
//: in 0.0 f32*96=random:191:-1:1
//: io 0.1 f32*64=random:192:-1:1 ulp=16 abs=0.00001
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { vec4 y[]; };
layout(push_constant) uniform parameter { uint n; uint rows; } p;

void main()
{
   const uint i = gl_GlobalInvocationID.x;

   y[i] = y[i] * 0.5;
   y[i].x += x[i];
   y[i].y += x[i + p.n];
   y[i].z += x[i + 2 * p.n];
   y[i].w += y[i].x * x[i + 3 * p.n];
   y[i] = max(y[i], vec4(-0.25));
   y[i].xy = y[i].yx;
   y[i] += vec4(x[i + 4 * p.n], 0.0, x[i + 5 * p.n], 0.0);
}
