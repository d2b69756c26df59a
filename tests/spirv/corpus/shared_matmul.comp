// SPDX-License-Identifier: MIT
// Matrix product in tiles through shared memory, the inner loop unrolled by four.
//: groups 2 2
//: in 0.0 f32*1024=random:100:-1:1
//: in 0.1 f32*1024=random:101:-1:1
//: out 0.2 f32*1024 abs=1e-4
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2) writeonly buffer C { float c[]; };

shared float left[16][16];
shared float right[16][16];

void main()
{
   uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
   uint row = gl_GlobalInvocationID.y, column = gl_GlobalInvocationID.x;
   float sum = 0.0;

   for (uint t = 0u; t < 32u; t += 16u) {
      left[y][x] = a[row * 32u + t + x];
      right[y][x] = b[(t + y) * 32u + column];
      barrier();
      for (uint k = 0u; k < 16u; k += 4u) {
         sum += left[y][k] * right[k][x];
         sum += left[y][k + 1u] * right[k + 1u][x];
         sum += left[y][k + 2u] * right[k + 2u][x];
         sum += left[y][k + 3u] * right[k + 3u][x];
      }
      barrier();
   }
   c[row * 32u + column] = sum;
}
