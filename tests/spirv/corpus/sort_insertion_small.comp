// SPDX-License-Identifier: MIT
// Short lists sorted in place in memory, each lane its own, by insertion.
//: groups 1
//: push u32=9
//: io 0.0 i32*288=random:391
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { int a[]; };
layout(push_constant) uniform parameter { uint len; } p;

void main()
{
   const uint first = gl_GlobalInvocationID.x * p.len;

   for (uint i = 1; i < p.len; i++) {
      const int x = a[first + i];
      uint j = i;
      for (; j > 0 && a[first + j - 1] > x; j--)
         a[first + j] = a[first + j - 1];
      a[first + j] = x;
   }
}
