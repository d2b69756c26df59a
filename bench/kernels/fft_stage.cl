// SPDX-License-Identifier: MIT
// One stage of a transform that many lanes make together, radix 4.
// workgroup 64 1 1
// workgroups 1 1 1
// f32[512] zero
// f32[512] -1..1
// u32 16
KERNEL(64) fft_stage(__global float2 *restrict out, __global const float2 *restrict in, uint stride)
{
   uint k = local_id & (stride - 1);
   float2 x[4];

   for (uint n = 0; n < 4; n++) {
      float turn = (float)(k * n) / (float)(stride * 4);
      float c = cos_turns(turn), s = -sin_turns(turn);
      float2 v = in[local_id + n * 64];
      x[n] = (float2)(v.x * c - v.y * s, v.x * s + v.y * c);
   }
   float2 a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = x[1] - x[3];
   float2 e = (float2)(d.y, -d.x);
   uint to = (local_id - k) * 4 + k;
   out[to] = a + c;
   out[to + stride] = b + e;
   out[to + 2 * stride] = a - c;
   out[to + 3 * stride] = b - e;
}
