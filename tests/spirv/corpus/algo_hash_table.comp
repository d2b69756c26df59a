// SPDX-License-Identifier: MIT
// Open addressing built with compare-and-swap, then looked up: only counts that no order changes are kept.
//: groups 1
//: in 0.0 u32*64=random:144:1:40
//: io 0.1 u32*128=0
//: out 0.2 u32*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) buffer Sums { uint sums[128]; };
layout(set = 0, binding = 2) writeonly buffer Out { uint b[]; };

shared uint keys[128];
shared uint counts[128];

uint find(uint key, bool insert)
{
   uint h = key * 0x9e3779b1u >> 25;
   for (uint k = 0u; k < 128u; k++) {
      uint at = (h + k) & 127u;
      uint seen = insert ? atomicCompSwap(keys[at], 0u, key) : keys[at];
      if (seen == key || insert && seen == 0u)
         return at;
      if (seen == 0u)
         break;
   }
   return 128u;
}

void main()
{
   uint i = gl_LocalInvocationIndex, key = a[i];

   keys[i] = keys[i + 64u] = counts[i] = counts[i + 64u] = 0u;
   barrier();
   atomicAdd(counts[find(key, true)], 1u);
   barrier();
   uint place = find(key, false), other = find(key ^ 64u, false);
   b[i] = counts[place] + (other == 128u ? 1000u : 0u);
   atomicAdd(sums[key], counts[place]);
}
