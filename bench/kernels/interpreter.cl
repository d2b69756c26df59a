// SPDX-License-Identifier: MIT
// A machine with a stack: each lane runs the same program on numbers of its own.
// workgroup 64 1 1
// workgroups 1 1 1
// i32[64] zero
// i32[64] -50..50
// u8[64] 0..11
// i32 64
// i32 200
KERNEL(64) interpreter(__global int *restrict out, __global const int *restrict in,
                       __global const uchar *restrict code, int size, int limit)
{
   int stack[8], top = 0, pc = 0, a = in[local_id], b = 1;

   for (int n = 0; n < 8; n++)
      stack[n] = n;
   for (int step = 0; step < limit; step++) {
      switch (code[pc]) {
      case 0:
         stack[top & 7] = a;
         top++;
         break;
      case 1:
         top--;
         a = stack[top & 7];
         break;
      case 2:
         a += b;
         break;
      case 3:
         a -= b;
         break;
      case 4:
         a = a * b + 1;
         break;
      case 5:
         b = a ^ step;
         break;
      case 6:
         if (a < 0)
            pc += 2;
         break;
      case 7:
         a = a >> 1;
         break;
      case 8: {
         int t = a;
         a = b;
         b = t;
         break;
      }
      case 9:
         b = stack[(top - 1) & 7];
         break;
      case 10:
         if (b > a)
            pc = (pc + b) & 31;
         break;
      default:
         a = -a;
         break;
      }
      pc++;
      if (pc >= size)
         pc = 0;
   }
   out[local_id] = a + b;
}
