// SPDX-License-Identifier: MIT
// Half floats as storage: vload_half, vstore_half with all rounding modes, and the aligned forms.
//: global 32
//: local 16
//: arg in f16*160=random:203:-60:60
//: arg in f32*128=random:204:-1000:1000
//: arg out f16*512=zero
//: arg out f32*160 ulp=2
kernel void halves(global const half *a, global const float *f, global half *h, global float *g)
{
   size_t i = get_global_id(0);
   float4 v = vload4(i, f);

   vstore_half4(v, i, h);
   vstore_half_rtz(v.x, i, h + 128);
   vstore_half_rtp(v.y, i, h + 160);
   vstore_half_rtn(v.z, i, h + 192);
   vstore_half_rte(v.w, i, h + 224);
   vstore_half2_rtz(v.xy, i, h + 256);
   vstorea_half4(v.wzyx, i, h + 320);
   g[i] = vload_half(i, a);
   float4 w = vload_half4(i, a + 1) + vloada_half4(i, a);
   vstore4(w, i, g + 32);
}
