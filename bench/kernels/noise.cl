// SPDX-License-Identifier: MIT
// Octaves of smooth noise on a lattice of mixed numbers.
// workgroup 64 1 1
// workgroups 2 1 1
// f32[128] zero
// f32[256] 0..8
// i32 4
static float lattice(int x, int y)
{
   uint h = (uint)x * 0x8da6b343u ^ (uint)y * 0xd8163841u;
   h = (h ^ h >> 13) * 0xcb1ab31fu;
   return (float)(h >> 8) * (1.0f / 16777216.0f);
}
static float smooth(float t)
{
   return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}
static float mix(float a, float b, float t)
{
   return a + (b - a) * t;
}
static float noise_at(float x, float y)
{
   float fx = floor(x), fy = floor(y);
   int ix = (int)fx, iy = (int)fy;
   float u = smooth(x - fx), v = smooth(y - fy);

   return mix(mix(lattice(ix, iy), lattice(ix + 1, iy), u), mix(lattice(ix, iy + 1), lattice(ix + 1, iy + 1), u), v);
}
KERNEL(64) noise(__global float *restrict out, __global const float2 *restrict places, int octaves)
{
   uint at = group_id * 64 + local_id;
   float2 p = places[at];
   float sum = 0.0f, weight = 0.5f;

   for (int n = 0; n < octaves; n++) {
      sum += weight * noise_at(p.x, p.y);
      p *= 2.0f;
      weight *= 0.5f;
   }
   out[at] = sum;
}
