// SPDX-License-Identifier: MIT
// Arms that fall into the next one: lanes join those that started there.
//: groups 2
//: in 0.0 u32*128=random:14:0:7
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint r = 1u;

   switch (int(a[i])) {
   case 5:
      r += 50u;
   case 4:
      r *= 3u;
   case 3:
      r += i;
      if ((i & 1u) != 0u)
         break;
   case 2:
      r ^= 0x30u;
      break;
   case 1:
      r += 9u;
   case 0:
      r <<= 2;
   }
   b[i] = r;
}
