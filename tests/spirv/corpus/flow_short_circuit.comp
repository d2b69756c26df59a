// SPDX-License-Identifier: MIT
// && and || guard what stands at their right: an index that would be out of range is never read.
//: groups 2
//: in 0.0 i32*128=random:18:-20:140
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { int a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint calls;

bool positive(int x)
{
   calls++;
   return x > 0;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   int x = a[i];
   uint r = 0u;

   calls = 0u;
   if (x >= 0 && x < 128 && a[x] > 50)
      r |= 1u;
   if (x < 0 || positive(x - 60) && positive(100 - x) || x == 3)
      r |= 2u;
   if ((x & 1) == 0 ^^ positive(x))
      r |= 4u;
   b[i] = r | calls << 8;
}
