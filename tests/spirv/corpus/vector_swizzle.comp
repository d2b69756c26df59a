// SPDX-License-Identifier: MIT
// Swizzles read, written and chained; vectors put together from parts; components by index.
//: groups 2
//: in 0.0 uvec4*64=random:51
//: out 0.1 uvec4*64
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { uvec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uvec4 v = a[i];
   uvec3 w = v.zyx;

   v.yw = v.wy;
   v.xyz += w.xxy;
   w = uvec3(v.xw, 3u);
   v.zx *= w.xz;
   v[i & 3u] ^= v[v.x & 3u];
   w[v.y % 3u] = 1u;
   b[i] = uvec4(w.z, v.wz, w.y).wzyx + v.xxyy * uvec4(w, 2u);
}
