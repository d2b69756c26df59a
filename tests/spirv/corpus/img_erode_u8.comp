// SPDX-License-Identifier: MIT
// Erosion by a cross of bytes, four in a word, with minima by byte.
//: groups 1 2
//: push i32*2=8,10
//: in 0.0 u32*80=random:291
//: out 0.1 u32*80=zero
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { uint src[]; };
layout(binding = 1) writeonly buffer Out { uint dst[]; };
layout(push_constant) uniform parameter { int w; int h; } p;

uint least(uint a, uint b)
{
   uint r = 0u;
   for (int n = 0; n < 32; n += 8)
      r |= min(a >> n & 255u, b >> n & 255u) << n;
   return r;
}

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   const uint c = src[g.y * p.w + g.x];
   const uint l = g.x > 0 ? src[g.y * p.w + g.x - 1] : c, r = g.x < p.w - 1 ? src[g.y * p.w + g.x + 1] : c;
   uint v = least(c, c << 8 | l >> 24);
   v = least(v, c >> 8 | r << 24);
   if (g.y > 0)
      v = least(v, src[(g.y - 1) * p.w + g.x]);
   if (g.y < p.h - 1)
      v = least(v, src[(g.y + 1) * p.w + g.x]);
   dst[g.y * p.w + g.x] = v;
}
