// SPDX-License-Identifier: MIT
// Results of atomics used in ways that no order changes: tickets, first comers, own words.
//: groups 2
//: io 0.0 u32*4=0
//: io 0.1 u32*128=iota
//: io 0.2 u32*128=0
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Counters { uint c[4]; };
layout(set = 0, binding = 1) buffer Own { uint own[]; };
layout(set = 0, binding = 2) buffer Marks { uint marks[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint ticket = atomicAdd(c[0], 1u);

   atomicAdd(marks[ticket], 1u);
   if (atomicCompSwap(c[1], 0u, 5u) == 0u)
      atomicAdd(c[2], 1u);
   uint old = atomicExchange(own[i], i * 2u);
   old += atomicCompSwap(own[i], i * 2u, 77u);
   old += atomicCompSwap(own[i], 78u, 1u);
   atomicAdd(own[i], old);
}
