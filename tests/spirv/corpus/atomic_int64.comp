// SPDX-License-Identifier: MIT
// 64-bit atomics on buffers and shared memory.
//: groups 2
//: in 0.0 u64*128=random:105
//: io 0.1 u64*4=0,0xffffffffffffffff,0,0
//: io 0.2 u64*2=0
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint64_t a[]; };
layout(set = 0, binding = 1) buffer U { uint64_t u[4]; };
layout(set = 0, binding = 2) buffer Out { uint64_t b[2]; };

shared uint64_t own;

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint64_t x = a[gl_GlobalInvocationID.x];

   if (i == 0u)
      own = 0ul;
   barrier();
   atomicAdd(u[0], x);
   atomicMin(u[1], x);
   atomicMax(u[2], x);
   atomicXor(u[3], x);
   atomicAdd(own, x >> 3);
   barrier();
   if (i == 0u)
      b[gl_WorkGroupID.x] = own;
}
