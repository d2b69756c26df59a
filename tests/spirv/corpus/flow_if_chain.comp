// SPDX-License-Identifier: MIT
// An else-if chain whose arms differ in length, one of them empty.
//: groups 2
//: in 0.0 i32*128=random:2:-100:100
//: out 0.1 i32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { int a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { int b[]; };

int classify(int x)
{
   int r = 7;
   if (x < -50) {
      r = x * x;
   } else if (x < 0) {
      r = -x;
      r += r << 2;
   } else if (x == 0) {
   } else if (x < 25) {
      r = x % 5;
   } else if (x < 75) {
      r = x / 3 - 100;
   } else {
      r = 1000 + x;
   }
   return r;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   b[i] = classify(a[i]);
}
