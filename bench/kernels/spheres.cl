// SPDX-License-Identifier: MIT
// Rays among spheres, thrown back a few times; structs, early returns, a vector type.
// workgroup 64 1 1
// workgroups 4 1 1
// f32[256] zero
// f32[32] -2..2
// i32 8
// i32 4
struct ray { float x, y, z, dx, dy, dz; };
struct hit { float t; int which; };
INLINE void trace(__global const float4 *spheres, int count, __private struct ray *r, __private struct hit *h)
{
   h->t = 1000.0f;
   h->which = -1;

   for (int n = 0; n < count; n++) {
      float4 s = spheres[n];
      float ox = r->x - s.x, oy = r->y - s.y, oz = r->z - s.z - 4.0f;
      float b = ox * r->dx + oy * r->dy + oz * r->dz;
      float c = ox * ox + oy * oy + oz * oz - 0.5f;
      float root = b * b - c;
      if (root < 0.0f)
         continue;
      float t = -b - sqrt(root);
      if (t > 0.001f && t < h->t) {
         h->t = t;
         h->which = n;
      }
   }
}
KERNEL(64) spheres(__global float *restrict out, __global const float4 *restrict list, int count, int bounces)
{
   int at = group_id * 64 + local_id;
   struct ray r = { 0.0f, 0.0f, 0.0f, (float)(at & 15) / 8.0f - 1.0f, (float)(at >> 4) / 8.0f - 1.0f, 1.0f };
   float light = 1.0f, length = 1.0f / sqrt(r.dx * r.dx + r.dy * r.dy + 1.0f);

   r.dx *= length;
   r.dy *= length;
   r.dz *= length;
   for (int n = 0; n < bounces; n++) {
      struct hit h;
      trace(list, count, &r, &h);
      if (h.which < 0)
         break;
      float4 s = list[h.which];
      r.x += r.dx * h.t;
      r.y += r.dy * h.t;
      r.z += r.dz * h.t;
      float nx = r.x - s.x, ny = r.y - s.y, nz = r.z - s.z - 4.0f;
      float scale = 1.0f / sqrt(nx * nx + ny * ny + nz * nz);
      nx *= scale;
      ny *= scale;
      nz *= scale;
      float d = 2.0f * (r.dx * nx + r.dy * ny + r.dz * nz);
      r.dx -= d * nx;
      r.dy -= d * ny;
      r.dz -= d * nz;
      light *= 0.75f;
   }
   out[at] = light * (0.5f + 0.5f * r.dy);
}
