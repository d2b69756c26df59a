// SPDX-License-Identifier: MIT
// Greatest common divisors, by Euclid and by halving, which must agree.
//: groups 2
//: in 0.0 uvec2*128=random:22:1:5000
//: out 0.1 uvec2*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uvec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 b[]; };

uint euclid(uint x, uint y)
{
   while (y != 0u) {
      uint t = x % y;
      x = y;
      y = t;
   }
   return x;
}

uint halving(uint x, uint y)
{
   uint shift = 0u;
   while (((x | y) & 1u) == 0u) {
      x >>= 1;
      y >>= 1;
      shift++;
   }
   while (x != y) {
      if ((x & 1u) == 0u)
         x >>= 1;
      else if ((y & 1u) == 0u)
         y >>= 1;
      else if (x > y)
         x -= y;
      else
         y -= x;
   }
   return x << shift;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   b[i] = uvec2(euclid(a[i].x, a[i].y), halving(a[i].x, a[i].y));
}
