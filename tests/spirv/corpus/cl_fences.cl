// SPDX-License-Identifier: MIT
// Flags, weak compare-and-exchange, fences asked for by address: what is left of C11 atomics.
//: global 64
//: local 64
//: levels O0
//: judge none
//: arg io u32*4=0,0,0,0 equals=1,64,0,64
//: arg out u32*64 equals=fill:1
kernel void fences(global atomic_uint *c, global uint *b)
{
   local atomic_flag taken;
   local uint own;
   size_t i = get_local_id(0);

   if (i == 0)
      atomic_flag_clear(&taken);
   own = 5;
   work_group_barrier(CLK_LOCAL_MEM_FENCE);
   if (!atomic_flag_test_and_set_explicit(&taken, memory_order_relaxed, memory_scope_work_group))
      atomic_fetch_add(&c[0], 1u);
   uint seen = atomic_load(&c[1]);
   while (!atomic_compare_exchange_weak(&c[1], &seen, seen + 1u))
      ;
   atomic_fetch_add_explicit(&c[3], 1u, memory_order_relaxed, memory_scope_device);
   uint *p = (uint *)&own;
   uint *q = (uint *)b;
   b[i] = get_fence(p) == CLK_LOCAL_MEM_FENCE && get_fence(q) == CLK_GLOBAL_MEM_FENCE;
}
