// SPDX-License-Identifier: MIT
// half_ and native_ functions that other cases have not, min and max of floats, nan, lgamma_r, ctz.
//: global 64
//: local 64
//: arg in f32*64=random:405:0.5:6
//: arg out f32*512 ulp=9000 abs=1e-3
//: arg out i32*64
//: arg out f16*192=zero
kernel void more(global const float *a, global float8 *b, global int *n, global half *h)
{
   size_t i = get_global_id(0);
   float x = a[i], y = x - 3.0f;
   int sign;
   float8 r;

   r.s0 = half_cos(y) + half_tan(y * 0.25f);
   r.s1 = half_exp2(y) + half_exp10(y * 0.5f);
   r.s2 = half_log(x) + half_log2(x) + half_log10(x);
   r.s3 = half_rsqrt(x) + native_tan(y * 0.25f);
   r.s4 = native_exp(y) + native_exp10(y * 0.25f);
   r.s5 = native_log(x) + native_log10(x) + native_powr(x, 1.5f);
   r.s6 = min(x, 2.0f) + max(y, 0.5f) + lgamma_r(x, &sign);
   r.s7 = isnan(nan(7u)) ? 1.0f : 0.0f;
   b[i] = r;
   n[i] = sign + (int)clamp((uint)x, 1u, 3u) + (int)abs_diff((uint)x, 4u) + (int)mad_hi((uint)x << 30, 5u, 1u);
   vstore_half(y, i, h);
   vstorea_half2_rtn((float2)(x, y), i, h + 64);
}
