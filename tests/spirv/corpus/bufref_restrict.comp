// SPDX-License-Identifier: MIT
// A reference that nothing else points to where it does.
//: groups 2
//: mem data u32*64=random:70
//: push u64*1=ref=data u32*1=5
//: out 0.0 u32*64
#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Numbers { uint n[]; };
layout(push_constant) uniform Push {
   Numbers numbers;
   uint add;
} push;
layout(set = 0, binding = 0) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   restrict Numbers r = push.numbers;
   uint x = r.n[i];

   r.n[i] = x + push.add;
   b[i] = x ^ 0xffu;
}
