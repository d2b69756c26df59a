// SPDX-License-Identifier: MIT
// coherent, volatile, restrict, readonly and writeonly memory.
//: groups 1
//: io 0.0 u32*64=iota
//: io 0.1 u32*64=random:109
//: out 0.2 u32*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) volatile buffer V { uint v[]; };
layout(set = 0, binding = 1) coherent restrict buffer C { readonly uint head[4]; uint c[]; };
layout(set = 0, binding = 2) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint x = v[i] + v[i];

   v[i] = x;
   v[i] = v[i] + 1u;
   if (i < 60u)
      c[i] += head[i & 3u];
   b[i] = v[i] ^ x;
}
