// SPDX-License-Identifier: MIT
// The place of the greatest of each row, the first of equals: over shared memory, or by subgroup votes.
//: variant shared T=f32 HOW=0
//: variant subgroup T=f32 HOW=1
//: variant half T=f16 HOW=0
//: groups 6
//: push u32=90
//: in 0.0 $T*540=random:1081:-20:20
//: out 0.1 u32*6
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Out { uint place[]; };
layout(push_constant) uniform parameter { uint cols; } p;
shared float most[32];
shared uint where[32];

void main()
{
   const uint row = gl_WorkGroupID.x, l = gl_LocalInvocationIndex;
   float best = -1e30;
   uint at = 0, n = 32;

   for (uint c = l; c < p.cols; c += 32) {
      const float v = float(x[row * p.cols + c]);
      if (v > best) {
         best = v;
         at = c;
      }
   }
#if HOW == 1
   const float all = subgroupMax(best);
   const uint first = subgroupMin(best == all ? at : ~0u);
   if (subgroupElect()) {
      most[gl_SubgroupID] = all;
      where[gl_SubgroupID] = first;
   }
   n = gl_NumSubgroups;
#else
   most[l] = best;
   where[l] = at;
#endif
   barrier();
   if (l == 0) {
      for (uint k = 1; k < n; k++) {
         if (most[k] > most[0] || (most[k] == most[0] && where[k] < where[0])) {
            most[0] = most[k];
            where[0] = where[k];
         }
      }
      place[row] = where[0];
   }
}
