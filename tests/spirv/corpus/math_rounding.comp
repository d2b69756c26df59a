// SPDX-License-Identifier: MIT
// floor, ceil, trunc, round, roundEven, fract, mod, sign of exact values and halves.
//: groups 1
//: in 0.0 f32*64=-3.5,-2.5,-2,-1.5,-1,-0.75,-0.5,-0.25,0.25,0.5,0.75,1,1.5,2,2.5,3.5,8388609,-8388607,1e9,-1e9,4194303.5,-4194304.5,0.125,100.5,101.5,-100.5,7.9999995,-7.9999995,16777216,3,-3,65536.5
//: out 0.1 vec4*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   float x = a[i];

   b[2u * i] = vec4(floor(x), ceil(x), trunc(x), roundEven(x));
   b[2u * i + 1u] = vec4(fract(x), mod(x, 4.0), sign(x), abs(x));
}
