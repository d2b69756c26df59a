// SPDX-License-Identifier: MIT
// Ballots and what counts in them: compaction of the lanes that keep their element.
//: groups 2
//: in 0.0 u32*128=random:85:0:999
//: io 0.1 u32*2=0
//: out 0.2 u32*2
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) buffer Count { uint count[]; };
layout(set = 0, binding = 2) writeonly buffer Out { uint b[]; };

shared uint kept[64];
shared uint place;

void main()
{
   uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.x;
   uint x = a[gl_GlobalInvocationID.x];
   bool keep = x % 3u == 0u;

   if (i == 0u)
      place = 0u;
   kept[i] = 0u;
   barrier();
   uvec4 who = subgroupBallot(keep);
   uint base = 0u;
   if (subgroupElect())
      base = atomicAdd(place, subgroupBallotBitCount(who));
   base = subgroupBroadcastFirst(base);
   if (keep)
      kept[base + subgroupBallotExclusiveBitCount(who)] = x;
   barrier();
   if (i == 0u) {
      uint sum = 0u;
      for (uint k = 0u; k < place; k++)
         sum += kept[k] * kept[k];
      b[g] = sum;
      count[g] = place;
   }
}
