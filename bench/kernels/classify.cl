// SPDX-License-Identifier: MIT
// Tests within tests, a switch that falls through, and many ways out.
// workgroup 64 1 1
// workgroups 4 1 1
// u32[256] zero
// i32[256] -300..300
static uint kind(int x)
{
   if (x < 0) {
      if (x < -200)
         return 1;
      if ((x & 1) == 0) {
         if (x > -50)
            return 2;
         return 3;
      }
      x = -x;
   }
   if (x == 0)
      return 4;
   switch (x % 7) {
   case 0:
      return 5;
   case 1:
      x += 3;
      /* falls through */
   case 2:
      x *= 2;
      /* falls through */
   case 3:
      x -= 1;
      break;
   case 4:
      if (x > 100)
         return 6;
      break;
   default:
      return 7 + x % 3;
   }
   return x > 150 ? 20 : 30 + (uint)x;
}
KERNEL(64) classify(__global uint *restrict out, __global const int *restrict in)
{
   uint at = group_id * 64 + local_id;

   out[at] = kind(in[at]) * 1000 + kind(in[at] + 11);
}
