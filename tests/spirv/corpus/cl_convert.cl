// SPDX-License-Identifier: MIT
// Conversions between all types: saturating and rounding forms, bit casts, vectors.
//: global 64
//: local 64
//: arg in f32*64=random:207:-400:400
//: arg in i32*64=random:208:-70000:70000
//: arg out i32*512
kernel void conversions(global const float *f, global const int *n, global int *b)
{
   size_t i = get_global_id(0);
   float x = f[i];
   int k = n[i];

   b[i] = convert_int_rte(x) + convert_int_rtp(x) * 3 - convert_int_rtn(x) + convert_int_rtz(x) * 7;
   b[i + 64] = convert_char_sat(x) + convert_uchar_sat(x) * 256 + convert_uchar_sat_rte(x) * 65536;
   b[i + 128] = convert_short_sat(k) + convert_ushort_sat(k);
   b[i + 192] = convert_uchar_sat(k) ^ convert_char_sat(k) << 8 ^ (char)k << 16;
   b[i + 256] = as_int(convert_float(k)) ^ as_int(convert_float_rtz(k * 30001)) ^ as_int(convert_float_rtp((uint)k));
   b[i + 320] = as_int(convert_uchar4_sat((float4)(x, -x, x * 2.0f, 1.5f)));
   b[i + 384] = convert_int_sat(x * 1e8f) ^ (int)convert_uint_sat(x * 1e8f);
   b[i + 448] = convert_short_sat_rtn(x * 100.0f) + (int)convert_ulong(as_uint(k) >> 3);
}
