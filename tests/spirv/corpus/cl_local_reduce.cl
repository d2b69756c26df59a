// SPDX-License-Identifier: MIT
// A reduction over a __local argument, another in a __local variable of the kernel.
//: global 256
//: local 64
//: arg in u32*256=random:217
//: arg out u32*8
//: arg local 256
kernel void reduce(global const uint *a, global uint *b, local uint *scratch)
{
   local uint most[64];
   size_t l = get_local_id(0);

   scratch[l] = a[get_global_id(0)];
   most[l] = scratch[l] >> 3;
   for (uint step = 32; step > 0; step >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < step) {
         scratch[l] += scratch[l + step];
         most[l] = max(most[l], most[l + step]);
      }
   }
   if (l == 0) {
      b[get_group_id(0) * 2] = scratch[0];
      b[get_group_id(0) * 2 + 1] = most[0];
   }
}
