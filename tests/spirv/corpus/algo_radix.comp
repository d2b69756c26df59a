// SPDX-License-Identifier: MIT
// A pass of radix sort: counts of digits, a scan of them, and stable places within a workgroup.
//: groups 2
//: in 0.0 u32*128=random:151
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

shared uint keys[64];
shared uint flags[64];

void main()
{
   uint i = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * 64u;

   keys[i] = a[base + i];
   for (uint bit = 0u; bit < 6u; bit++) {
      barrier();
      uint key = keys[i], one = key >> bit & 1u;
      flags[i] = 1u - one;
      for (uint step = 1u; step < 64u; step <<= 1) {
         barrier();
         uint left = i >= step ? flags[i - step] : 0u;
         barrier();
         flags[i] += left;
      }
      barrier();
      uint zeros = flags[63], before = flags[i] - (1u - one);
      uint place = one == 0u ? before : zeros + i - before;
      keys[place] = key;
   }
   barrier();
   b[base + i] = keys[i];
}
