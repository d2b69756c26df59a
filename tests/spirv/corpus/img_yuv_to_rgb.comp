// SPDX-License-Identifier: MIT
// Planes of bytes, the chroma at half size, to packed pixels in fixed point.
//: groups 1 2
//: push u32*2=32,8
//: in 0.0 u32*64=random:261
//: in 0.1 u32*16=random:262
//: in 0.2 u32*16=random:263
//: out 0.3 u32*256=zero
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0) readonly buffer Y { uint luma[]; };
layout(binding = 1) readonly buffer U { uint cb[]; };
layout(binding = 2) readonly buffer V { uint cr[]; };
layout(binding = 3) writeonly buffer Out { uint dst[]; };
layout(push_constant) uniform parameter { uint w; uint h; } p;

uint pixel(int y, int u, int v)
{
   const int c = 298 * (y - 16) + 128, d = u - 128, e = v - 128;
   const int r = clamp((c + 409 * e) >> 8, 0, 255), g = clamp((c - 100 * d - 208 * e) >> 8, 0, 255),
             b = clamp((c + 516 * d) >> 8, 0, 255);
   return 0xff000000u | uint(b) << 16 | uint(g) << 8 | uint(r);
}

void main()
{
   const uint x4 = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;

   if (x4 * 4 >= p.w || y >= p.h)
      return;
   const uint l = luma[y * (p.w / 4) + x4], at = (y / 2) * (p.w / 8) + x4 / 2, shift = (x4 & 1u) * 16u;
   const uint u = cb[at] >> shift, v = cr[at] >> shift;
   for (uint n = 0; n < 4; n++) {
      const uint s = (n / 2) * 8;
      dst[y * p.w + x4 * 4 + n] = pixel(int(l >> (8 * n) & 255u), int(u >> s & 255u), int(v >> s & 255u));
   }
}
