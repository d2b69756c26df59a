// SPDX-License-Identifier: MIT
// A step of heat in a cube of eight, the border held.
// workgroup 64 1 1
// workgroups 8 1 1
// f32[512] zero
// f32[512] 0..100
// f32 0.1
KERNEL(64) heat_3d(__global float *restrict out, __global const float *restrict in, float k)
{
   int x = local_id & 7, y = local_id >> 3, z = group_id;
   int at = (z * 8 + y) * 8 + x;

   if (x == 0 || y == 0 || z == 0 || x == 7 || y == 7 || z == 7) {
      out[at] = in[at];
      return;
   }
   float c = in[at];
   float around = in[at - 1] + in[at + 1] + in[at - 8] + in[at + 8] + in[at - 64] + in[at + 64];
   out[at] = c + k * (around - 6.0f * c);
}
