// SPDX-License-Identifier: MIT
// degrees, radians, clamp, mix, step, smoothstep, sign, min, max.
//: global 64
//: local 32
//: arg in f32*256=random:209:-4:4
//: arg out f32*256 ulp=16 abs=1e-5
kernel void common(global const float4 *a, global float4 *b)
{
   size_t i = get_global_id(0);
   float4 v = a[i], w = a[i ^ 1];
   float4 r = mix(v, w, 0.375f) + clamp(v, -1.0f, 1.5f);

   r += step(v, w) * smoothstep((float4)(-2.0f), (float4)(3.0f), v);
   r.xy += degrees(v.zw) * 0.01f + radians(w.xy);
   r.zw += sign(v.xy) * max(v.xy, 0.5f) - min(v.zw, w.zw);
   b[i] = r;
}
