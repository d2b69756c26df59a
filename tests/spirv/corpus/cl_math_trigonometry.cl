// SPDX-License-Identifier: MIT
// sin, cos, tan, their pi forms, inverses and hyperbolic ones; huge arguments too.
//: global 64
//: local 64
//: arg in f32*64=random:213:-1:1
//: arg out f32*1024 ulp=24 abs=1e-5
kernel void trigonometry(global const float *a, global float *b)
{
   size_t i = get_global_id(0);
   float x = a[i], big = x * 1e6f;

   b[i * 16] = sin(x * 7.0f);
   b[i * 16 + 1] = cos(big);
   b[i * 16 + 2] = tan(x * 1.5f);
   b[i * 16 + 3] = sinpi(x * 3.0f);
   b[i * 16 + 4] = cospi(x * 5.0f);
   b[i * 16 + 5] = tanpi(x * 0.45f);
   b[i * 16 + 6] = asin(x);
   b[i * 16 + 7] = acos(x);
   b[i * 16 + 8] = atan(x * 20.0f);
   b[i * 16 + 9] = atan2(x, x + 0.25f);
   b[i * 16 + 10] = asinpi(x) + acospi(x) + atanpi(x) + atan2pi(x, 0.5f);
   b[i * 16 + 11] = sinh(x) + cosh(x * 2.0f);
   b[i * 16 + 12] = tanh(x);
   b[i * 16 + 13] = asinh(x * 4.0f);
   b[i * 16 + 14] = acosh(1.0f + fabs(x));
   b[i * 16 + 15] = atanh(x * 0.9f);
}
