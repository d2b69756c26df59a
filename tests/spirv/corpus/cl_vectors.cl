// SPDX-License-Identifier: MIT
// Vectors of 2, 3, 4, 8 and 16: swizzles, halves, literals, comparisons that give masks.
//: global 64
//: local 16
//: arg in i32*1024=random:200:-100:100
//: arg out i32*1024
kernel void vectors(global const int16 *a, global int16 *b)
{
   size_t i = get_global_id(0);
   int16 v = a[i];
   int8 low = v.lo, high = v.hi;
   int4 odd = low.odd, even = high.even;
   int3 three = (int3)(odd.xy, even.w);
   int2 two = three.zx;

   low = low < high ? low : high;
   odd = select(odd, even, odd > 0);
   even.s12 += two;
   three *= (int3)(1, 2, 3);
   v.lo = low * 2;
   v.s8 = three.x + three.y + three.z;
   v.sCDEF = odd.wzyx;
   v.s9AB = even.xyz == odd.xyz;
   b[i] = v;
}
