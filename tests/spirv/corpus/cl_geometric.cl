// SPDX-License-Identifier: MIT
// dot, cross, length, distance, normalize and the fast forms.
//: global 64
//: local 32
//: arg in f32*256=random:210:0.5:3
//: arg out f32*256 ulp=64 abs=1e-3
kernel void geometric(global const float4 *a, global float4 *b)
{
   size_t i = get_global_id(0);
   float4 v = a[i], w = a[i ^ 3] - 1.25f;
   float4 r = cross(v, w);

   r.w = dot(v, w) + length(v.xyz) + distance(v.xy, w.zw);
   r.xyz += normalize(v.xyz) * fast_length(w.xy);
   r.x += fast_distance(v.xyz, w.xyz) + fast_normalize(v).y;
   r.y += length(w.x) + distance(v.x, w.y) + normalize(v.w);
   b[i] = r;
}
