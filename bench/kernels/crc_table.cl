// SPDX-License-Identifier: MIT
// A checksum of a lane's bytes with a table that the workgroup makes first.
// workgroup 64 1 1
// workgroups 2 1 1
// u32[128] zero
// u8[4096] 0..255
// u32 32
KERNEL(64) crc_table(__global uint *restrict out, __global const uchar *restrict in, uint length)
{
   __local uint table[256];
   uint at = group_id * 64 + local_id;

   for (uint n = local_id; n < 256; n += 64) {
      uint c = n;
      for (uint bit = 0; bit < 8; bit++)
         c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
      table[n] = c;
   }
   barrier();
   uint crc = 0xffffffffu;
   for (uint n = 0; n < length; n++)
      crc = table[(crc ^ in[at * length + n]) & 0xff] ^ crc >> 8;
   out[at] = ~crc;
}
