// SPDX-License-Identifier: MIT
// Shell sort of private arrays, results checked by a hash; loops whose bounds are computed.
//: global 64
//: local 64
//: arg in u32*1024=random:230:0:65535
//: arg out u32*1024
kernel void sort(global const uint *a, global uint *b)
{
   size_t i = get_global_id(0);
   uint v[16];

   for (int k = 0; k < 16; k++)
      v[k] = a[i * 16 + k];
   for (int gap = 8; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
      for (int k = gap; k < 16; k++) {
         uint x = v[k];
         int j = k;
         for (; j >= gap && v[j - gap] > x; j -= gap)
            v[j] = v[j - gap];
         v[j] = x;
      }
   }
   for (int k = 0; k < 16; k++)
      b[i * 16 + k] = v[k];
}
