// SPDX-License-Identifier: MIT
// Functions that call functions: one result used three calls deep, shared helpers called from everywhere.
//: groups 2
//: in 0.0 u32*128=random:31
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint mix32(uint x)
{
   x ^= x >> 16;
   x *= 0x7feb352du;
   x ^= x >> 15;
   x *= 0x846ca68bu;
   return x ^ x >> 16;
}

uint pair(uint x, uint y)
{
   return mix32(x + mix32(y));
}

uint many(uint x)
{
   uint h = 0u;
   for (uint k = 0u; k < (x & 3u) + 1u; k++)
      h = pair(h, x + k);
   return h;
}

uint choose(uint x)
{
   if ((x & 8u) != 0u)
      return many(x >> 4);
   if ((x & 16u) != 0u)
      return pair(x, many(x));
   return mix32(x);
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   b[i] = pair(choose(a[i]), choose(mix32(a[i])));
}
