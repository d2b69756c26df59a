// SPDX-License-Identifier: MIT
// sinh, cosh, tanh and their inverses.
//: groups 2
//: in 0.0 f32*128=random:122:-2:2
//: out 0.1 vec4*128 abs=4e-3
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   float x = a[i];

   b[i] = vec4(sinh(x) + cosh(x), tanh(x), asinh(x) + acosh(1.0 + abs(x)), atanh(x * 0.45));
}
