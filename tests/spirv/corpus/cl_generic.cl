// SPDX-License-Identifier: MIT
// Generic pointers of OpenCL 2.0: one function for global, local and private memory, chosen at run time.
//: levels O0
//: global 64
//: local 64
//: judge none
//: arg in u32*64=iota:5:3
//: arg out u32*64 equals=fill:1
uint pick(uint *p, uint n)
{
   return p[n] * 2 + 1;
}

kernel void generic_pointers(global uint *a, global uint *b)
{
   local uint shared_words[64];
   uint own[4];
   size_t i = get_local_id(0);

   shared_words[i] = (uint)i * 7;
   for (uint k = 0; k < 4; k++)
      own[k] = k + (uint)i;
   barrier(CLK_LOCAL_MEM_FENCE);
   uint *p = i % 3 == 0 ? (uint *)a : i % 3 == 1 ? (uint *)shared_words : (uint *)own;
   uint got = pick(p, i & 3);
   uint wanted = i % 3 == 0 ? 5 + (i & 3) * 3 : i % 3 == 1 ? (i & 3) * 7 : (i & 3) + i;
   b[i] = got == wanted * 2 + 1 && (i % 3 != 0 || to_global(p) == a) && (i % 3 != 1 || to_local(p));
}
