// SPDX-License-Identifier: MIT
// Work-group reductions and scans of floats, unsigned and signed numbers, in groups that are no power of two.
//: global 96
//: local 48
//: judge none
//: arg in i32*96=random:406:-50:50
//: arg out u32*96 equals=fill:31
kernel void floats(global const int *a, global uint *b)
{
   local int all[48];
   size_t l = get_local_id(0);
   int x = a[get_global_id(0)], sum = 0, least = INT_MAX, before = 0;
   uint r = 0, low = UINT_MAX;

   all[l] = x;
   barrier(CLK_LOCAL_MEM_FENCE);
   for (size_t k = 0; k < 48; k++) {
      if (k < l)
         before += all[k];
      sum += all[k];
      least = min(least, all[k]);
      low = min(low, (uint)all[k]);
   }
   r |= work_group_reduce_add((float)x) == (float)sum ? 1 : 0;
   r |= work_group_reduce_min(x) == least ? 2 : 0;
   r |= work_group_reduce_min((uint)x) == low ? 4 : 0;
   r |= work_group_scan_exclusive_add((float)x) == (float)before ? 8 : 0;
   r |= work_group_reduce_max((float)-x) == (float)-least ? 16 : 0;
   b[get_global_id(0)] = r;
}
