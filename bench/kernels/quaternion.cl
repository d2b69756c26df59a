// SPDX-License-Identifier: MIT
// Points turned by a chain of quaternions: vectors of four.
// workgroup 64 1 1
// workgroups 1 1 1
// f32[256] zero
// f32[256] -1..1
// f32[32] -1..1
// u32 8
static float4 product(float4 a, float4 b)
{
   return (float4)(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}
KERNEL(64) quaternion(__global float4 *restrict out, __global const float4 *restrict points,
                      __global const float4 *restrict turns, uint count)
{
   float4 p = points[local_id];

   p.w = 0.0f;
   for (uint n = 0; n < count; n++) {
      float4 q = turns[n];
      float scale = 1.0f / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
      q *= scale;
      float4 back = (float4)(-q.x, -q.y, -q.z, q.w);
      p = product(product(q, p), back);
   }
   out[local_id] = p;
}
