// SPDX-License-Identifier: MIT
// exp, log, exp2, log2, pow, sqrt, inversesqrt.
//: groups 2
//: in 0.0 vec2*128=random:123:0.25:6
//: out 0.1 vec4*128 ulp=160 abs=1e-5
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   vec2 v = a[i];

   b[i] = vec4(exp(v.x - 3.0) + exp2(v.y), log(v.x) * 2.0, log2(v.y), pow(v.x, v.y - 2.0) + sqrt(v.x) * inversesqrt(v.y));
}
