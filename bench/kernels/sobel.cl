// SPDX-License-Identifier: MIT
// Edges of an image that a workgroup keeps in LDS with a border around it.
// workgroup 16 4 1
// workgroups 1 4 1
// f32[256] zero
// f32[256] 0..1
KERNEL2(16, 4) sobel(__global float *restrict out, __global const float *restrict in)
{
   __local float tile[6][18];
   int base = group_id_y * 4;

   for (int y = local_id_y; y < 6; y += 4) {
      for (int x = local_id; x < 18; x += 16) {
         int sx = min(max(x - 1, 0), 15), sy = min(max(base + y - 1, 0), 15);
         tile[y][x] = in[sy * 16 + sx];
      }
   }
   barrier();
   int x = local_id + 1, y = local_id_y + 1;
   float gx = tile[y - 1][x + 1] + 2.0f * tile[y][x + 1] + tile[y + 1][x + 1] - tile[y - 1][x - 1] -
              2.0f * tile[y][x - 1] - tile[y + 1][x - 1];
   float gy = tile[y + 1][x - 1] + 2.0f * tile[y + 1][x] + tile[y + 1][x + 1] - tile[y - 1][x - 1] -
              2.0f * tile[y - 1][x] - tile[y - 1][x + 1];
   out[(base + local_id_y) * 16 + local_id] = sqrt(gx * gx + gy * gy);
}
