/* SPDX-License-Identifier: MIT */
/* swizzle.c - patterns of ds_swizzle_b32 by name. */
#include "backend/gcn/isa/print.h"

#include "backend/gcn/isa/swizzle.h"

/* Lanes of 32 from and, or and xor of the lane's number. */
static void
print_bitmask(unsigned and, unsigned or, unsigned xor, hd_blob *out)
{
   static const unsigned sizes[] = { 2, 4, 8, 16, 32 };

   /* One lane of each group of a power of two for all of it. */
   for (unsigned n = 0; n < 5; n++) {
      unsigned size = sizes[n];
      if (!xor&&and == (0x1fu & ~(size - 1)) && or < size) {
         hd_blob_printf(out, "swizzle(BROADCAST,%u,%u)", size, or);
         return;
      }
   }
   if (and == 0x1f && ! or) {
      for (unsigned n = 0; n < 5; n++) {
         if (xor == sizes[n] - 1 && n > 0) {
            hd_blob_printf(out, "swizzle(REVERSE,%u)", sizes[n]);
            return;
         }
         if (xor == sizes[n] / 2) {
            hd_blob_printf(out, "swizzle(SWAP,%u)", sizes[n] / 2);
            return;
         }
      }
   }
   char mask[6];
   for (unsigned n = 0; n < 5; n++) {
      unsigned bit = 1u << (4 - n);
      bool a = and&bit, o = or &bit, x = xor&bit;
      mask[n] = a ? (o ? '1' : x ? 'i' : 'p') : (o != x ? '1' : '0');
      /* What a name of one letter cannot say. */
      if ((a && o) || (!a && o && x) || (!a && !o && x))
         mask[0] = '?';
      if (mask[0] == '?')
         break;
   }
   mask[5] = 0;
   if (mask[0] == '?')
      hd_blob_printf(out, "%u", and | or << 5 | xor << 10);
   else
      hd_blob_printf(out, "swizzle(BITMASK_PERM,\"%s\")", mask);
}

void
hd_gcn_swizzle_print(unsigned imm, hd_blob *out)
{
   hd_blob_printf(out, " offset:");
   if ((imm & HD_GCN_SWIZZLE_QUAD_MASK) == HD_GCN_SWIZZLE_QUAD) {
      hd_blob_printf(out, "swizzle(QUAD_PERM,%u,%u,%u,%u)", imm & 3, imm >> 2 & 3, imm >> 4 & 3,
                     imm >> 6 & 3);
   } else if (!(imm & 0x8000)) {
      print_bitmask(imm & 31, imm >> 5 & 31, imm >> 10 & 31, out);
   } else {
      hd_blob_printf(out, "%u", imm);
   }
}
