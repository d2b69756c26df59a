// SPDX-License-Identifier: MIT
// A sparse matrix times a vector: rows by their starts, a subtraction in place.
//: groups 1
//: push u32=30
//: in 0.0 u32*31=iota:0:3
//: in 0.1 u32*90=random:571:0:29
//: in 0.2 f32*90=random:572:-1:1
//: in 0.3 f32*30=random:573:-1:1
//: io 0.4 f32*30=random:574:-1:1 ulp=64 abs=0.00001
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Starts { uint starts[]; };
layout(binding = 1) readonly buffer Columns { uint columns[]; };
layout(binding = 2) readonly buffer Values { float values[]; };
layout(binding = 3) readonly buffer X { float x[]; };
layout(binding = 4) buffer Y { float y[]; };
layout(push_constant) uniform parameter { uint rows; } p;

void main()
{
   const uint row = gl_GlobalInvocationID.x;

   if (row >= p.rows)
      return;
   float sum = 0.0;
   for (uint i = starts[row]; i < starts[row + 1]; i++)
      sum += values[i] * x[columns[i]];
   y[row] -= sum;
}
