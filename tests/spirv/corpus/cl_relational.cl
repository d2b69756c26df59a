// SPDX-License-Identifier: MIT
// isequal to signbit, any, all, bitselect and select, for scalars and vectors, with NaNs and infinities.
//: global 64
//: local 64
//: arg in f32*64=edges
//: arg out i32*256
kernel void relational(global const float *a, global int4 *b)
{
   size_t i = get_global_id(0);
   float x = a[i], y = a[(i * 7 + 2) & 63];
   float4 v = (float4)(x, y, x + 1.0f, 2.0f), w = v.yxwz;
   int r = isequal(x, y) | isnotequal(x, y) << 1 | isgreater(x, y) << 2 | isgreaterequal(x, y) << 3;

   r |= isless(x, y) << 4 | islessequal(x, y) << 5 | islessgreater(x, y) << 6 | isfinite(x) << 7;
   r |= isinf(x) << 8 | isnan(x) << 9 | isnormal(x) << 10 | isordered(x, y) << 11 | isunordered(x, y) << 12;
   r |= (signbit(x) != 0 && !isnan(x)) << 13;
   r |= any(isnan(v)) << 14 | all(isfinite(w)) << 15;
   int4 m = isless(v, w) + isfinite(v) * 2 + isunordered(v, w) * 4;
   m.x = r;
   m.y += bitselect(0x0f0f0f0f, (int)i * 0x01010101, 0x33333333);
   m.z += select(5, 9, (int)(i & 1)) + as_int(select(1.5f, 2.5f, (uint)(i & 2) << 30));
   b[i] = m;
}
