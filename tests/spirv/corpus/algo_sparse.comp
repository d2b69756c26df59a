// SPDX-License-Identifier: MIT
// Sparse matrix times vector: rows of different length, compressed.
//: groups 1
//: in 0.0 u32*65=iota:0:5
//: in 0.1 u32*320=random:146:0:63
//: in 0.2 f32*320=random:147:-2:2
//: in 0.3 f32*64=random:148:-2:2
//: out 0.4 f32*64 abs=1e-3
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Starts { uint starts[]; };
layout(set = 0, binding = 1) readonly buffer Columns { uint columns[]; };
layout(set = 0, binding = 2) readonly buffer Values { float values[]; };
layout(set = 0, binding = 3) readonly buffer X { float x[]; };
layout(set = 0, binding = 4) writeonly buffer Y { float y[]; };

void main()
{
   uint row = gl_GlobalInvocationID.x;
   float sum = 0.0;

   for (uint k = starts[row] + (row & 3u); k < starts[row + 1u]; k++)
      sum += values[k] * x[columns[k]];
   y[row] = sum;
}
