// SPDX-License-Identifier: MIT
// A switch in a case of another, both falling through.
//: groups 2
//: in 0.0 u32*128=random:17:0:15
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i], r = 0u;

   switch (x & 3u) {
   case 0u:
      r = 1u;
      break;
   case 1u:
      switch (x >> 2) {
      case 0u:
         r += 10u;
      case 1u:
         r += 20u;
         break;
      case 2u:
         r += 40u;
         break;
      default:
         r += 80u;
      }
      r += 5u;
   case 2u:
      r += 2u;
      break;
   default:
      r = x;
   }
   b[i] = r;
}
