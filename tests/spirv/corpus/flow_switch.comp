// SPDX-License-Identifier: MIT
// A switch with breaks, several labels for one arm, and a default.
//: groups 2
//: in 0.0 u32*128=random:13:0:11
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint r = i;

   switch (a[i]) {
   case 0u:
      r += 5u;
      break;
   case 1u:
   case 2u:
   case 7u:
      r *= 11u;
      break;
   case 3u:
      r = ~r;
      break;
   case 9u:
      r ^= 0xabcdu;
      if ((r & 4u) != 0u)
         r >>= 1;
      break;
   default:
      r = 0u;
      break;
   }
   b[i] = r;
}
