// SPDX-License-Identifier: MIT
// A prefix sum of a workgroup: scans within subgroups, their totals through shared memory.
//: groups 2
//: in 0.0 u32*256=random:81:0:1000
//: out 0.1 u32*256
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

shared uint totals[128];

void main()
{
   uint x = a[gl_GlobalInvocationID.x];
   uint before = subgroupExclusiveAdd(x);

   if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u)
      totals[gl_SubgroupID] = before + x;
   barrier();
   for (uint k = 0u; k < gl_SubgroupID; k++)
      before += totals[k];
   b[gl_GlobalInvocationID.x] = before;
}
