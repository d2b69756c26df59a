// SPDX-License-Identifier: MIT
// Two sorted runs merged: a binary search on the diagonal, then four elements a lane.
//: groups 1
//: push u32*2=60,68
//: in 0.0 u32*60=iota:0:7
//: in 0.1 u32*68=iota:3:5
//: out 0.2 u32*128
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) readonly buffer B { uint b[]; };
layout(binding = 2) writeonly buffer C { uint c[]; };
layout(push_constant) uniform parameter { uint na; uint nb; } p;

void main()
{
   const uint diagonal = gl_GlobalInvocationID.x * 4;
   uint low = diagonal > p.nb ? diagonal - p.nb : 0u, high = min(diagonal, p.na);

   while (low < high) {
      const uint mid = (low + high) / 2;
      if (a[mid] <= b[diagonal - 1 - mid])
         low = mid + 1;
      else
         high = mid;
   }
   uint i = low, j = diagonal - low;
   for (uint n = 0; n < 4 && diagonal + n < p.na + p.nb; n++) {
      if (i < p.na && (j >= p.nb || a[i] <= b[j]))
         c[diagonal + n] = a[i++];
      else
         c[diagonal + n] = b[j++];
   }
}
