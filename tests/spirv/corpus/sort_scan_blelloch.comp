// SPDX-License-Identifier: MIT
// An exclusive scan by up-sweep and down-sweep, eight elements a lane in registers.
//: groups 1
//: in 0.0 u32*512=random:371:0:100
//: out 0.1 u32*512
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uvec4 src[]; };
layout(binding = 1) writeonly buffer Out { uvec4 dst[]; };
shared uint sums[64];

void main()
{
   const uint l = gl_LocalInvocationID.x;
   const uvec4 a = src[2 * l], b = src[2 * l + 1];
   uint v[8] = uint[](a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w), total = 0;

   [[unroll]] for (uint n = 0; n < 8; n++) {
      const uint x = v[n];
      v[n] = total;
      total += x;
   }
   sums[l] = total;
   for (uint d = 1; d < 64; d *= 2) {
      barrier();
      if ((l & (2 * d - 1)) == 2 * d - 1)
         sums[l] += sums[l - d];
   }
   barrier();
   if (l == 63)
      sums[63] = 0;
   for (uint d = 32; d > 0; d /= 2) {
      barrier();
      if ((l & (2 * d - 1)) == 2 * d - 1) {
         const uint t = sums[l - d];
         sums[l - d] = sums[l];
         sums[l] += t;
      }
   }
   barrier();
   const uint before = sums[l];
   [[unroll]] for (uint n = 0; n < 8; n++)
      v[n] += before;
   dst[2 * l] = uvec4(v[0], v[1], v[2], v[3]);
   dst[2 * l + 1] = uvec4(v[4], v[5], v[6], v[7]);
}
