// SPDX-License-Identifier: MIT
// Push constants: scalars, vectors, a matrix and an array indexed at run time.
//: groups 1
//: push u32*4=3,5,7,9 f32*16=iota:1 u32*6=11,22,33,44,55,66
//: out 0.0 vec4*64
#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
   uvec4 head;
   mat4 view;
   uint list[6];
} push;
layout(set = 0, binding = 0) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   vec4 p = vec4(float(i), 1.0, float(push.head.y), float(push.list[i % 6u]));

   b[i] = push.view * p + push.view[push.head.x];
}
