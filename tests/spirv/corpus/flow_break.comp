// SPDX-License-Identifier: MIT
// Loops left by break: a linear search, and a loop that has no other way out.
//: groups 2
//: in 0.0 u32*128=random:8:0:63
//: out 0.1 uvec2*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint key = a[i], place = 128u;

   for (uint k = 0u; k < 128u; k++) {
      if (a[k] == key) {
         place = k;
         break;
      }
   }
   uint x = key;
   for (;;) {
      x = (x * 5u + 1u) & 127u;
      if (x >= 64u)
         break;
   }
   b[i] = uvec2(place, x);
}
