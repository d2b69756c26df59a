// SPDX-License-Identifier: MIT
// A bitonic sort of keys with values, four pairs a lane, exchanges between lanes through shared memory or shuffles.
//: variant shared HOW=0
//: variant shuffle HOW=1
//: groups 4
//: in 0.0 u32*32=random:3031:0:1000000
//: out 0.1 uvec2*32
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_shuffle : require
#define N 8
layout(local_size_x = N) in;
layout(binding = 0) readonly buffer In { uint key[]; };
layout(binding = 1) writeonly buffer Out { uvec2 dst[]; };
shared uvec2 other[N];

uvec2 from(uvec2 v, uint mask)
{
#if HOW == 1
   return uvec2(subgroupShuffleXor(v.x, mask), subgroupShuffleXor(v.y, mask));
#else
   barrier();
   other[gl_LocalInvocationIndex] = v;
   barrier();
   return other[gl_LocalInvocationIndex ^ mask];
#endif
}

void main()
{
   const uint l = gl_LocalInvocationIndex, i = gl_GlobalInvocationID.x;
   uvec2 v = uvec2(key[i], i);

   for (uint size = 2; size <= N; size *= 2) {
      for (uint stride = size / 2; stride > 0; stride /= 2) {
         const uvec2 u = from(v, stride);
         const bool up = (l & size) == 0, lower = (l & stride) == 0;
         const bool less = u.x < v.x || (u.x == v.x && u.y < v.y);
         v = (less == (up == lower)) ? u : v;
      }
   }
   dst[i] = v;
}
