// SPDX-License-Identifier: MIT
// Rotary position embedding: pairs turned by angles that grow with the position.
//: groups 1 4
//: push u32*2=32,4 f32*2=0.5,1.0
//: in 0.0 f32*128=random:81:-1:1
//: in 0.1 i32*4=0,3,5,9
//: out 0.2 f32*128=zero abs=0.0001
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) readonly buffer P { int pos[]; };
layout(binding = 2) writeonly buffer D { float d[]; };
layout(push_constant) uniform parameter { uint ncols; uint nrows; float base; float attn; } p;

void main()
{
   const uint col = gl_GlobalInvocationID.x * 2, row = gl_GlobalInvocationID.y;

   if (col >= p.ncols || row >= p.nrows)
      return;
   const float theta = float(pos[row]) * pow(p.base, float(col / 2));
   const float c = cos(theta) * p.attn, s = sin(theta) * p.attn;
   const uint i = row * p.ncols + col / 2;
   const float x0 = x[i], x1 = x[i + p.ncols / 2];
   d[i] = x0 * c - x1 * s;
   d[i + p.ncols / 2] = x0 * s + x1 * c;
}
