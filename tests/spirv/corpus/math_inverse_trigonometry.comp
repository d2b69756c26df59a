// SPDX-License-Identifier: MIT
// asin, acos, atan of one and of two arguments, in all quadrants.
//: groups 2
//: in 0.0 vec2*128=random:121:-1:1
//: out 0.1 vec4*128 abs=2e-3
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   vec2 v = a[i];

   b[i] = vec4(asin(v.x), acos(v.y), atan(v.x * 10.0), atan(v.y, v.x));
}
