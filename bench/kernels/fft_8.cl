// SPDX-License-Identifier: MIT
// A transform of eight complex numbers a lane, by three rounds of butterflies over an array.
// workgroup 64 1 1
// workgroups 1 1 1
// f32[1024] zero
// f32[1024] -1..1
KERNEL(64) fft_8(__global float *restrict out, __global const float *restrict in)
{
   float re[8], im[8];
   uint base = local_id * 16;

   for (uint n = 0; n < 8; n++) {
      uint from = (n & 1) << 2 | (n & 2) | n >> 2;
      re[n] = in[base + from * 2];
      im[n] = in[base + from * 2 + 1];
   }
   for (uint size = 2; size <= 8; size *= 2) {
      for (uint start = 0; start < 8; start += size) {
         for (uint k = 0; k < size / 2; k++) {
            float turn = (float)k / (float)size;
            float c = cos_turns(turn), s = -sin_turns(turn);
            uint a = start + k, b = a + size / 2;
            float tr = re[b] * c - im[b] * s, ti = re[b] * s + im[b] * c;
            re[b] = re[a] - tr;
            im[b] = im[a] - ti;
            re[a] += tr;
            im[a] += ti;
         }
      }
   }
   for (uint n = 0; n < 8; n++) {
      out[base + n * 2] = re[n];
      out[base + n * 2 + 1] = im[n];
   }
}
