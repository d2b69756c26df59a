// SPDX-License-Identifier: MIT
// frexp, ldexp and modf, which give two results each.
//: groups 2
//: in 0.0 f32*128=random:126:-500:500
//: out 0.1 vec4*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   float x = a[i], whole;
   int e;
   ivec2 es;

   float part = modf(x, whole);
   float m = frexp(x, e);
   vec2 ms = frexp(vec2(x * 8.0, whole + 0.5), es);
   b[i] = vec4(part, whole, ldexp(m, e + int(i & 7u) - 3), ldexp(ms.y, es.x) + float(e));
}
