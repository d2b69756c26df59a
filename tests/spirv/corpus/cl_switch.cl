// SPDX-License-Identifier: MIT
// A switch with ranges that become tables, fallthrough, on a 64-bit value too.
//: global 64
//: local 64
//: arg in u32*64=random:221:0:15
//: arg out u32*64
kernel void cases(global const uint *a, global uint *b)
{
   size_t i = get_global_id(0);
   uint x = a[i], r = 0;

   switch (x) {
   case 0: r = 7; break;
   case 1: r = 14; break;
   case 2: r = 99; break;
   case 3: r = 3; break;
   case 4:
   case 5: r = (uint)i;
   case 6: r += 2; break;
   case 9: r = x * 11; break;
   default: r = 1000 - x;
   }
   switch ((long)x << 33) {
   case 1L << 33: r |= 0x10000; break;
   case 5L << 33: r |= 0x20000;
   case 12L << 33: r ^= 0x40000; break;
   }
   b[i] = r;
}
