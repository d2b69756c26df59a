// SPDX-License-Identifier: MIT
// Subgroup reductions joined through atomics: sums of a workgroup that no subgroup size changes.
//: groups 3
//: in 0.0 u32*192=random:80:0:100000
//: io 0.1 u32*24=fill:0
//: io 0.2 u32*6=0,0xffffffff
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) buffer Sums { uint sums[]; };
layout(set = 0, binding = 2) buffer Extremes { uint extremes[]; };

void main()
{
   uint x = a[gl_GlobalInvocationID.x], g = gl_WorkGroupID.x;
   uint sum = subgroupAdd(x), most = subgroupMax(x), least = subgroupMin(x);
   uint bits = subgroupXor(x), any = subgroupOr(x);

   if (subgroupElect()) {
      atomicAdd(sums[g * 8u], sum);
      atomicXor(sums[g * 8u + 1u], bits);
      atomicOr(sums[g * 8u + 2u], any);
      atomicMax(extremes[g * 2u], most);
      atomicMin(extremes[g * 2u + 1u], least);
   }
   if ((x & 3u) == 0u) {
      uint some = subgroupAdd(x);
      if (subgroupElect())
         atomicAdd(sums[g * 8u + 3u], some);
   }
}
