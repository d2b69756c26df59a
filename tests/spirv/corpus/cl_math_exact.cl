// SPDX-License-Identifier: MIT
// Functions that must be exact: fma, fmod, remainder, rint, round, floor, ceil, trunc, copysign, fdim, nextafter, logb.
//: global 128
//: local 64
//: arg in f32*256=random:211:-300:300
//: arg out f32*1024
kernel void exact(global const float *a, global float *b)
{
   size_t i = get_global_id(0);
   float x = a[i], y = a[i + 128] * 0.0625f;

   b[i * 8] = fma(x, y, 0.3f);
   b[i * 8 + 1] = fmod(x, y);
   b[i * 8 + 2] = remainder(x, y);
   b[i * 8 + 3] = rint(x) + round(y) + trunc(x) * 2.0f;
   b[i * 8 + 4] = floor(x) - ceil(y);
   b[i * 8 + 5] = copysign(x, y) + fabs(x) + fdim(x, y);
   b[i * 8 + 6] = nextafter(x, y);
   b[i * 8 + 7] = logb(x) + (float)ilogb(y) + maxmag(x, y) + minmag(x, y) + fmax(x, fmin(y, 1.0f));
}
