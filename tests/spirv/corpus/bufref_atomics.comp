// SPDX-License-Identifier: MIT
// Atomics of 32 and 64 bits through references.
//: groups 4
//: mem counters u32*8=0,0,0xffffffff,0,0,0,0,0 u64*2=0,0xffffffffffffffff
//: push u64*1=ref=counters
//: in 0.0 u32*256=random:73:0:1000
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Counters {
   uint word[8];
   uint64_t wide[2];
};
layout(push_constant) uniform Push { Counters c; };
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };

void main()
{
   uint x = a[gl_GlobalInvocationID.x];

   atomicAdd(c.word[0], x);
   atomicMax(c.word[1], x);
   atomicMin(c.word[2], x);
   atomicOr(c.word[3], 1u << (x & 31u));
   atomicXor(c.word[4 + (x & 3u)], x);
   atomicAdd(c.wide[0], uint64_t(x) << 30);
   atomicMin(c.wide[1], uint64_t(x) * 5000000000ul);
}
