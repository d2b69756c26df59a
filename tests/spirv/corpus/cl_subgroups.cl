// SPDX-License-Identifier: MIT
// Sub-group functions, held against loops over local memory: any size of sub-group will do.
//: global 64
//: local 64
//: judge none
//: arg in u32*64=random:233:0:1000
//: arg out u32*64 equals=fill:63
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void groups(global const uint *a, global uint *b)
{
   local uint all[64];
   size_t l = get_local_id(0);
   uint x = a[l], lane = get_sub_group_local_id(), first = (uint)l - lane, size = get_sub_group_size();
   uint sum = 0, before = 0, most = 0, r = 0;

   all[l] = x;
   barrier(CLK_LOCAL_MEM_FENCE);
   for (uint k = 0; k < size; k++) {
      if (k < lane)
         before += all[first + k];
      sum += all[first + k];
      most = max(most, all[first + k]);
   }
   r |= sub_group_reduce_add(x) == sum ? 1 : 0;
   r |= sub_group_scan_exclusive_add(x) == before ? 2 : 0;
   r |= sub_group_reduce_max(x) == most ? 4 : 0;
   r |= sub_group_broadcast(x, 1) == all[first + 1] ? 8 : 0;
   r |= sub_group_all(x <= most) && !sub_group_any(x > most) ? 16 : 0;
   r |= get_sub_group_id() < get_num_sub_groups() && size <= get_max_sub_group_size() ? 32 : 0;
   sub_group_barrier(CLK_LOCAL_MEM_FENCE);
   b[l] = r;
}
