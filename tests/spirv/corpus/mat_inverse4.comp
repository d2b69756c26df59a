// SPDX-License-Identifier: MIT
// Inverses of 4x4 matrices and their use on vectors.
//: groups 1
//: in 0.0 f32*256=8,1,0.5,0.25,1,9,0.75,0.5,0.5,0.25,10,1,0.25,0.5,1,11
//: in 0.1 f32*64=random:562:-1:1
//: out 0.2 f32*64 ulp=256 abs=0.00001
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer M { mat4 m[]; };
layout(binding = 1) readonly buffer V { vec4 v[]; };
layout(binding = 2) writeonly buffer R { vec4 r[]; };

void main()
{
   const uint i = gl_GlobalInvocationID.x;

   r[i] = inverse(m[i]) * v[i];
}
