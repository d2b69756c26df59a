// SPDX-License-Identifier: MIT
// Work-item functions in three dimensions. Of a fourth, whose number the compiler does not know, each item has the number 0.
//: global 8 6 4
//: local 4 2 2
//: arg out u32*192
kernel void items(global uint *b)
{
   size_t place = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
   uint r = get_work_dim() * 7;

   for (uint d = 0; d < 3; d++) {
      r = r * 13 + get_local_id(d) + get_group_id(d) * 3;
      r = r * 5 + get_num_groups(d) + get_local_size(d) + get_global_offset(d);
   }
   uint none = get_work_dim();
   b[place] = r + get_global_id(none) * 3 + get_local_id(none) * 5 + get_group_id(none) * 7 + get_global_offset(none);
}
