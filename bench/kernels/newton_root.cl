// SPDX-License-Identifier: MIT
// Roots of a polynomial of each lane, by Newton's steps until they are small.
// workgroup 64 1 1
// workgroups 2 1 1
// f32[128] zero
// f32[512] 1..3
// i32 30
KERNEL(64) newton_root(__global float *restrict out, __global const float *restrict coefficients, int limit)
{
   uint at = group_id * 64 + local_id;
   float c0 = coefficients[at * 4], c1 = coefficients[at * 4 + 1];
   float c2 = coefficients[at * 4 + 2], c3 = coefficients[at * 4 + 3];
   float x = -2.0f;

   for (int n = 0; n < limit; n++) {
      float value = ((c3 * x + c2) * x + c1) * x + c0;
      float slope = (3.0f * c3 * x + 2.0f * c2) * x + c1;
      if (slope == 0.0f)
         break;
      float step = value / slope;
      x -= step;
      if (fabs(step) < 0.00001f)
         break;
   }
   out[at] = x;
}
