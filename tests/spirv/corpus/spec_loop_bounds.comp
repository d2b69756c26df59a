// SPDX-License-Identifier: MIT
// A loop whose bound and body are chosen by specialisation: tiles, unrolled or not.
//: groups 1
//: spec 0 u32=4
//: spec 1 u32=2
//: in 0.0 u32*64=random:63:0:100
//: out 0.1 u32*64
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint radius = 1u;
layout(constant_id = 1) const uint mode = 0u;
layout(set = 0, binding = 0) readonly buffer In { uint a[64]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[64]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint sum = 0u, most = 0u;

   for (uint k = 0u; k <= 2u * radius; k++) {
      uint x = a[(i + k + 64u - radius) & 63u];
      if (mode == 0u)
         sum += x;
      else if (mode == 1u)
         sum = max(sum, x);
      else
         sum += x * (k + 1u);
      most = max(most, x);
   }
   b[i] = sum * 128u + most;
}
