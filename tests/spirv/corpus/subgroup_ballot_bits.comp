// SPDX-License-Identifier: MIT
// Inverse ballots, extracted bits, lowest and highest bit, inclusive counts, masks of lanes.
//: groups 1
//: subgroup 8
//: in 0.0 u32*64=random:86
//: out 0.1 uvec4*64
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint x = a[i];
   uvec4 odd = subgroupBallot((x & 1u) != 0u);
   uint r = 0u;

   if (subgroupInverseBallot(odd))
      r |= 1u;
   if (subgroupBallotBitExtract(odd, (gl_SubgroupInvocationID + 3u) % gl_SubgroupSize))
      r |= 2u;
   if (subgroupInverseBallot(uvec4(0x5a5a5a5au)))
      r |= 4u;
   uint low = odd.x != 0u ? subgroupBallotFindLSB(odd) : 99u;
   uint high = odd.x != 0u ? subgroupBallotFindMSB(odd) : 98u;
   uint masks = (gl_SubgroupEqMask.x << 24) ^ (gl_SubgroupGeMask.x & 0xffu) ^ (gl_SubgroupGtMask.x << 8 & 0xff00u) ^
                (gl_SubgroupLtMask.x << 16) ^ gl_SubgroupLeMask.x;
   b[i] = uvec4(r | low << 8 | high << 16, odd.x ^ odd.y ^ odd.z ^ odd.w, subgroupBallotInclusiveBitCount(odd), masks);
}
