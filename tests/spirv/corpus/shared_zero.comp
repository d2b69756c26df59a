// SPDX-License-Identifier: MIT
// Shared memory with a null initializer (zero-initialised workgroup memory).
//: groups 2
//: out 0.0 u32*128
#version 450
#extension GL_EXT_null_initializer : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint b[]; };

shared uint table[100] = {};
shared struct { uvec3 v; uint n; } state = {};

void main()
{
   uint i = gl_LocalInvocationIndex;

   barrier();
   atomicAdd(table[i], i * 5u);
   atomicAdd(table[64u + (i & 31u)], 1u);
   atomicMax(state.n, i);
   barrier();
   b[gl_GlobalInvocationID.x] = table[i] + table[64u + (i >> 1)] * 1000u + state.n + state.v.y;
}
