// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 128) in;
layout(constant_id = 0) const uint shift = 0;
layout(push_constant) uniform Push { uint count; };
layout(set = 0, binding = 0) readonly buffer In { uint source[]; };
layout(set = 1, binding = 0) buffer Out { uint bins[256]; };
shared uint local_bins[256];

void main()
{
   for (uint k = gl_LocalInvocationIndex; k < 256; k += gl_WorkGroupSize.x)
      local_bins[k] = 0;
   barrier();
   uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
   for (uint i = gl_GlobalInvocationID.x; i < count; i += stride)
      atomicAdd(local_bins[source[i] >> shift & 255], 1);
   barrier();
   for (uint k = gl_LocalInvocationIndex; k < 256; k += gl_WorkGroupSize.x) {
      if (local_bins[k] != 0)
         atomicAdd(bins[k], local_bins[k]);
   }
}
