// SPDX-License-Identifier: MIT
// Matrix multiplication of bytes in 16-bit and 32-bit steps, sums of 32 bits, one row of four a lane.
//: groups 1
//: push u32*2=16,8
//: in 0.0 i8*256=random:601
//: in 0.1 i8*128=random:602
//: out 0.2 i32*128
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer A { i8vec4 a[]; };
layout(binding = 1) readonly buffer B { i8vec4 b[]; };
layout(binding = 2) writeonly buffer C { int c[]; };
layout(push_constant) uniform parameter { uint k; uint n; } p;

void main()
{
   const uint row = gl_GlobalInvocationID.x;

   for (uint col = 0; col < p.n; col++) {
      int sum = 0;
      for (uint i = 0; i < p.k / 4; i++) {
         const i16vec4 t = i16vec4(a[row * (p.k / 4) + i]) * i16vec4(b[col * (p.k / 4) + i]);
         sum += int(t.x) + int(t.y) + int(t.z) + int(t.w);
      }
      c[row * p.n + col] = sum;
   }
}
