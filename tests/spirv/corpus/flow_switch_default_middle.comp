// SPDX-License-Identifier: MIT
// A default between the cases, which is fallen into and falls through itself.
//: groups 2
//: in 0.0 i32*128=random:15:-3:5
//: out 0.1 i32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { int a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { int b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   int r = 100;

   switch (a[i]) {
   case -2:
      r -= 30;
   default:
      r *= 2;
   case 1:
      r += 7;
      break;
   case -1:
      r = -r;
      break;
   case 2147483647:
      r = 0;
   }
   b[i] = r;
}
