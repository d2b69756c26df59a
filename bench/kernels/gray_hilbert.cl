// SPDX-License-Identifier: MIT
// Where a number lies on a curve that fills a square, and back again.
// workgroup 64 1 1
// workgroups 4 1 1
// u32[256] zero
// u32 16
KERNEL(64) gray_hilbert(__global uint *restrict out, uint side)
{
   uint at = group_id * 64 + local_id, t = at, x = 0, y = 0, d = 0;

   for (uint s = 1; s < side; s *= 2) {
      uint rx = t / 2 & 1, ry = (t ^ rx) & 1;
      if (ry == 0) {
         if (rx == 1) {
            x = s - 1 - x;
            y = s - 1 - y;
         }
         uint swap = x;
         x = y;
         y = swap;
      }
      x += s * rx;
      y += s * ry;
      t /= 4;
   }
   uint px = x, py = y;
   for (uint s = side / 2; s > 0; s /= 2) {
      uint rx = (px & s) > 0, ry = (py & s) > 0;
      d += s * s * (3 * rx ^ ry);
      if (ry == 0) {
         if (rx == 1) {
            px = side - 1 - px;
            py = side - 1 - py;
         }
         uint swap = px;
         px = py;
         py = swap;
      }
   }
   out[at] = x | y << 8 | (d ^ d >> 1) << 16;
}
