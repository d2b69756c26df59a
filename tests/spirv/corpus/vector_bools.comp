// SPDX-License-Identifier: MIT
// Vectors of booleans with a component that only the program knows, read and written, in variables and as values.
//: groups 2
//: in 0.0 u32*128=random:601
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

shared bvec4 flags[16];

uint count(bvec3 v)
{
   uint n = 0u;
   for (uint k = 0u; k < 3u; k++)
      n += v[k] ? 1u << k : 0u;
   return n;
}

void main()
{
   uint x = a[gl_GlobalInvocationID.x], l = gl_LocalInvocationIndex;
   uvec4 bytes = uvec4(x, x >> 8, x >> 16, x >> 24) & 0xffu;
   bvec4 low = lessThan(bytes, uvec4(100u));

   uint r = lessThan(bytes, uvec4(77u, 50u, 128u, 9u))[x & 3u] ? 1u : 0u;
   low[(x >> 2) & 3u] = !low[(x >> 4) & 3u];
   r |= uint(low[(x >> 6) & 3u]) << 1;
   r = r * 8u + count(low.wyx);
   if (l < 16u)
      flags[l] = low;
   barrier();
   flags[l & 15u][l >> 4] = (x & 8u) != 0u;
   barrier();
   r = r * 2u + uint(flags[(l + 1u) & 15u][x & 3u]);
   r = r * 2u + uint(any(flags[(l + 2u) & 15u]));
   b[gl_GlobalInvocationID.x] = r;
}
