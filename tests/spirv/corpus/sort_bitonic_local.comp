// SPDX-License-Identifier: MIT
// A bitonic sort of 256 keys with payloads in shared memory, two of them a lane.
//: groups 2
//: io 0.0 u32*512=random:341
//: io 0.1 u32*512=iota
#version 450
layout(local_size_x = 128) in;
layout(binding = 0) buffer Keys { uint keys[]; };
layout(binding = 1) buffer Values { uint values[]; };
shared uint k[256], v[256];

void exchange(uint a, uint b, bool down)
{
   if ((k[a] > k[b]) != down) {
      const uint t = k[a], u = v[a];
      k[a] = k[b];
      v[a] = v[b];
      k[b] = t;
      v[b] = u;
   }
}

void main()
{
   const uint l = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 256;

   k[l] = keys[base + l];
   k[l + 128] = keys[base + l + 128];
   v[l] = values[base + l];
   v[l + 128] = values[base + l + 128];
   barrier();
   for (uint size = 2; size <= 256; size *= 2) {
      for (uint stride = size / 2; stride > 0; stride /= 2) {
         const uint a = 2 * l - (l & (stride - 1));
         exchange(a, a + stride, (a & size) != 0);
         barrier();
      }
   }
   keys[base + l] = k[l];
   keys[base + l + 128] = k[l + 128];
   values[base + l] = v[l];
   values[base + l + 128] = v[l + 128];
}
