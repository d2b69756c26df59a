// SPDX-License-Identifier: MIT
// A function returns from two loops at once: its callers' lanes must meet again.
//: groups 2
//: in 0.0 u32*128=random:12:1:200
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint squares(uint n)
{
   for (uint p = 0u; p * p <= n; p++) {
      for (uint q = p; q * q <= n; q++) {
         uint s = p * p + q * q;
         if (s == n)
            return p << 8 | q;
         if (s > n)
            break;
      }
   }
   return 0xffffffffu;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint first = squares(a[i]);
   uint second = squares(a[i] + 1u);
   b[i] = first ^ second * 3u;
}
