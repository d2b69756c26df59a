// SPDX-License-Identifier: MIT
// 64-bit integers: every operator, shifts by lanes, conversions to floats.
//: levels O0
//: global 64
//: local 64
//: arg in u64*128=random:225
//: arg out u64*128
//: arg out f32*64
kernel void longs(global const ulong *a, global ulong *b, global float *f)
{
   size_t i = get_global_id(0);
   ulong x = a[i], y = a[i + 64] >> (i & 63);
   long s = (long)x, t = (long)(y | 1);
   ulong r = x * y + (x << (y & 63)) - (x >> (i & 63));

   r += (ulong)(s / t) ^ (ulong)(s % t) ^ x / (y | 1) ^ x % (y | 3);
   r = s < t ? ~r : r ^ (ulong)(s >> (i & 63));
   b[i] = r;
   b[i + 64] = (ulong)(x > y) + ((ulong)(s >= t) << 1) + (r == x ? 4 : 0) - (ulong)(-s);
   f[i] = (float)s + (float)(y >> 2);
}
