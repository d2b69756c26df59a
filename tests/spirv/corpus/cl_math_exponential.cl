// SPDX-License-Identifier: MIT
// exp, log and pow families, roots, erf and gamma, half_ and native_ forms.
//: global 64
//: local 64
//: arg in f32*64=random:214:0.25:8
//: arg out f32*768 ulp=24 abs=1e-5
//: arg out f32*256 ulp=9000 abs=1e-3
kernel void exponential(global const float *a, global float *b, global float *c)
{
   size_t i = get_global_id(0);
   float x = a[i], y = x - 4.0f;

   b[i * 12] = exp(y) + expm1(y * 0.125f);
   b[i * 12 + 1] = exp2(y) + exp10(y * 0.5f);
   b[i * 12 + 2] = log(x);
   b[i * 12 + 3] = log2(x) + log10(x);
   b[i * 12 + 4] = log1p(x);
   b[i * 12 + 5] = pow(x, y);
   b[i * 12 + 6] = pown(y, 3) + pown(x, -2);
   b[i * 12 + 7] = powr(x, 1.75f) + rootn(x, 3);
   b[i * 12 + 8] = sqrt(x) + rsqrt(x) + cbrt(y);
   b[i * 12 + 9] = hypot(x, y);
   b[i * 12 + 10] = erf(y) + erfc(y * 0.25f);
   b[i * 12 + 11] = tgamma(x * 0.5f) + lgamma(x + 1.0f);
   c[i * 4] = half_exp(y) + half_sqrt(x) + half_recip(x);
   c[i * 4 + 1] = half_sin(y) + half_divide(x, y + 9.0f) + half_powr(x, 0.5f);
   c[i * 4 + 2] = native_exp2(y) + native_rsqrt(x) + native_recip(x) + native_log2(x);
   c[i * 4 + 3] = native_sin(y) * native_cos(y) + native_divide(x, 3.0f) + native_sqrt(x);
}
