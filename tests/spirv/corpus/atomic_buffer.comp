// SPDX-License-Identifier: MIT
// Every integer atomic on a buffer whose result order cannot change.
//: groups 4
//: in 0.0 u32*256=random:103
//: io 0.1 u32*8=0,0xffffffff,0,0xffffffff,0,0,0,0
//: io 0.2 i32*2=0x7fffffff,0x80000000
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) buffer U { uint u[8]; };
layout(set = 0, binding = 2) buffer S { int s[2]; };

void main()
{
   uint x = a[gl_GlobalInvocationID.x];

   atomicAdd(u[0], x >> 8);
   atomicMin(u[1], x);
   atomicMax(u[2], x);
   atomicAnd(u[3], x | 0x0f0f0f0fu);
   atomicOr(u[4], x & 0x10101010u);
   atomicXor(u[5], x);
   atomicMin(s[0], int(x));
   atomicMax(s[1], int(x));
   if ((x & 7u) == 0u)
      atomicAdd(u[6], 1u);
}
