// SPDX-License-Identifier: MIT
// Which of some centres is nearest to each point, and how far.
// workgroup 64 1 1
// workgroups 2 1 1
// u32[128] zero
// f32[128] zero
// f32[512] -1..1
// f32[64] -1..1
// u32 16
KERNEL(64) nearest(__global uint *restrict which, __global float *restrict distance,
                   __global const float4 *restrict points, __global const float4 *restrict centres, uint count)
{
   uint at = group_id * 64 + local_id, best = 0;
   float4 p = points[at];
   float least = 1e30f;

   for (uint n = 0; n < count; n++) {
      float4 d = p - centres[n];
      float4 s = d * d;
      float sum = s.x + s.y + s.z + s.w;
      if (sum < least) {
         least = sum;
         best = n;
      }
   }
   which[at] = best;
   distance[at] = sqrt(least);
}
