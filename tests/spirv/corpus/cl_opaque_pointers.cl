// SPDX-License-Identifier: MIT
// Pointers to types that are never defined: they are chosen, compared, handed on and cast, though nobody can look at them.
//: global 32
//: local 32
//: arg in u32*32=random:530
//: arg in u32*32=random:531
//: arg out u32*32
struct hidden;

static global struct hidden *choose(global struct hidden *a, global struct hidden *b, int first)
{
   return first ? a : b;
}

kernel void opaque_pointers(global struct hidden *a, global struct hidden *b, global uint *out)
{
   uint i = get_global_id(0);
   global struct hidden *p = choose(a, b, i % 3 == 0), *q = i & 8 ? p : b;
   private struct hidden *none = 0;

   for (int n = 0; n < 2; n++)
      q = q == a ? b : a;
   out[i] = ((global uint *)p)[i] ^ (q == a ? 0u : 1u) ^ (none ? 4u : 8u);
}
