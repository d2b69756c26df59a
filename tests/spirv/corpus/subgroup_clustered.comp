// SPDX-License-Identifier: MIT
// Clustered reductions, compared with sums over shared memory of the same clusters.
//: groups 1
//: judge none
//: in 0.0 u32*64=random:90:0:9999
//: out 0.1 u32*64 equals=fill:15
#version 450
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

shared uint all[64];

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint x = a[i], r = 0u;

   all[i] = x;
   barrier();
   uint sum = 0u, most = 0u, bits = 0u;
   for (uint k = 0u; k < 4u; k++) {
      sum += all[(i & ~3u) + k];
      most = max(most, all[(i & ~3u) + k]);
   }
   for (uint k = 0u; k < 8u; k++)
      bits ^= all[(i & ~7u) + k];
   r |= subgroupClusteredAdd(x, 4u) == sum ? 1u : 0u;
   r |= subgroupClusteredMax(x, 4u) == most ? 2u : 0u;
   r |= subgroupClusteredXor(x, 8u) == bits ? 4u : 0u;
   r |= subgroupClusteredMin(x, 1u) == x ? 8u : 0u;
   b[i] = r;
}
