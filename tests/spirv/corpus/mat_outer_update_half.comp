// SPDX-License-Identifier: MIT
// A rank-one update of half floats in place, four rows a lane, multiplied in pairs.
//: groups 1
//: push u32=8
//: in 0.0 f16*32=random:591:-1:1
//: in 0.1 f16*16=random:592:-1:1
//: io 0.2 f16*512=random:593:-2:2 ulp=4 abs=0.01
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer X { float16_t x[]; };
layout(binding = 1) readonly buffer Y { f16vec2 y[]; };
layout(binding = 2) buffer M { f16vec2 m[]; };
layout(push_constant) uniform parameter { uint pairs; } p;

void main()
{
   const uint c = gl_GlobalInvocationID.x, r = gl_GlobalInvocationID.y * 4;

   if (c >= p.pairs)
      return;
   const f16vec2 v = y[c];
   for (uint n = 0; n < 4; n++)
      m[(r + n) * p.pairs + c] += x[r + n] * v;
}
