// SPDX-License-Identifier: MIT
// shuffle and shuffle2 with masks from memory.
//: global 32
//: local 32
//: arg in u32*256=random:215
//: arg in u32*256=random:216
//: arg out u32*256
kernel void shuffles(global const uint8 *a, global const uint8 *m, global uint8 *b)
{
   size_t i = get_global_id(0);
   uint8 v = a[i], mask = m[i];
   uint8 r = shuffle(v, mask);
   uint4 four = shuffle(v, mask.lo), two = shuffle2(v.lo, v.hi, mask.hi);

   r ^= shuffle2(four.xy, two.zw, mask.s76543210);
   r.lo += four;
   r.hi += two;
   b[i] = r;
}
