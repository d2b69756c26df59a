// SPDX-License-Identifier: MIT
// Lanes of a subgroup are together again after ifs, switches and loops.
//: groups 1
//: subgroup 8
//: in 0.0 u32*64=random:94:0:15
//: out 0.1 u32*64
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_subgroup_uniform_control_flow : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint x = a[i], r = 0u;

   if ((x & 1u) != 0u)
      r += subgroupBallotBitCount(subgroupBallot(true));
   r += subgroupBallotBitCount(subgroupBallot(true)) << 4;
   switch (x >> 2) {
   case 0u:
      r += 1u;
      break;
   case 1u:
      r += subgroupBallotBitCount(subgroupBallot(true)) << 12;
      break;
   default:
      r += 3u;
   }
   r += subgroupBallotBitCount(subgroupBallot(true)) << 8;
   for (uint k = 0u; k < x; k++)
      r += 0x10000u;
   r += subgroupBallotBitCount(subgroupBallot(true)) << 24;
   b[i] = r;
}
