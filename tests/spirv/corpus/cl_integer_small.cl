// SPDX-License-Identifier: MIT
// The same built-ins on chars, shorts and longs, upsample too.
//: global 64
//: local 32
//: arg in u64*128=random:206
//: arg out u64*256
kernel void small(global const ulong *a, global ulong *b)
{
   size_t i = get_global_id(0);
   ulong x = a[i], y = a[i + 64];
   char2 c = as_char2((short)x), d = as_char2((short)y);
   ushort s = (ushort)(x >> 20), t = (ushort)(y >> 9);

   char2 e = add_sat(c, d) ^ hadd(c, d) ^ rotate(c, d) ^ mul_hi(c, d);
   uchar2 f = abs(c) + abs_diff(c, d) + sub_sat(as_uchar2(c), as_uchar2(d)) + clz(as_uchar2(d));
   ushort g = mad_sat(s, t, (ushort)7) + mul_hi(s, t) + popcount(s) + rhadd(s, t);
   b[i] = (ulong)as_ushort(e) << 32 | (ulong)as_ushort(f) << 16 | g;
   b[i + 64] = mul_hi(x, y) + add_sat(x, y) + rotate(x, y & 63) + clz(x >> (i & 63)) + hadd(x, y);
   b[i + 128] = (ulong)(mul_hi((long)x, (long)y) + sub_sat((long)x, (long)y) + max((long)x, (long)y)) + popcount(y);
   b[i + 192] = upsample((uint)x, (uint)y) ^ upsample(s, t) ^ upsample((uchar)s, (uchar)t) ^ (ulong)upsample((short)s, t);
}
