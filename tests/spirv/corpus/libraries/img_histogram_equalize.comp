// SPDX-License-Identifier: MIT
// Contrast by the histogram of a tile: counted by atomics, summed, limited, and looked up.
//: variant shared HOW=0
//: variant subgroup HOW=1
//: groups 3
//: push u32*2=64,6
//: io 0.0 u8*192=random:2081:20:200
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Pixels { uint8_t pixel[]; };
layout(push_constant) uniform parameter { uint pixels; uint limit; } p;
shared uint bins[64];
shared uint part[64];
shared uint over;

void main()
{
   const uint l = gl_LocalInvocationIndex, at = gl_WorkGroupID.x * p.pixels + l;
   const uint v = uint(pixel[at]);

   bins[l] = 0;
   if (l == 0)
      over = 0;
   barrier();
   atomicAdd(bins[v >> 2], 1);
   barrier();
   if (bins[l] > p.limit) {
      atomicAdd(over, bins[l] - p.limit);
      bins[l] = p.limit;
   }
   barrier();
   const uint n = bins[l] + over / 64 + (l < over % 64 ? 1 : 0);
#if HOW == 1
   uint sum = subgroupInclusiveAdd(n);
   const uint all = subgroupAdd(n);
   if (subgroupElect())
      part[gl_SubgroupID] = all;
   barrier();
   for (uint k = 0; k < gl_SubgroupID; k++)
      sum += part[k];
   bins[l] = sum;
#else
   part[l] = n;
   barrier();
   for (uint step = 1; step < 64; step *= 2) {
      const uint t = l >= step ? part[l - step] : 0;
      barrier();
      part[l] += t;
      barrier();
   }
   bins[l] = part[l];
#endif
   barrier();
   pixel[at] = uint8_t(bins[v >> 2] * 255 / p.pixels);
}
