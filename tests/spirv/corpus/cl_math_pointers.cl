// SPDX-License-Identifier: MIT
// Functions with a second result: fract, frexp, modf, sincos, remquo, lgamma_r, into private and global memory.
//: global 64
//: local 64
//: arg in f32*128=random:212:0.5:60
//: arg out f32*512 ulp=16 abs=1e-5
//: arg out i32*128
kernel void pointers(global const float *a, global float *b, global int *n)
{
   size_t i = get_global_id(0);
   float x = a[i], y = a[i + 64] * 0.125f, whole, c;
   int e, q;

   b[i] = fract(-x, &b[i + 64]);
   b[i + 128] = frexp(x, &e);
   n[i] = e;
   b[i + 192] = modf(x, &whole);
   b[i + 256] = whole;
   b[i + 320] = sincos(y, &c);
   b[i + 384] = c;
   b[i + 448] = remquo(x, y, &q) + ldexp(y, (int)(i & 7) - 3);
   n[i + 64] = q & 7;
}
