// SPDX-License-Identifier: MIT
// Structures, vectors, booleans and small types in shared memory.
//: groups 1
//: in 0.0 u32*64=random:96
//: out 0.1 u32*64
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
struct Item {
   uvec3 place;
   bool even;
   uint16_t small;
   uint8_t bytes[3];
   mat2 m;
};
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

shared Item items[64];

void main()
{
   uint i = gl_LocalInvocationIndex, x = a[i];

   items[i].place = uvec3(x, x >> 8, i);
   items[i].even = (x & 1u) == 0u;
   items[i].small = uint16_t(x >> 3);
   items[i].bytes = uint8_t[](uint8_t(x), uint8_t(x >> 8), uint8_t(i));
   items[i].m = mat2(float(i));
   barrier();
   Item other = items[(x >> 5) & 63u];
   b[i] = other.place.x + other.place[i % 3u] + (other.even ? 7u : 0u) + uint(other.small) * uint(other.bytes[i % 3u]) +
          uint(other.m[1][1]);
}
