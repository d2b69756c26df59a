// SPDX-License-Identifier: MIT
// Half arithmetic, held against floats: small integers and quarters are exact in both.
//: global 64
//: local 64
//: judge none
//: arg in f16*256=random:232:1:8
//: arg out u32*64 equals=fill:31
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves(global const half4 *a, global uint *b)
{
   size_t i = get_global_id(0);
   half4 v = floor(a[i] * (half)4.0f) * (half)0.25f;
   float4 f = convert_float4(v);
   uint r = 0;

   r |= (float)(v.x + v.y) == f.x + f.y ? 1 : 0;
   r |= convert_float(v.x * v.z) == f.x * f.z ? 2 : 0;
   r |= all(convert_float4(max(v, v.wzyx)) == max(f, f.wzyx)) ? 4 : 0;
   r |= (float)fma(v.y, (half)2.0f, v.z) == f.y * 2.0f + f.z ? 8 : 0;
   r |= convert_int(v.w) == (int)f.w && isless(v.x, v.y) == (f.x < f.y) ? 16 : 0;
   b[i] = r;
}
