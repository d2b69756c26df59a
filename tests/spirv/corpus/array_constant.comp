// SPDX-License-Identifier: MIT
// Constant tables: scalars, vectors and arrays of arrays, indexed at run time.
//: groups 2
//: in 0.0 u32*128=random:49
//: out 0.1 uvec2*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 b[]; };

const uint primes[12] = uint[](2u, 3u, 5u, 7u, 11u, 13u, 17u, 19u, 23u, 29u, 31u, 37u);
const ivec2 step8[8] = ivec2[](ivec2(1, 0), ivec2(1, 1), ivec2(0, 1), ivec2(-1, 1), ivec2(-1, 0), ivec2(-1, -1),
                               ivec2(0, -1), ivec2(1, -1));
const uint grid[3][4] = uint[][](uint[](1u, 2u, 3u, 4u), uint[](5u, 6u, 7u, 8u), uint[](9u, 10u, 11u, 12u));

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i];
   ivec2 place = ivec2(100);
   uint product = 1u;

   for (int k = 0; k < 5; k++) {
      place += step8[x & 7u];
      product *= primes[x % 12u] + grid[x % 3u][x >> 4 & 3u];
      x >>= 5;
   }
   b[i] = uvec2(product, uint(place.x << 16 | place.y));
}
