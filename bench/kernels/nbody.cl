// SPDX-License-Identifier: MIT
// Forces among bodies, tiles of them in LDS.
// workgroup 64 1 1
// workgroups 2 1 1
// f32[512] zero
// f32[512] -1..1
// i32 128
KERNEL(64) nbody(__global float4 *restrict force, __global const float4 *restrict body, int n)
{
   __local float4 tile[64];
   uint at = group_id * 64 + local_id;
   float4 own = body[at];
   float ax = 0.0f, ay = 0.0f, az = 0.0f;

   for (int t = 0; t < n; t += 64) {
      tile[local_id] = body[t + local_id];
      barrier();
      for (int k = 0; k < 64; k++) {
         float4 other = tile[k];
         float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
         float square = dx * dx + dy * dy + dz * dz + 0.01f;
         float inverse = 1.0f / sqrt(square);
         float weight = other.w * inverse * inverse * inverse;
         ax += dx * weight;
         ay += dy * weight;
         az += dz * weight;
      }
      barrier();
   }
   force[at] = (float4)(ax, ay, az, own.w);
}
