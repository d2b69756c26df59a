// SPDX-License-Identifier: MIT
// Structures with padding that nobody writes are copied whole, through private and local memory, as values, in loops; what is
// in them decides branches. And of a number of which some bytes were written these are looked at alone.
//: global 32
//: local 32
//: arg in u32*32=random:540
//: arg out u32*96
typedef struct {
   uchar c;
   uint i;
} padded;

typedef struct {
   padded p[3];
   ushort s;
} deep;

static deep make(uint x)
{
   deep d;

   for (int k = 0; k < 3; k++) {
      d.p[k].c = (uchar)(x >> k);
      d.p[k].i = x * (k + 1);
   }
   d.s = (ushort)x;
   return d;
}

kernel void padding(global const uint *in, global uint *out)
{
   local padded tile[32];
   size_t l = get_local_id(0);
   uint x = in[l], some, sum = 0;
   deep d = make(x), e;
   padded best = d.p[0];

   tile[l] = d.p[1];
   barrier(CLK_LOCAL_MEM_FENCE);
   padded other = tile[31 - l];
   e = d;
   for (int k = 0; k < 3; k++) {
      if (e.p[k].c > best.c)
         best = e.p[k];
      sum += e.p[k].i;
   }
   if (other.c == (uchar)(in[31 - l] >> 1))
      sum ^= other.i;
   out[3 * l] = best.c + sum;
   ((private uchar *)&some)[1] = (uchar)x;
   if ((some >> 8 & 0xff) == (x & 0xff))
      out[3 * l + 1] = (some & 0xff00) | best.i % 256;
   else
      out[3 * l + 1] = 0;
   out[3 * l + 2] = e.s;
}
