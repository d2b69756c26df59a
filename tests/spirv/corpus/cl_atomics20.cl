// SPDX-License-Identifier: MIT
// C11 atomics of OpenCL 2.0 with orders and scopes, in global and local memory.
//: global 128
//: local 64
//: judge none
//: arg in u32*128=iota
//: arg io u32*4=0,0,0xffffffff,0 equals=8128,127,0,64
//: arg out u32*128 equals=fill:1
kernel void atomics(global const uint *a, global atomic_uint *c, global uint *b)
{
   local atomic_int flag;
   size_t i = get_global_id(0), l = get_local_id(0);

   if (l == 0)
      atomic_init(&flag, 0);
   work_group_barrier(CLK_LOCAL_MEM_FENCE);
   atomic_fetch_add_explicit(&c[0], a[i], memory_order_relaxed, memory_scope_device);
   atomic_fetch_max(&c[1], a[i]);
   atomic_fetch_min_explicit(&c[2], a[i], memory_order_acq_rel, memory_scope_device);
   atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed, memory_scope_work_group);
   atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
   work_group_barrier(CLK_LOCAL_MEM_FENCE);
   uint seen = (uint)atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_work_group);
   if (i == 0)
      atomic_store_explicit(&c[3], seen, memory_order_release, memory_scope_device);
   b[i] = seen == 64;
}
