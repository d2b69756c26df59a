// SPDX-License-Identifier: MIT
// async_work_group_copy, its strided form, and wait_group_events; prefetch.
//: global 128
//: local 32
//: arg in u32*128=random:226
//: arg out u32*128
kernel void copies(global const uint *a, global uint *b)
{
   local uint tile[32], strided[16], back[32];
   size_t l = get_local_id(0), base = get_group_id(0) * 32;

   prefetch(a + base, 32);
   event_t e = async_work_group_copy(tile, a + base, 32, 0);
   e = async_work_group_strided_copy(strided, a + base, 16, 2, e);
   wait_group_events(1, &e);
   back[l] = tile[31 - l] + strided[l >> 1];
   barrier(CLK_LOCAL_MEM_FENCE);
   e = async_work_group_copy(b + base, back, 32, 0);
   wait_group_events(1, &e);
}
