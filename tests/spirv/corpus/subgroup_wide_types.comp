// SPDX-License-Identifier: MIT
// Subgroup operations on 8-, 16- and 64-bit numbers, doubles and halves.
//: groups 1
//: subgroup 8
//: in 0.0 u64*64=random:92
//: out 0.1 u64*320
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint64_t a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint64_t b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint64_t x = a[i];

   b[i] = subgroupAdd(x) ^ subgroupInclusiveMax(int64_t(x)) ^ subgroupBroadcastFirst(x);
   b[i + 64u] = uint64_t(subgroupAdd(uint8_t(x))) << 32 | uint64_t(uint16_t(subgroupExclusiveAdd(int16_t(x))));
   b[i + 128u] = subgroupShuffle(x, gl_SubgroupInvocationID ^ 3u) ^ uint64_t(subgroupMin(uint16_t(x)));
   b[i + 192u] = uint64_t(int64_t(subgroupMax(float16_t(int(x & 1023ul)))));
   b[i + 256u] = uint64_t(int64_t(subgroupAdd(double(x & 0xffffful))));
}
