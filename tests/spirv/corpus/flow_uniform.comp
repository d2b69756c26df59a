// SPDX-License-Identifier: MIT
// Branches and loops that a whole workgroup takes the same way: no lane mask is needed.
//: groups 6
//: in 0.0 u32*6=3,0,9,1,6,2
//: out 0.1 u32*192
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { uint mode[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint m = mode[gl_WorkGroupID.x];
   uint i = gl_GlobalInvocationID.x;
   uint r = i;

   if (m > 4u) {
      r += 1000u;
      for (uint k = 0u; k < m; k++)
         r = r * 3u + k;
   } else if ((m & 1u) != 0u) {
      r ^= 0xffu;
   } else {
      for (uint k = m; k != 0u; k--) {
         if (k == 1u)
            r += 10u;
         r += k * i;
      }
   }
   b[i] = r;
}
