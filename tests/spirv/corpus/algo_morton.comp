// SPDX-License-Identifier: MIT
// Morton codes there and back, and Hilbert's curve by a loop of rotations.
//: groups 4
//: out 0.0 uvec4*256
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { uvec4 b[]; };

uint spread(uint x)
{
   x = (x | x << 8) & 0x00ff00ffu;
   x = (x | x << 4) & 0x0f0f0f0fu;
   x = (x | x << 2) & 0x33333333u;
   return (x | x << 1) & 0x55555555u;
}

uint gather(uint x)
{
   x &= 0x55555555u;
   x = (x | x >> 1) & 0x33333333u;
   x = (x | x >> 2) & 0x0f0f0f0fu;
   x = (x | x >> 4) & 0x00ff00ffu;
   return (x | x >> 8) & 0x0000ffffu;
}

uint hilbert(uvec2 at)
{
   uint d = 0u;
   for (uint s = 128u; s > 0u; s >>= 1) {
      uvec2 r = uvec2(notEqual(at & s, uvec2(0u)));
      d += s * s * (3u * r.x ^ r.y);
      if (r.y == 0u) {
         if (r.x == 1u)
            at = (s - 1u) - (at & (s - 1u));
         at = at.yx;
      }
   }
   return d;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uvec2 at = uvec2(i * 7u & 255u, i * 13u & 255u);
   uint code = spread(at.x) | spread(at.y) << 1;

   b[i] = uvec4(code, gather(code), gather(code >> 1), hilbert(at));
}
