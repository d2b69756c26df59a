// SPDX-License-Identifier: MIT
// Exclusive prefix sums of tiles of four elements a lane: by doubling, up and down a tree, or over subgroups.
//: variant doubling HOW=0
//: variant tree HOW=1
//: variant subgroup HOW=2
//: groups 3
//: in 0.0 u32*768=random:3001:0:1000
//: out 0.1 u32*768
//: out 0.2 u32*3
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#define N 64
layout(local_size_x = N) in;
layout(binding = 0) readonly buffer In { uvec4 src[]; };
layout(binding = 1) writeonly buffer Out { uvec4 dst[]; };
layout(binding = 2) writeonly buffer Sums { uint total[]; };
shared uint part[N];

uint exclusive(uint v)
{
   const uint l = gl_LocalInvocationIndex;
#if HOW == 0
   part[l] = v;
   barrier();
   for (uint step = 1; step < N; step *= 2) {
      const uint t = l >= step ? part[l - step] : 0;
      barrier();
      part[l] += t;
      barrier();
   }
   if (l == N - 1)
      total[gl_WorkGroupID.x] = part[l];
   return part[l] - v;
#elif HOW == 1
   uint step = 1;
   part[l] = v;
   for (uint d = N / 2; d > 0; d /= 2) {
      barrier();
      if (l < d)
         part[step * (2 * l + 2) - 1] += part[step * (2 * l + 1) - 1];
      step *= 2;
   }
   barrier();
   if (l == 0) {
      total[gl_WorkGroupID.x] = part[N - 1];
      part[N - 1] = 0;
   }
   for (uint d = 1; d < N; d *= 2) {
      step /= 2;
      barrier();
      if (l < d) {
         const uint a = step * (2 * l + 1) - 1, b = step * (2 * l + 2) - 1, t = part[a];
         part[a] = part[b];
         part[b] += t;
      }
   }
   barrier();
   return part[l];
#else
   const uint own = subgroupExclusiveAdd(v), all = subgroupAdd(v);
   if (subgroupElect())
      part[gl_SubgroupID] = all;
   barrier();
   uint before = 0, sum = 0;
   for (uint n = 0; n < gl_NumSubgroups; n++) {
      before += n < gl_SubgroupID ? part[n] : 0;
      sum += part[n];
   }
   if (l == 0)
      total[gl_WorkGroupID.x] = sum;
   return own + before;
#endif
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   uvec4 v = src[i];

   v.y += v.x;
   v.z += v.y;
   v.w += v.z;
   const uint before = exclusive(v.w);
   dst[i] = uvec4(0, v.xyz) + before;
}
