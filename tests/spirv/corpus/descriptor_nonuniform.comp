// SPDX-License-Identifier: MIT
// An array of buffers, read and written at an index that differs between lanes.
//: unlike robust
//: groups 1
//: in 0.0 u32*64=random:66:0:2
//: io 0.1.0 u32*64=iota
//: io 0.1.1 u32*64=iota:100
//: io 0.1.2 u32*64=iota:200
//: out 0.2 u32*64
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Which { uint which[]; };
layout(set = 0, binding = 1) buffer Data { uint d[]; } data[3];
layout(set = 0, binding = 2) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint n = which[i];

   uint x = data[nonuniformEXT(n)].d[i];
   data[nonuniformEXT(n)].d[i] = x * 3u;
   b[i] = x + uint(data[nonuniformEXT(n)].d.length());
}
