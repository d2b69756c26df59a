// SPDX-License-Identifier: MIT
// Subgroup builtins and their relations; NumSubgroups, SubgroupID, elect.
//: groups 2
//: io 0.0 u32*4=0
//: out 0.1 u32*128 equals=fill:7
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer Count { uint count[4]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

shared uint total;

void main()
{
   uint i = gl_LocalInvocationIndex, r = 0u;

   if (i == 0u)
      total = 0u;
   barrier();
   if (subgroupElect())
      atomicAdd(total, 1u);
   subgroupMemoryBarrierShared();
   subgroupBarrier();
   barrier();
   r |= total == gl_NumSubgroups ? 1u : 0u;
   r |= gl_SubgroupID < gl_NumSubgroups && gl_SubgroupInvocationID < gl_SubgroupSize ? 2u : 0u;
   r |= gl_NumSubgroups * gl_SubgroupSize >= 64u ? 4u : 0u;
   atomicAdd(count[gl_WorkGroupID.x], 1u);
   b[gl_WorkGroupID.x * 64u + i] = r;
}
