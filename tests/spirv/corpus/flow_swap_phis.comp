// SPDX-License-Identifier: MIT
// Loop-carried values that trade places each iteration: phis that read each other.
//: groups 2
//: in 0.0 uvec4*64=random:20
//: in 0.1 u32*64=random:21:0:20
//: out 0.2 uvec4*64
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { uvec4 a[]; };
layout(set = 0, binding = 1) readonly buffer Count { uint n[]; };
layout(set = 0, binding = 2) writeonly buffer Out { uvec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint p = a[i].x, q = a[i].y, r = a[i].z, s = a[i].w;

   for (uint k = n[i]; k > 0u; k--) {
      uint t = p;
      p = q;
      q = t;
      t = r;
      r = s + 1u;
      s = p;
      p = t;
   }
   b[i] = uvec4(p, q, r, s);
}
