// SPDX-License-Identifier: MIT
// The queens' problem by backtracking with bit masks: deep, irregular control flow on a private stack.
//: groups 1
//: out 0.0 u32*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint first = i & 7u, second = i >> 3;
   uint columns[8], left[8], right[8], open[8];
   uint full = 0xffu, count = 0u;
   int row;

   uint q0 = 1u << first, q1 = 1u << second;
   if (((q0 | q0 << 1 | q0 >> 1) & q1) != 0u) {
      b[i] = 0u;
      return;
   }
   row = 2;
   columns[2] = q0 | q1;
   left[2] = (q0 << 1 | q1) << 1;
   right[2] = (q0 >> 1 | q1) >> 1;
   open[2] = full & ~(columns[2] | left[2] | right[2]);
   while (row >= 2) {
      if (open[row] == 0u) {
         row--;
         continue;
      }
      uint q = open[row] & uint(-int(open[row]));
      open[row] ^= q;
      if (row == 7) {
         count++;
         continue;
      }
      columns[row + 1] = columns[row] | q;
      left[row + 1] = (left[row] | q) << 1;
      right[row + 1] = (right[row] | q) >> 1;
      row++;
      open[row] = full & ~(columns[row] | left[row] | right[row]);
   }
   b[i] = count;
}
