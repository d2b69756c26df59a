// SPDX-License-Identifier: MIT
// Accesses that promise more alignment than the types of the variables have that they are about: halves and bytes in local
// memory, in private memory, and in memory of the caller. And those that promise less: members of packed structures.
//: global 32
//: local 32
//: arg in f16*512=random:520:-100:100
//: arg out f32*512
//: arg out u32*64
//: arg io u8*704=random:521
typedef struct __attribute__((packed)) {
   char c;
   int i;
   long l;
   short2 s;
   float f;
   char pad;
} tight;

static void fill(char *to, int n)
{
   *(int4 *)to = (int4)(n, n + 1, n + 2, n + 3);
}

kernel void aligned_accesses(global const ushort *in, global float *out, global uint *b,
                             global tight *t)
{
   local char odd;
   local short loc[512];
   char first = (char)get_global_id(0), bytes[16];
   size_t i = get_global_id(0);

   odd = 3;
   for (int k = 0; k < 16; k++)
      loc[16 * i + k] = as_short(in[16 * i + k]);
   barrier(CLK_LOCAL_MEM_FENCE);
   vstore16(vloada_half16(i, (local half *)loc), i, out);
   fill(bytes, (int)i * 100);
   b[2 * i] = bytes[i % 16] + odd;
   b[2 * i + 1] = *(int *)(bytes + 4 * (i % 4)) + first;
   tight own = t[i];
   own.i += own.c;
   own.l *= 3;
   t[i] = own;
   t[i].s.y = t[i].s.x + (short)own.l;
   t[i].f = (float)own.i;
}
