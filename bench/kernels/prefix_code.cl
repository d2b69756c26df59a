// SPDX-License-Identifier: MIT
// Symbols from a stream of bits: codes of one to six bits.
// workgroup 64 1 1
// workgroups 1 1 1
// u8[2048] zero
// u32[256] 0..2000000000
// u32 32
KERNEL(64) prefix_code(__global uchar *restrict out, __global const uint *restrict in, uint symbols)
{
   uint word = 0, have = 0, next = local_id * 4, bits = 0;

   for (uint n = 0; n < symbols; n++) {
      uint length = 0;
      while (length < 6) {
         if (have == 0) {
            word = in[next++ & 255];
            have = 32;
         }
         uint bit = word & 1;
         word >>= 1;
         have--;
         length++;
         if (!bit)
            break;
      }
      bits += length;
      out[local_id * symbols + n] = (uchar)(length * 16 + (bits & 15));
   }
}
