// SPDX-License-Identifier: MIT
// How many changes make one word of another: a row of the table in the lane's own array.
// workgroup 64 1 1
// workgroups 1 1 1
// u32[64] zero
// u8[512] text
// u8[512] text
KERNEL(64) edit_distance(__global uint *restrict out, __global const uchar *restrict a,
                         __global const uchar *restrict b)
{
   uint row[9];

   for (uint n = 0; n <= 8; n++)
      row[n] = n;
   for (uint i = 1; i <= 8; i++) {
      uint corner = row[0];
      row[0] = i;
      for (uint j = 1; j <= 8; j++) {
         uint above = row[j];
         uint cost = corner + (a[local_id * 8 + i - 1] == b[local_id * 8 + j - 1] ? 0 : 1);
         row[j] = min(min(row[j - 1] + 1, above + 1), cost);
         corner = above;
      }
   }
   out[local_id] = row[8];
}
