// SPDX-License-Identifier: MIT
// Forces between bodies with local tiles: a kernel as benchmarks have it.
//: global 64
//: local 32
//: arg in f32*256=random:227:-4:4
//: arg out f32*256 abs=1e-3
//: arg local 512
//: arg f32=0.5
kernel void forces(global const float4 *body, global float4 *out, local float4 *tile, float softening)
{
   size_t i = get_global_id(0), l = get_local_id(0);
   float4 at = body[i];
   float3 force = 0.0f;

   for (size_t t = 0; t < get_num_groups(0); t++) {
      tile[l] = body[t * get_local_size(0) + l];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t k = 0; k < get_local_size(0); k++) {
         float3 d = tile[k].xyz - at.xyz;
         float r = rsqrt(dot(d, d) + softening);
         force += d * (fabs(tile[k].w) * r * r * r);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
   }
   out[i] = (float4)(force * 0.125f, at.w);
}
