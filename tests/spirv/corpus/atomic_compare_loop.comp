// SPDX-License-Identifier: MIT
// A loop of compare-and-swap: a maximum of floats kept in their bits, as old code does.
//: groups 2
//: in 0.0 f32*128=random:104:0:100
//: io 0.1 u32*4=0
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) buffer Most { uint most[4]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint mine = floatBitsToUint(a[i]);
   uint seen = most[i & 3u];

   while (uintBitsToFloat(seen) < a[i]) {
      uint old = atomicCompSwap(most[i & 3u], seen, mine);
      if (old == seen)
         break;
      seen = old;
   }
}
