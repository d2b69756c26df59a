// SPDX-License-Identifier: MIT
// Division of floats by variables and constants; reciprocals.
//: groups 2
//: in 0.0 vec2*128=random:129:0.5:100
//: out 0.1 vec4*128 ulp=6
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   vec2 v = a[i];

   b[i] = vec4(v.x / v.y, 1.0 / v.x, v.y / 3.0, (v.x / 8.0) / v.y);
}
