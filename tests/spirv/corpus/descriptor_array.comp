// SPDX-License-Identifier: MIT
// An array of storage buffers, indexed by a value that is the same for a workgroup.
//: groups 4
//: in 0.0.0 u32*64=iota
//: in 0.0.1 u32*64=random:64
//: in 0.0.2 u32*64=iota:1000
//: in 0.0.3 u32*64=random:65
//: out 1.2 u32*256
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; } sources[4];
layout(set = 1, binding = 2) writeonly buffer Out { uint b[]; };

void main()
{
   uint group = gl_WorkGroupID.x, i = gl_LocalInvocationIndex;

   b[gl_GlobalInvocationID.x] = sources[group].a[i] + sources[3u - group].a[63u - i] + uint(sources[group].a.length());
}
