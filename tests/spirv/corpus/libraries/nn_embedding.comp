// SPDX-License-Identifier: MIT
// Rows of a table by their numbers, scaled, with the encoding of their positions.
//: variant float T=f32
//: variant half T=f16
//: groups 2 12
//: push u32*2=16,12 f32=2.5
//: in 0.0 i32*12=random:1111:0:19
//: in 0.1 $T*320=random:1112:-1:1
//: out 0.2 f32*192 abs=0.003
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Tokens { int token[]; };
layout(binding = 1) readonly buffer Rows { T rows[]; };
layout(binding = 2) writeonly buffer Out { float y[]; };
layout(push_constant) uniform parameter { uint width; uint tokens; float scale; } p;

void main()
{
   const uint c = gl_GlobalInvocationID.x, t = gl_GlobalInvocationID.y;
   const float rate = exp2(-float(c / 2) * 13.28771 / float(p.width / 2)), angle = float(t) * rate;

   if (c < p.width && t < p.tokens)
      y[t * p.width + c] = float(rows[uint(token[t]) * p.width + c]) * p.scale + ((c & 1) == 0 ? sin(angle) : cos(angle));
}
