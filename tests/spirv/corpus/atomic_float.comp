// SPDX-License-Identifier: MIT
// Atomic additions and exchanges of floats whose sums are exact in any order.
//: groups 2
//: in 0.0 i32*128=random:106:-100:100
//: io 0.1 f32*4=0
//: out 0.2 f32*2
#version 450
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { int a[]; };
layout(set = 0, binding = 1) buffer Sums { float sums[4]; };
layout(set = 0, binding = 2) writeonly buffer Out { float b[2]; };

shared float total;

void main()
{
   uint i = gl_LocalInvocationIndex;
   float x = float(a[gl_GlobalInvocationID.x]);

   if (i == 0u)
      atomicExchange(total, 0.5);
   barrier();
   atomicAdd(total, x * 0.25);
   atomicAdd(sums[i & 3u], x);
   barrier();
   if (i == 0u)
      b[gl_WorkGroupID.x] = total;
}
