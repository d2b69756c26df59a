// SPDX-License-Identifier: MIT
// What lanes of a subgroup give each other by patterns, one value that is written into a lane, and bits that are counted.
//: groups 1
//: judge none
//: subgroup 64
//: in 0.0 u32*64=random:553
//: out 0.1 u32*64 equals=fill:31
#version 450
#extension GL_AMD_shader_ballot : require
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_SubgroupInvocationID, x = a[i], r = 0u;
   uint turned = subgroupShuffle(x, (i & ~3u) | (i + 1u & 3u));
   uint across = subgroupShuffle(x, (i & ~31u) | ((i & 24u | 2u) ^ 5u));
   uint64_t mask = packUint2x32(uvec2(0xf0f0aa55u, 0x12345678u));
   uvec2 low = unpackUint2x32(i == 0u ? 0ul : mask & (~0ul >> (64u - i)));

   r |= swizzleInvocationsAMD(x, uvec4(1, 2, 3, 0)) == turned ? 1u : 0u;
   r |= swizzleInvocationsMaskedAMD(x, uvec3(24, 2, 5)) == across ? 2u : 0u;
   r |= writeInvocationAMD(x, 77u, 9u) == (i == 9u ? 77u : x) ? 4u : 0u;
   r |= mbcntAMD(mask) == uint(bitCount(low.x) + bitCount(low.y)) ? 8u : 0u;
   if ((i & 1u) == 0u)
      r |= swizzleInvocationsAMD(x, uvec4(1, 0, 2, 2)) == ((i & 2u) == 0u ? 0u : x) ? 16u : 0u;
   else
      r |= 16u;
   b[i] = r;
}
