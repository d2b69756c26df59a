// SPDX-License-Identifier: MIT
// Work-group functions of OpenCL 2.0, held against loops over local memory.
//: global 128
//: local 32
//: judge none
//: arg in i32*128=random:231:-1000:1000
//: arg out u32*128 equals=fill:255
kernel void group_functions(global const int *a, global uint *b)
{
   local int all[32];
   size_t l = get_local_id(0);
   int x = a[get_global_id(0)], sum = 0, most = INT_MIN, before = 0, upto = 0;
   uint r = 0;

   all[l] = x;
   barrier(CLK_LOCAL_MEM_FENCE);
   for (size_t k = 0; k < 32; k++) {
      if (k < l)
         before += all[k];
      if (k <= l)
         upto = max(upto, all[k]);
      sum += all[k];
      most = max(most, all[k]);
   }
   r |= work_group_reduce_add(x) == sum ? 1 : 0;
   r |= work_group_reduce_max(x) == most ? 2 : 0;
   r |= work_group_scan_exclusive_add(x) == before ? 4 : 0;
   r |= max(work_group_scan_inclusive_max(x), 0) == upto ? 8 : 0;
   r |= work_group_broadcast(x, 5) == all[5] ? 16 : 0;
   r |= work_group_all(x <= most) ? 32 : 0;
   r |= !work_group_any(x > most) ? 64 : 0;
   r |= work_group_reduce_min((float)x) <= (float)x ? 128 : 0;
   work_group_barrier(CLK_LOCAL_MEM_FENCE);
   b[get_global_id(0)] = r;
}
