// SPDX-License-Identifier: MIT
// Equal neighbours as a number and how often it stands there.
// workgroup 64 1 1
// workgroups 1 1 1
// u32[2112] zero
// u8[2048] 0..2
// u32 32
KERNEL(64) run_lengths(__global uint *restrict out, __global const uchar *restrict in, uint length)
{
   uint base = local_id * length, to = local_id * (length + 1), count = 0, at = 0;

   while (at < length) {
      uchar value = in[base + at];
      uint run = 1;
      while (at + run < length && in[base + at + run] == value)
         run++;
      out[to + count] = (uint)value << 16 | run;
      count++;
      at += run;
   }
   out[to + length] = count;
}
