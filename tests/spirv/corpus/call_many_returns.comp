// SPDX-License-Identifier: MIT
// A function with a return in each arm of a switch and in a loop, called under divergent control.
//: groups 2
//: in 0.0 u32*128=random:33:0:500
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint rank(uint x)
{
   switch (x % 6u) {
   case 0u:
      return x;
   case 1u:
      if (x > 250u)
         return 1u;
   case 2u:
      for (uint k = 2u; k < x; k++)
         if (x % k == 0u)
            return k;
      return 2u;
   case 4u:
      return 4u * x;
   }
   return 77u;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint r = 0u;

   if ((i & 3u) != 0u)
      r = rank(a[i]);
   if (r < 100u)
      r += rank(a[i] + r) << 12;
   b[i] = r;
}
