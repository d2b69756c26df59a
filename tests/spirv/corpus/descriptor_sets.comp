// SPDX-License-Identifier: MIT
// Several sets, uniform and storage buffers, bindings with gaps, a block with an instance name.
//: groups 1
//: in 0.3 u32*16=random:67
//: in 2.0 u32*64=random:68
//: io 3.5 u32*64=iota
//: out 1.1 u32*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 3, std140) uniform Parameters { uvec4 p[4]; } parameters;
layout(set = 2, binding = 0) readonly buffer In { uint a[]; };
layout(set = 3, binding = 5) buffer Both { uint c[]; } both;
layout(set = 1, binding = 1) writeonly restrict buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uvec4 p = parameters.p[i & 3u];

   b[i] = a[i] ^ p.x;
   both.c[i] = both.c[i] * p.y + parameters.p[2].w;
}
