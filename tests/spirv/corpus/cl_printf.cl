// SPDX-License-Identifier: MIT
// A kernel that tells of what went wrong; here nothing does. Strings, vectors, and nobody who reads the result.
//: global 64
//: local 32
//: arg in u32*64=random:31
//: arg out u32*64
constant char unit[] = "items";

kernel void report(global const uint *values, global uint *sums)
{
   const size_t i = get_global_id(0);
   uint sum = 0;

   for (uint n = 0; n <= i % 7; n++) {
      sum += values[(i + n) % 64] & 0xffff;
      if (sum > 0x7ffff)
         printf("%u of %s at %d, after %v4hld\n", sum, unit, (int)i, (int4)((int)n, 1, 2, 3));
   }
   sums[i] = sum;
}
