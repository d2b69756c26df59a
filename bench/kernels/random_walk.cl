// SPDX-License-Identifier: MIT
// A walk on a grid, with a generator of random numbers of its own, until it leaves.
// workgroup 64 1 1
// workgroups 2 1 1
// u32[128] zero
// u32 500
INLINE uint next(__private uint *s)
{
   uint x = *s;
   x ^= x << 13;
   x ^= x >> 17;
   x ^= x << 5;
   *s = x;
   return x;
}
KERNEL(64) random_walk(__global uint *restrict out, uint limit)
{
   uint at = group_id * 64 + local_id;
   uint seed = at * 0x9e3779b9u + 1, step = 0;
   int x = 0, y = 0;

   while (step < limit) {
      switch (next(&seed) & 3) {
      case 0:
         x++;
         break;
      case 1:
         x--;
         break;
      case 2:
         y++;
         break;
      default:
         y--;
         break;
      }
      step++;
      if (x * x + y * y > 60)
         break;
   }
   out[at] = step;
}
