// SPDX-License-Identifier: MIT
// Overlapping gotos, a loop with three entries and a case label inside a loop (Duff's device).
//: levels O0
//: global 64
//: local 32
//: arg in u32*64=random:223
//: arg out u32*64
kernel void machine(global const uint *a, global uint *b)
{
   size_t i = get_global_id(0);
   uint x = a[i], r = 0, count = x >> 3 & 15, turns = (count + 3) / 4;

   if (count != 0) {
      switch (count % 4 * 3) {
      case 0:
         do {
            r = r * 5 + 1;
      case 9:
            r ^= x;
      case 6:
            r += 9;
      case 3:
            r = r << 1 | r >> 31;
         } while (--turns > 0);
      }
   }
   uint fuel = 12;
   switch (x % 5) {
   case 0: goto one;
   case 1: goto two;
   case 2: goto three;
   }
   goto end;
one:
   r += 1;
   if (fuel-- == 0)
      goto end;
   if (r & 2)
      goto three;
two:
   r = r * 2 + 3;
   if (fuel-- == 0 || (r & 7) == 5)
      goto end;
three:
   r ^= r >> 3;
   if (fuel-- == 0)
      goto last;
   if (r & 1)
      goto one;
   goto two;
last:
   r += 1000;
end:
   b[i] = r;
}
