// SPDX-License-Identifier: MIT
// A stable partition by a pivot, as quicksort's first step: those below to the front, the others behind.
//: variant float T=f32 HOW=0
//: variant half T=f16 HOW=0
//: variant ballot T=f32 HOW=1
//: groups 1
//: push f32=1.5
//: in 0.0 $T*64=random:3051:-5:10
//: out 0.1 $T*64
//: out 0.2 u32*1
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#extension GL_KHR_shader_subgroup_ballot : require
#define N 64
layout(local_size_x = N) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { T dst[]; };
layout(binding = 2) writeonly buffer Count { uint below; };
layout(push_constant) uniform parameter { float pivot; } p;
shared uint part[N];

void main()
{
   const uint l = gl_LocalInvocationIndex;
   const T v = src[l];
   const bool less = float(v) < p.pivot;
   uint rank = 0, all = 0;
#if HOW == 1
   const uvec4 those = subgroupBallot(less);
   if (subgroupElect())
      part[gl_SubgroupID] = subgroupBallotBitCount(those);
   barrier();
   for (uint n = 0; n < gl_NumSubgroups; n++) {
      rank += n < gl_SubgroupID ? part[n] : 0;
      all += part[n];
   }
   rank += subgroupBallotExclusiveBitCount(those);
#else
   part[l] = less ? 1 : 0;
   barrier();
   for (uint step = 1; step < N; step *= 2) {
      const uint t = l >= step ? part[l - step] : 0;
      barrier();
      part[l] += t;
      barrier();
   }
   all = part[N - 1];
   rank = part[l] - (less ? 1 : 0);
#endif
   dst[less ? rank : all + l - rank] = v;
   if (l == 0)
      below = all;
}
