// SPDX-License-Identifier: MIT
// Cubic interpolation in a plane, the weights in arrays.
// workgroup 64 1 1
// workgroups 2 1 1
// f32[128] zero
// f32[256] 0..1
// f32[256] 1..13
INLINE void weights(float t, __private float *w)
{
   w[0] = ((-0.5f * t + 1.0f) * t - 0.5f) * t;
   w[1] = (1.5f * t - 2.5f) * t * t + 1.0f;
   w[2] = ((-1.5f * t + 2.0f) * t + 0.5f) * t;
   w[3] = (0.5f * t - 0.5f) * t * t;
}
KERNEL(64) bicubic(__global float *restrict out, __global const float *restrict image,
                   __global const float *restrict places)
{
   uint at = group_id * 64 + local_id;
   float x = places[at * 2], y = places[at * 2 + 1], sum = 0.0f;
   float fx = floor(x), fy = floor(y);
   float wx[4], wy[4];

   weights(x - fx, wx);
   weights(y - fy, wy);
   for (int j = 0; j < 4; j++) {
      float row = 0.0f;
      for (int i = 0; i < 4; i++)
         row += wx[i] * image[((int)fy + j - 1) * 16 + (int)fx + i - 1];
      sum += wy[j] * row;
   }
   out[at] = sum;
}
