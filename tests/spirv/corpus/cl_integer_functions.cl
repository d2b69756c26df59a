// SPDX-License-Identifier: MIT
// Integer built-ins of 32 bits: abs_diff, add_sat, hadd, mad_hi, mul_hi, rotate, clz, popcount, mad24 and the rest.
//: global 64
//: local 64
//: arg in i32*192=random:205
//: arg out i32*320
kernel void integers(global const int *a, global int *b)
{
   size_t i = get_global_id(0);
   int x = a[i], y = a[i + 64], z = a[i + 128] >> (i & 31);
   uint u = as_uint(x), v = as_uint(y), w = as_uint(z);

   b[i] = (int)(abs(x) ^ abs_diff(y, z)) + add_sat(x, y) - sub_sat(y, x);
   b[i + 64] = hadd(x, y) + rhadd(x, z) + (int)(hadd(u, v) ^ rhadd(v, w)) + clamp(x, -1000, y & 0xfffff);
   b[i + 128] = mad_hi(x, y, z) + mul_hi(x, z) + mad_sat(x >> 16, y >> 15, z) + (int)(mul_hi(u, v) ^ mad_sat(u >> 8, v >> 9, w));
   b[i + 192] = rotate(x, z) + (int)clz(w) * 1000 + popcount(x) + max(x, y) - min(u, v) + (int)add_sat(u, v) + (int)sub_sat(u, w);
   b[i + 256] = mad24(x >> 8, y >> 8, z) + mul24(z >> 9, x >> 8) + (int)mul24(u >> 8, v >> 8) + (int)mad24(v >> 9, w >> 8, u);
}
