// SPDX-License-Identifier: MIT
// goto into loops and out of them: control flow that no structured language has, irreducible loops too.
//: global 64
//: local 64
//: arg in u32*64=random:222
//: arg out u32*64
kernel void jumps(global const uint *a, global uint *b)
{
   size_t i = get_global_id(0);
   uint x = a[i], n = 0, r = 1;

   if (x & 1)
      goto middle;
top:
   r = r * 3 + x;
   if (++n > 20)
      goto out;
   if (r & 4)
      goto below;
middle:
   r ^= x >> (n & 15);
   n++;
   if ((r & 24) == 8)
      goto top;
   if (n < 9)
      goto middle;
   if (r & 64)
      goto done;
below:
   r += 7;
   if ((r & 3) != 0 && n < 15)
      goto top;
   if (r & 1)
      goto done;
out:
   r |= 1u << 31;
done:
   b[i] = r + n;
}
