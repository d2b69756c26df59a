// SPDX-License-Identifier: MIT
// Doubles: arithmetic, functions, vectors, conversions.
//: global 64
//: local 64
//: arg in f64*128=random:224:0.5:20
//: arg out f64*512 ulp=32
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void doubles(global const double2 *a, global double8 *b)
{
   size_t i = get_global_id(0);
   double2 v = a[i];
   double8 r;

   r.s0 = sqrt(v.x) / v.y;
   r.s1 = fma(v.x, v.y, -1.5);
   r.s2 = exp(v.x * 0.25) + log(v.y);
   r.s3 = sin(v.x) + 2.0;
   r.s4 = pow(v.x, 1.25);
   r.s5 = floor(v.x) + fmod(v.x, v.y) + convert_double(convert_int_rte(v.y)) + 1.0;
   r.s6 = length(v) + dot(v, v.yx);
   r.s7 = (double)(float)v.x + (double)(long)(v.y * 1e12) + cbrt(v.x);
   b[i] = r;
}
