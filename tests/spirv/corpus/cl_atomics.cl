// SPDX-License-Identifier: MIT
// The atomics of OpenCL 1.2 on global and local memory, where order changes nothing.
//: global 128
//: local 64
//: arg in u32*128=random:218
//: arg io u32*12=0,0,0xffffffff,0,0xffffffff,0,0,100000,0,0,0,0
//: arg io u32*128=iota
kernel void atomics(global const uint *a, volatile global uint *c, volatile global uint *own)
{
   local volatile int counter;
   size_t i = get_global_id(0), l = get_local_id(0);
   uint x = a[i];

   if (l == 0)
      counter = 0;
   barrier(CLK_LOCAL_MEM_FENCE);
   atomic_add(&c[0], x >> 6);
   atomic_max(&c[1], x);
   atomic_min(&c[2], x);
   atomic_or(&c[3], x & 0x11111111);
   atomic_and(&c[4], x | 0x0fffffff);
   atomic_xor(&c[5], x);
   atomic_inc(&c[6]);
   atomic_dec(&c[7]);
   atomic_sub((volatile global int *)&c[8], (int)x >> 5);
   atomic_add(&counter, (int)(x & 15));
   own[i] += atomic_xchg(&own[i], 5) * 3;
   atomic_cmpxchg(&own[i], 5 + (uint)i * 3, 77);
   barrier(CLK_LOCAL_MEM_FENCE);
   if (l == 0)
      atomic_add(&c[9], counter);
}
