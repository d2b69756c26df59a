// SPDX-License-Identifier: MIT
// A tile in local memory of two dimensions, in work-groups of two dimensions, values as arguments.
//: global 32 16
//: local 8 8
//: arg in u32*512=iota
//: arg out u32*512
//: arg u32=32
//: arg u32=16
kernel void transpose(global const uint *a, global uint *b, uint width, uint height)
{
   local uint tile[8][9];
   uint x = get_local_id(0), y = get_local_id(1);

   tile[y][x] = a[get_global_id(1) * width + get_global_id(0)];
   barrier(CLK_LOCAL_MEM_FENCE);
   uint column = get_group_id(0) * 8 + y, row = get_group_id(1) * 8 + x;
   b[column * height + row] = tile[x][y];
}
