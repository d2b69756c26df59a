// SPDX-License-Identifier: MIT
// Where a pattern first occurs in each lane's part of a text.
// workgroup 64 1 1
// workgroups 1 1 1
// i32[64] zero
// u8[4096] text
// u8[3] 97..97
// i32 64
// i32 3
KERNEL(64) string_search(__global int *restrict out, __global const uchar *restrict text,
                         __global const uchar *restrict pattern, int length, int size)
{
   int base = local_id * length, found = -1;

   for (int n = 0; n + size <= length; n++) {
      int k = 0;
      while (k < size && text[base + n + k] == pattern[k])
         k++;
      if (k == size) {
         found = n;
         break;
      }
   }
   out[local_id] = found;
}
