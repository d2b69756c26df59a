// SPDX-License-Identifier: MIT
// vload and vstore of all widths at addresses that are aligned to an element only.
//: global 32
//: local 32
//: arg in u8*1024=random:201
//: arg out u8*1024=zero
//: arg in u16*600=random:202
//: arg out u16*600=zero
kernel void move(global const uchar *a, global uchar *b, global const ushort *c, global ushort *d)
{
   size_t i = get_global_id(0);
   uchar3 p = vload3(i, a + 1);
   uchar4 q = vload4(i, a + 99);
   uchar16 r = vload16(i, a + 300);
   ushort2 s = vload2(i, c + 1);
   ushort8 t = vload8(i, c + 80);

   vstore3(p + (uchar3)(1, 2, 3), i, b);
   vstore4(q.wzyx, i, b + 97);
   vstore16(r ^ (uchar16)(0x55), i, b + 301);
   vstore2(s * (ushort)3, i, d + 1);
   vstore8(t + t.s76543210, i, d + 80);
}
