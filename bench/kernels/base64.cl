// SPDX-License-Identifier: MIT
// Three bytes as four letters.
// workgroup 64 1 1
// workgroups 2 1 1
// u8[512] zero
// u8[384] 0..255
static uchar letter(uint x)
{
   if (x < 26)
      return 'A' + x;
   if (x < 52)
      return 'a' + x - 26;
   if (x < 62)
      return '0' + x - 52;
   return x == 62 ? '+' : '/';
}
KERNEL(64) base64(__global uchar *restrict out, __global const uchar *restrict in)
{
   uint at = group_id * 64 + local_id;
   uint x = (uint)in[at * 3] << 16 | (uint)in[at * 3 + 1] << 8 | in[at * 3 + 2];

   for (uint n = 0; n < 4; n++)
      out[at * 4 + n] = letter(x >> (18 - 6 * n) & 63);
}
