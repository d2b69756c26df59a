// SPDX-License-Identifier: MIT
// sin, cos, tan and radians, degrees, where the specification bounds the error.
//: groups 2
//: in 0.0 f32*128=random:120:-3.1:3.1
//: out 0.1 vec4*128 abs=2e-3
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   float x = a[i];

   b[i] = vec4(sin(x), cos(x), tan(x * 0.4), radians(degrees(x) * 0.5));
}
