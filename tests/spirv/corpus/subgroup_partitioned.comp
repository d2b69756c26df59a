// SPDX-License-Identifier: MIT
// Partitions of a subgroup: lanes with the same value, and what they have together: sums, products, least and greatest ones,
// scans, for lanes that are there.
//: groups 2
//: judge none
//: in 0.0 u32*128=random:554:0:1000
//: out 0.1 u32*128 equals=fill:255
#version 450
#extension GL_NV_shader_subgroup_partitioned : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x, x = a[i], key = x % 5u, r = 0u;
   uint lane = gl_SubgroupInvocationID;
   uvec4 same = subgroupPartitionNV(key), all_lanes = uvec4(0u);
   uint sum = 0u, before = 0u, least = 0xffffffffu;
   bool some = false;
   float sums = 0.0;

   for (uint k = 0u; k < gl_SubgroupSize; k++) {
      uint other = subgroupShuffle(x, k), other_key = subgroupShuffle(key, k);
      if (other_key == key) {
         all_lanes[k / 32u] |= 1u << (k % 32u);
         sum += other;
         before += k < lane ? other : 0u;
         least = min(least, other);
         some = some || other > 900u;
         sums += float(other) * 0.5;
      }
   }
   r |= same == all_lanes ? 1u : 0u;
   r |= subgroupPartitionedAddNV(x, same) == sum ? 2u : 0u;
   r |= subgroupPartitionedExclusiveAddNV(x, same) == before ? 4u : 0u;
   r |= subgroupPartitionedInclusiveAddNV(x, same) == before + x ? 8u : 0u;
   r |= subgroupPartitionedMinNV(x, same) == least ? 16u : 0u;
   r |= subgroupPartitionedOrNV(x > 900u, same) == some ? 32u : 0u;
   r |= subgroupPartitionedAddNV(float(x) * 0.5, same) == sums ? 64u : 0u;
   if (x % 2u == 0u) {
      uvec4 even = subgroupPartitionNV(vec2(float(key), float(x % 4u)));
      uint mine = subgroupPartitionedMaxNV(key * 4u + x % 4u, even);
      r |= subgroupBallotBitExtract(even, lane) && mine == key * 4u + x % 4u ? 128u : 0u;
   } else {
      r |= 128u;
   }
   b[i] = r;
}
