// SPDX-License-Identifier: MIT
// round, which may take halves either way, on numbers that are none; modf and frexp of vectors; nested calls.
//: groups 2
//: in 0.0 vec4*128=random:401:-60:60
//: out 0.1 vec4*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { vec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   vec4 v = floor(a[i] * 8.0) * 0.125 + 0.03125, whole;
   vec4 part = modf(v, whole);
   ivec4 e;
   vec4 m = frexp(v, e);

   b[i] = round(v) + part + vec4(e.wzyx) + round(m * 3.0) * whole;
}
